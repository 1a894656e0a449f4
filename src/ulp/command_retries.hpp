// Commands that are issued again: each repeats an earlier command that failed or got no response.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/command_troubles.hpp"
#include "rocescope/command.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

/// Where the commands of a connection go, if its protocol may issue commands again on another connection.
struct CommandPlace {
  std::uint16_t capture_point = 0;
  std::array<IpAddress, 2> hosts;  ///< by side
  std::int64_t first_time = 0;     ///< of the connection, ns since 1970
  std::string target;              ///< its name; NFS: empty, a server has the same files on all connections
};

/// Remembers commands that failed or had no response for long, and finds commands that repeat them: at most kMostTries,
/// and at most kMostAlike that ask for the same. Call wait() for each command that has waited for about kLong, so that
/// not every command is remembered, and end() for each command that is over, in any order.
class CommandRetries {
 public:
  static constexpr std::size_t kMostTries = 16'384;
  static constexpr std::size_t kMostAlike = 64;
  static constexpr std::int64_t kLong = 1'000'000'000;    ///< ns: two threads may want the same at once
  static constexpr std::int64_t kSoon = 180'000'000'000;  ///< ns: what comes later may be new work

  /// Whether commands of the protocol may come again on another connection to the same target.
  [[nodiscard]] static bool has_places(UpperProtocol protocol) noexcept {
    return protocol == UpperProtocol::kNfs || has_named_units(protocol);
  }
  void note_place(std::uint32_t connection, CommandPlace place) { places_[connection] = std::move(place); }
  /// All commands of the connection ended.
  void forget(std::uint32_t connection);
  /// Whether commands end because their connection is no longer followed: a response may still come.
  void note_eviction(bool evicts) noexcept { evicts_ = evicts; }
  /// What `joined` sent is the other direction of `connection`.
  void join(std::uint32_t connection, std::uint32_t joined);
  /// Forgets what is too old.
  void pass_time(std::int64_t now);
  /// `command`, of this connection, has no response so far.
  void wait(std::uint32_t connection, UpperProtocol protocol, std::uint8_t initiator, const Command& command);
  /// `command` is over, or no longer followed. Adds the retries that are known now to the connections that `all` has.
  void end(const Command& command, TroublesByConnection& all);

 private:
  friend struct StateMembers;
  /// What a command asks for, and which target. Other targets use the same numbers of logical units, namespaces and
  /// files: the name of the target, or the connection, distinguishes them.
  struct Wish {
    std::uint32_t connection = 0;  ///< 0: another may lead to the same target
    std::uint16_t capture_point = 0;
    IpAddress initiator;
    IpAddress target_host;
    std::string target_name;
    UpperProtocol protocol = UpperProtocol::kUnknown;
    std::uint16_t opcode = 0;
    std::optional<std::uint64_t> target;
    std::optional<std::uint32_t> file;
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> blocks;
    std::uint64_t bytes = 0;

    [[nodiscard]] friend auto operator<=>(const Wish&, const Wish&) = default;
  };
  /// A command that asks for the same as one before it.
  struct Again {
    std::uint32_t connection = 0;
    std::uint64_t id = 0;
    std::uint64_t packet = 0;
    std::int64_t issued = 0;
    std::int64_t there_since = 0;  ///< its connection, where that may be another one
    std::string_view operation;
  };
  /// A command that may be issued again.
  struct Try {
    std::uint32_t connection = 0;
    std::uint64_t id = 0;
    std::uint64_t packet = 0;
    std::int64_t issued = 0;
    bool waits = false;  ///< its response may come still
    bool is_acknowledged = false;
    std::optional<std::int64_t> failed;  ///< when; nothing: it has no response
    std::uint32_t status = 0;            ///< of one that failed
    std::string_view status_name;
    std::optional<Again> again;  ///< of one that waits: counts if it gets no response

    /// It is not issued again before `least` after this.
    [[nodiscard]] std::int64_t from() const noexcept { return failed.value_or(issued); }
    [[nodiscard]] std::int64_t least() const noexcept { return failed ? 0 : kLong; }
  };

  [[nodiscard]] static bool has_named_units(UpperProtocol protocol) noexcept {
    return protocol == UpperProtocol::kNvme || protocol == UpperProtocol::kIser || protocol == UpperProtocol::kSrp;
  }
  /// Whether silence means that there is no response. A read of SMB may wait for data of a pipe.
  [[nodiscard]] static bool is_prompt(UpperProtocol protocol) noexcept { return protocol != UpperProtocol::kSmbDirect; }
  [[nodiscard]] static bool is_known(UpperProtocol protocol, const Command& command) noexcept;
  [[nodiscard]] Wish wish_of(std::uint32_t connection, UpperProtocol protocol, std::uint8_t initiator,
                             const Command& command) const;
  [[nodiscard]] static bool repeats(const Again& again, const Try& earlier, UpperProtocol protocol);
  static void count(const Again& again, const Try& earlier, TroublesByConnection& all);
  void add(const Wish& wish, Try&& attempt);
  [[nodiscard]] bool is_silent(const Command& command) const;
  void erase(std::vector<Try>& tries, std::vector<Try>::iterator attempt);

  std::map<Wish, std::vector<Try>> tries_;                  // none is empty
  std::size_t count_ = 0;                                   // of all these
  std::unordered_map<std::uint32_t, std::size_t> waiting_;  // how many of them wait, by connection; none is 0
  std::optional<std::int64_t> lost_;  // where there were too many: from() of the latest that was not remembered
  std::optional<std::int64_t> now_;   // when pass_time() was called last
  bool evicts_ = false;
  std::unordered_map<std::uint32_t, CommandPlace> places_;  // by connection
};

}  // namespace rocescope
