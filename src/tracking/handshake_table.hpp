// The handshakes of a capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "rocescope/finding.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Owns them; takes about a kilobyte each.
class HandshakeTable {
 public:
  static constexpr std::size_t kDefaultMost = 131'072;
  /// ns: a message that comes again sooner than this is a copy that the capture made: no CM repeats that fast.
  static constexpr std::int64_t kCopyWindow = 250'000;

  /// Evidence for findings that is met on the way goes to `sightings`.
  explicit HandshakeTable(Sightings& sightings, std::size_t most = kDefaultMost) : sightings_(sightings), most_(most) {}

  /// A new one whose active side sent `packet`. Null: there are too many, and this one is counted. Lasts.
  [[nodiscard]] Handshake* add(HandshakeKind kind, const Packet& packet);
  [[nodiscard]] Handshake& at(std::uint32_t number) noexcept { return handshakes_[number - 1]; }

  /// Takes down that `packet` is this message of `handshake`. Whether it is the first.
  bool note(Handshake& handshake, HandshakeMessage message, std::size_t sender, const Packet& packet);

  [[nodiscard]] Sightings& sightings() noexcept { return sightings_; }
  /// Evidence that only the end shows: handshakes that nobody answered, or that nobody finished.
  void add_last_sightings(Sightings& to) const;

  /// With their outcomes.
  [[nodiscard]] std::vector<Handshake> handshakes() const;
  [[nodiscard]] std::uint64_t unlisted() const noexcept { return unlisted_; }

 private:
  std::deque<Handshake> handshakes_;
  Sightings& sightings_;
  std::size_t most_;
  std::uint64_t unlisted_ = 0;
};

/// How it ended, going by all that was seen.
[[nodiscard]] HandshakeOutcome outcome_of(const Handshake& handshake) noexcept;

}  // namespace rocescope
