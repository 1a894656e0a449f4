// What the truth tells of one connection and the wire cannot show, and the phases that the connection went through.
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
  kDiscovery,  ///< addresses resolved, devices opened and asked, each other's found
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
  std::int64_t time = 0;       ///< when it had ended; equal to `begin` where it took no time, or none is told
  std::uint8_t side = 0;       ///< index into Connection::sides
  std::optional<Phase> phase;  ///< that it belongs to; none: the one that it happens in
  std::variant<truth::DeviceOpened, truth::Device, truth::ProtectionDomain, truth::CompletionQueue, truth::MemoryRegion,
               truth::RegionDeregistered, truth::QueuePair, truth::QueuePairState, truth::QueuePairDestroyed,
               truth::CmEvent, truth::Completion, truth::AsyncEvent, truth::Kill>
      what;
};

/// A stretch of time in which the connection was in one phase; the next begins where it ends.
struct PhaseSpan {
  Phase phase = Phase::kDiscovery;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// What is told of a connection, by time.
struct TruthTimeline {
  std::vector<TruthEvent> events;
  std::vector<PhaseSpan> phases;  ///< together from the first event to the end, without holes; phases may come back
  std::array<truth::Side, 2> sides{};         ///< who each side of the connection is
  std::array<std::int64_t, 2> first_posts{};  ///< of each side's requests; 0: none

  /// How long all spans of a phase took together, nanoseconds.
  [[nodiscard]] std::int64_t duration(Phase phase) const noexcept;
};

/// What `truth` tells of the connection of `scope`; nothing when it does not know its queue pairs.
[[nodiscard]] std::optional<TruthTimeline> truth_timeline(const truth::Truth& truth, const Connection& connection);

}  // namespace rocescope
