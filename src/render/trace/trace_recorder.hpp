// What a trace for Perfetto shows, kept while packets are read.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"
#include "rocescope/record.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope::render {

/// A message, and what its connection and sides are called.
struct TracedMessage {
  Message message;
  std::uint32_t connection = 0;
  std::uint32_t overlay_id = 0;
  std::uint8_t side = 0;  ///< that requested it
  std::array<IpAddress, 2> addresses;
  std::array<std::optional<Qpn>, 2> qpns;
};

/// A packet that shows a loss, or that belongs to a recovery.
struct TracedPacket {
  std::uint64_t number = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
  IpAddress source;
  IpAddress destination;
  std::uint32_t overlay_id = 0;
  Psn psn;
  bool is_cnp = false;
  bool is_rnr_nak = false;
  std::optional<std::uint8_t> nak_code;
  Verdict verdict;
};

/// From whom to whom.
struct Direction {
  IpAddress source;
  IpAddress destination;
  std::uint32_t overlay_id = 0;
  friend auto operator<=>(const Direction&, const Direction&) noexcept = default;
};

/// Keeps at most `limit` messages and as many packets; messages in trouble first (refused, lost, not answered, sent again), then those
/// that began first; of packets the first.
class TraceRecorder {
 public:
  /// `interval`: as RateSeries::add() has it.
  TraceRecorder(std::size_t limit, std::int64_t interval) : limit_(limit), interval_(interval) {}

  /// As MessageVisitor.
  void add(const Connection& connection, std::size_t side, const Message& message);
  /// A packet that counts.
  void add(const PacketRecord& record);

  /// Leaves out the messages of connections with these numbers, in rising order, which are none after all: Report::damaged_connections.
  void forget(std::span<const std::uint32_t> connections);

  /// In no order.
  [[nodiscard]] std::vector<TracedMessage>& messages() noexcept { return messages_; }
  [[nodiscard]] std::vector<TracedPacket>& packets() noexcept { return packets_; }
  [[nodiscard]] std::uint64_t messages_left_out() const noexcept { return messages_left_out_; }
  [[nodiscard]] std::uint64_t packets_left_out() const noexcept { return packets_left_out_; }
  /// Packets that were marked CE, over time, of the first directions with any.
  [[nodiscard]] const std::map<Direction, RateSeries>& marked() const noexcept { return marked_; }
  [[nodiscard]] std::uint64_t marked_left_out() const noexcept { return marked_left_out_; }

 private:
  static constexpr std::size_t kMostMarked = 512;

  std::size_t limit_;
  std::int64_t interval_;
  std::vector<TracedMessage> messages_;  // a heap once it is full: the one that is left out next first
  std::vector<TracedPacket> packets_;
  std::map<Direction, RateSeries> marked_;
  std::uint64_t messages_left_out_ = 0;
  std::uint64_t packets_left_out_ = 0;
  std::uint64_t marked_left_out_ = 0;
};

}  // namespace rocescope::render
