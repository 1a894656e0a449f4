// Congestion: marks, notifications, pauses, and classes of traffic.
#include <fmt/format.h>

#include <algorithm>

#include "findings/filters.hpp"
#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

/// A smaller share of marked packets is not reported.
constexpr double kManyMarked = 0.001;
/// A receiver answers the first marked packet within microseconds: so many marks, over so many nanoseconds, ask for a CNP.
constexpr std::uint64_t kEnoughMarks = 10;
constexpr std::uint64_t kTimeToAnswer = 1'000'000;
/// A sender does not react if, of at least so many CNPs, more than this share had no effect.
constexpr std::uint64_t kEnoughCnps = 10;
constexpr double kNoReaction = 0.5;
/// Fewer data packets without ECN are not reported.
constexpr std::uint64_t kEnoughData = 100;

void find_marks(const Direction& direction, FindingList& list) {
  const Sighting* marked = direction.sighting(FindingId::kEcnMarked);
  if (marked == nullptr) return;
  const std::uint64_t data = direction.sender().ecn.all();
  if (static_cast<double>(marked->seen.count) < kManyMarked * static_cast<double>(data)) return;
  const Amount packets = direction.seen(marked->seen.count);
  list.add(FindingId::kEcnMarked, direction, marked->seen, packets,
           fmt::format("{} marked by a switch (CE, {} of its data)", count(packets, "packet"),
                       percent(marked->seen.count, data)),
           kMarkedFilter);
}

/// Not where packets are left out, since CNPs may be among them.
void find_silence(const Direction& direction, FindingList& list) {
  const Sighting* marked = direction.sighting(FindingId::kEcnMarked);
  const Congestion* congestion = direction.sender().congestion.get();
  if (marked == nullptr || congestion == nullptr || direction.connection.partial) return;
  if (congestion->cnps > 0 || congestion->marked < kEnoughMarks) return;
  if (direction.receiver().traffic.packets == 0) return;
  const auto seen_for =
      static_cast<std::uint64_t>(direction.connection.last_time) - static_cast<std::uint64_t>(marked->seen.first_time);
  if (seen_for < kTimeToAnswer) return;
  const Amount packets = direction.seen(congestion->marked);
  list.add(FindingId::kCeWithoutCnp, direction, marked->seen, packets,
           fmt::format("{} marked CE ({} of its data), and no CNP was seen", count(packets, "packet"),
                       percent(congestion->marked, direction.sender().ecn.all())),
           kMarkedFilter);
}

/// `direction` is that of the data: the CNPs came from its receiver.
void find_notifications(const Direction& direction, FindingList& list) {
  const Congestion* congestion = direction.sender().congestion.get();
  const Sightings& notifier = direction.receiver().sightings;
  if (const Sighting* storm = notifier.find(FindingId::kCnpStorm); storm != nullptr && congestion != nullptr) {
    const Amount cnps = direction.seen(congestion->cnps);
    list.add(FindingId::kCnpStorm, direction, storm->seen, cnps,
             fmt::format("{}, up to {} in a millisecond", count(cnps, "CNP"), text::count(congestion->most_cnps)),
             kCnpFilter);
  }
  const Sighting* deaf = direction.sighting(FindingId::kCnpWithoutReaction);
  if (deaf != nullptr && congestion != nullptr) {
    const CnpReaction& reaction = congestion->reaction;
    const bool enough = reaction.looked_at >= kEnoughCnps;
    if (enough && static_cast<double>(reaction.not_slower) > kNoReaction * static_cast<double>(reaction.looked_at)) {
      list.add(FindingId::kCnpWithoutReaction, direction, deaf->seen, {reaction.not_slower, Strength::kEstimated},
               fmt::format("did not slow down after about {} of {}", text::count(reaction.not_slower),
                           text::count(reaction.looked_at, "CNP")),
               kCnpFilter);
    }
  }
  if (const Sighting* shared = notifier.find(FindingId::kCnpClass)) {
    const Amount cnps = direction.seen(shared->seen.count);
    list.add(
        FindingId::kCnpClass, direction, shared->seen, cnps,
        fmt::format("{} in the class of the data (DSCP {})", count(cnps, "CNP"), direction.sender().data_class->dscp),
        kCnpFilter);
  }
}

}  // namespace

void find_congestion(const Direction& direction, FindingList& list) {
  find_marks(direction, list);
  find_silence(direction, list);
  find_notifications(direction, list);
}

void find_capture_congestion(const Evidence& evidence, FindingList& list) {
  if (const Sighting* plain = evidence.tracking.sightings.find(FindingId::kNotEct); plain != nullptr) {
    const EcnCounts& data = evidence.tracking.congestion.of(PacketRole::kData);
    if (plain->seen.count >= kEnoughData) {
      const Amount packets = list.seen(plain->seen.count);
      list.add(
          FindingId::kNotEct, plain->seen, packets,
          fmt::format("{} ({}) without ECN", count(packets, "data packet"), percent(data.of(Ecn::kNotEct), data.all())),
          "infiniband.bth && (ip.dsfield.ecn == 0 || ipv6.tclass.ecn == 0)");
    }
  }
  if (const Sighting* pauses = evidence.tracking.sightings.find(FindingId::kPfcPause)) {
    const Amount frames = list.seen(pauses->seen.count);
    list.add(FindingId::kPfcPause, pauses->seen, frames,
             fmt::format("{} from {} {}", count(frames, "pause frame"), text::count(evidence.tracking.pauses.size()),
                         text::plural(evidence.tracking.pauses.size(), "port and class", "ports and classes")),
             "macc");
  }
  if (const Sighting* storm = evidence.tracking.sightings.find(FindingId::kPfcStorm)) {
    std::uint64_t longest = 0;
    for (const PauseTotals& pause : evidence.tracking.pauses) longest = std::max(longest, pause.longest);
    const std::string how_long =
        longest == 0 ? std::string() : fmt::format(" for {}", text::duration(static_cast<std::int64_t>(longest)));
    list.add(FindingId::kPfcStorm, storm->seen, list.seen(storm->seen.count),
             fmt::format("a class stayed paused{}", how_long), "macc");
  }
}

}  // namespace rocescope::findings
