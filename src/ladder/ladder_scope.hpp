// The packets of a connection: its own, and those that set it up and tear it down.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "analysis/cm_log.hpp"
#include "ladder/ladder_event.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// Indexes into Connection::sides.
inline constexpr std::array<std::uint8_t, 2> kConnectionSides{0, 1};

/// A connection as the whole capture shows it.
class LadderScope {
 public:
  /// `connections`: all of the capture; `number`: one of them.
  LadderScope(const std::deque<Connection>& connections, std::uint32_t number);

  [[nodiscard]] const Connection& connection() const noexcept { return connection_; }

  /// The side that sent a packet of the connection; nothing for any other packet.
  [[nodiscard]] std::optional<std::uint8_t> sender_of(const PacketRecord& record) const noexcept;
  /// The side with this address, for packets between the two.
  [[nodiscard]] std::optional<std::uint8_t> side_of(const Packet& packet) const noexcept;
  /// The same for packets with these addresses.
  [[nodiscard]] std::optional<std::uint8_t> side_of(const IpAddress& source,
                                                    const IpAddress& destination) const noexcept;
  /// Whether a queue pair of this side with this number belongs to the connection at this time.
  [[nodiscard]] bool is_queue_pair(std::uint8_t side, Qpn qpn, std::int64_t time) const noexcept;

 private:
  Connection connection_;
  std::vector<bool> listed_;  // by number: a connection of the list
  // When its queue pairs belonged to another connection.
  std::int64_t not_before_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t not_after_ = std::numeric_limits<std::int64_t>::max();
};

/// Finds CM and exchange messages of a connection.
class LadderSetup {
 public:
  /// `scope` outlives it.
  explicit LadderSetup(const LadderScope& scope) : scope_(scope) {}

  /// The messages that `record` shows to belong to the connection: none, itself, or earlier ones as well.
  [[nodiscard]] std::vector<LadderEvent> add(const PacketRecord& record);
  /// A CM message of the capture as an event, if it belongs to the connection.
  [[nodiscard]] std::optional<LadderEvent> add(const CmEvent& event);

 private:
  static constexpr std::size_t kMostIds = 64;      // of one side
  static constexpr std::size_t kMostPending = 64;  // messages of the exchange

  [[nodiscard]] bool is_ours(const CmEvent& event, std::uint8_t side);
  /// The owner of the queue pair that a message of the exchange names.
  enum class Mention : std::uint8_t { kNone, kOurs, kOther };
  [[nodiscard]] Mention mention_in(const ExchangeEvent& event, std::uint8_t side, std::int64_t time) const;
  void add_exchange(LadderEvent rung, Mention mention, std::vector<LadderEvent>& found);

  const LadderScope& scope_;
  CmLog cm_;                           // of the connection alone: between two hosts there may be many
  std::vector<std::uint32_t> ids_[2];  // communication IDs of the connection, by side
  std::vector<LadderEvent> pending_;   // of the exchange, until a message names a queue pair
  bool exchange_is_ours_ = false;      // the queue pair named last is the connection's
};

}  // namespace rocescope
