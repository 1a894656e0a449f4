#include "analysis/packet_preparer.hpp"

#include <span>
#include <utility>

namespace rocescope {

bool PacketPreparer::next(Frame& frame) {
  if (most_packets_ != 0 && packets_ == most_packets_) return false;
  if (!source_.next(frame)) return false;
  ++packets_;
  return true;
}

bool PacketPreparer::fill_one(PacketBatch& batch) {
  Frame frame;
  batch.size = 0;
  if (!next(frame)) return false;
  batch.packets.resize(1);
  batch.size = 1;
  prepare(frame, batch.packets[0]);
  return true;
}

bool PacketPreparer::fill(PacketBatch& batch) {
  if (std::exchange(paused_, false)) return false;
  constexpr std::size_t kMostPackets = 128;
  constexpr std::size_t kEnoughBytes = std::size_t{128} << 10;
  batch.packets.resize(kMostPackets);
  batch.shrink();
  batch.bytes.clear();
  batch.notes.clear();
  frames_.clear();
  Frame frame;
  while (frames_.size() < kMostPackets && batch.bytes.size() < kEnoughBytes) {
    if (!next(frame)) {
      paused_ = !frames_.empty();
      break;
    }
    if (keeps_notes_) note(batch);
    frames_.push_back(frame);
    batch.bytes.insert(batch.bytes.end(), frame.data.begin(), frame.data.end());
  }
  batch.size = frames_.size();
  std::size_t offset = 0;  // only now do the bytes stay where they are
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    Frame& kept = frames_[i];
    kept.data = {batch.bytes.data() + offset, kept.data.size()};
    offset += kept.data.size();
    prepare(kept, batch.packets[i]);
  }
  return batch.size > 0;
}

/// Of the packet that the source gave last.
void PacketPreparer::note(PacketBatch& batch) {
  const std::span<const std::string> comments = source_.comments();
  PacketNote note{.packet = frames_.size(), .comments = {comments.begin(), comments.end()}, .interfaces = {}};
  const std::span<const CaptureInfo> captures = source_.info();
  noted_.resize(captures.size());
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const auto& interfaces = captures[i].interfaces;
    for (; noted_[i] < interfaces.size(); ++noted_[i]) note.interfaces.push_back({i, interfaces[noted_[i]]});
  }
  if (!note.comments.empty() || !note.interfaces.empty()) batch.notes.push_back(std::move(note));
}

void PacketPreparer::prepare(const Frame& frame, PreparedPacket& prepared) {
  dissect(frame, prepared.packet, dissect_);
  prepared.interface = interface_of(frame);
  prepared.icrc = {};
  if (verify_icrc_ && prepared.packet.is_roce()) prepared.icrc = verifier_.verify(prepared.packet);
  if (visitor_) show(prepared);
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
            .verdict = {}});
}

const CaptureInterface* PacketPreparer::interface_of(const Frame& frame) const {
  const std::span<const CaptureInfo> captures = source_.info();
  if (frame.capture_id >= captures.size()) return nullptr;
  const CaptureInfo& capture = captures[frame.capture_id];
  if (frame.interface_id >= capture.interfaces.size()) return nullptr;
  const CaptureInterface& interface = capture.interfaces[frame.interface_id];
  const bool from_pcap = interface.section == 0;  // the format has no interfaces; this one stands for the file
  return from_pcap ? nullptr : &interface;
}

}  // namespace rocescope
