// What the dissector of a protocol above RoCE keeps of a connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "dissectors/message.hpp"
#include "messages/payload.hpp"
#include "rocescope/command.hpp"
#include "rocescope/handshake.hpp"
#include "ulp/command_log.hpp"

namespace rocescope {

class CommandBook;

/// The commands of a connection. Memory is bounded by limits of its own.
class Carried {
 public:
  Carried() = default;
  Carried(const Carried&) = delete;
  Carried& operator=(const Carried&) = delete;
  virtual ~Carried() = default;

  /// How the protocol fits the messages of this connection so far.
  struct Fit {
    std::uint64_t good = 0;    ///< pairs of command and response, or messages whose form no other protocol has
    std::uint64_t bad = 0;     ///< messages that do not belong to the protocol
    std::uint64_t news = 0;    ///< messages of another command than the one before
    std::uint64_t doubts = 0;  ///< WRITEs that speak against it while it is not sure
    bool is_proven =
        false;  ///< a request and its response that no other protocol has, such as those of a login with its names
  };

  /// Of the connection.
  struct Counts {
    Fit fit;
    std::uint64_t commands = 0;
    std::uint64_t failed = 0;
    DepthMeter depth;
    std::uint64_t answered = 0;  ///< responses that were seen
    std::uint64_t unfollowed = 0;

    /// The response of the command came. The status, if known, says how it ended.
    void conclude(Command& command, bool counts) { conclude(command, counts, command.status.value_or(0) != 0); }
    void conclude(Command& command, bool counts, bool is_failure) {
      ++answered;
      command.outcome = CommandOutcome::kNoStatus;
      if (command.status) {
        command.outcome = is_failure ? CommandOutcome::kFailed : CommandOutcome::kSucceeded;
        failed += is_failure && counts ? 1U : 0U;
      }
      if (command.request_packet != 0) return;
      command.outcome = CommandOutcome::kUnseen;
      command.is_answer = command.is_answer || !is_failure;
    }
    /// Adds the counts of one direction that was followed alone.
    void join(const Counts& other) {
      fit.good += other.fit.good;
      fit.bad += other.fit.bad;
      fit.news += other.fit.news;
      fit.doubts += other.fit.doubts;
      fit.is_proven = fit.is_proven || other.fit.is_proven;
      commands += other.commands;
      failed += other.failed;
      answered += other.answered;
      unfollowed += other.unfollowed;
    }
    /// Nothing more comes.
    void describe(CarriedProtocol& carried) {
      carried.commands = commands;
      carried.failed = failed;
      if (answered > 0) {
        depth.settle(std::numeric_limits<std::int64_t>::max());
        if (depth.is_known()) {
          carried.most_outstanding = depth.most();
          carried.outstanding = depth.take_series();
        }
      }
      carried.unfollowed = unfollowed;
      carried.unreadable = fit.bad;
    }
  };

  /// A SEND that a packet ended. Returns which layers it has; `log` gets the commands that are over.
  virtual MessageProtocol observe(const SendPayload& payload, CommandSink& log) = 0;
  /// Data of a WRITE or a READ. Returns which layers the packet has.
  virtual MessageProtocol observe(const DataPayload& /*payload*/, CommandSink& /*log*/) {
    return MessageProtocol::kUnknown;
  }
  /// Its sender's responses from this packet on are taken now.
  virtual void observe(const TakenAgain& /*taken*/) {}
  /// The part of the last observed data that has these layers.
  [[nodiscard]] virtual Bytes message_in(const DataPayload& payload) const { return payload.bytes; }
  virtual void observe_end(std::size_t /*side*/, const Message& /*message*/, CommandSink& /*log*/) {}
  /// Whether the name of the protocol is all that can be known once it is believed.
  [[nodiscard]] virtual bool is_name_only() const { return false; }
  /// Whether it needs no more messages once it is believed, although describe() reports more than the name.
  [[nodiscard]] virtual bool has_seen_enough() const { return false; }
  /// Whether it wants the data of WRITEs and READs now.
  [[nodiscard]] virtual bool wants_data() const { return false; }
  [[nodiscard]] virtual const Fit& fit() const = 0;
  /// Fit::good from which on the protocol is believed by the form of its messages.
  [[nodiscard]] virtual std::uint64_t enough() const { return 3; }
  /// The connection is no longer followed: passes all its commands to `log`.
  virtual void finish(CommandSink& log) = 0;
  /// Adds what `other` followed of one direction alone; its side 0 is side 1 of this connection.
  virtual void join(Carried& /*other*/) {}
  /// Adds to what is reported of the connection, which is no longer followed.
  virtual void describe(CarriedProtocol& carried) = 0;
  /// The name of the target, if its units have numbers that other targets use as well; empty: not known.
  [[nodiscard]] virtual std::string_view target_name() const { return {}; }
  /// The outstanding commands, for protocols with requests and responses.
  [[nodiscard]] virtual std::span<const CommandBook> books() const { return {}; }
  /// The operation of one of these commands. Some get their name when they are over.
  [[nodiscard]] virtual std::string_view operation_of(const Command& command) const { return command.operation; }
};

}  // namespace rocescope
