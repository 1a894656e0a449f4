// The capture, by queue pair.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"
#include "rocescope/report.hpp"
#include "verify/truth_book.hpp"

namespace rocescope::verify {

/// Keeps all messages of a capture, as Tracker::on_message reports them.
class MessageList {
 public:
  void add(const Connection& connection, std::size_t side, const Message& message) {
    messages_[{connection.number, side}].push_back(message);
  }
  /// The messages that `side` of a connection requested, in the order of their PSNs.
  [[nodiscard]] std::vector<Message> of(std::uint32_t connection, std::size_t side) const;

 private:
  std::map<std::pair<std::uint32_t, std::size_t>, std::vector<Message>> messages_;
};

/// One side of a captured connection.
struct WireSide {
  const Connection* connection = nullptr;
  std::size_t side = 0;

  [[nodiscard]] const ConnectionSide& own() const noexcept { return connection->sides[side]; }
  [[nodiscard]] const ConnectionSide& peer() const noexcept { return connection->sides[1 - side]; }
};

/// A queue pair of the truth, and its side in the capture.
struct MatchedQueuePair {
  const TruthQueuePair* truth = nullptr;
  std::optional<WireSide> wire;  ///< none for a datagram queue pair, or if it was not captured
};

/// Finds each queue pair of a connected service, in the order of the truth.
class QueuePairMatcher {
 public:
  QueuePairMatcher(const TruthBook& truth, const std::deque<Connection>& connections);

  [[nodiscard]] const std::vector<MatchedQueuePair>& matched() const noexcept { return matched_; }
  /// Sides of connections at addresses of the truth that match none of its queue pairs.
  [[nodiscard]] std::vector<WireSide> unknown() const;

 private:
  using SideKey = std::pair<std::uint32_t, std::size_t>;  ///< number of the connection, side

  [[nodiscard]] std::optional<WireSide> find(const TruthQueuePair& queue_pair) const;

  const TruthBook& truth_;
  const std::deque<Connection>& connections_;
  std::multimap<Qpn, WireSide> by_qpn_;       ///< by the number of its queue pair
  std::multimap<Qpn, WireSide> by_peer_qpn_;  ///< where its own is not known, by its peer's
  std::map<SideKey, const TruthQueuePair*> taken_;
  std::vector<MatchedQueuePair> matched_;
};

}  // namespace rocescope::verify
