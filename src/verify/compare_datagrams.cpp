#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rocescope/text.hpp"
#include "verify/comparison.hpp"

namespace rocescope::verify {
namespace {

struct Count {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t immediates = 0;
};

/// The datagrams that one queue pair posted to another.
struct Posted {
  const truth::Post* first = nullptr;
  Count all;
  Count sure;  ///< those that were certainly sent
};

void add(Count& count, const truth::Post& post) {
  ++count.messages;
  count.bytes += post.bytes;
  if (post.immediate) ++count.immediates;
}

/// The captured datagrams from any address of the queue pair's device.
Count captured(const Comparison& comparison, const TruthQueuePair& queue_pair, Qpn dest_qpn) {
  const auto& addresses = comparison.truth().parties()[queue_pair.party].addresses;
  Count count;
  for (const UdFlow& flow : comparison.report().ud_flows) {
    if (flow.source_qp != queue_pair.qpn || flow.dest_qp != dest_qpn) continue;
    if (!addresses.empty() && !addresses.contains(flow.source)) continue;
    count.messages += flow.traffic.packets;
    count.bytes += flow.payload_bytes;
    count.immediates += flow.immediate_messages;
  }
  return count;
}

bool lies_between(const Count& count, const Count& least, const Count& most) {
  return least.messages <= count.messages && count.messages <= most.messages && least.bytes <= count.bytes &&
         count.bytes <= most.bytes && least.immediates <= count.immediates && count.immediates <= most.immediates;
}

std::string count_text(const Count& count) {
  return fmt::format("{} messages of {} bytes in all, {} with immediate", count.messages, count.bytes,
                     count.immediates);
}

}  // namespace

void compare_datagrams(Comparison& comparison) {
  const TruthBook& book = comparison.truth();
  ComparedFact fact{.name = "datagrams"};
  for (const TruthQueuePair& queue_pair : book.queue_pairs()) {
    if (!queue_pair.is_datagram()) continue;
    std::map<Qpn, Posted> by_destination;
    for (const WorkRequest& request : queue_pair.requests) {
      if (!request.post->dest_qpn) continue;
      Posted& posted = by_destination[*request.post->dest_qpn];
      if (posted.first == nullptr) posted.first = request.post;
      add(posted.all, *request.post);
      if (!request.may_be_missing) add(posted.sure, *request.post);
    }
    for (const auto& [dest_qpn, posted] : by_destination) {
      const Count seen = captured(comparison, queue_pair, dest_qpn);
      const bool good = lies_between(seen, posted.sure, posted.all);
      fact.truth += posted.all.messages;
      fact.capture += seen.messages;
      if (good) {
        fact.agree += seen.messages;
        fact.explain(PartOf::kTruth, posted.all.messages - seen.messages, kNotSent);
        continue;
      }
      fact.differing += std::max(posted.all.messages, seen.messages);
      comparison.differs(
          {.fact = fact.name,
           .what = fmt::format("{} to QP {}: {} were posted, {} are in the capture", book.name_of(queue_pair),
                               to_text(dest_qpn), count_text(posted.all), count_text(seen)),
           .truth = book.place_of(*posted.first)});
    }
  }
  for (const UdFlow& flow : comparison.report().ud_flows) {
    const TruthQueuePair* sender = book.find(flow.source, flow.source_qp);
    if (sender == nullptr) continue;  // compare_queue_pairs() reports it
    const bool posted = std::any_of(sender->requests.begin(), sender->requests.end(),
                                    [&](const WorkRequest& request) { return request.post->dest_qpn == flow.dest_qp; });
    if (posted) continue;
    fact.capture += flow.traffic.packets;
    fact.differing += flow.traffic.packets;
    comparison.differs({.fact = fact.name,
                        .what = fmt::format("{} to QP {}: {} messages are in the capture, and none was posted",
                                            book.name_of(*sender), to_text(flow.dest_qp), flow.traffic.packets),
                        .truth = {}});
  }
  comparison.add(fact);
}

}  // namespace rocescope::verify
