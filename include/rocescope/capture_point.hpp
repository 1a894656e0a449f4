// Capture points: where on their way packets were seen, and what two points show of the network between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/times.hpp"

namespace rocescope {

/// Where packets were seen. A capture has one point, unless it shows packets twice: then each place that sees the same
/// packets as another place is a point of its own, and connections are followed at each point separately. Places that
/// show different packets belong to one point: the ports of a link aggregation, files that follow each other.
struct CapturePoint {
  std::uint16_t number = 0;         ///< from 1, in the order of their first packets
  std::vector<std::string> places;  ///< in words: files, interfaces, encapsulations, copies
  Traffic roce;                     ///< the RoCE packets seen there
};

/// Times from one capture point to another, by the clocks of both, in nanoseconds.
class Delays {
 public:
  void add(std::int64_t ns);
  [[nodiscard]] bool empty() const noexcept { return later_.empty() && earlier_.empty(); }
  [[nodiscard]] std::int64_t min() const noexcept;  ///< exact; 0 of none
  [[nodiscard]] std::int64_t max() const noexcept;  ///< exact; 0 of none
  /// As Histogram::quantile(); exact up to 1/64 of its distance from the first delay.
  [[nodiscard]] std::int64_t quantile(std::uint64_t per_mille) const noexcept;
  /// The same the other way.
  [[nodiscard]] Delays reversed() const;

 private:
  friend struct PrivateMembers;
  std::int64_t first_ = 0;  // the others count from it: clocks may be years apart
  Histogram later_;         // what they are longer than the first
  Histogram earlier_;       // what they are shorter
};

/// One direction of a queue pair that two capture points saw: what became of its packets between them. Packets at the beginning and at
/// the end that came when one of the points saw nothing are not compared. Points of different partial results are compared by what their
/// messages say: of how many requests and READ responses each point saw.
struct FlowComparison {
  IpAddress source;
  IpAddress destination;
  Qpn dest_qp;
  std::uint16_t from = 0;             ///< the capture point that packets pass first, as far as that is known
  std::uint16_t to = 0;               ///< the other one
  bool ordered = false;               ///< it is known that they pass `from` first
  bool by_messages = false;           ///< ACKs were not compared, and what was lost is a lower bound
  std::uint32_t from_connection = 0;  ///< its number at `from`; 0: it is of none, such as the CM's
  std::uint32_t to_connection = 0;
  std::uint64_t both = 0;  ///< packets that both saw
  /// That only `from` saw: where `ordered`, they were lost between, damaged so that nothing names them, or missed at `to`.
  std::uint64_t only_from = 0;
  Occurrences lost;  ///< these
  /// How many of these were missing in a row with others, where the row is longer than chance makes it: the capture at
  /// `to` may have dropped them all.
  std::uint64_t in_rows = 0;
  std::uint64_t only_to = 0;  ///< that only `to` saw: where `ordered`, the capture at `from` missed them
  /// That one saw before the other saw any, or behind the last that it saw; and further copies that only `from` saw, and the host did not send:
  /// its capture made them, or they were lost between.
  std::uint64_t uncompared = 0;
  std::uint64_t duplicated = 0;  ///< further copies that only `to` saw
  std::uint64_t reordered = 0;   ///< that `to` saw behind packets which followed them at `from`
  std::uint64_t damaged = 0;     ///< whose ICRC was right at `from` and is wrong at `to`
  Delays delays;                 ///< from `from` to `to`, by their clocks
  /// What the clock at `to` is ahead of that at `from`, estimated from both directions: as if they took the same time. None: one
  /// direction only.
  std::optional<std::int64_t> clock_difference;
  bool one_clock = false;  ///< both are in one file, and no delay shows that it was merged from files of two clocks
};

}  // namespace rocescope
