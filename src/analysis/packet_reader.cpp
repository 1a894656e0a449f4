#include "analysis/packet_reader.hpp"

#include <algorithm>

#include "tracking/prefetch.hpp"

namespace rocescope {

PacketReader::PacketReader(FrameSource& source, const ReadOptions& options)
    : source_(source),
      parts_(options.parts),
      ahead_(options.ahead),
      preparer_(source, options.dissect, options.parts.icrc, options.most_packets),
      selection_(options.selection),
      purpose_(options.purpose),
      tracker_(options.track) {
  if (options.notes) preparer_.keep_notes();
  if (purpose_ == Purpose::kReport && selects() && selection_.needs.verdict) scout_.emplace(options.track);
}

const PacketBatch* PacketReader::next_batch() {
  if (ahead_ == ReadingAhead::kInOwnThread) {
    if (!batches_ && !stopped_) batches_.emplace([this](PacketBatch& batch) { return preparer_.fill(batch); });
    if (batches_ && batch_ != nullptr && batch_ != &own_) {
      batches_->front()->shrink();
      batches_->give_back();
    }
    const PacketBatch* const filled = batches_ ? batches_->front() : nullptr;
    if (filled != nullptr || !stopped_) return filled;
    // The thread is gone, and the preparer may have frames that it read ahead.
  }
  const bool filled = ahead_ == ReadingAhead::kNothing ? preparer_.fill_one(own_) : preparer_.fill(own_);
  return filled ? &own_ : nullptr;
}

void PacketReader::open_express_lane(ExpressCounter counter, std::function<void()> on_batch) {
  if (ahead_ != ReadingAhead::kNothing) preparer_.open_express_lane();
  if (!preparer_.is_express_lane_open()) return;
  express_ = &tracker_.open_express_lane();
  express_counter_ = std::move(counter);
  on_batch_ = std::move(on_batch);
}

/// The memory that the next packets need comes while those before them are judged: in steps, since each step shows where the next
/// one is. For some packets at a time.
void PacketReader::look_ahead_on_lane() {
  constexpr std::size_t kStep = 4;  // packets
  const std::vector<ExpressCandidate>& candidates = batch_->candidates;
  const auto to = [&](std::size_t steps) { return std::min(batch_->size, next_ + steps * kStep); };
  shown_ = to(1);
  for (const std::size_t end = to(4); hashed_ < end; ++hashed_) {
    if (candidates[hashed_].may_pass()) express_->prefetch_entry(candidates[hashed_].packet);
  }
  for (const std::size_t end = to(3); placed_ < end; ++placed_) {
    places_[placed_] = ConnectionTable::kNowhere;
    if (!candidates[placed_].may_pass()) continue;
    const ExpressPacket& packet = candidates[placed_].packet;
    const std::uint32_t place = express_->place_of(packet);
    if (express_->prefetch(place, packet.kind)) places_[placed_] = place;
  }
  for (const std::size_t end = to(2); parted_ < end; ++parted_) {
    if (places_[parted_] == ConnectionTable::kNowhere) continue;
    express_->prefetch_parts(places_[parted_], candidates[parted_].packet);
  }
}

/// The next packet of the batch that goes the full way; null: there is none.
const PreparedPacket* PacketReader::next_unusual() {
  for (; next_ < batch_->size; ++next_) {
    if (next_ >= shown_) look_ahead_on_lane();
    const ExpressCandidate& candidate = batch_->candidates[next_];
    std::uint32_t place = places_[next_];  // it may have been armed since
    if (candidate.may_pass() && place == ConnectionTable::kNowhere) place = express_->place_of(candidate.packet);
    const ExpressReason reason = candidate.may_pass() ? express_->pass(candidate.packet, place) : candidate.reason;
    if (reason != ExpressReason::kNone) {
      ++express_totals_.others[static_cast<std::size_t>(reason)];
      if (candidate.prepared != ExpressCandidate::kNone) return &batch_->packets[candidate.prepared];
      preparer_.prepare(candidate, late_);
      return &late_;
    }
    ++express_totals_.packets;
    if (candidate.packet.is_cut()) ++express_totals_.cut;
    previous_ = candidate.packet.time;
    express_counter_(candidate.packet, candidate.frame.capture_id);
  }
  return nullptr;
}

const PacketRecord* PacketReader::next() {
  const PreparedPacket* prepared = nullptr;
  do {
    if (batch_ == nullptr || next_ == batch_->size) {
      batch_ = next_batch();
      next_ = shown_ = parted_ = placed_ = hashed_ = next_note_ = 0;
      if (batch_ == nullptr) return nullptr;
      if (express_ != nullptr) {
        places_.resize(batch_->size);
        on_batch_();
      }
    }
    prepared = express_ != nullptr ? next_unusual() : &batch_->packets[next_];
  } while (prepared == nullptr);
  read_notes(next_++);
  if (express_ == nullptr && parts_.verdict && ahead_ != ReadingAhead::kNothing) look_ahead();
  return give(*prepared);
}

const PacketRecord* PacketReader::give(const PreparedPacket& prepared) {
  const std::int64_t now = prepared.packet.frame.timestamp;
  if (!first_) first_ = now;
  record_ = {
      .packet = &prepared.packet,
      .interface = prepared.interface,
      .first_timestamp = *first_,
      .previous_timestamp = previous_,
      .previous_displayed_timestamp = previous_displayed_,
      .icrc = prepared.icrc.icrc,
      .true_source_port = prepared.icrc.true_source_port,
      .icrc_unsearched = prepared.icrc.unsearched,
      .repeated = prepared.sight.repeated,
      .fingerprint = prepared.sight.fingerprint,
      .verdict = {},
  };
  previous_ = now;
  select_and_track();
  return &record_;
}

void PacketReader::read_notes(std::size_t packet) {
  comments_ = {};
  if (next_note_ == batch_->notes.size() || batch_->notes[next_note_].packet != packet) return;
  const PacketNote& note = batch_->notes[next_note_++];
  comments_ = note.comments;
  for (const auto& [capture, interface] : note.interfaces) {
    if (capture >= captures_.size()) captures_.resize(capture + 1);
    captures_[capture].interfaces.push_back(interface);
  }
}

void PacketReader::select_and_track() {
  const auto select = [this] { selected_ = !selects() || selection_.admits(record_); };
  if (!parts_.verdict) return select();
  if (purpose_ == Purpose::kPackets || !selects()) {
    record_.verdict = tracker_.track(record_);
    return select();
  }
  if (scout_) record_.verdict = scout_->track(record_);
  select();
  if (record_.fingerprint != 0) record_.repeated = is_repeated();
  record_.verdict = tracker_.track(record_, selected_);
}

/// Among the packets that are selected.
bool PacketReader::is_repeated() {
  const Packet& packet = *record_.packet;
  const HostsAtPlace hosts = hosts_of(packet, 0);
  const auto first = first_points_.find(hosts);
  if (first != first_points_.end()) return first->second != packet.frame.capture_point;
  if (selected_ && first_points_.size() < kMostHosts) first_points_[hosts] = packet.frame.capture_point;
  return false;
}

void PacketReader::expire(std::int64_t quiet) {
  tracker_.expire(quiet);
  if (scout_) scout_->expire(quiet);
}

/// Shows the tracker each packet some packets before its turn.
void PacketReader::look_ahead() {
  constexpr std::size_t kUsual = 448;  // bytes: up to the eighth layer
  static_assert(kUsual <= sizeof(PreparedPacket));
  // They were written by the thread that prepares, where there is one.
  if (const std::size_t coming = next_ + 2 * Tracker::kAhead; coming < batch_->size) {
    prefetch(&batch_->packets[coming], kUsual);
  }
  const std::size_t end = std::min(batch_->size, next_ + Tracker::kAhead);
  for (; shown_ < end; ++shown_) {
    tracker_.look_ahead(batch_->packets[shown_].packet);
    if (scout_) scout_->look_ahead(batch_->packets[shown_].packet);
  }
}

void PacketReader::stop() {
  stopped_ = true;
  if (batches_) batches_->stop();
  preparer_.stop();
}

}  // namespace rocescope
