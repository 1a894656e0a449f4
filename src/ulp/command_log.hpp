// Collects the commands of all connections for the report.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/command_troubles.hpp"
#include "rocescope/command.hpp"
#include "ulp/command_retries.hpp"

namespace rocescope {

/// When a command took its number: see tracking/moment.hpp.
struct CommandMoment {
  std::uint64_t moment = 0;
  std::uint32_t connection = 0;  ///< once no more packets come: its connection
};

/// What happened to a side of a connection beside its commands.
struct SideEvent {
  CommandTroubles::Event kind{};
  std::uint32_t connection = 0;
  std::size_t side = 0;
  std::int64_t from = 0;  ///< when it began
  std::int64_t to = 0;    ///< when it was over
  std::uint64_t packet = 0;
  std::uint64_t limit = 0;  ///< of the protocol; 0: there is none

  /// The command had no response when the connection ended.
  [[nodiscard]] static SideEvent unanswered(std::uint32_t connection, const Command& command) {
    return {.kind = CommandTroubles::Event::kUnanswered,
            .connection = connection,
            .side = command.initiator,
            .from = *command.issued,
            .to = *command.issued,
            .packet = command.request_packet};
  }
};

/// Takes commands that are over, or no longer followed.
class CommandSink {
 public:
  CommandSink() = default;
  CommandSink(const CommandSink&) = delete;
  CommandSink& operator=(const CommandSink&) = delete;
  virtual ~CommandSink() = default;
  /// `counts`: whether it is reported.
  virtual void add(Command&& command, bool counts) = 0;
  virtual void add(const SideEvent& event) = 0;
};

/// Lists the first commands, and counts all. Bounded by the limits of CommandReport.
class CommandLog final : public CommandSink {
 public:
  using CommandSink::add;
  void add(Command&& command, bool counts) override;
  void add(const SideEvent& event) override;
  /// Adds a connection that is no longer followed.
  void add(CarriedProtocol carried);
  /// So many come now.
  void expect_carried(std::size_t count) {
    report_.carried.reserve(std::min(report_.carried.size() + count, CommandReport::kMostCarried));
  }
  /// What `joined` sent is the other direction of `connection`.
  void join(std::uint32_t connection, std::uint32_t joined);
  /// Whether packets sent by this side of the connection, or on the same path, were lost before the capture point.
  using Loses = std::function<bool(std::uint32_t connection, std::size_t side)>;
  /// `loses` may be empty: nothing was lost.
  [[nodiscard]] CommandReport take(const Loses& loses = {});
  /// Keeps the moments of commands from now on. `moment` outlives the log.
  void note_moments(const std::uint64_t& moment) noexcept { moment_ = &moment; }
  /// Sets the connection of which no more packets come.
  void at_connection(std::uint32_t number) noexcept { connection_ = number; }
  /// The moments of all commands by number, also of those that do not count.
  [[nodiscard]] std::vector<CommandMoment> take_moments() { return std::exchange(moments_, {}); }

  /// Fills in what follows from the totals and the listed commands, which are sorted.
  static void conclude(CommandReport& report);
  /// A listed command that was seen in full.
  struct Timed {
    std::int64_t total = 0;   ///< CommandTimes::total
    std::uint32_t place = 0;  ///< among the listed
    std::uint32_t row = 0;    ///< of the totals; kNoRow: it is counted with others of its operation
  };
  static constexpr std::uint32_t kNoRow = 0xFFFF'FFFF;

  /// Totals of the commands that are over so far, in no order.
  [[nodiscard]] std::span<const CommandTotals> totals() const noexcept { return report_.totals; }
  /// Of the connections with commands that count.
  [[nodiscard]] const TroublesByConnection& troubles() const noexcept { return troubles_; }
  [[nodiscard]] TroublesByConnection take_troubles() {
    last_ = {};
    return std::exchange(troubles_, {});
  }
  /// Packets of the target were lost on the way.
  void forget_late(std::uint32_t connection) {
    if (const auto place = troubles_.find(connection); place != troubles_.end()) place->second.late = {};
  }
  void forget_troubles(std::uint32_t connection) {
    last_ = {};
    troubles_.erase(connection);
  }
  /// Notes where the commands of a connection go; another connection may lead to the same place.
  void note_place(std::uint32_t connection, CommandPlace place) { retries_.note_place(connection, std::move(place)); }
  void forget_place(std::uint32_t connection) { retries_.forget(connection); }
  void note_eviction(bool evicts) noexcept { retries_.note_eviction(evicts); }
  /// The next commands noted are those without a response for long.
  void pass_time(std::int64_t now) { retries_.pass_time(now); }
  void note_waiting(std::uint32_t connection, UpperProtocol protocol, const Command& command);

 private:
  friend struct StateMembers;
  struct Key {
    UpperProtocol protocol;
    std::string_view operation;
    std::optional<std::uint64_t> at_least;  ///< as CommandTotals has it
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  [[nodiscard]] static Key key_of(const Command& command);
  [[nodiscard]] static Key key_of(const CommandTotals& totals);
  /// Rows by the last keys. Most operations are the same few literals: their letters are not compared.
  class Recent {
   public:
    [[nodiscard]] std::optional<std::uint32_t> find(const Key& key) const {
      const auto& [known, row] = entries_[index_of(key)];
      const bool is_it = known.operation.data() == key.operation.data() &&
                         known.operation.size() == key.operation.size() && known.protocol == key.protocol &&
                         known.at_least == key.at_least;
      return is_it ? std::optional(row) : std::nullopt;
    }
    void note(const Key& key, std::uint32_t row) { entries_[index_of(key)] = {key, row}; }

   private:
    static constexpr std::size_t kMost = 64;
    [[nodiscard]] static std::size_t index_of(const Key& key) {
      const auto operation = reinterpret_cast<std::uintptr_t>(key.operation.data());
      return (operation / 8 + static_cast<std::size_t>(std::bit_width(key.at_least.value_or(0)))) % kMost;
    }
    std::array<std::pair<Key, std::uint32_t>, kMost> entries_{};
  };
  using FailureKey =
      std::tuple<UpperProtocol, std::string_view, std::uint32_t, std::string_view>;  // as its status is named

  static void conclude(CommandReport& report, const std::deque<Timed>& timed);
  [[nodiscard]] std::uint32_t row_of(Key key);
  void count(const Command& command, const std::optional<CommandTimes>& times, CommandTotals& totals);
  void note_late(Command& command, std::uint32_t row);
  void settle_late(const Loses& loses);
  void count_failure(const Command& command);
  /// Null: there are too many.
  [[nodiscard]] CommandTroubles* troubles_of(std::uint32_t connection) {
    if (last_.troubles == nullptr || last_.connection != connection) last_ = {connection, find_troubles(connection)};
    return last_.troubles;
  }
  [[nodiscard]] CommandTroubles* find_troubles(std::uint32_t connection);
  void renumber(Command& command) const;

  CommandReport report_;  // its totals in the order of their first commands
  std::map<Key, std::uint32_t> rows_;
  Recent recent_;  // of rows_
  std::deque<Timed> timed_;
  /// A late command: whether its target took so long is known only at the end.
  struct Late {
    std::uint32_t connection = 0;
    std::uint32_t place = 0;        ///< among the listed; kUnlisted: it is not
    std::uint32_t row = 0;          ///< of the totals
    std::uint8_t responder = 0;     ///< a side of the connection
    std::int64_t target = 0;        ///< ns: CommandTimes::target where nothing was lost
    std::int64_t target_known = 0;  ///< the same where packets were lost
    std::int64_t network = 0;       ///< ns
  };
  static constexpr std::uint32_t kUnlisted = 0xFFFF'FFFF;
  static constexpr std::size_t kMostLate = 262'144;  ///< further late commands count as if packets were lost
  std::deque<Late> late_;                            // in their order
  std::map<FailureKey, CommandFailures> failures_;
  TroublesByConnection troubles_;  // CommandReport::kMostCarried
  CommandRetries retries_;
  /// What troubles_of() found last: mostly the next one is the same.
  struct Last {
    std::uint32_t connection = 0;
    CommandTroubles* troubles = nullptr;
  };
  Last last_;
  std::unordered_map<std::uint32_t, std::uint32_t> joined_;  // to which connection, by number
  std::uint64_t numbered_ = 0;
  const std::uint64_t* moment_ = nullptr;
  std::uint32_t connection_ = 0;
  std::vector<CommandMoment> moments_;
};

}  // namespace rocescope
