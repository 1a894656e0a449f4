// The rules, one function for each group of findings: when a finding is told, and in which words.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/finding.hpp"
#include "rocescope/report.hpp"

namespace rocescope::findings {

/// One side of a connection: what is said is about its requests.
struct Direction {
  const Connection& connection;
  std::size_t side = 0;

  [[nodiscard]] const ConnectionSide& sender() const noexcept { return connection.sides[side]; }
  [[nodiscard]] const ConnectionSide& receiver() const noexcept { return connection.sides[1 - side]; }
  /// Null: nothing of the kind was seen.
  [[nodiscard]] const Sighting* sighting(FindingId id) const noexcept { return sender().sightings.find(id); }
};

/// Where rules put what they find.
class FindingList {
 public:
  /// About one direction of a connection. `filter` is added with && to the connection's own; empty: all of its packets.
  void add(FindingId id, const Direction& direction, const Occurrences& seen, std::uint64_t weight, std::string what,
           std::string_view filter);
  /// About an attempt to connect.
  void add(FindingId id, const Handshake& handshake, const Occurrences& seen, std::uint64_t weight, std::string what);
  /// About the capture as a whole.
  void add(FindingId id, const Occurrences& seen, std::uint64_t weight, std::string what, std::string filter);

  [[nodiscard]] std::vector<Finding> take() && noexcept { return std::move(findings_); }

 private:
  std::vector<Finding> findings_;
};

void find_capture_limits(const Report& report, FindingList& list);
void find_icrcs(const Report& report, FindingList& list);
/// `dropped`: packets that whoever captured says were lost by it.
void find_losses(const Direction& direction, std::uint64_t dropped, FindingList& list);
void find_recoveries(const Direction& direction, FindingList& list);
void find_refusals(const Direction& direction, FindingList& list);
void find_breaches(const Report& report, FindingList& list);
void find_breaches(const Direction& direction, FindingList& list);
void find_advice(const Direction& direction, FindingList& list);
void find_read_depth(const Direction& direction, const Report& report, FindingList& list);
void find_one_port(const Report& report, FindingList& list);
void find_conflicts(const Direction& direction, FindingList& list);
void find_weaknesses(const Report& report, FindingList& list);
void find_congestion(const Direction& direction, FindingList& list);
void find_capture_congestion(const Report& report, FindingList& list);
void find_setup(const Report& report, FindingList& list);
void find_strays(const Direction& direction, FindingList& list);
void find_outstanding(const Direction& direction, const Report& report, FindingList& list);

/// Packets that whoever captured says were lost by it.
[[nodiscard]] std::uint64_t dropped_packets(const Report& report);
/// A filter for the packets that are known: `frame.number in {5, 9}`; empty where none is.
[[nodiscard]] std::string frames(const Occurrences& seen);
/// `0.8 %` of a whole that is not 0; `under 0.1 %`, `100 %`.
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace rocescope::findings
