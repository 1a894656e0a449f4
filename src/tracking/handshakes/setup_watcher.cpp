#include "tracking/handshakes/setup_watcher.hpp"

#include "rocescope/headers/numbers.hpp"

namespace rocescope {

std::vector<HandshakeNews> SetupWatcher::observe(const Packet& packet) {
  if (!packet.is_roce())
    return packet.ip_protocol == ip_protocol::kTcp ? oob_.observe(packet) : std::vector<HandshakeNews>();
  if (packet.roce.opcode->transport != Transport::kUd) return {};
  auto news = packet.roce.dest_qp == kGsiQp ? cm_.observe(packet) : exchange_.take_news();
  std::vector<HandshakeNews> result;
  if (news) result.push_back(std::move(*news));
  return result;
}

}  // namespace rocescope
