#include "tracking/handshakes/setup_watcher.hpp"

#include "rocescope/headers/numbers.hpp"

namespace rocescope {

std::vector<HandshakeNews> SetupWatcher::observe(const Packet& packet) {
  if (!packet.is_roce()) {
    if (packet.ip_protocol != ip_protocol::kTcp) return {};
    auto news = smc_.observe(packet);
    if (!news) return oob_.observe(packet);
    return {std::move(*news)};
  }
  if (packet.roce.opcode->transport != Transport::kUd) return {};
  auto news = packet.roce.dest_qp == kGsiQp ? cm_.observe(packet) : exchange_.take_news();
  std::vector<HandshakeNews> result;
  if (news) result.push_back(std::move(*news));
  return result;
}

}  // namespace rocescope
