// What the truth knows of one connection beyond the wire, and the phases of the connection.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "ladder/ladder_scope.hpp"
#include "truth/truth.hpp"

namespace rocescope {

enum class Phase : std::uint8_t {
  kDiscovery,  ///< addresses resolved, devices opened and queried, the peer's device found
  kQueuePair,  ///< queue pairs created, brought to INIT
  kMemory,     ///< protection domains, memory registered
  kConnection,
  kData,  ///< from the first work request posted to the last completed
  kTearDown,
};
inline constexpr std::size_t kPhases = static_cast<std::size_t>(Phase::kTearDown) + 1;

[[nodiscard]] constexpr std::string_view to_string(Phase phase) noexcept {
  constexpr std::string_view kNames[] = {"discovery", "queue pair", "memory", "connection", "data", "tear-down"};
  return kNames[static_cast<std::size_t>(phase)];
}

/// A fact of one side.
struct TruthEvent {
  std::int64_t begin = 0;      ///< nanoseconds since 1970 by the side's clock
  std::int64_t time = 0;       ///< its end; equal to `begin` if it took no time, or the truth has none
  std::uint8_t side = 0;       ///< index into Connection::sides
  std::optional<Phase> phase;  ///< its phase; none: the current one
  std::variant<truth::DeviceOpened, truth::Device, truth::ProtectionDomain, truth::CompletionQueue, truth::MemoryRegion,
               truth::RegionDeregistered, truth::QueuePair, truth::QueuePairState, truth::QueuePairDestroyed,
               truth::CmEvent, truth::Completion, truth::AsyncEvent, truth::Kill>
      what;
};

/// A span of time in which the connection was in one phase; the next span begins at its end.
struct PhaseSpan {
  Phase phase = Phase::kDiscovery;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The facts of a connection, by time.
struct TruthTimeline {
  std::vector<TruthEvent> events;
  std::vector<PhaseSpan> phases;              ///< from the first event to the end, without holes; phases may come back
  std::array<truth::Side, 2> sides{};         ///< who each side of the connection is
  std::array<std::int64_t, 2> first_posts{};  ///< of each side's requests; 0: none

  /// The sum of all spans of a phase, nanoseconds.
  [[nodiscard]] std::int64_t duration(Phase phase) const noexcept;
};

/// The facts of `connection` in `truth`; nothing if the truth lacks its queue pairs.
[[nodiscard]] std::optional<TruthTimeline> truth_timeline(const truth::Truth& truth, const Connection& connection);

}  // namespace rocescope
