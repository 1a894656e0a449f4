// What limits what can be concluded from a capture, as far as the capture itself shows it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "findings/evidence.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/finding.hpp"

namespace rocescope::findings {

/// A place is a capture point: each may miss packets of its own.
class Limits {
 public:
  explicit Limits(const Evidence& evidence);

  /// Whether the capture lacks packets that were at the place where `connection` was seen: then it may lack others as well.
  [[nodiscard]] bool misses_packets_of(const Connection& connection) const;
  /// Whether it lacks such packets, or requests that were not seen and may have been there: of these least_lost_before() is 0.
  [[nodiscard]] bool may_miss_packets_of(const Connection& connection) const {
    return misses_packets_of(connection) || place_of(connection).is_doubtful;
  }
  /// How many requests of a side the network lost at least, among those that were not seen before they were sent again.
  [[nodiscard]] std::uint64_t least_lost_before(const Connection& connection, std::size_t sender) const;
  /// Whether the capture at a point lacks packets that passed it, as far as what other points saw shows that as well.
  [[nodiscard]] bool misses_packets_at(std::uint16_t point) const;
  /// What requesters did at a point that no packet seen there explains: so many may have been missed there.
  [[nodiscard]] std::uint64_t unexplained_at(std::uint16_t point) const;
  /// Whether its requests and their answers show that, and not the count of the capture alone.
  [[nodiscard]] bool shows_gaps_of(const Connection& connection) const { return place_of(connection).missed > 0; }
  /// A receiver that is not ready says so first, and then that what follows is out of sequence: where the first may be missing, that looks
  /// like a loss.
  [[nodiscard]] bool may_be_unready(const Connection& connection, const ConnectionSide& sender) const;
  /// Whether enough packets were acknowledged at that place, and none that was not seen.
  [[nodiscard]] bool is_known_to_be_whole(const Connection& connection) const;
  /// Where gaps show: of `packets` at the place of `connection`, so many at most the capture may have missed.
  [[nodiscard]] std::uint64_t most_missed(const Connection& connection, std::uint64_t packets) const;
  /// Of so many READ responses at the place of `connection`, which came there whatever was seen, the capture may have missed so many
  /// at most, even where no gaps show.
  [[nodiscard]] std::uint64_t most_missed_answers(const Connection& connection, std::uint64_t answers) const;
  /// The same with regard to how few packets the share rests on; also where no gaps show.
  [[nodiscard]] std::uint64_t most_unnoticed(const Connection& connection, std::uint64_t packets) const;
  /// Packets that the capture dropped, by its own count.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

  /// How sure a number of seen packets is for those that passed that place.
  [[nodiscard]] Strength strength_at(const Connection& connection) const {
    if (connection.unsure || connection.noticed_late) return Strength::kEstimated;
    return may_miss_packets_of(connection) ? Strength::kAtLeast : Strength::kExact;
  }
  /// The same of answers. A packet that was sent again for no reason that was seen shows that one of them was missed, or lost.
  [[nodiscard]] Strength strength_of_answers_at(const Connection& connection) const {
    const Strength strength = strength_at(connection);
    return place_of(connection).unexplained > 0 ? std::max(strength, Strength::kAtLeast) : strength;
  }
  /// The same of all places together.
  [[nodiscard]] Strength strength() const { return misses_ ? Strength::kAtLeast : Strength::kExact; }
  /// Whether the ICRCs of some packets were not compared at all: they may have been damaged.
  [[nodiscard]] bool hides_damage() const noexcept { return hides_damage_; }

 private:
  struct Place {
    std::uint64_t seen = 0;            // packets of requests
    std::uint64_t missed = 0;          // of these and of READ responses: they came to their receiver, and were not seen
    std::uint64_t missed_answers = 0;  // of those the READ responses
    std::uint64_t unexplained = 0;     // packets without those that they follow, or that must follow them
    bool is_passed_unseen = false;     // packets came from there to the next capture point
    bool is_doubtful = false;          // requests were not seen, and none of them is known to be lost
  };
  void add(const EvictedTotals& evicted);
  [[nodiscard]] const Place& place_of(const Connection& connection) const;

  std::map<std::uint16_t, Place> places_;
  std::uint64_t dropped_ = 0;
  bool misses_ = false;
  bool misses_somewhere_ = false;  // where, is not known any more
  bool hides_damage_ = false;
};

}  // namespace rocescope::findings
