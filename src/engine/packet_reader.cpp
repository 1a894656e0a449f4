#include "packet_reader.hpp"

#include <span>

namespace rocescope {

const PacketRecord* PacketReader::next() {
  const std::optional<std::int64_t> previous = first_ ? std::optional(packet_.frame.timestamp) : std::nullopt;
  if (!source_.next(frame_)) return nullptr;
  if (!first_) first_ = frame_.timestamp;
  dissect(frame_, packet_, options_.dissect);
  record_ = {
      .packet = &packet_,
      .interface = interface_of(frame_),
      .first_timestamp = *first_,
      .previous_timestamp = previous,
      .previous_displayed_timestamp = previous_displayed_,
      .icrc = {},
      .true_source_port = {},
      .verdict = {},
  };
  if (options_.parts.icrc && packet_.is_roce()) {
    const IcrcVerifier::Verdict verdict = verifier_.verify(packet_);
    record_.icrc = verdict.icrc;
    record_.true_source_port = verdict.true_source_port;
  }
  if (options_.parts.verdict) record_.verdict = tracker_.track(record_);
  return &record_;
}

const CaptureInterface* PacketReader::interface_of(const Frame& frame) const {
  const std::span<const CaptureInfo> captures = source_.info();
  if (frame.capture_id >= captures.size()) return nullptr;
  const CaptureInfo& capture = captures[frame.capture_id];
  if (frame.interface_id >= capture.interfaces.size()) return nullptr;
  const CaptureInterface& interface = capture.interfaces[frame.interface_id];
  const bool from_pcap = interface.section == 0;  // the format has no interfaces; this one stands for the file
  return from_pcap ? nullptr : &interface;
}

}  // namespace rocescope
