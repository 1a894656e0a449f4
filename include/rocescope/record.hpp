// A packet with what its capture and earlier packets show about it: the input of printers and filters.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/capture.hpp"
#include "rocescope/icrc.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

/// The parts of a record that take extra work, beyond dissection.
struct RecordParts {
  bool icrc = false;     ///< PacketRecord::icrc and true_source_port
  bool verdict = false;  ///< PacketRecord::verdict, which needs all packets before
  /// Verdict::connection is the number that the report has, which needs all packets, those behind as well: see FinalNumbers.
  bool final_number = false;

  friend constexpr RecordParts operator|(RecordParts a, RecordParts b) noexcept {
    return {a.icrc || b.icrc, a.verdict || b.verdict, a.final_number || b.final_number};
  }
};
inline constexpr RecordParts kIcrcPart{.icrc = true};
/// Whether a packet was corrupt is part of its verdict.
inline constexpr RecordParts kVerdictPart{.icrc = true, .verdict = true};
inline constexpr RecordParts kAllParts{.icrc = true, .verdict = true, .final_number = true};

/// Everything known about a packet when it was seen. The pointers belong to the maker of the record and last until the next
/// record.
struct PacketRecord {
  const Packet* packet = nullptr;
  /// Null where the capture's format has no interfaces (pcap).
  const CaptureInterface* interface = nullptr;
  std::int64_t first_timestamp = 0;                          ///< of the capture's first frame, nanoseconds since 1970
  std::optional<std::int64_t> previous_timestamp;            ///< of the frame before; none for the first
  std::optional<std::int64_t> previous_displayed_timestamp;  ///< of the frame before that passed the filter
  IcrcCheck icrc;
  /// The UDP source port that the packet was sent with, where the capture rewrote it; `icrc` was verified with it.
  std::optional<std::uint16_t> true_source_port;
  bool icrc_unsearched = false;  ///< it is bad, and no other source port was tried: too many flows were bad
  /// Another capture point sees the packets of these two hosts as well, and what is counted of all connections together counts them
  /// there.
  bool repeated = false;
  /// Copies of one RoCE packet at several capture points have the same, if they are whole; 0: there is one point only.
  std::uint64_t fingerprint = 0;
  Verdict verdict;
};

}  // namespace rocescope
