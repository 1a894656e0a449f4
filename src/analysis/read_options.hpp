// What is read of a capture, and how far ahead.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rocescope/command.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/record.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// How far the source may be ahead of the packets that were given.
enum class ReadingAhead : std::uint8_t {
  kNothing,      ///< the source, its info and its comments are those of the packet at hand
  kBatches,      ///< some packets, which is faster
  kInOwnThread,  ///< the same in another thread, beside the tracker: only for sources that never wait for others
};

/// Which packets are wanted.
struct Selection {
  /// Empty: all of them. The record lasts until it returns.
  std::function<bool(const PacketRecord& record)> admits;
  RecordParts needs = kAllParts;  ///< what of a record that looks at
  bool admits_expected = true;    ///< false: no packet that is just what comes next of its connection
};

/// What packets are read for.
enum class Purpose : std::uint8_t {
  kPackets,  ///< for their own sake, each with the verdict that it has in the whole capture
  kReport,   ///< for a report, in which only those count that the selection admits
};

struct ReadOptions {
  DissectOptions dissect;
  /// What of the records is worked out. Without icrc each stays kNone, and the verdicts do not know of corrupt packets.
  RecordParts parts = kAllParts;
  TrackOptions track;
  std::uint64_t most_packets = 0;  ///< that are read; 0: all
  ReadingAhead ahead = ReadingAhead::kNothing;
  bool notes = false;  ///< PacketReader has comments() and captures()
  Selection selection{};
  Purpose purpose = Purpose::kReport;
  std::vector<DecodeAs> decode_as{};
  FinalNumbers numbers{};  ///< that verdicts have in place of those that the tracker gives
};

}  // namespace rocescope
