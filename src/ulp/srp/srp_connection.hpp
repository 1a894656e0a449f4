// A connection of SRP: a channel between an initiator port and a target port.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dissectors/ulp/srp/srp_message.hpp"
#include "ulp/carried.hpp"
#include "ulp/command_books.hpp"

namespace rocescope {

/// Ties requests to their responses by the tag, and to the READs and WRITEs of the target by the memory descriptors.
/// The target also sends requests, about credits and events.
class SrpConnection final : public Carried {
 public:
  /// What the login in the messages of the CM says.
  struct Known {
    std::optional<std::uint8_t> initiator;  ///< the side that logs in
    std::optional<std::uint32_t> credits;   ///< requests that the target allows at once
    std::string initiator_port;
    std::string target_port;
  };
  SrpConnection(std::uint32_t connection, Known known)
      : known_(std::move(known)), books_(UpperProtocol::kSrp, connection) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  MessageProtocol observe(const DataPayload& payload, CommandSink& log) override;
  void observe(const TakenAgain& taken) override { books_.observe(taken); }
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override {
    books_.end(side, message, log);
  }
  [[nodiscard]] bool wants_data() const override { return !tables_[0].empty() || !tables_[1].empty(); }
  [[nodiscard]] const Fit& fit() const override { return books_.counts().fit; }
  void finish(CommandSink& log) override;
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  [[nodiscard]] std::string_view target_name() const override { return known_.target_port; }
  [[nodiscard]] std::span<const CommandBook> books() const override { return books_.all(); }

 private:
  friend struct StateMembers;
  void observe_request(const SendPayload& payload, const SrpMessage& message, CommandSink& log);
  void observe_response(const SendPayload& payload, const SrpMessage& message, CommandSink& log);
  /// Bytes of a table of the command with this tag that the target READ.
  void observe_table(std::size_t initiator, std::uint64_t tag, const CommandMemory& table, std::uint64_t address,
                     const DataPayload& payload);

  Known known_;
  std::optional<std::uint64_t> last_tag_;  // of the last message
  CommandBooks books_;                     // by tag
  std::array<std::unordered_map<std::uint64_t, std::vector<CommandMemory>>, 2>
      tables_;  // of descriptors that the target READs, by the side that asks, then by tag
};

}  // namespace rocescope
