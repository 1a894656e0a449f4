// RPC over RDMA, RPC behind it, and what NFS calls are about.
#include <algorithm>

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/nfs.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope::dissectors {
namespace {

constexpr std::uint32_t kMostChunks = 1024;  // a hostile list ends there

/// The word `at` bytes behind the offset, or `otherwise`: it is not here.
std::uint32_t word_at(const Dissection& d, std::size_t at, std::uint32_t otherwise) noexcept {
  if (!d.fits(at + 4)) return otherwise;
  return static_cast<std::uint32_t>(load_big_endian(d.data.data() + d.offset + at, 4));
}

enum class Marker : std::uint32_t { kEnd, kChunk, kNone };

/// Whether a list goes on at the offset.
Marker marker(const Dissection& d) noexcept {
  return Marker{std::min(word_at(d, 0, 2), static_cast<std::uint32_t>(Marker::kNone))};
}

bool end_list(Dissection& d) noexcept {
  return marker(d) == Marker::kEnd && d.take_run(RpcListEnd::kKind, RpcListEnd::kSize);
}

bool take_write_chunk(Dissection& d) noexcept {
  const auto chunk = d.take<RpcWriteChunk>();
  if (!chunk) return false;
  const std::uint32_t count = chunk->get<"rpcordma.segment_count">();
  if (count > kMostChunks) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!d.take_run(RpcSegment::kKind, RpcSegment::kSize)) return false;
  }
  return true;
}

/// As most are: three ends.
bool are_empty(const Dissection& d) noexcept {
  constexpr std::uint32_t kOther = 1;
  return (word_at(d, 0, kOther) | word_at(d, 4, kOther) | word_at(d, 8, kOther)) == 0;
}

bool take_lists(Dissection& d) noexcept {
  if (are_empty(d)) return d.take(RpcListEnd::kKind, 3 * RpcListEnd::kSize);
  for (std::uint32_t i = 0; i < kMostChunks && marker(d) == Marker::kChunk; ++i) {
    if (!d.take_run(RpcReadChunk::kKind, RpcReadChunk::kSize)) return false;
  }
  if (!end_list(d)) return false;
  for (std::uint32_t i = 0; i < kMostChunks && marker(d) == Marker::kChunk; ++i) {
    if (!take_write_chunk(d)) return false;
  }
  if (!end_list(d)) return false;
  return marker(d) == Marker::kChunk ? take_write_chunk(d) : end_list(d);
}

/// A header of `fixed` bytes, of which the last word is the length of opaque bytes behind it.
bool take_opaque(Dissection& d, HeaderKind kind, std::size_t fixed) noexcept {
  const std::size_t length = word_at(d, fixed - 4, 0);
  return d.take(kind, fixed + (length + 3) / 4 * 4);
}

/// Bytes of an authentication `at` bytes behind the offset, as far as its length is here.
std::size_t authentication_size(const Dissection& d, std::size_t at) noexcept {
  return RpcAuthentication::kSize + (std::size_t{word_at(d, at + 4, 0)} + 3) / 4 * 4;
}

bool take_authentication(Dissection& d) noexcept {
  return take_opaque(d, RpcAuthentication::kKind, RpcAuthentication::kSize);
}

bool take_file(Dissection& d) noexcept { return take_opaque(d, NfsFileHandle::kKind, NfsFileHandle::kSize); }

void take_nfs3(Dissection& d, std::uint32_t procedure) noexcept {
  if (procedure == 0 || !take_file(d)) return;
  if (procedure == kNfs3Read || procedure == kNfs3Write || procedure == kNfs3Commit) (void)d.take<NfsRange3>();
}

/// The attributes that a GETATTR asks for, as a part of it: a count of words, and these.
bool take_attributes(Dissection& d) noexcept {
  const std::size_t words = word_at(d, 0, 0);
  return d.extend_last(4 + words * 4);
}

/// Operations that only stand beside others, and their arguments. False: it is none of them.
bool take_preparation(Dissection& d, std::uint32_t operation) noexcept {
  switch (operation) {
    case kNfs4Sequence:
      return static_cast<bool>(d.take<NfsSequence>());
    case kNfs4PutFileHandle:
      return take_file(d);
    case kNfs4GetAttributes:
      return take_attributes(d);
    case kNfs4PutPublicFileHandle:
    case kNfs4PutRootFileHandle:
    case kNfs4SaveFileHandle:
    case kNfs4RestoreFileHandle:
      return true;
    default:
      return false;
  }
}

constexpr std::uint32_t kMostOperations = 16;  // before that which a COMPOUND is about

void take_compound(Dissection& d) noexcept {
  if (!take_opaque(d, NfsTag::kKind, NfsTag::kSize)) return;
  const auto compound = d.take<NfsCompound>();
  if (!compound) return;
  const std::uint32_t count = std::min<std::uint32_t>(compound->get<"rocescope.nfs.operations">(), kMostOperations);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto operation = d.take<NfsOperation>();
    if (!operation) return;
    const std::uint32_t code = operation->get<"nfs.opcode">();
    if (take_preparation(d, code)) continue;
    if (code == kNfs4Read) (void)d.take<NfsRead4>();
    if (code == kNfs4Write) (void)d.take<NfsWrite4>();
    if (code == kNfs4Commit) (void)d.take<NfsCommit4>();
    return;
  }
}

void take_callbacks(Dissection& d) noexcept {
  if (!take_opaque(d, NfsTag::kKind, NfsTag::kSize)) return;
  const auto compound = d.take<NfsCallbackCompound>();
  if (!compound) return;
  const std::uint32_t count = std::min<std::uint32_t>(compound->get<"rocescope.nfs.operations">(), kMostOperations);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto callback = d.take<NfsCallback>();
    if (!callback || callback->get<"nfs.cb.operation">() != kNfs4CallbackSequence || !d.take<NfsSequence>()) return;
    if (!end_list(d)) return;  // of the calls that it refers to
  }
}

/// A call up to its arguments. False: it does not get there.
bool take_call_header(Dissection& d) noexcept {
  constexpr std::size_t kVersionAt = 8;
  const std::size_t credentials = authentication_size(d, RpcCall::kSize);
  const std::size_t verifier = authentication_size(d, RpcCall::kSize + credentials);
  const bool is_version = word_at(d, kVersionAt, 0) == RpcCall::kVersion;
  if (is_version && d.take_all({{RpcCall::kKind, RpcCall::kSize},
                                {RpcAuthentication::kKind, credentials},
                                {RpcAuthentication::kKind, verifier}}))
    return true;
  // Not all of it is here.
  const auto call = d.take<RpcCall>();
  return call && is_version && take_authentication(d) && take_authentication(d);
}

void take_call(Dissection& d) noexcept {
  const std::uint32_t at = d.offset;
  if (!take_call_header(d)) return;
  const RpcCall call(d.data.data() + at);
  const std::uint32_t program = call.get<"rpc.program">();
  const std::uint32_t version = call.get<"rpc.programversion">();
  const std::uint32_t procedure = call.get<"rpc.procedure">();
  if (program == kNfsProgram && version == 3) take_nfs3(d, procedure);
  if (program == kNfsAclProgram && procedure != 0) (void)take_file(d);
  if (program == kNfsProgram && version == 4 && procedure != 0) take_compound(d);
  if (program == kNfsCallbackProgram && procedure != 0) take_callbacks(d);
}

/// As most are: accepted, with an empty verifier, and results of NFS. False: it is another, or not all of it is here.
bool take_usual_reply(Dissection& d, NfsVersion version) noexcept {
  constexpr std::uint32_t kOther = 1;
  const std::uint32_t denied = word_at(d, 8, kOther);
  const std::uint32_t verifier = word_at(d, RpcReply::kSize + 4, kOther);
  const std::uint32_t refused = word_at(d, RpcReply::kSize + RpcAuthentication::kSize, kOther);
  if (version == NfsVersion::kUnknown || (denied | verifier | refused) != 0) return false;
  return d.take_all({{RpcReply::kKind, RpcReply::kSize},
                     {RpcAuthentication::kKind, RpcAuthentication::kSize},
                     {RpcAccepted::kKind, RpcAccepted::kSize},
                     {version == NfsVersion::k3 ? NfsStatus3::kKind : NfsStatus4::kKind, NfsStatus4::kSize}});
}

void take_reply(Dissection& d, NfsVersion version) noexcept {
  if (take_usual_reply(d, version)) return;
  const auto reply = d.take<RpcReply>();
  if (!reply || reply->get<"rpc.replystat">() != 0 || !take_authentication(d)) return;
  const auto accepted = d.take<RpcAccepted>();
  if (!accepted || accepted->get<"rpc.state_accept">() != 0) return;
  if (version == NfsVersion::k3) (void)d.take<NfsStatus3>();
  if (version == NfsVersion::k4) (void)d.take<NfsStatus4>();
}

}  // namespace

void dissect_rpc(Dissection& d, NfsVersion version) noexcept {
  const std::uint32_t type = word_at(d, 4, 2);
  if (type == 0) take_call(d);
  if (type == 1) take_reply(d, version);
}

void dissect_rpc_over_rdma(Dissection& d, NfsVersion version) noexcept {
  const auto header = d.take<RpcOverRdma>();
  if (!header || header->get<"rpcordma.version">() != RpcOverRdma::kVersion) return;
  const std::uint32_t type = header->get<"rpcordma.msg_type">();
  if (type == RpcOverRdma::kError) (void)d.take<RpcOverRdmaError>();
  if ((type == RpcOverRdma::kMsg || type == RpcOverRdma::kNoMsg) && take_lists(d) && type == RpcOverRdma::kMsg)
    dissect_rpc(d, version);
}

}  // namespace rocescope::dissectors
