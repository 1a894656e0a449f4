#include "analysis/packet_preparer.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace rocescope {

bool PacketPreparer::read(Frame& frame) {
  if (stopped_ || (most_packets_ != 0 && packets_ == most_packets_)) return false;
  if (!source_.next(frame)) return false;
  points_.begin(frame, source_);
  ++packets_;
  return true;
}

/// What was read ahead lasts as long as another frame would.
bool PacketPreparer::next(Frame& frame) {
  if (given_) ahead_.pop_front();
  given_ = !ahead_.empty();
  if (given_) {
    frame = ahead_.front().frame;
    return true;
  }
  return !std::exchange(at_end_, false) && read(frame);
}

/// Learns from the next packets where packets are seen: the first packet can be placed only once its copies are known. False: it waits for
/// packets behind the end.
bool PacketPreparer::look_ahead() {
  constexpr std::size_t kUsual = 8'192;     // of one interface
  constexpr std::size_t kSeveral = 65'536;  // of several
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  std::size_t bytes = 0;
  for (const Kept& kept : ahead_) bytes += kept.bytes.size();
  bool is_too_late = false;
  while (!at_end_ && bytes < kMostBytes && ahead_.back().bytes.size() <= PacketBatch::kMostKept) {
    if (ahead_.size() >= (points_.has_several_interfaces() ? kSeveral : kUsual)) break;
    Kept kept;
    if (!read(kept.frame)) {
      at_end_ = true;
      break;
    }
    kept.note = note();
    kept.bytes.assign(kept.frame.data.begin(), kept.frame.data.end());
    kept.frame.data = kept.bytes;
    bytes += kept.bytes.size();
    ahead_.push_back(std::move(kept));
    // Too little room is left to learn from a new interface. Its first packet waits here: when its turn comes, it has all the room.
    const bool has_room = ahead_.size() <= kSeveral / 2 && bytes <= kMostBytes / 2;
    is_too_late = !has_room && points_.is_new(ahead_.back().frame);
    if (is_too_late) break;
    dissect(ahead_.back().frame, scratch_, dissect_);
    points_.learn(scratch_);
  }
  waits_ = at_end_ && holds_back_;
  if (waits_) {
    for (const Kept& kept : ahead_) latest_ = std::max(latest_, kept.frame.timestamp);
    return false;
  }
  if (points_.forget_learned()) {
    for (const Kept& kept : ahead_) {
      if (is_too_late && &kept == &ahead_.back()) break;
      dissect(kept.frame, scratch_, dissect_);
      points_.learn(scratch_);
    }
  }
  points_.end_learning();
  return true;
}

bool PacketPreparer::fill_one(PacketBatch& batch) {
  Frame frame;
  batch.size = 0;
  if (!next(frame)) return false;
  batch.packets.resize(1);
  batch.size = 1;
  latest_ = std::max(latest_, frame.timestamp);
  if (shard_) shard_->observe(frame.capture_id, times_of({&frame, 1}));
  prepare(frame, batch.packets[0]);
  if (shard_ && points_.has_copies()) shard_->observe_copies();
  batch.is_unshared = shard_ && !shard_->whole_for().empty();
  return true;
}

/// The bytes of the frames from this one on, which the source has in this order: together where no others lie between them.
void PacketPreparer::keep_bytes(PacketBatch& batch, std::size_t first) {
  constexpr std::ptrdiff_t kFarthest = 64;  // bytes: what a file has of a packet beside its frame is less
  std::vector<std::uint8_t>& bytes = batch.bytes;
  const auto end_of = [](const Frame& frame) { return frame.data.data() + frame.data.size(); };
  while (first < batch.size) {
    const std::uint8_t* const begin = batch.frames[first].data.data();
    std::size_t next = first + 1;
    while (next < batch.size && batch.frames[next].data.data() - end_of(batch.frames[next - 1]) < kFarthest) ++next;
    const std::uint8_t* const end = end_of(batch.frames[next - 1]);
    const std::size_t size = bytes.size() + static_cast<std::size_t>(end - begin);
    if (size > bytes.capacity()) {
      std::vector<std::uint8_t> larger;
      larger.reserve(std::max(size, 2 * bytes.capacity()));
      larger.assign(bytes.begin(), bytes.end());
      for (Frame& frame : std::span(batch.frames).first(first))
        frame.data = {larger.data() + (frame.data.data() - bytes.data()), frame.data.size()};
      bytes = std::move(larger);
    }
    const std::uint8_t* const copy = bytes.data() + bytes.size();
    bytes.insert(bytes.end(), begin, end);
    for (; first < next; ++first) {
      Bytes& data = batch.frames[first].data;
      data = {copy + (data.data() - begin), data.size()};
    }
  }
}

/// The same, without copying them where the source can do without. Of a shard most of what it would hold is bytes of others.
void PacketPreparer::hold_bytes(PacketBatch& batch, std::size_t first) {
  if (first == batch.size) return;
  const bool may_hold = !given_ && !looks_at_others();
  std::shared_ptr<const void> held = may_hold ? source_.hold() : nullptr;
  if (held == nullptr) return keep_bytes(batch, first);
  if (batch.held.empty() || batch.held.back() != held) batch.held.push_back(std::move(held));
}

/// A frame that the source gave, as if it had been read ahead.
void PacketPreparer::keep(const Frame& frame) {
  Kept& kept = ahead_.emplace_back(Kept{frame, {frame.data.begin(), frame.data.end()}, note()});
  kept.frame.data = kept.bytes;
}

/// The first of those that were read ahead is of a new interface.
bool PacketPreparer::learn() {
  dissect(ahead_.front().frame, scratch_, dissect_);
  points_.learn(scratch_);
  return look_ahead();
}

/// Of the packet that the source gave last.
std::optional<PacketNote> PacketPreparer::note() {
  if (!keeps_notes_) return std::nullopt;
  const std::span<const std::string> comments = source_.comments();
  PacketNote note{.packet = 0, .comments = {comments.begin(), comments.end()}, .interfaces = {}};
  const std::span<const CaptureInfo> captures = source_.info();
  noted_.resize(captures.size());
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const auto& interfaces = captures[i].interfaces;
    for (; noted_[i] < interfaces.size(); ++noted_[i]) note.interfaces.push_back({i, interfaces[noted_[i]]});
  }
  if (note.comments.empty() && note.interfaces.empty()) return std::nullopt;
  return note;
}

void PacketPreparer::prepare(const Frame& frame, PreparedPacket& prepared) {
  dissect(frame, prepared.packet, dissect_);
  prepared.interface = interface_of(frame);
  prepared.sight = points_.observe(prepared.packet);
  prepared.packet.frame.capture_point = prepared.sight.capture_point;
  verify(prepared);
  if (visitor_) show(prepared);
}

void PacketPreparer::verify(PreparedPacket& prepared) {
  prepared.icrc = {};
  if (!verify_icrc_ || !prepared.packet.is_roce()) return;
  const ShardWatch::Share share = shard_ ? shard_->share_of(prepared.packet) : ShardWatch::Share::kOwn;
  if (share == ShardWatch::Share::kForeign) return;
  prepared.icrc = verifier_.verify(prepared.packet);
  const bool is_bad = prepared.icrc.icrc.status == IcrcStatus::kBad;
  if (shard_ && share == ShardWatch::Share::kOwn && is_bad) shard_->observe_bad_icrc();
}

/// A bit for each shape: of such packets of the interface nothing is learned, but of those that capture points want.
unsigned PacketPreparer::placed_shapes(std::uint32_t capture, std::uint32_t interface) const {
  unsigned placed = 0;
  if (interfaces_ != points_.interfaces() || points_.has_copies()) return placed;
  for (unsigned shape = 0; shape < sights_.size(); ++shape) {
    if (sights_[shape].is_of(capture, interface)) placed |= 1U << shape;
  }
  return placed;
}

/// For a shard with the lane open. What is learned of packets before it in this batch does not change that, but for
/// copies, after which all is in vain.
bool PacketPreparer::is_left_out(const Frame& frame, PacketBatch& batch) {
  sieve_->begin(placed_shapes(frame.capture_id, frame.interface_id));
  const ExpressBytes bytes{frame.data.data(), frame.data.size(), frame.original_length};
  if (frame.link_type == link_type::kEthernet && ShardSieve::Pass(*sieve_).leaves_out(bytes, frame.timestamp, 0)) {
    ++batch.left_out;
    return true;
  }
  batch.of_others[batch.size] = sieve_->others().empty() ? 0 : 1;
  return false;
}

/// Frames that the source has without asking it for each, of the interface of the last one. False: there are none.
bool PacketPreparer::take_buffered(PacketBatch& batch) {
  if (!ahead_.empty() || keeps_notes_ || stopped_ || most_packets_ != 0) return false;
  const std::size_t first = batch.size;
  const std::size_t room = std::min(PacketBatch::kMostPackets - first, kMostBuffered);
  const std::span<Frame> frames = std::span(batch.frames).subspan(first, room);
  const bool looks = looks_at_others();
  if (looks) sieve_->begin(placed_shapes(last_interface_.capture, last_interface_.number));
  const std::size_t count = source_.next_buffered(frames, {.interface_id = last_interface_.number,
                                                           .most_bytes = PacketBatch::kEnoughBytes - batch.taken,
                                                           .sieve = looks ? &*sieve_ : nullptr});
  const FrameTimes times = looks ? sieve_->times() : times_of(frames.first(count));
  if (times.count == 0) return false;
  if (looks) {
    std::fill_n(batch.of_others.begin() + static_cast<std::ptrdiff_t>(first), count, std::uint8_t{0});
    for (const std::uint32_t place : sieve_->others()) batch.of_others[first + place] = 1;
    batch.left_out += times.count - count;
  }
  batch.size += count;
  for (const Frame& frame : frames.first(count)) batch.taken += frame.data.size();
  latest_ = std::max(latest_, times.latest);
  points_.pass(last_interface_.capture, times.last);
  if (shard_) shard_->observe(last_interface_.capture, times);
  packets_ += times.count;
  return true;
}

bool PacketPreparer::fill(PacketBatch& batch, Lasting lasting) {
  constexpr std::size_t kEnough = PacketBatch::kMostPackets / 2;
  if (std::exchange(paused_, false)) return false;
  batch.packets.resize(PacketBatch::kMostPackets);
  batch.shrink();
  batch.bytes.clear();
  batch.held.clear();
  batch.notes.clear();
  batch.frames.resize(PacketBatch::kMostPackets);
  batch.is_of_one_capture = true;
  if (looks_at_others()) batch.of_others.resize(PacketBatch::kMostPackets);
  batch.size = batch.left_out = batch.taken = 0;
  if (waits_ && !look_ahead()) return false;
  Frame frame;
  std::size_t kept = 0;  // frames; the bytes of the others last until the source is asked for one alone
  while (batch.has_room()) {
    const bool has_buffered = take_buffered(batch);
    const bool is_enough = lasting == Lasting::kUntilNextFill && batch.size >= kept + kEnough;
    if (!has_buffered && is_enough) break;
    if (lasting == Lasting::kAsBatch) hold_bytes(batch, std::exchange(kept, batch.size));
    if (!has_buffered) keep_bytes(batch, std::exchange(kept, batch.size));
    if (has_buffered) continue;
    if (!next(frame)) {
      paused_ = batch.size > 0 || batch.left_out > 0;
      break;
    }
    if (!last_interface_.is_of(frame)) {
      if (points_.is_new(frame)) {
        if (!given_) keep(frame);
        // Where the packets before it are seen does not depend on those behind it.
        given_ = batch.size == 0 && batch.left_out == 0;
        if (!given_) break;
        if (!learn()) {
          given_ = false;
          return false;
        }
        frame = ahead_.front().frame;
      }
      last_interface_ = {frame.capture_id, frame.interface_id, find_interface(frame)};
    }
    latest_ = std::max(latest_, frame.timestamp);
    if (shard_) shard_->observe(frame.capture_id, times_of({&frame, 1}));
    if (looks_at_others() && is_left_out(frame, batch)) continue;
    if (keeps_notes_) {
      if (auto its = given_ ? std::move(ahead_.front().note) : note()) {
        its->packet = batch.size;
        batch.notes.push_back(std::move(*its));
      }
    }
    if (batch.size > 0 && batch.frames[batch.size - 1].capture_id != frame.capture_id) batch.is_of_one_capture = false;
    batch.frames[batch.size++] = frame;
    batch.taken += frame.data.size();
  }
  if (lasting == Lasting::kAsBatch) hold_bytes(batch, kept);
  if (express_) {
    prepare_candidates(batch);
  } else {
    for (std::size_t i = 0; i < batch.size; ++i) prepare(batch.frames[i], batch.packets[i]);
  }
  if (shard_ && points_.has_copies()) shard_->observe_copies();
  batch.is_unshared = shard_ && !shard_->whole_for().empty();
  return batch.size > 0 || batch.left_out > 0;
}

void PacketPreparer::show(const PreparedPacket& prepared) {
  if (!first_) first_ = prepared.packet.frame.timestamp;
  visitor_({.packet = &prepared.packet,
            .interface = prepared.interface,
            .first_timestamp = *first_,
            .previous_timestamp = {},
            .previous_displayed_timestamp = {},
            .icrc = prepared.icrc.icrc,
            .true_source_port = prepared.icrc.true_source_port,
            .icrc_unsearched = prepared.icrc.unsearched,
            .repeated = prepared.sight.repeated,
            .fingerprint = prepared.sight.fingerprint,
            .verdict = {}});
}

const CaptureInterface* PacketPreparer::find_interface(const Frame& frame) const {
  const std::span<const CaptureInfo> captures = source_.info();
  if (frame.capture_id >= captures.size()) return nullptr;
  const CaptureInfo& capture = captures[frame.capture_id];
  if (frame.interface_id >= capture.interfaces.size()) return nullptr;
  const CaptureInterface& interface = capture.interfaces[frame.interface_id];
  const bool from_pcap = interface.section == 0;  // the format has no interfaces; this one stands for the file
  return from_pcap ? nullptr : &interface;
}

}  // namespace rocescope
