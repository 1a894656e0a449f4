// The handshakes of a capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "messages/messages.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/packet.hpp"
#include "tracking/unplaced.hpp"

namespace rocescope {

/// Owns them; takes about a kilobyte each.
class HandshakeTable final : public HandshakeSource {
 public:
  static constexpr std::size_t kDefaultMost = 131'072;
  /// ns: a message that comes again sooner than this is a copy that the capture made: no CM repeats that fast.
  static constexpr std::int64_t kCopyWindow = 250'000;

  /// Evidence for findings that is met on the way goes to `unplaced`, and the number of messages of further handshakes.
  explicit HandshakeTable(Unplaced& unplaced, std::size_t most = kDefaultMost) : unplaced_(unplaced), most_(most) {}

  /// A new one whose active side sent `packet`. Null: there are too many, and the message is counted. Lasts.
  [[nodiscard]] Handshake* add(HandshakeKind kind, const Packet& packet);
  [[nodiscard]] Handshake& at(std::uint32_t number) { return handshakes_.at(number); }
  /// Null: it is not here.
  [[nodiscard]] const Handshake* find(std::uint32_t number) const override {
    const auto found = handshakes_.find(number);
    return found == handshakes_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool has(std::uint32_t number) const { return handshakes_.contains(number); }

  /// Takes down that it set `connection` up. One that is not here, such as 0, is none.
  void set_up(std::uint32_t number, std::uint32_t connection) {
    if (const auto found = handshakes_.find(number); found != handshakes_.end()) found->second.connection = connection;
  }

  /// Takes down that `packet` is this message of `handshake`. Whether it is the first.
  bool note(Handshake& handshake, HandshakeMessage message, std::size_t sender, const Packet& packet);

  [[nodiscard]] Sightings& sightings() noexcept { return unplaced_.sightings; }
  /// Evidence that only the end shows: handshakes without an answer, or without an end.
  void add_last_sightings(Sightings& to) const;
  static void add_last_sighting(const Handshake& handshake, Sightings& to);

  /// Removes and returns those that had no message since `time`, or more if there are many, the oldest first; none for which
  /// `is_needed(handshake)` is true. Those without an answer or an end count as evidence.
  template <class IsNeeded>
  [[nodiscard]] std::vector<Handshake> take_idle(std::int64_t time, IsNeeded is_needed) {
    std::vector<Handshake> taken;
    const std::size_t many = most_ - most_ / kReserve;
    for (auto each = handshakes_.begin(); each != handshakes_.end();) {
      const bool idle = last_time(each->second) < time || handshakes_.size() > many;
      if (idle && !is_needed(each->second)) {
        taken.push_back(close(std::move(each->second)));
        each = handshakes_.erase(each);
      } else {
        ++each;
      }
    }
    return taken;
  }
  /// Of requests for a service that was not there, by number: the number of the next request between the same hosts, where it
  /// is_next_try(). Takes time for each handshake that is here.
  [[nodiscard]] std::map<std::uint32_t, std::uint32_t> next_tries() const;
  /// As take_idle() does, of one.
  [[nodiscard]] Handshake take(std::uint32_t number) { return close(std::move(handshakes_.extract(number).mapped())); }

  /// By number, with their outcomes.
  [[nodiscard]] std::vector<Handshake> handshakes() const;
  /// The same, which are here no longer.
  [[nodiscard]] std::vector<Handshake> take_all();

  /// Of the last of its messages, ns since 1970.
  [[nodiscard]] static std::int64_t last_time(const Handshake& handshake) noexcept;

 private:
  friend struct StateMembers;
  static constexpr std::size_t kReserve = 8;  ///< part of the table that is kept for new ones

  [[nodiscard]] Handshake close(Handshake&& handshake);

  std::map<std::uint32_t, Handshake> handshakes_;  // by number
  std::uint32_t made_ = 0;
  Unplaced& unplaced_;
  std::size_t most_;
};

/// How it ended, going by all that was seen.
[[nodiscard]] HandshakeOutcome outcome_of(const Handshake& handshake) noexcept;

}  // namespace rocescope
