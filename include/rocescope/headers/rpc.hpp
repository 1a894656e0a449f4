// RPC over RDMA, and the fixed parts of RPC behind it. All numbers are big-endian words of XDR (RFC 4506).
//
// Header (RFC 8166, 4.1), then the read list, the write list and the reply chunk:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                              XID                              |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Version                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                            Credits                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Message type                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// A chunk of the read list: 1 (it follows), position in the XDR, handle, length, offset (8 bytes).
// A chunk of the write list, or the reply chunk: 1, a count of segments, each a handle, a length and an offset.
// Each list ends with a 0.
//
// RPC call and reply (RFC 5531, 9): the XID, 0 or 1, and
//   RPC version, program, its version, procedure, credentials, verifier      of a call
//   0 (accepted), verifier, why it was carried out or not                    of a reply
#pragma once

#include <array>
#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/header.hpp"
#include "rocescope/headers/nfs/names.hpp"

namespace rocescope {

inline constexpr ValueName kRpcOverRdmaTypes[] = {
    {0, 0, "RDMA_MSG"}, {1, 1, "RDMA_NOMSG"}, {2, 2, "RDMA_MSGP"}, {3, 3, "RDMA_DONE"}, {4, 4, "RDMA_ERROR"}};
inline constexpr ValueName kRpcOverRdmaErrors[] = {{1, 1, "ERR_VERS"}, {2, 2, "ERR_CHUNK"}};
inline constexpr ValueName kRpcMessageTypes[] = {{0, 0, "Call"}, {1, 1, "Reply"}};
inline constexpr ValueName kRpcReplyStates[] = {{0, 0, "accepted"}, {1, 1, "denied"}};
inline constexpr ValueName kRpcAuthFlavors[] = {{0, 0, "AUTH_NULL"}, {1, 1, "AUTH_UNIX"}, {6, 6, "RPCSEC_GSS"}};

struct RpcOverRdma : HeaderView<RpcOverRdma> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcOverRdma;
  static constexpr std::string_view kName = "rpcordma";
  static constexpr std::string_view kTitle = "RPC over RDMA";
  static constexpr std::string_view kReference = "RFC 8166 4.1";
  static constexpr std::size_t kSize = 16;
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::uint32_t kMsg = 0;    ///< types
  static constexpr std::uint32_t kNoMsg = 1;  ///< the RPC message is in a chunk
  static constexpr std::uint32_t kError = 4;
  static constexpr Field kFields[] = {
      field::hex("rpcordma.xid", "XID", 0, 32),
      field::number("rpcordma.version", "Version", 32, 32),
      field::number("rpcordma.flow_control", "Credits", 64, 32),
      field::number("rpcordma.msg_type", "Message type", 96, 32).named(kRpcOverRdmaTypes),
  };
  using HeaderView::HeaderView;
};

/// Why a message was refused; with ERR_VERS two words follow.
struct RpcOverRdmaError : HeaderView<RpcOverRdmaError> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcOverRdmaError;
  static constexpr std::string_view kName = "rpcordma";
  static constexpr std::string_view kTitle = "RPC over RDMA error";
  static constexpr std::string_view kReference = "RFC 8166 4.5";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("rpcordma.errcode", "Error code", 0, 32).named(kRpcOverRdmaErrors),
  };
  using HeaderView::HeaderView;
};

/// A chunk that the responder READs.
struct RpcReadChunk : HeaderView<RpcReadChunk> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcReadChunk;
  static constexpr std::string_view kName = "rpcordma";
  static constexpr std::string_view kTitle = "Read chunk";
  static constexpr std::string_view kReference = "RFC 8166 4.3.1";
  static constexpr std::size_t kSize = 24;
  static constexpr bool kRepeats = true;
  static constexpr Field kFields[] = {
      field::number("rocescope.rpcordma.chunk", "A chunk follows", 0, 32),
      field::number("rpcordma.position", "Position in the XDR", 32, 32),
      field::hex("rpcordma.rdma_handle", "Handle", 64, 32),
      field::number("rpcordma.rdma_length", "Length", 96, 32),
      field::hex("rpcordma.rdma_offset", "Offset", 128, 64),
  };
  using HeaderView::HeaderView;
};

namespace detail {
inline constexpr std::array kRpcChunkRows = {
    field::number("rocescope.rpcordma.chunk", "A chunk follows", 0, 32),
    field::number("rpcordma.segment_count", "Segments", 32, 32),
};
}  // namespace detail

/// A chunk that the responder WRITEs; segments follow.
struct RpcWriteChunk : HeaderView<RpcWriteChunk> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcWriteChunk;
  static constexpr std::string_view kName = "rpcordma";
  static constexpr std::string_view kTitle = "Write chunk";
  static constexpr std::string_view kReference = "RFC 8166 4.3.2";
  static constexpr std::size_t kSize = 8;
  static constexpr auto kFields = detail::kRpcChunkRows;
  using HeaderView::HeaderView;
};

/// The chunk to which the responder WRITEs its reply; segments follow.
struct RpcReplyChunk : HeaderView<RpcReplyChunk> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcReplyChunk;
  static constexpr std::string_view kName = "rpcordma";
  static constexpr std::string_view kTitle = "Reply chunk";
  static constexpr std::string_view kReference = "RFC 8166 4.3.3";
  static constexpr std::size_t kSize = 8;
  static constexpr auto kFields = detail::kRpcChunkRows;
  using HeaderView::HeaderView;
};

struct RpcSegment : HeaderView<RpcSegment> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcSegment;
  static constexpr std::string_view kName = "rpcordma";
  static constexpr std::string_view kTitle = "Segment";
  static constexpr std::string_view kReference = "RFC 8166 4.2";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("rpcordma.rdma_handle", "Handle", 0, 32),
      field::number("rpcordma.rdma_length", "Length", 32, 32),
      field::hex("rpcordma.rdma_offset", "Offset", 64, 64),
  };
  using HeaderView::HeaderView;
};

/// The end of the read list, of the write list, or no reply chunk.
struct RpcListEnd : HeaderView<RpcListEnd> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcListEnd;
  static constexpr std::string_view kName = "rpcordma";
  static constexpr std::string_view kTitle = "End of a list";
  static constexpr std::string_view kReference = "RFC 8166 4.3";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {field::number("rocescope.rpcordma.end", "End of a list", 0, 32)};
  using HeaderView::HeaderView;
};

struct RpcCall : HeaderView<RpcCall> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcCall;
  static constexpr std::string_view kName = "rpc";
  static constexpr std::string_view kTitle = "RPC call";
  static constexpr std::string_view kReference = "RFC 5531 9";
  static constexpr std::size_t kSize = 24;
  static constexpr std::uint32_t kVersion = 2;

  /// Whether it calls a version of a program; 0: any.
  template <std::uint32_t program, std::uint32_t version = 0>
  static constexpr bool is_of(const std::uint8_t* header) {
    return load_big_endian(header + 12, 4) == program && (version == 0 || load_big_endian(header + 16, 4) == version);
  }
  static constexpr bool is_of_other(const std::uint8_t* header) {
    return !is_of<kNfsProgram, 3>(header) && !is_of<kNfsProgram, 4>(header) && !is_of<kNfsAclProgram>(header) &&
           !is_of<kMountProgram>(header) && !is_of<kNfsCallbackProgram>(header);
  }

  static constexpr Field kFields[] = {
      field::hex("rpc.xid", "XID", 0, 32),
      field::number("rpc.msgtyp", "Message type", 32, 32).named(kRpcMessageTypes),
      field::number("rpc.version", "RPC version", 64, 32),
      field::number("rpc.program", "Program", 96, 32).named(kRpcProgramNames),
      field::number("rpc.programversion", "Program version", 128, 32),
      field::number("rpc.procedure", "Procedure", 160, 32).named(kNfs3ProcedureNames).when(is_of<kNfsProgram, 3>),
      field::number("rpc.procedure", "Procedure", 160, 32).named(kNfs4ProcedureNames).when(is_of<kNfsProgram, 4>),
      field::number("rpc.procedure", "Procedure", 160, 32).named(kNfsAclProcedureNames).when(is_of<kNfsAclProgram>),
      field::number("rpc.procedure", "Procedure", 160, 32).named(kMountProcedureNames).when(is_of<kMountProgram>),
      field::number("rpc.procedure", "Procedure", 160, 32)
          .named(kNfsCallbackProcedureNames)
          .when(is_of<kNfsCallbackProgram>),
      field::number("rpc.procedure", "Procedure", 160, 32).when(is_of_other),
  };
  using HeaderView::HeaderView;
};

/// Credentials, which are not shown, or a verifier.
struct RpcAuthentication : HeaderView<RpcAuthentication> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcAuthentication;
  static constexpr std::string_view kName = "rpc.auth";
  static constexpr std::string_view kTitle = "RPC authentication";
  static constexpr std::string_view kReference = "RFC 5531 8.2";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("rpc.auth.flavor", "Flavor", 0, 32).named(kRpcAuthFlavors),
      field::number("rpc.auth.length", "Length", 32, 32),
  };
  using HeaderView::HeaderView;
};

struct RpcReply : HeaderView<RpcReply> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcReply;
  static constexpr std::string_view kName = "rpc";
  static constexpr std::string_view kTitle = "RPC reply";
  static constexpr std::string_view kReference = "RFC 5531 9";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::hex("rpc.xid", "XID", 0, 32),
      field::number("rpc.msgtyp", "Message type", 32, 32).named(kRpcMessageTypes),
      field::number("rpc.replystat", "Reply state", 64, 32).named(kRpcReplyStates),
  };
  using HeaderView::HeaderView;
};

/// Behind the verifier of a reply that was accepted.
struct RpcAccepted : HeaderView<RpcAccepted> {
  static constexpr HeaderKind kKind = HeaderKind::kRpcAccepted;
  static constexpr std::string_view kName = "rpc";
  static constexpr std::string_view kTitle = "RPC accepted reply";
  static constexpr std::string_view kReference = "RFC 5531 9";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("rpc.state_accept", "Accept state", 0, 32).named(kRpcAcceptNames),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
