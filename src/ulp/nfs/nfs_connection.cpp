#include "ulp/nfs/nfs_connection.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/headers/rpc.hpp"
#include "ulp/nfs/rpc_facts.hpp"

namespace rocescope {
namespace {

MessageProtocol protocol_of(NfsVersion version) {
  if (version == NfsVersion::k3) return MessageProtocol::kRpcOverRdmaNfs3;
  return version == NfsVersion::k4 ? MessageProtocol::kRpcOverRdmaNfs4 : MessageProtocol::kRpcOverRdma;
}

}  // namespace

MessageProtocol NfsConnection::observe(const SendPayload& payload, CommandSink& log) {
  const Bytes start = payload.start();
  const bool is_it = start.size() >= RpcOverRdma::kSize &&
                     RpcOverRdma(start.data()).get<"rpcordma.version">() == RpcOverRdma::kVersion;
  if (!is_it) {
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  const auto xid = RpcOverRdma(start.data()).get<"rpcordma.xid">();
  const NfsVersion version = version_of(1 - payload.sender, xid);
  message_.read(start, version);
  // An application that sends the same bytes again and again has no commands.
  books_.counts().fit.news += last_xid_ == xid ? 0U : 1U;
  last_xid_ = xid;
  if (message_.has<RpcCall>() || is_call(payload.sender, xid)) {
    observe_call(payload, xid, log);
  } else {
    observe_reply(payload, xid, log);
  }
  return protocol_of(version);
}

/// For a message without the headers of a call. A call whose RPC message is elsewhere has a read chunk for it (RFC
/// 8166, 3.5.3). If that is not known, a message is a reply if its peer waits for one.
bool NfsConnection::is_call(std::size_t sender, std::uint32_t xid) {
  if (message_.has<RpcReply>() || message_.has<RpcOverRdmaError>()) return false;
  if (message_.has<RpcReadChunk>()) return true;
  const auto header = message_.header<RpcOverRdma>();
  if (message_.has<RpcListEnd>() && header->get<"rpcordma.msg_type">() == RpcOverRdma::kNoMsg) return false;
  if (books_.of(1 - sender).find(xid) != nullptr) return false;
  return !client_ || sender == *client_;
}

void NfsConnection::observe_call(const SendPayload& payload, std::uint32_t xid, CommandSink& log) {
  forget_chunk(payload.sender, xid);
  if (!books_.admit(payload, xid, log)) return;
  auto open = OpenCommand::asked_by(payload, xid);
  Command& command = open->command;
  const auto call = nfs_call_of(message_);
  const NfsVersion version = call ? call->version : NfsVersion::kUnknown;
  command.opcode_is_cut = command.size_is_cut = !call;
  if (call) note_nfs_call(message_, *call, command);
  if (call && !client_) client_ = static_cast<std::uint8_t>(call->is_back ? 1 - payload.sender : payload.sender);
  open->version = static_cast<std::uint8_t>(version);
  add_memory(payload.sender, xid, *open);
  constexpr std::uint32_t kLists = 3;  // an RPC call is behind them
  const bool is_cut = payload.start().size() < payload.length;
  command.place_is_cut = is_cut && !message_.has<RpcCall>() && message_.list_ends() < kLists;
  const bool has_reads = message_.has<RpcReadChunk>();
  command.in_capsule = command.operation == "WRITE" && command.bytes > 0 && !has_reads;
  books_.add(xid, std::move(open));
}

void NfsConnection::add_memory(std::size_t caller, std::uint32_t xid, OpenCommand& open) {
  const std::vector<RpcMessage::Segment>& segments = message_.segments();
  if (segments.empty()) return;
  open.memory.reserve(std::min(segments.size(), kMostMemory));
  bool has_reply = false;
  for (const RpcMessage::Segment& segment : segments) {
    const CommandMemory memory{segment.key, segment.address, segment.length};
    if (open.memory.size() < kMostMemory) open.memory.push_back(memory);
    const NfsVersion version{open.version};
    if (segment.is_reply && !has_reply && version != NfsVersion::kUnknown) chunks_[caller][xid] = {memory, version};
    has_reply = has_reply || segment.is_reply;
  }
}

inline void NfsConnection::conclude(OpenCommand& open) {
  Command& command = open.command;
  command.is_answer = command.status && is_nfs_answer(*command.status, command.kind);
  books_.counts().conclude(command, open.counts);
}

void NfsConnection::observe_reply(const SendPayload& payload, std::uint32_t xid, CommandSink& log) {
  auto open = books_.take_answered(xid, payload);
  Command& command = open->command;
  const std::size_t caller = 1 - payload.sender;
  if (const auto status = nfs_status_of(message_)) command.status = status;
  // A reply to the NULL procedure has only the status of RPC.
  const bool is_null = command.request_packet != 0 && command.opcode == 0 && !command.opcode_is_cut;
  if (!command.status && is_null && message_.has<RpcAccepted>()) command.status = 0;
  conclude(*open);
  // Data due before the reply may be written after it, by a recovery.
  const auto chunk = chunks_[caller].find(xid);
  if (chunk != chunks_[caller].end()) {
    if (!command.status && late_.size() < kMostLate) late_.push_back({caller, xid, open->response, chunk->second});
    chunks_[caller].erase(chunk);
  }
  books_.answer(std::move(open), log);
}

OpenCommand* NfsConnection::find(const LateReply& late) {
  OpenCommand* const open = books_.of(late.caller).find_answered(late.xid);
  return open != nullptr && open->response == late.response ? open : nullptr;
}

/// A reply that is written to memory has its status in the first packet.
MessageProtocol NfsConnection::observe(const DataPayload& payload, CommandSink& /*log*/) {
  constexpr auto kNothing = MessageProtocol::kUnknown;
  if (payload.is_read || !payload.address || !payload.r_key) return kNothing;
  const std::size_t caller = 1 - payload.requester;
  const auto is_it = [&](const ReplyChunk& chunk) {
    return chunk.memory.key == *payload.r_key && chunk.memory.address == *payload.address;
  };
  const auto place = std::ranges::find_if(chunks_[caller], is_it, [](const auto& each) { return each.second; });
  if (place != chunks_[caller].end()) {
    OpenCommand* const open = books_.of(caller).find(place->first);
    return note_reply(payload, place->first, place->second.version, open);
  }
  const auto is_late = [&](const LateReply& each) { return each.caller == caller && is_it(each.chunk); };
  const auto late = std::ranges::find_if(late_, is_late);
  if (late == late_.end()) return kNothing;
  OpenCommand* const open = find(*late);
  const MessageProtocol protocol = note_reply(payload, late->xid, late->chunk.version, open);
  if (protocol != kNothing) conclude(*open);
  late_.erase(late);
  return protocol;
}

/// `open`: the call that it replies to; null: it is over.
MessageProtocol NfsConnection::note_reply(const DataPayload& payload, std::uint32_t xid, NfsVersion version,
                                          OpenCommand* open) {
  message_.read_rpc(payload.bytes, version);
  const auto reply = message_.header<RpcReply>();
  if (!reply || reply->get<"rpc.xid">() != xid || open == nullptr) return MessageProtocol::kUnknown;
  open->command.status = nfs_status_of(message_);
  return version == NfsVersion::k3 ? MessageProtocol::kRpcNfs3 : MessageProtocol::kRpcNfs4;
}

void NfsConnection::finish(CommandSink& log) {
  books_.finish(log);
  chunks_ = {};
  late_.clear();
}

void NfsConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<NfsConnection*>(&other);
  if (joined == nullptr) return;
  if (!client_ && joined->client_) client_ = static_cast<std::uint8_t>(1 - *joined->client_);
  for (std::size_t side = 0; side < 2; ++side) chunks_[1 - side].merge(joined->chunks_[side]);
  for (LateReply& late : joined->late_) {
    late.caller = 1 - late.caller;
    if (late_.size() < kMostLate) late_.push_back(late);
  }
  books_.join(joined->books_);
}

void NfsConnection::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kNfs;
  carried.initiator = client_;
  books_.counts().describe(carried);
}

}  // namespace rocescope
