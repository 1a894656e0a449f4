// The rules, one function for each group of findings. They decide what to report, and in which words.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "findings/evidence.hpp"
#include "findings/limits.hpp"
#include "rocescope/finding.hpp"

namespace rocescope::findings {

/// Of the path MTUs that there are, in bytes (IBTA 9.7, Table 35).
inline constexpr std::uint64_t kLargestMtu = 4096;

/// A quantity, and how much it says of what happened.
struct Amount {
  std::uint64_t value = 0;
  Strength strength = Strength::kExact;
};

/// `41 packets`, `at least 41 packets`, `about 41 packets`
[[nodiscard]] std::string count(Amount amount, std::string_view noun);

/// One side of a connection, as the sender of requests.
struct Direction {
  const Connection& connection;
  std::size_t side = 0;
  const Limits& limits;

  /// A number of packets that were seen, for those that came by.
  [[nodiscard]] Amount seen(std::uint64_t packets) const { return {packets, limits.strength_at(connection)}; }

  [[nodiscard]] const ConnectionSide& sender() const noexcept { return connection.sides[side]; }
  [[nodiscard]] const ConnectionSide& receiver() const noexcept { return connection.sides[1 - side]; }
  [[nodiscard]] bool sender_counts() const noexcept { return connection.counts_packets(side); }
  /// Null if there is none.
  [[nodiscard]] const Sighting* sighting(FindingId id) const noexcept { return sender().sightings.find(id); }
};

/// Collects the findings of the rules.
class FindingList {
 public:
  explicit FindingList(const Limits& limits) : limits_(&limits) {}

  [[nodiscard]] const Limits& limits() const noexcept { return *limits_; }
  /// A number of packets that were seen, of the whole capture.
  [[nodiscard]] Amount seen(std::uint64_t packets) const { return {packets, limits_->strength()}; }

  /// Adds a finding about one direction of a connection. `filter` is added with && to the filter of the connection, unless it
  /// is empty.
  void add(FindingId id, const Direction& direction, const Occurrences& seen, Amount weight, std::string what,
           std::string_view filter);
  /// Adds a finding about an attempt to connect.
  void add(FindingId id, const Handshake& handshake, const Occurrences& seen, Amount weight, std::string what);
  /// Adds a finding about the whole capture.
  void add(FindingId id, const Occurrences& seen, Amount weight, std::string what, std::string filter);

  [[nodiscard]] std::vector<Finding> take() && noexcept { return std::move(findings_); }

 private:
  const Limits* limits_;  // never null
  std::vector<Finding> findings_;
};

void find_capture_limits(const Evidence& evidence, FindingList& list);
void find_icrcs(const Evidence& evidence, FindingList& list);
void find_losses(const Direction& direction, const Evidence& evidence, FindingList& list);
void find_read_losses(const Direction& direction, FindingList& list);
void find_lost_acks(const Direction& direction, FindingList& list);
void find_damage(const Direction& direction, FindingList& list);
void find_unsure(const Direction& direction, FindingList& list);
void find_recoveries(const Direction& direction, const Evidence& evidence, FindingList& list);
void find_refusals(const Direction& direction, const Evidence& evidence, FindingList& list);
void find_breaches(const Evidence& evidence, FindingList& list);
void find_breaches(const Direction& direction, FindingList& list);
void find_advice(const Direction& direction, FindingList& list);
void find_read_depth(const Direction& direction, const Evidence& evidence, FindingList& list);
void find_one_port(const Evidence& evidence, FindingList& list);
void find_conflicts(const Direction& direction, FindingList& list);
void find_weaknesses(const Evidence& evidence, FindingList& list);
void find_congestion(const Direction& direction, FindingList& list);
void find_capture_congestion(const Evidence& evidence, FindingList& list);
void find_setup(const Evidence& evidence, FindingList& list);
void find_commands(const Evidence& evidence, FindingList& list);
/// Of the commands that the side sends.
void find_command_retries(const Direction& direction, const CommandTroubles& troubles, FindingList& list);
/// Adds to findings about a connection that stood still how many of its commands were outstanding then, where that is known.
void tell_outstanding_commands(const Evidence& evidence, const Limits& limits, std::vector<Finding>& found);
void find_strays(const Direction& direction, FindingList& list);
void find_outstanding(const Direction& direction, const Evidence& evidence, FindingList& list);

/// What set up a connection; null: it was not seen.
[[nodiscard]] const Handshake* handshake_of(const Connection& connection, const Evidence& evidence) noexcept;
/// `unanswered for 2.79 s through 5 tries, then answered again`: of timeouts in a row; empty without them.
[[nodiscard]] std::string silence_text(const Direction& direction);
/// A filter for the packets that `seen` lists: `frame.number in {5, 9}`; empty if it lists none.
[[nodiscard]] std::string frames(const Occurrences& seen);
/// `0.8 %`, `under 0.1 %`, `100 %`; unlike text::percent(), a part never reads as all or nothing. `whole` is not 0.
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace rocescope::findings
