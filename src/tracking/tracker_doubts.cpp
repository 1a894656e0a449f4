// Connections that may have ended: what follows a pause is followed both ways, until a packet shows which is right.
#include <algorithm>
#include <cstddef>
#include <memory>

#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/doubt.hpp"
#include "tracking/tracker_implementation.hpp"

namespace rocescope {
namespace {

/// What a packet shows about the doubt: that no new connection began, that one did, or neither.
Fit fit_of(const TrackedPacket& tracked, const Doubt& doubt) {
  const Packet& packet = tracked.packet();
  const bool request = packet.roce.opcode->request;
  const std::size_t requester = request ? tracked.sender : 1 - tracked.sender;
  const bool damaged = tracked.record.icrc.status == IcrcStatus::kBad &&
                       tracked.state->wrong_icrcs[tracked.sender] == ConnectionState::kHadGoodIcrc;
  if (damaged || !doubt.had_requests[requester]) return Fit::kDoubtful;
  const Requester& before = *tracked.state->requesters[requester];
  const Requester& fresh = *doubt.fresh.requesters[doubt.side_of(requester)];
  if (request) return !fresh.started() && before.next() == packet.roce.psn ? Fit::kUsual : Fit::kDoubtful;
  // Responses to what was sent since then count messages from the start, or go on.
  if (!tracked.aeth || !before.msn() || !fresh.is_outstanding(packet.roce.psn)) return Fit::kDoubtful;
  const Psn msn(tracked.aeth->msn());
  const bool anew = msn.before(*before.msn()) && msn.value() <= fresh.totals().sums.messages;
  return anew ? Fit::kNone : Fit::kUsual;
}

}  // namespace

void Tracker::Implementation::begin_doubt(const TrackedPacket& tracked) {
  constexpr std::size_t kMostOpen = 256;  // messages: more take long to copy
  ConnectionState& connection = *tracked.state;
  const auto is_small = [](const Box<Requester>& requests) { return requests->open_messages().size() <= kMostOpen; };
  if (connection.life->doubt != nullptr || !std::ranges::all_of(connection.requesters, is_small)) return;
  auto doubt = std::make_unique<Doubt>();
  doubt->since = tracked.packet().frame.timestamp;
  doubt->first_sender = tracked.sender;
  doubt->facts = connection.facts;
  doubt->uncounted = connection.uncounted;
  Connection& fresh = doubt->fresh.facts;
  fresh.transport = connection.facts.transport;
  fresh.paired_by = std::min(connection.facts.paired_by, PairedBy::kPsn);
  fresh.overlay_id = connection.facts.overlay_id;
  fresh.capture_point = connection.facts.capture_point;
  fresh.repeated = connection.facts.repeated;
  fresh.first_time = fresh.last_time = doubt->since;
  for (std::size_t i = 0; i < 2; ++i) {
    fresh.sides[doubt->side_of(i)].address = connection.facts.sides[i].address;
    fresh.sides[doubt->side_of(i)].qpn = connection.facts.sides[i].qpn;
    const Requester* const requests = connection.requesters[i].get();
    if (requests != nullptr) doubt->marks[i] = requests->mark();
    doubt->had_requests[i] = requests != nullptr && requests->started();
  }
  doubt->news.doubt = ++doubts_;
  doubt->news.begun = news_.begun;
  connection.life.make().doubt = std::move(doubt);
}

void Tracker::Implementation::settle_doubt(TrackedPacket& tracked, Fit fit) {
  std::unique_ptr<Doubt>& doubt = tracked.state->life.make().doubt;
  if (fit != Fit::kNone) fit = fit_of(tracked, *doubt);
  if (fit == Fit::kNone) {
    if (news_.begun == nullptr) {
      news_.messages = std::max(news_.messages, doubt->news.messages);
    } else {
      news_.begun->push_back({.frame = news_.moment, .doubt = doubt->news.doubt | BegunMessage::kWasRight});
    }
    table_.divide(*tracked.state);
    const ConnectionTable::Place place = table_.find_existing(FlowKey::of(tracked.packet()));
    if (place.connection != nullptr) put(tracked, place);
    return;
  }
  ++doubt->packets;
  if (fit == Fit::kUsual || doubt->is_over(tracked.packet().frame.timestamp)) doubt.reset();
}

void Tracker::Implementation::follow_apart(const TrackedPacket& tracked) {
  Doubt& doubt = *tracked.state->life.make().doubt;
  TrackedPacket apart{.record = tracked.record,
                      .connection = &doubt.fresh.facts,
                      .state = &doubt.fresh,
                      .sender = doubt.side_of(tracked.sender),
                      .requester = doubt.side_of(tracked.sender),
                      .counts = tracked.counts};
  doubt.news.moment = news_.moment;
  // Numbers that no other message has, where they are not the last word.
  constexpr unsigned kNumbers = 32;  // bits
  const std::uint64_t first = news_.begun == nullptr ? news_.messages : std::uint64_t{doubt.news.doubt} << kNumbers;
  doubt.news.messages = std::max(doubt.news.messages, first);
  if (!is_follower(*tracked.packet().roce.opcode)) follow(apart, doubt.news);
  if (!apart.counts) swap_counts(apart);
  observers_.observe_apart(apart);
  if (!apart.counts) swap_counts(apart);
  doubt.news.ended.clear();
}

}  // namespace rocescope
