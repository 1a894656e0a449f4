// Findings: what an engineer should know, with its evidence.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/detail/box.hpp"

namespace rocescope {

enum class Severity : std::uint8_t { kNote, kWarning, kError };

[[nodiscard]] constexpr std::string_view to_string(Severity severity) noexcept {
  constexpr std::string_view kNames[] = {"note", "warning", "error"};
  return kNames[static_cast<std::size_t>(severity)];
}

/// In the order of finding_infos(), which gives each its name.
enum class FindingId : std::uint8_t {
  // Invariant CRCs
  kIcrcBad,
  kIcrcBadAllTx,
  // The capture limits what can be said
  kTruncatedCapture,
  kCaptureLoss,
  kCaptureDuplicates,
  kOneSided,
  // The network
  kPacketLossBefore,
  kPacketLossAfter,
  kPacketLossBetween,
  kReadResponseLossBefore,
  kReadResponseLossAfter,
  kAckLossBefore,
  kAckLossAfter,
  kReordering,
  kNetworkDuplicates,
  // Recovery
  kRetransmissions,
  kGoBackNWaste,
  kTimeoutRecovery,
  kSpuriousRetransmission,
  kRetryExhausted,
  // What the responder refused
  kNakSequence,
  kNakInvalidRequest,
  kNakRemoteAccess,
  kNakRemoteOperational,
  kRnr,
  kRnrTimerNotHonoured,
  kCreditStall,
  // Congestion
  kEcnMarked,
  kCeWithoutCnp,
  kCnpStorm,
  kCnpWithoutReaction,
  kNotEct,
  kPfcPause,
  kPfcStorm,
  kCnpClass,
  // Communication manager
  kCmReject,
  kCmProbe,
  kCmTimeout,
  kCmRetries,
  kCmIncomplete,
  kStaleConnection,
  kTornDownOutstanding,
  // Conformance
  kOpcodeOrder,
  kLengthMtu,
  kPad,
  kTransportOperation,
  kTver,
  kReservedBits,
  kPkeyMismatch,
  kUsedPsn,
  // Performance advice
  kReadDepthExceeded,
  kSmallMessages,
  kSmallMtu,
  kAckEveryPacket,
  kOnePortEntropy,
  // Commands of the protocols above
  kQueueRefused,
  kIoFailed,
  kCommandRefused,
  kSlowTarget,
  kSlowNetwork,
  kCommandsResent,
  kCommandsUnanswered,
  kCommandsAborted,
  kCommandsRetried,
  kCreditStarvation,
  kQueueFull,
  kKeepAliveLate,
  kKeepAliveMissing,
  kSmallIo,
  kUnalignedIo,
  kInCapsuleUnused,
  kInCapsuleRefused,
  kOneBusyQueue,
  // Security
  kRkeyPredictable,
  kRkeyReused,
  kQpnSequential,
  kPsnStartPredictable,
  kRkeyInClear,
  kRkeyScan,
  kForeignRequester,
  kPayloadConflict,
};
inline constexpr std::size_t kFindingIds = static_cast<std::size_t>(FindingId::kPayloadConflict) + 1;

/// What a finding is among those of its connection. Of two causes, the one that stands first here comes first.
enum class FindingRole : std::uint8_t {
  // Causes
  kBreach,      ///< a sender breaks a rule of the specification
  kEnd,         ///< ended the connection, or an attempt to connect: a refusal, a peer that is gone
  kDamage,      ///< packets were changed on their way
  kLoss,        ///< packets did not arrive
  kReordering,  ///< packets were overtaken
  kNotReady,    ///< the receiver put requests off
  kCredits,     ///< the receiver gave no credits
  kCongestion,  ///< queues grow, or congestion control does not work
  kCapture,     ///< a limit of the capture: it shows less than there was
  // Others
  kConsequence,  ///< what a cause makes the two ends do
  kOther,        ///< explains nothing, and needs no explanation: advice, security
};

[[nodiscard]] constexpr std::string_view to_string(FindingRole role) noexcept {
  constexpr std::string_view kNames[] = {"breach",  "end",        "damage",  "loss",        "reordering", "not_ready",
                                         "credits", "congestion", "capture", "consequence", "other"};
  return kNames[static_cast<std::size_t>(role)];
}

/// An entry of the registry: what `rocescope explain` prints.
struct FindingInfo {
  FindingId id;
  std::string_view name;  ///< stable: `packet_loss_before`
  Severity severity;
  FindingRole role;
  std::string_view unit;        ///< what Finding::weight counts, in the plural; empty: weights of several do not add up
  std::string_view title;       ///< a few words
  std::string_view meaning;     ///< what is true when it is reported, and from what that is concluded
  std::string_view sureness;    ///< what of it is exact or a lower bound, and what would make it wrong
  std::string_view why;         ///< why it matters
  std::string_view what_to_do;  ///< what to look at or change
};

/// All findings there are, in the order of FindingId.
[[nodiscard]] std::span<const FindingInfo> finding_infos() noexcept;
[[nodiscard]] const FindingInfo& finding_info(FindingId id) noexcept;
/// Null: there is none of this name.
[[nodiscard]] const FindingInfo* find_finding_info(std::string_view name) noexcept;

/// When, how often and in which packets something was seen.
struct Occurrences {
  static constexpr std::size_t kPackets = 4;

  std::uint64_t count = 0;
  std::int64_t first_time = 0;  ///< nanoseconds since 1970; without meaning while count is 0
  std::int64_t last_time = 0;
  std::array<std::uint64_t, kPackets> packets{};  ///< the numbers of the first frames; 0: none
  std::uint64_t last_packet = 0;                  ///< of the last frame

  void add(std::uint64_t packet, std::int64_t time) noexcept {
    if (count == 0) first_time = time;
    if (count < kPackets) packets[static_cast<std::size_t>(count)] = packet;
    last_time = time;
    last_packet = packet;
    ++count;
  }
  /// Adds those of `other`. The packets are those of the one that began first.
  void merge(const Occurrences& other) noexcept {
    if (other.count == 0) return;
    const bool earlier = count == 0 || other.first_time < first_time;
    last_time = count == 0 ? other.last_time : std::max(last_time, other.last_time);
    if (earlier) first_time = other.first_time;
    if (earlier) packets = other.packets;
    last_packet = std::max(last_packet, other.last_packet);
    count += other.count;
  }
  /// Adds the occurrences that others met among the same frames, where each frame was shown to only one of both. The
  /// result is as if one had met all of them.
  void interleave(const Occurrences& other) noexcept {
    if (other.count == 0) return;
    if (count == 0) return void(*this = other);
    if (other.packets[0] < packets[0]) first_time = other.first_time;
    if (other.last_packet > last_packet) last_time = other.last_time;
    last_packet = std::max(last_packet, other.last_packet);
    std::array<std::uint64_t, 2 * kPackets> both{};
    const auto end = std::ranges::copy(other.packets, std::ranges::copy(packets, both.begin()).out).out;
    const auto none = std::remove(both.begin(), end, std::uint64_t{0});
    std::sort(both.begin(), none);
    std::fill(none, end, std::uint64_t{0});
    std::copy_n(both.begin(), kPackets, packets.begin());
    count += other.count;
  }
};

/// Evidence for a finding, met while tracking and kept by sender. The rules decide at the end whether it is worth a report.
struct Sighting {
  FindingId id = FindingId::kIcrcBad;
  Occurrences seen;
  std::uint64_t amount = 0;  ///< what was counted with them, by finding: bytes, PSNs, nanoseconds
};

/// Few kinds of them on any one side of a connection, none on most.
class Sightings {
 public:
  /// Not inline: many call it, most of them seldom.
  [[gnu::noinline]] void add(FindingId id, std::uint64_t packet, std::int64_t time, std::uint64_t amount = 0) {
    Sighting& sighting = at(id);
    sighting.seen.add(packet, time);
    sighting.amount += amount;
  }
  /// Those of `other` as well.
  void merge(const Sighting& other) {
    Sighting& sighting = at(other.id);
    sighting.seen.merge(other.seen);
    sighting.amount += other.amount;
  }
  /// The same of packets among which these were met, as Occurrences::interleave().
  void interleave(const Sighting& other) {
    Sighting& sighting = at(other.id);
    sighting.seen.interleave(other.seen);
    sighting.amount += other.amount;
  }
  /// Null: not seen.
  [[nodiscard]] const Sighting* find(FindingId id) const {
    for (const Sighting& sighting : *sightings_) {
      if (sighting.id == id) return &sighting;
    }
    return nullptr;
  }
  [[nodiscard]] std::span<const Sighting> all() const { return *sightings_; }
  /// That of this kind, with no packets where there was none. Lasts until one of another kind is added.
  [[nodiscard]] Sighting& at(FindingId id) {
    std::vector<Sighting>& sightings = sightings_.make();
    for (Sighting& sighting : sightings) {
      if (sighting.id == id) return sighting;
    }
    return sightings.emplace_back(Sighting{.id = id});
  }

 private:
  friend struct PrivateMembers;

  Box<std::vector<Sighting>> sightings_;
};

/// How much a quantity says of what happened. The capture may lack packets, or be made where not all of them come by.
enum class Strength : std::uint8_t {
  kExact,
  kAtLeast,
  kEstimated,  ///< the truth may be more or less
};

[[nodiscard]] constexpr std::string_view to_string(Strength strength) noexcept {
  constexpr std::string_view kNames[] = {"exact", "at_least", "estimated"};
  return kNames[static_cast<std::size_t>(strength)];
}

/// Before a number: nothing, `at least `, `about `.
[[nodiscard]] constexpr std::string_view in_words(Strength strength) noexcept {
  constexpr std::string_view kWords[] = {"", "at least ", "about "};
  return kWords[static_cast<std::size_t>(strength)];
}

/// Something that an engineer should know.
struct Finding {
  const FindingInfo* info = nullptr;  ///< never null in a report
  const FindingInfo* cause =
      nullptr;  ///< that of the finding of its connection which it is a consequence of; null: none is known
  std::uint32_t connection = 0;     ///< 0: of the whole capture
  std::uint16_t capture_point = 0;  ///< where the connection was seen; 0: of none
  std::optional<std::size_t> side;  ///< the side of the connection that sent what it is about
  std::uint32_t handshake = 0;      ///< 0: of none
  /// From whom to whom that went which it is about: of a connection or a handshake.
  struct Path {
    IpAddress from;
    IpAddress to;
  };
  std::optional<Path> path;
  Occurrences seen;
  std::uint64_t weight = 0;  ///< what it cost, to compare it with others of its kind: packets, bytes or nanoseconds
  Strength strength = Strength::kExact;  ///< of `weight`, of `seen.count` and of the quantities in `what`
  std::string what;    ///< a clause with its numbers: `41 packets lost before the capture point (0.8 %)`
  std::string filter;  ///< a display filter that shows the packets; empty: none does
};

}  // namespace rocescope
