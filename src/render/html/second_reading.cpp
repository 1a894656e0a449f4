#include "render/html/second_reading.hpp"

#include <utility>

#include "tracking/express/express_packet.hpp"

namespace rocescope::render {
namespace {

class FramesOfSome final : public FrameSource {
 public:
  FramesOfSome(std::unique_ptr<FrameSource> source, FlowSet flows)
      : source_(std::move(source)), flows_(std::move(flows)) {}

  bool next(Frame& frame) override {
    while (source_->next(frame)) {
      RocePacket roce;
      const ExpressReason reason = read_express(frame, packet_, roce);
      const bool is_known = reason == ExpressReason::kNone;
      if (!is_known || flows_.contains(packet_.source, packet_.destination, packet_.dest_qp)) return true;
    }
    return false;
  }
  std::span<const CaptureInfo> info() const override { return source_->info(); }
  std::span<const std::string> comments() const override { return source_->comments(); }
  bool has_ended(std::uint32_t capture) const override { return source_->has_ended(capture); }
  ReadPosition position() const override { return source_->position(); }

 private:
  std::unique_ptr<FrameSource> source_;
  FlowSet flows_;
  ExpressPacket packet_;
};

}  // namespace

FlowSet::FlowSet(std::span<const Connection* const> connections) {
  for (const Connection* const connection : connections) {
    for (std::size_t sender = 0; sender < 2; ++sender) {
      const ConnectionSide& from = connection->sides[sender];
      const ConnectionSide& to = connection->sides[1 - sender];
      if (!to.qpn) continue;
      places_[key_of(from.address, to.address, *to.qpn)].push_back({connection, sender});
      queue_pairs_.set(low_bits(*to.qpn));
    }
  }
}

FlowSet::Place FlowSet::find(const IpAddress& source, const IpAddress& destination, Qpn dest_qp,
                             std::uint32_t overlay_id, std::int64_t time) const {
  const auto found = places_.find(key_of(source, destination, dest_qp));
  if (found == places_.end()) return {};
  Place best;
  for (const Place& place : found->second) {
    const Connection& connection = *place.connection;
    if (connection.overlay_id != overlay_id || connection.last_time < time) continue;
    if (best.connection == nullptr || connection.first_time < best.connection->first_time) best = place;
  }
  return best;
}

std::unique_ptr<FrameSource> frames_of(std::unique_ptr<FrameSource> source, FlowSet flows) {
  return std::make_unique<FramesOfSome>(std::move(source), std::move(flows));
}

}  // namespace rocescope::render
