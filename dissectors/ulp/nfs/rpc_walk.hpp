// What stands where in a message of RPC over RDMA, in RPC behind it, and in calls of NFS. Each function goes on at the
// offset of `walk`, which takes the headers one by one: a Dissection, or another with the same functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope::dissectors::rpc {

inline constexpr std::uint32_t kMostChunks = 1024;  // a hostile list ends there

/// The word `at` bytes behind the offset, or `otherwise`: it is not here.
template <class Walk>
[[nodiscard]] std::uint32_t word_at(const Walk& walk, std::size_t at, std::uint32_t otherwise) noexcept {
  if (!walk.fits(at + 4)) return otherwise;
  return static_cast<std::uint32_t>(load_big_endian(walk.data.data() + walk.offset + at, 4));
}

enum class Marker : std::uint32_t { kEnd, kChunk, kNone };

/// Whether a list goes on at the offset.
template <class Walk>
[[nodiscard]] Marker marker(const Walk& walk) noexcept {
  return Marker{std::min(word_at(walk, 0, 2), static_cast<std::uint32_t>(Marker::kNone))};
}

template <class Walk>
[[nodiscard]] bool end_list(Walk& walk) {
  return marker(walk) == Marker::kEnd && walk.take_run(RpcListEnd::kKind, RpcListEnd::kSize);
}

/// A write chunk, or the reply chunk, and its segments.
template <class Chunk, class Walk>
[[nodiscard]] bool take_chunk(Walk& walk) {
  const auto chunk = walk.template take<Chunk>();
  if (!chunk) return false;
  const std::uint32_t count = chunk->template get<"rpcordma.segment_count">();
  if (count > kMostChunks) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!walk.take_run(RpcSegment::kKind, RpcSegment::kSize)) return false;
  }
  return true;
}

/// As most are: three ends.
template <class Walk>
[[nodiscard]] bool are_empty(const Walk& walk) noexcept {
  if (!walk.fits(3 * RpcListEnd::kSize)) return false;
  const std::uint8_t* const first = walk.data.data() + walk.offset;
  return (load_big_endian(first, 8) | load_big_endian(first + 8, 4)) == 0;
}

template <class Walk>
[[nodiscard]] bool take_lists(Walk& walk) {
  if (are_empty(walk)) return walk.take(RpcListEnd::kKind, 3 * RpcListEnd::kSize);
  for (std::uint32_t i = 0; i < kMostChunks && marker(walk) == Marker::kChunk; ++i) {
    if (!walk.take_run(RpcReadChunk::kKind, RpcReadChunk::kSize)) return false;
  }
  if (!end_list(walk)) return false;
  for (std::uint32_t i = 0; i < kMostChunks && marker(walk) == Marker::kChunk; ++i) {
    if (!take_chunk<RpcWriteChunk>(walk)) return false;
  }
  if (!end_list(walk)) return false;
  return marker(walk) == Marker::kChunk ? take_chunk<RpcReplyChunk>(walk) : end_list(walk);
}

/// The header H, whose last word is the length of the opaque bytes behind it.
template <class H, class Walk>
[[nodiscard]] bool take_opaque(Walk& walk) {
  const std::size_t length = word_at(walk, H::kSize - 4, 0);
  return walk.take(H::kKind, H::kSize + (length + 3) / 4 * 4);
}

/// Bytes of an authentication `at` bytes behind the offset, as far as its length is here.
template <class Walk>
[[nodiscard]] std::size_t authentication_size(const Walk& walk, std::size_t at) noexcept {
  return RpcAuthentication::kSize + (std::size_t{word_at(walk, at + 4, 0)} + 3) / 4 * 4;
}

template <class Walk>
void take_nfs3(Walk& walk, std::uint32_t procedure) {
  if (procedure == 0 || !take_opaque<NfsFileHandle>(walk)) return;
  if (procedure == kNfs3Read || procedure == kNfs3Write || procedure == kNfs3Commit)
    (void)walk.template take<NfsRange3>();
}

/// The attributes that a GETATTR asks for, as a part of it: a count of words, and these.
template <class Walk>
[[nodiscard]] bool take_attributes(Walk& walk) {
  const std::size_t words = word_at(walk, 0, 0);
  return walk.extend_last(4 + words * 4);
}

/// Whether the operation only stands beside others.
[[nodiscard]] constexpr bool is_preparation(std::uint32_t operation) noexcept {
  switch (operation) {
    case kNfs4Sequence:
    case kNfs4PutFileHandle:
    case kNfs4GetAttributes:
    case kNfs4PutPublicFileHandle:
    case kNfs4PutRootFileHandle:
    case kNfs4SaveFileHandle:
    case kNfs4RestoreFileHandle:
      return true;
    default:
      return false;
  }
}

/// Operations that only stand beside others, and their arguments. False: it is none of them.
template <class Walk>
[[nodiscard]] bool take_preparation(Walk& walk, std::uint32_t operation) {
  if (!is_preparation(operation)) return false;
  switch (operation) {
    case kNfs4Sequence:
      return static_cast<bool>(walk.template take<NfsSequence>());
    case kNfs4PutFileHandle:
      return take_opaque<NfsFileHandle>(walk);
    case kNfs4GetAttributes:
      return take_attributes(walk);
    default:
      return true;
  }
}

inline constexpr std::uint32_t kMostOperations = 16;  // before that which a COMPOUND is about

template <class Walk>
void take_compound(Walk& walk) {
  if (!take_opaque<NfsTag>(walk)) return;
  const auto compound = walk.template take<NfsCompound>();
  if (!compound) return;
  const std::uint32_t operations = compound->template get<"rocescope.nfs.operations">();
  const std::uint32_t count = std::min<std::uint32_t>(operations, kMostOperations);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto operation = walk.template take<NfsOperation>();
    if (!operation) return;
    const std::uint32_t code = operation->template get<"nfs.opcode">();
    if (take_preparation(walk, code)) continue;
    if (code == kNfs4Read) (void)walk.template take<NfsRead4>();
    if (code == kNfs4Write) (void)walk.template take<NfsWrite4>();
    if (code == kNfs4Commit) (void)walk.template take<NfsCommit4>();
    return;
  }
}

template <class Walk>
void take_callbacks(Walk& walk) {
  if (!take_opaque<NfsTag>(walk)) return;
  const auto compound = walk.template take<NfsCallbackCompound>();
  if (!compound) return;
  const std::uint32_t operations = compound->template get<"rocescope.nfs.operations">();
  const std::uint32_t count = std::min<std::uint32_t>(operations, kMostOperations);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto callback = walk.template take<NfsCallback>();
    if (!callback || callback->template get<"nfs.cb.operation">() != kNfs4CallbackSequence) return;
    if (!walk.template take<NfsSequence>()) return;
    if (!end_list(walk)) return;  // of the calls that it refers to
  }
}

/// A call up to its arguments. False: it does not get there.
template <class Walk>
[[nodiscard]] bool take_call_header(Walk& walk) {
  constexpr std::size_t kVersionAt = 8;
  const std::size_t credentials = authentication_size(walk, RpcCall::kSize);
  const std::size_t verifier = authentication_size(walk, RpcCall::kSize + credentials);
  const bool is_version = word_at(walk, kVersionAt, 0) == RpcCall::kVersion;
  if (is_version && walk.take_all({{RpcCall::kKind, RpcCall::kSize},
                                   {RpcAuthentication::kKind, credentials},
                                   {RpcAuthentication::kKind, verifier}}))
    return true;
  // Not all of it is here.
  const auto call = walk.template take<RpcCall>();
  return call && is_version && take_opaque<RpcAuthentication>(walk) && take_opaque<RpcAuthentication>(walk);
}

template <class Walk>
void take_call(Walk& walk) {
  const std::uint32_t at = walk.offset;
  if (!take_call_header(walk)) return;
  const RpcCall call(walk.data.data() + at);
  const std::uint32_t program = call.get<"rpc.program">();
  const std::uint32_t version = call.get<"rpc.programversion">();
  const std::uint32_t procedure = call.get<"rpc.procedure">();
  if (program == kNfsProgram && version == 3) take_nfs3(walk, procedure);
  if (program == kNfsAclProgram && procedure != 0) (void)take_opaque<NfsFileHandle>(walk);
  if (program == kNfsProgram && version == 4 && procedure != 0) take_compound(walk);
  if (program == kNfsCallbackProgram && procedure != 0) take_callbacks(walk);
}

/// As most are: accepted, with an empty verifier, and results of NFS. False: it is another, or not all of it is here.
template <class Walk>
[[nodiscard]] bool take_usual_reply(Walk& walk, NfsVersion version) {
  constexpr std::uint32_t kOther = 1;
  const std::uint32_t denied = word_at(walk, 8, kOther);
  const std::uint32_t verifier = word_at(walk, RpcReply::kSize + 4, kOther);
  const std::uint32_t refused = word_at(walk, RpcReply::kSize + RpcAuthentication::kSize, kOther);
  if (version == NfsVersion::kUnknown || (denied | verifier | refused) != 0) return false;
  return walk.take_all({{RpcReply::kKind, RpcReply::kSize},
                        {RpcAuthentication::kKind, RpcAuthentication::kSize},
                        {RpcAccepted::kKind, RpcAccepted::kSize},
                        {version == NfsVersion::k3 ? NfsStatus3::kKind : NfsStatus4::kKind, NfsStatus4::kSize}});
}

template <class Walk>
void take_reply(Walk& walk, NfsVersion version) {
  if (take_usual_reply(walk, version)) return;
  const auto reply = walk.template take<RpcReply>();
  if (!reply || reply->template get<"rpc.replystat">() != 0 || !take_opaque<RpcAuthentication>(walk)) return;
  const auto accepted = walk.template take<RpcAccepted>();
  if (!accepted || accepted->template get<"rpc.state_accept">() != 0) return;
  if (version == NfsVersion::k3) (void)walk.template take<NfsStatus3>();
  if (version == NfsVersion::k4) (void)walk.template take<NfsStatus4>();
}

/// `version`: of the call that a reply answers.
template <class Walk>
void take_rpc(Walk& walk, NfsVersion version) {
  const std::uint32_t type = word_at(walk, 4, 2);
  if (type == 0) take_call(walk);
  if (type == 1) take_reply(walk, version);
}

/// The same.
template <class Walk>
void take_rpc_over_rdma(Walk& walk, NfsVersion version) {
  const auto header = walk.template take<RpcOverRdma>();
  if (!header || header->template get<"rpcordma.version">() != RpcOverRdma::kVersion) return;
  const std::uint32_t type = header->template get<"rpcordma.msg_type">();
  if (type == RpcOverRdma::kError) (void)walk.template take<RpcOverRdmaError>();
  if ((type == RpcOverRdma::kMsg || type == RpcOverRdma::kNoMsg) && take_lists(walk) && type == RpcOverRdma::kMsg)
    take_rpc(walk, version);
}

}  // namespace rocescope::dissectors::rpc
