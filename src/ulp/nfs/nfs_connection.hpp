// A connection of NFS over RDMA.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dissectors/ulp/nfs/nfs_call.hpp"
#include "dissectors/ulp/nfs/rpc_message.hpp"
#include "rocescope/headers/nfs/names.hpp"
#include "ulp/carried.hpp"
#include "ulp/command_books.hpp"

namespace rocescope {

/// Ties calls to their replies by XID, and to the READs and WRITEs of the responder by the handles of their chunks. Either side may call:
/// the server does so in the backchannel.
class NfsConnection final : public Carried {
 public:
  static constexpr std::size_t kMostMemory = 64;  ///< segments of a call that are kept
  static constexpr std::size_t kMostLate = 16;    ///< replies that wait for what they wrote

  /// `client`: the side that mounts.
  NfsConnection(std::uint32_t connection, std::optional<std::uint8_t> client)
      : client_(client), books_(UpperProtocol::kNfs, connection) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  MessageProtocol observe(const DataPayload& payload, CommandSink& log) override;
  void observe(const TakenAgain& taken) override { books_.observe(taken); }
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override {
    books_.end(side, message, log);
    if (!late_.empty()) std::erase_if(late_, [this](const LateReply& late) { return find(late) == nullptr; });
  }
  [[nodiscard]] bool wants_data() const override {
    return !chunks_[0].empty() || !chunks_[1].empty() || !late_.empty();
  }
  [[nodiscard]] const Fit& fit() const override { return books_.counts().fit; }
  void finish(CommandSink& log) override;
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  [[nodiscard]] std::span<const CommandBook> books() const override { return books_.all(); }

 private:
  friend struct StateMembers;
  /// Where the reply to a call may be written, if it is too long for a SEND.
  struct ReplyChunk {
    CommandMemory memory;
    NfsVersion version = NfsVersion::kUnknown;
  };

  /// A reply whose status was not seen, since the data that it wrote were not seen.
  struct LateReply {
    std::size_t caller = 0;
    std::uint32_t xid = 0;
    Psn response;  // its SEND
    ReplyChunk chunk;
  };

  void observe_call(const SendPayload& payload, std::uint32_t xid, CommandSink& log);
  /// Adds the memory of the chunks of the call.
  void add_memory(std::size_t caller, std::uint32_t xid, OpenCommand& open);
  void observe_reply(const SendPayload& payload, std::uint32_t xid, CommandSink& log);
  /// Its status is known, or not.
  void conclude(OpenCommand& open);
  /// Null: it is over.
  [[nodiscard]] OpenCommand* find(const LateReply& late);
  MessageProtocol note_reply(const DataPayload& payload, std::uint32_t xid, NfsVersion version, OpenCommand* open);
  void forget_chunk(std::size_t caller, std::uint32_t xid) {
    if (!chunks_[caller].empty()) chunks_[caller].erase(xid);
  }
  [[nodiscard]] bool is_call(std::size_t sender, std::uint32_t xid);
  [[nodiscard]] NfsVersion version_of(std::size_t caller, std::uint32_t xid) {
    const OpenCommand* const open = books_.of(caller).find(xid);
    return open == nullptr ? NfsVersion::kUnknown : NfsVersion{open->version};
  }

  std::optional<std::uint8_t> client_;
  std::optional<std::uint32_t> last_xid_;
  CommandBooks books_;  // by XID
  std::array<std::unordered_map<std::uint32_t, ReplyChunk>, 2>
      chunks_;  // of calls that have one, by the side that calls, then by XID
  std::vector<LateReply> late_;
  RpcMessage message_;  // at hand
};

}  // namespace rocescope
