// Finds out what connections carry, and follows the commands of the protocols that it knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "messages/payload.hpp"
#include "model/live_update.hpp"
#include "rocescope/command.hpp"
#include "ulp/carried.hpp"
#include "ulp/command_log.hpp"
#include "ulp/guess.hpp"
#include "ulp/named/ucx_wire_ups.hpp"

namespace rocescope {

/// A subscriber of a Tracker, which also says which layers the SENDs have.
class CommandWatch final : public PayloadSubscriber {
 public:
  explicit CommandWatch(std::vector<DecodeAs> decode_as = {}) : decode_as_(std::move(decode_as)) {}

  [[nodiscard]] PayloadWish wish(const Connection& connection, const Handshake* handshake) override;
  [[nodiscard]] PayloadWish other_wish(const Connection& connection) override;
  [[nodiscard]] bool wants_datagrams(std::uint32_t q_key) override;
  void observe(const SendPayload& payload) override;
  void observe(const DataPayload& payload) override;
  void observe(const TakenAgain& taken) override;
  void observe_end(const Connection& connection, std::size_t side, const Message& message) override;
  void forget(const Connection& connection) override;

  /// The message of a known protocol that a packet completed last. Its bytes last until the next packet.
  struct Layers {
    MessageProtocol protocol = MessageProtocol::kUnknown;
    Bytes message;
    const PacketRecord* record = nullptr;  ///< of the packet
  };
  /// The layers of the last packet that the tracker saw; kUnknown: it completed no message.
  [[nodiscard]] Layers take_layers() noexcept { return std::exchange(layers_, {}); }

  /// Whether it may have commands; false: none.
  [[nodiscard]] bool may_follow(const Connection& connection) const {
    return states_.contains(connection.number) || (connection.joined != 0 && states_.contains(connection.joined));
  }
  /// Whether messages that are open at the end may be of commands.
  [[nodiscard]] bool follows_some() const noexcept { return follows_some_; }
  /// No more packets come: stops following all connections.
  void finish();
  /// All that is known, after finish().
  [[nodiscard]] CommandReport take(const CommandLog::Loses& loses = {}) { return log_.take(loses); }
  /// How many certain commands have no response so far, by protocol and operation.
  using Outstanding = std::map<std::pair<UpperProtocol, std::string_view>, std::uint64_t>;
  [[nodiscard]] Outstanding outstanding() const;
  /// What is over so far, and `outstanding`, by protocol and operation.
  [[nodiscard]] std::vector<LiveCommands> counts(const Outstanding& outstanding) const;
  /// The evidence for findings so far.
  [[nodiscard]] const TroublesByConnection& troubles() const noexcept { return log_.troubles(); }
  /// The findings about the connection were drawn.
  [[nodiscard]] TroublesByConnection take_troubles() { return log_.take_troubles(); }
  /// As CommandLog has them.
  void note_moments(const std::uint64_t& moment) noexcept { log_.note_moments(moment); }
  void at_connection(std::uint32_t number) noexcept { log_.at_connection(number); }
  [[nodiscard]] std::vector<CommandMoment> take_moments() { return log_.take_moments(); }
  void forget_late(std::uint32_t connection) { log_.forget_late(connection); }
  void forget_troubles(std::uint32_t connection) { log_.forget_troubles(connection); }

 private:
  friend struct StateMembers;
  /// Commands that count once it is sure that they are commands.
  class Waiting final : public CommandSink {
   public:
    void add(Command&& command, bool counts) override { commands_.emplace_back(std::move(command), counts); }
    void add(const SideEvent& event) override { events_.push_back(event); }
    void pass_on(CommandSink& sink) {
      for (auto& [command, counts] : commands_) sink.add(std::move(command), counts);
      for (const SideEvent& event : events_) sink.add(event);
      commands_.clear();
      events_.clear();
    }

   private:
    friend struct StateMembers;
    std::vector<std::pair<Command, bool>> commands_;  // few: a decision falls after kMostUndecided messages
    std::vector<SideEvent> events_;                   // the same
  };
  struct State {
    Guess guess;
    bool is_sure = false;
    bool is_over = false;    // it is not what it seemed
    bool is_denied = false;  // the same: a whole message lacks the protocol's form, and fewer than two fitted before
    bool is_second = false;  // the connection was taken for another protocol before
    bool gets_data = false;  // of WRITEs and READs, as it asked for
    std::unique_ptr<Carried> carried;         // null: a name is all that is known
    Waiting waiting;                          // while it is not sure
    std::uint64_t seen = 0;                   // SENDs; of NCCL the WRITEs that look like its
    std::uint64_t strange = 0;                // of these, while it is not sure, without the protocol's form
    bool may_wait = false;                    // it is one of may_wait_
    std::uint64_t named = ~std::uint64_t{0};  // letters of its target's name when its place was noted last
  };
  static constexpr std::uint64_t kMostUndecided = 64;  // seen

  [[nodiscard]] Guess guess(const Connection& connection, const Handshake* handshake) const;
  [[nodiscard]] State* find(const Connection& connection) {
    const bool is_last = last_.state != nullptr && last_.connection == connection.number;
    if (!is_last || last_.joined != connection.joined)
      last_ = {connection.number, connection.joined, look_up(connection)};
    return last_.state;
  }
  [[nodiscard]] State* look_up(const Connection& connection);
  [[nodiscard]] State* join(const Connection& connection, std::unique_ptr<State> other);
  [[nodiscard]] static PayloadWish wish_of(State& state);
  /// Whether it may carry another protocol than it seemed: by its form alone nobody took it for one.
  [[nodiscard]] static bool is_open_again(const State& state) noexcept {
    return state.is_over && !state.is_second && (state.is_sure || state.guess.by == KnownBy::kServiceId);
  }
  [[nodiscard]] CommandSink& sink_of(State& state) noexcept {
    return state.is_sure ? static_cast<CommandSink&>(log_) : state.waiting;
  }
  State& follow_from_now_on(const Connection& connection, UpperProtocol protocol);
  /// The message is one of another protocol than the connection seemed to carry. Null: of none that is known.
  [[nodiscard]] State* ask_again(const SendPayload& payload, State& state);
  void judge(State& state);
  void judge_writes(State& state);
  [[nodiscard]] static bool is_news(State& state);
  /// A message of `connection`, which `state` follows, at this time.
  void note_message(const Connection& connection, State& state, std::int64_t now);
  /// A command of it may wait for its response from now on.
  void watch_waiting(std::uint32_t connection, State& state) {
    if (!std::exchange(state.may_wait, true)) may_wait_.push_back(connection);
  }
  /// Passes commands that wait for a response to the log, `passed` nanoseconds after the last call.
  void note_waiting(std::int64_t now, std::int64_t passed);
  /// The same of one connection. False: it has no command that waited for less than `most` nanoseconds.
  [[nodiscard]] bool note_waiting(std::uint32_t connection, const State& state, std::int64_t now, std::int64_t most);
  [[nodiscard]] static Confidence confidence_of(const State& state);
  /// `facts`: null if the connection is still followed by others.
  void end(std::uint32_t connection, State& state, const Connection* facts);

  std::vector<DecodeAs> decode_as_;
  std::unordered_map<std::uint32_t, std::unique_ptr<State>> states_;  // by number of the connection
  /// What find() found last: mostly the next one is the same.
  struct Last {
    std::uint32_t connection = 0;
    std::uint32_t joined = 0;
    State* state = nullptr;
  };
  Last last_;
  UcxWireUps ucx_wire_ups_;
  CommandLog log_;
  std::optional<std::int64_t> last_waiting_;  // when note_waiting() was called last
  std::vector<std::uint32_t> may_wait_;       // connections that may have a command which waits
  Layers layers_;
  bool follows_some_ = false;
};

}  // namespace rocescope
