#include "analysis/shard_watch.hpp"

#include "rocescope/headers/numbers.hpp"

namespace rocescope {

ShardWatch::Share ShardWatch::share_of(const Packet& packet) const noexcept {
  if (!packet.is_roce()) {
    if (shard_.is_first()) return Share::kOwn;
    return packet.ip_protocol == ip_protocol::kTcp ? Share::kSetsUp : Share::kForeign;
  }
  if (shard_.has(packet.source, packet.destination)) return Share::kOwn;
  return packet.roce.opcode->transport == Transport::kUd ? Share::kSetsUp : Share::kForeign;
}

}  // namespace rocescope
