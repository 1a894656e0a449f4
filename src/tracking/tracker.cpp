#include "rocescope/tracker.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tracking/tracker_implementation.hpp"

namespace rocescope {
namespace {

bool is_connected(Transport transport) {
  return transport == Transport::kRc || transport == Transport::kXrc || transport == Transport::kUc;
}

/// Whether its connection may have ended.
bool has_doubt(const TrackedPacket& tracked) {
  const Lifetime* const life = tracked.state->life.get();
  return life != nullptr && life->doubt != nullptr;
}

/// A packet before its connection is known.
FlowPacket flow_packet_of(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  return {.packet = &packet,
          .key = FlowKey::of(packet),
          .transport = packet.roce.opcode->transport,
          .request = packet.roce.opcode->request,
          .damaged = record.icrc.status == IcrcStatus::kBad,
          .psn = packet.roce.psn,
          .source_port = record.true_source_port.value_or(packet.roce.udp_source_port),
          .frame = packet.frame.number,
          .time = packet.frame.timestamp};
}

}  // namespace

Verdict Tracker::Implementation::track(const PacketRecord& record, bool counts) {
  TrackedPacket tracked{.record = record, .counts = counts};
  const Packet& packet = *record.packet;
  pass_time(packet.frame.capture_id, packet.frame.timestamp);
  news_.ended.clear();
  news_.moment = packet.frame.number;
  table_.at_frame(packet.frame.number);
  if (plan_.evicts()) {
    plan_.observe(packet.frame.timestamp);
    make_room(0);
  }
  const bool in_totals = counts && !record.repeated;
  if (!in_totals) std::swap(unplaced_, uncounted_);
  const std::uint32_t hint = lookout_.place_of(packet);
  std::vector<HandshakeNews> handshakes;
  const bool bad = record.icrc.status == IcrcStatus::kBad;
  if (is_express_ && packet.is_roce() && (bad || !is_connected(packet.roce.opcode->transport))) {
    (void)table_.find_existing(FlowKey::of(packet));  // settles it: who counts flows gets the packets in their order
  }
  if (packet.is_roce() && bad && is_damaged(packet, hint)) {
    place_damaged(tracked, hint);
  } else {
    if (packet.is_roce()) {
      place(tracked, hint);
      show_payload(tracked);
    }
    handshakes = setups_.observe(packet);
  }
  if (tracked.state != nullptr) table_.note_requests(*tracked.state);
  if (!handshakes.empty()) connect(handshakes);
  for (const HandshakeNews& news : handshakes) {
    news.handshake->counts |= counts;
    news.handshake->repeated = record.repeated;
  }
  tracked.handshakes = handshakes;
  const Connection* const facts = tracked.connection;
  const bool is_first = facts != nullptr && facts->sides[tracked.sender].first_packet == 0;
  if (is_first) tracked.connection->repeated = record.repeated;
  if (!counts) swap_counts(tracked);
  observers_.observe(tracked);  // the one call, so that it is inlined
  if (!counts) swap_counts(tracked);
  if (!in_totals) std::swap(unplaced_, uncounted_);
  if (is_first) setups_.table().set_up(facts->handshake, facts->number);
  if (is_first || !handshakes.empty()) make_room(facts != nullptr ? facts->number : 0);
  if (is_express_) express_.arm(tracked);
  return tracked.verdict;
}

void Tracker::Implementation::place(TrackedPacket& tracked, std::uint32_t hint) {
  const Packet& packet = tracked.packet();
  const OpcodeInfo& opcode = *packet.roce.opcode;
  const bool cnp = opcode.operation == Operation::kCnp;
  const bool good = tracked.record.icrc.status == IcrcStatus::kGood;
  if (!cnp && !is_connected(opcode.transport)) {
    if (good && !senders_.was_last_good(packet)) note_good_icrc(packet, nullptr, 0);
    return;
  }
  const bool follower = is_follower(opcode);
  const auto place =
      follower ? table_.find_existing(FlowKey::of(packet), hint) : table_.find(flow_packet_of(tracked.record), hint);
  if (place.connection == nullptr) {
    if (!follower) ++unplaced_.connection_packets;
    return;
  }
  put(tracked, place);
  if (follower) {
    if (has_doubt(tracked)) follow_apart(tracked);
    return;
  }
  if (good && place.connection->wrong_icrcs[place.sender] != ConnectionState::kHadGoodIcrc) {
    note_good_icrc(packet, place.connection, place.sender);
  }
  std::uint8_t& wrong = place.connection->wrong_icrcs[place.sender];
  if (tracked.record.icrc.status == IcrcStatus::kBad && wrong == 0) {  // the packet made the connection
    wrong = senders_.sends_without(packet) ? ConnectionState::kSendsWithoutIcrc : 1;
  }
  if (place.fit == Fit::kDoubtful) begin_doubt(tracked);
  if (has_doubt(tracked)) settle_doubt(tracked, place.fit);
  if (!strays_.empty()) adopt_strays(tracked);
  follow(tracked, news_);
  if (has_doubt(tracked)) follow_apart(tracked);
}

void Tracker::Implementation::show_payload(const TrackedPacket& tracked) {
  const OpcodeInfo& opcode = *tracked.packet().roce.opcode;
  if (opcode.transport == Transport::kUd) {
    if (opcode.operation == Operation::kSend) messages_.observe(tracked.record);
  } else if (has_subscribers_ && tracked.connection != nullptr) {
    const ConnectionState::Payload& payload = tracked.state->payload;
    const bool is_news = tracked.connection->handshake != 0 && !payload.has_handshake;
    if (payload.interest != PayloadInterest::kNone || is_news) show_to_subscribers(tracked);
  }
}

void Tracker::Implementation::connect(std::vector<HandshakeNews>& all_news) {
  for (HandshakeNews& news : all_news) {
    if (news.setup) connect(*news.handshake, *news.setup);
  }
}

void Tracker::Implementation::connect(Handshake& handshake, const ConnectionSetup& setup) {
  if (options_.shard && !options_.shard->has(setup.addresses[0], setup.addresses[1])) return;
  ConnectionState* const guessed = table_.at(handshake.connection);
  // The DREQ came before the REP and was taken to tear down a connection, which is another handshake's.
  if (guessed != nullptr && guessed->facts.paired_by < PairedBy::kOob) guessed->facts.handshake = 0;
  handshake.connection = table_.set_up(setup);
}

Tracker::Tracker(const TrackOptions& options) : implementation_(std::make_unique<Implementation>(options)) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;

ExpressLane& Tracker::open_express_lane() { return implementation_->open_express_lane(); }
void Tracker::look_ahead(const Packet& packet) noexcept { implementation_->look_ahead(packet); }
Verdict Tracker::track(const PacketRecord& record, bool counts) { return implementation_->track(record, counts); }
void Tracker::on_message(MessageVisitor visitor, MessageChoice choice) {
  implementation_->on_message(std::move(visitor), choice);
}
void Tracker::visit_open_messages(const MessageVisitor& visitor, const ConnectionChoice& is_wanted) {
  implementation_->visit_open_messages(visitor, is_wanted);
}
void Tracker::subscribe(PayloadSubscriber& subscriber) { implementation_->subscribe(subscriber); }
void Tracker::on_eviction(EvictionVisitor visitor) { implementation_->on_eviction(std::move(visitor)); }
void Tracker::expire(std::int64_t quiet) { implementation_->expire(quiet); }
std::optional<Progress> Tracker::progress(std::uint32_t connection, const IpAddress& requester,
                                          std::optional<Qpn> responder) const {
  return implementation_->progress(connection, requester, responder);
}
const std::uint64_t& Tracker::moment() const noexcept { return implementation_->moment(); }
void Tracker::set_moment(std::uint64_t moment) noexcept { implementation_->set_moment(moment); }
void Tracker::note_order(BegunMessages* begun) { implementation_->note_order(begun); }
std::vector<std::uint64_t> Tracker::order() const { return implementation_->order(); }
void Tracker::settle() { implementation_->settle(); }
void Tracker::pass_time(std::uint32_t capture, std::int64_t time) { implementation_->pass_time(capture, time); }
void Tracker::name_captures(const std::vector<std::string>& paths) { implementation_->name_captures(paths); }
std::size_t Tracker::followed() const noexcept { return implementation_->followed(); }
std::vector<std::uint32_t> Tracker::numbers() const { return implementation_->numbers(); }
FinalNumbers Tracker::final_numbers() const { return implementation_->final_numbers(); }
std::vector<std::uint32_t> Tracker::counted_numbers() const { return implementation_->counted_numbers(); }
Tracking Tracker::snapshot(std::span<const std::uint32_t> connections) const {
  return implementation_->snapshot(connections);
}
std::vector<MemoryRegion> Tracker::memory_regions() const { return implementation_->memory_regions(); }
Tracking Tracker::finish() && { return implementation_->finish(); }

}  // namespace rocescope
