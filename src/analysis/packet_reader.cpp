#include "analysis/packet_reader.hpp"

#include <algorithm>

#include "dissectors/message.hpp"
#include "rocescope/headers/numbers.hpp"
#include "tracking/express/express_lane.hpp"
#include "tracking/prefetch.hpp"

namespace rocescope {

PacketReader::PacketReader(FrameSource& source, const ReadOptions& options)
    : source_(source),
      parts_(options.parts),
      ahead_(options.ahead),
      preparer_(source, options.dissect, options.parts.icrc, options.most_packets),
      selection_(options.selection),
      purpose_(options.purpose),
      numbers_(options.numbers),
      commands_(options.decode_as),
      tracker_(options.track) {
  if (options.notes) preparer_.keep_notes();
  if (options.track.shard) {
    preparer_.follow_shard(*options.track.shard, selects());
    shard_ = preparer_.shard();
  }
  if (purpose_ == Purpose::kReport && selects() && selection_.needs.verdict) {
    scout_.emplace(options.track);
    scout_->subscribe(scout_commands_.emplace(options.decode_as));
  }
  tracker_.subscribe(commands_);
  std::vector<std::string> paths;
  for (const CaptureInfo& capture : source.info()) paths.push_back(capture.path);
  tracker_.name_captures(paths);
}

const PacketBatch* PacketReader::next_batch() {
  if (ahead_ == ReadingAhead::kInOwnThread) {
    if (!batches_ && !stopped_)
      batches_.emplace([this](PacketBatch& batch) { return preparer_.fill(batch, PacketPreparer::Lasting::kAsBatch); });
    if (batches_ && batch_ != nullptr && batch_ != &own_) {
      batches_->front()->shrink();
      batches_->give_back();
    }
    const PacketBatch* const filled = batches_ ? batches_->front() : nullptr;
    if (filled != nullptr || !stopped_) return filled;
    // The thread is gone, and the preparer may have frames that it read ahead.
  }
  const bool filled = ahead_ == ReadingAhead::kNothing ? preparer_.fill_one(own_)
                                                       : preparer_.fill(own_, PacketPreparer::Lasting::kUntilNextFill);
  return filled ? &own_ : nullptr;
}

void PacketReader::open_express_lane(ExpressCounter counter, std::function<void()> on_batch) {
  if (!parts_.verdict || ahead_ == ReadingAhead::kNothing) return;
  preparer_.open_express_lane();
  express_ = &tracker_.open_express_lane();
  express_counter_ = std::move(counter);
  on_batch_ = std::move(on_batch);
}

ShardWatch::Share PacketReader::share_of(std::size_t packet) const noexcept {
  if (express_ == nullptr) return shard_->share_of(batch_->packets[packet].packet);
  const std::uint32_t prepared = batch_->candidates[packet].prepared;
  if (prepared != ExpressCandidate::kNone) return shard_->share_of(batch_->packets[prepared].packet);
  return batch_->of_others[packet] != 0 ? ShardWatch::Share::kForeign : ShardWatch::Share::kOwn;
}

/// The next packet of the batch that the shard tracks; null: there is none.
const PreparedPacket* PacketReader::next_own() {
  for (; next_ < batch_->size; ++next_) {
    const ShardWatch::Share share = share_of(next_);
    if (share == ShardWatch::Share::kForeign) continue;
    foreign_ = share == ShardWatch::Share::kSetsUp;
    return &batch_->packets[next_];
  }
  return nullptr;
}

/// The memory that packets need comes while those before them are judged: in steps, since each shows where the next one is.
void PacketReader::look_ahead_from(std::ptrdiff_t packet) {
  const std::size_t size = batch_->size;
  const ExpressPacket* const packets = batch_->express.data();
  const ExpressReason* const reasons = batch_->reasons.data();
  /// Of this step, from the one nearest to its turn.
  const auto end_of = [=](std::ptrdiff_t step) {
    return std::min(size, static_cast<std::size_t>(std::max<std::ptrdiff_t>(packet + (step + 1) * kStep, 0)));
  };
  const auto begin_of = [=](std::ptrdiff_t step) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(packet + step * kStep, 0));
  };
  /// Of the flow of the packet before, whose place is the same then.
  const auto goes_on = [=](std::size_t i) {
    return i > 0 && reasons[i - 1] == ExpressReason::kNone && packets[i].hash == packets[i - 1].hash;
  };
  for (std::size_t i = begin_of(4); i < end_of(4); ++i) {
    if (reasons[i] == ExpressReason::kNone && !goes_on(i)) express_->prefetch_entry(packets[i]);
  }
  for (std::size_t i = begin_of(3); i < end_of(3); ++i) {
    if (reasons[i] != ExpressReason::kNone) continue;  // it has no place
    if (goes_on(i))
      sought_[i].place = sought_[i - 1].place;
    else
      sought_[i].place = express_->place_of(packets[i]);
    if (!goes_on(i) || packets[i].kind != packets[i - 1].kind) express_->prefetch(sought_[i].place, packets[i].kind);
  }
  for (std::size_t i = begin_of(2); i < end_of(2); ++i) {
    constexpr std::uint32_t kMostBefore = kStep - 1;  // the memory of a longer run is in the cache
    const bool follows = i > 0 && sought_[i].place >> 1 == sought_[i - 1].place >> 1;
    sought_[i].before = follows ? std::min(sought_[i - 1].before + 1, kMostBefore) : 0;
    sought_[i].counts = express_->prefetch_counts(sought_[i].place, packets[i], sought_[i].before);
  }
  for (std::size_t i = begin_of(1); i < end_of(1); ++i) {
    if (sought_[i].counts) express_->prefetch_parts(sought_[i].place, packets[i]);
  }
  for (std::size_t i = begin_of(0); i < end_of(0); ++i) {
    if (sought_[i].counts) express_->prefetch_contents(sought_[i].place, packets[i]);
  }
}

/// Packets of the batch, from `first` to the next one.
void PacketReader::count_passed(std::size_t first) {
  if (first == next_) return;
  read_notes(next_ - 1);
  const std::span<const ExpressPacket> packets(batch_->express.data() + first, next_ - first);
  express_totals_.packets += packets.size();
  for (const ExpressPacket& packet : packets) express_totals_.cut += packet.is_cut() ? 1U : 0U;
  previous_ = packets.back().time;
  const auto count = [this](std::span<const ExpressPacket> passed, std::uint32_t capture) {
    const auto [earliest, latest] = std::ranges::minmax_element(passed, {}, &ExpressPacket::time);
    tracker_.pass_time(capture, earliest->time);
    tracker_.pass_time(capture, latest->time);
    express_counter_(passed, capture);
  };
  if (batch_->is_of_one_capture) return count(packets, batch_->frames.front().capture_id);
  const std::span<const Frame> frames(batch_->frames.data() + first, packets.size());
  for (std::size_t begin = 0, end = 0; begin < packets.size(); begin = end) {
    const std::uint32_t capture = frames[begin].capture_id;
    while (end < packets.size() && frames[end].capture_id == capture) ++end;
    count(packets.subspan(begin, end - begin), capture);
  }
}

/// The next packet of the batch that goes the full way; null: there is none.
const PreparedPacket* PacketReader::next_unusual() {
  std::size_t first = next_;
  const bool is_far = express_->is_far();
  constexpr std::size_t kSoon = 8;  // packets, behind which the one is that comes from the other thread now
  for (; next_ < batch_->size; ++next_) {
    if (next_ + kSoon < batch_->size) prefetch_to_read(&batch_->express[next_ + kSoon], sizeof(ExpressPacket));
    if (is_far && next_ % kStep == 0) look_ahead_from(static_cast<std::ptrdiff_t>(next_));
    ExpressReason reason = batch_->reasons[next_];
    foreign_ = false;
    if (shard_ && (reason != ExpressReason::kNone || batch_->of_others[next_] != 0)) {
      const ShardWatch::Share share = share_of(next_);
      foreign_ = share == ShardWatch::Share::kSetsUp;
      if (share == ShardWatch::Share::kForeign) {
        count_passed(std::exchange(first, next_ + 1));
        continue;
      }
    }
    const ExpressPacket& packet = batch_->express[next_];
    if (reason == ExpressReason::kNone) {
      const std::uint32_t sought = sought_[next_].place;  // another connection may have the queue pairs since
      const std::uint32_t place = sought == ConnectionTable::kNowhere ? express_->place_of(packet) : sought;
      reason = express_->pass(packet, place, batch_->frames[next_]);
      if (reason != ExpressReason::kNone && sought != ConnectionTable::kNowhere) [[unlikely]] {
        if (const std::uint32_t now = express_->place_of(packet); now != place)
          reason = express_->pass(packet, now, batch_->frames[next_]);
      }
    }
    if (reason == ExpressReason::kNone) continue;
    count_passed(first);
    ++express_totals_.others[static_cast<std::size_t>(reason)];
    const std::uint32_t prepared = batch_->candidates[next_].prepared;
    if (prepared != ExpressCandidate::kNone) return &batch_->packets[prepared];
    preparer_.prepare(*batch_, next_, late_);
    return &late_;
  }
  count_passed(first);
  return nullptr;
}

const PacketRecord* PacketReader::next() {
  const PreparedPacket* prepared = nullptr;
  do {
    if (batch_ == nullptr || next_ == batch_->size) {
      batch_ = next_batch();
      next_ = shown_ = next_note_ = 0;
      if (batch_ == nullptr) return nullptr;
      if (batch_->is_unshared) return nullptr;
      if (shard_ && !first_ && batch_->size > 0) first_ = batch_->frames.front().timestamp;
      if (express_ != nullptr) {
        sought_.assign(batch_->size, {.place = ConnectionTable::kNowhere});
        on_batch_();
        for (std::ptrdiff_t before = express_->is_far() ? 4 : 0; before > 0; --before) look_ahead_from(-before * kStep);
      }
    }
    prepared = express_ != nullptr ? next_unusual() : shard_ ? next_own() : &batch_->packets[next_];
    if (shard_ && prepared == nullptr && batch_->size > 0) before_batch_ = batch_->frames[batch_->size - 1].timestamp;
  } while (prepared == nullptr);
  read_notes(next_++);
  if (express_ == nullptr && parts_.verdict && ahead_ != ReadingAhead::kNothing) look_ahead();
  return give(*prepared);
}

const PacketRecord* PacketReader::give(const PreparedPacket& prepared) {
  const std::int64_t now = prepared.packet.frame.timestamp;
  if (!first_) first_ = now;
  if (shard_) previous_ = next_ > 1 ? batch_->frames[next_ - 2].timestamp : before_batch_;
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
  sight_ = prepared.sight;
  previous_ = now;
  select_and_track();
  return &record_;
}

void PacketReader::read_notes(std::size_t packet) {
  comments_ = {};
  for (; next_note_ < batch_->notes.size() && batch_->notes[next_note_].packet <= packet; ++next_note_) {
    const PacketNote& note = batch_->notes[next_note_];
    if (note.packet == packet) comments_ = note.comments;
    for (const auto& [capture, interface] : note.interfaces) {
      if (capture >= captures_.size()) captures_.resize(capture + 1);
      captures_[capture].interfaces.push_back(interface);
    }
  }
}

void PacketReader::select_and_track() {
  const auto select = [this] { selected_ = !selects() || selection_.admits(record_); };
  if (!parts_.verdict) return select();
  if (foreign_) {
    selected_ = false;
    record_.verdict = track(tracker_, false);
    return;
  }
  if (purpose_ == Purpose::kPackets || !selects()) {
    record_.verdict = track(tracker_);
    add_layers(commands_);
    return select();
  }
  const Packet* const packet = record_.packet;  // without the layers that only the selection asks for
  if (scout_) {
    record_.verdict = track(*scout_);
    add_layers(*scout_commands_);
  }
  select();
  record_.packet = packet;
  if (record_.fingerprint != 0) record_.repeated = is_repeated();
  record_.verdict = track(tracker_, selected_);
}

Verdict PacketReader::track(Tracker& tracker, bool counts) {
  Verdict verdict = tracker.track(record_, counts);
  verdict.connection = numbers_.of(verdict.connection);
  return verdict;
}

/// Adds the layers of the message of a known protocol that the packet ends. A report has no use for them.
void PacketReader::add_layers(CommandWatch& commands) {
  const CommandWatch::Layers layers = commands.take_layers();
  // A packet on the express lane is given to nobody, so nobody asks for its layers.
  if (layers.protocol == MessageProtocol::kUnknown || layers.record != &record_) return;
  if (purpose_ == Purpose::kReport && !selects()) return;
  with_layers_ = *record_.packet;
  dissect_message(layers.protocol, layers.message, with_layers_);
  record_.packet = &with_layers_;
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
    if (shard_ && share_of(shown_) == ShardWatch::Share::kForeign) continue;
    tracker_.look_ahead(batch_->packets[shown_].packet);
    if (scout_) scout_->look_ahead(batch_->packets[shown_].packet);
  }
}

void PacketReader::go_on() {
  batches_.reset();  // its thread is through
  batch_ = nullptr;
  preparer_.go_on();
}

void PacketReader::stop() {
  stopped_ = true;
  if (batches_) batches_->stop();
  preparer_.stop();
}

}  // namespace rocescope
