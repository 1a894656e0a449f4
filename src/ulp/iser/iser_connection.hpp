// A connection of iSER: one of a session of iSCSI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dissectors/ulp/iser/iscsi_message.hpp"
#include "ulp/carried.hpp"
#include "ulp/command_books.hpp"

namespace rocescope {

/// Ties requests to their responses by the Initiator Task Tag, and to the READs and WRITEs of the target by STag. The
/// target also sends requests: a response to its NOP-In has the Target Transfer Tag.
class IserConnection final : public Carried {
 public:
  /// `initiator`: the side that logs in.
  IserConnection(std::uint32_t connection, std::optional<std::uint8_t> initiator)
      : initiator_(initiator), books_(UpperProtocol::kIser, connection) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  void observe(const TakenAgain& taken) override { books_.observe(taken); }
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override {
    books_.end(side, message, log);
  }
  [[nodiscard]] const Fit& fit() const override { return books_.counts().fit; }
  void finish(CommandSink& log) override { books_.finish(log); }
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  [[nodiscard]] std::string_view target_name() const override { return target_name_; }
  [[nodiscard]] std::span<const CommandBook> books() const override { return books_.all(); }

 private:
  friend struct StateMembers;
  /// A PDU whose tag is not in the capture.
  MessageProtocol observe_cut(Bytes start);
  /// False: the tag is not known.
  [[nodiscard]] bool find_tag(const SendPayload& payload, IscsiMessage& message);
  void observe_request(const SendPayload& payload, const IscsiMessage& message, std::uint32_t id, CommandSink& log);
  void observe_response(const SendPayload& payload, const IscsiMessage& message, std::uint32_t id, CommandSink& log);
  /// A PDU that gets no response.
  void observe_event(const SendPayload& payload, const IscsiMessage& message, CommandSink& log);

  std::optional<std::uint8_t> initiator_;
  std::uint64_t cut_ = 0;                  // messages whose tag was not captured
  std::optional<std::uint32_t> last_tag_;  // of the last message, or a hash of its start
  CommandBooks books_;                     // by tag
  std::string initiator_name_;
  std::string target_name_;
};

}  // namespace rocescope
