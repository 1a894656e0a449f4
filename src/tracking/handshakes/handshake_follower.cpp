#include "tracking/handshakes/handshake_follower.hpp"

#include <algorithm>
#include <array>

#include "tracking/connections/connection_state.hpp"

namespace rocescope {
namespace {

std::uint64_t load(const std::uint8_t* from, std::size_t size, bool big_endian) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = (value << 8) | from[big_endian ? i : size - 1 - i];
  return value;
}

/// That the private data of a side came with; null: it was not seen.
const HandshakeStep* step_of(const Handshake& handshake, std::size_t side) {
  return handshake.find(side == 0 ? HandshakeMessage::kReq : HandshakeMessage::kRep);
}

}  // namespace

std::optional<AnnouncedRegion> find_region(const std::vector<std::uint8_t>& private_data, std::uint64_t address,
                                           std::uint32_t r_key, std::uint32_t length) noexcept {
  constexpr std::size_t kMostData = 224;
  constexpr std::size_t kRegion = 16;                      // address, r_key, length
  std::array<std::uint8_t, kMostData + kRegion> padded{};  // its last zeros were not kept
  const std::size_t size = std::min(private_data.size(), kMostData);
  std::copy_n(private_data.begin(), size, padded.begin());
  for (std::size_t offset = 0; offset < size; ++offset) {
    for (const bool big_endian : {true, false}) {
      const std::uint8_t* const at = padded.data() + offset;
      const std::uint64_t begin = load(at, 8, big_endian);
      if (begin == 0 || begin > address || load(at + 8, 4, big_endian) != r_key) continue;
      const std::uint64_t announced = load(at + 12, 4, big_endian);
      const std::uint64_t used = address - begin;
      const bool has_length = used <= announced && length <= announced - used && announced != 0;
      if (begin != address && !has_length) continue;
      return AnnouncedRegion{.address = begin,
                             .r_key = r_key,
                             .length = has_length ? announced : 0,
                             .packet = 0,
                             .proof = {{static_cast<std::uint16_t>(offset), big_endian, 0}}};
    }
  }
  return std::nullopt;
}

void HandshakeFollower::observe(const TrackedPacket& tracked) {
  if (tracked.connection->handshake == 0) return;
  const Packet& packet = tracked.packet();
  const OpcodeInfo& opcode = *packet.roce.opcode;
  if (opcode.transport != tracked.connection->transport) return;  // a CNP, or one that the queue pair drops
  ConnectionState::Progress& progress = tracked.state->progress;
  if (!progress.has_data) {
    progress.has_data = true;
    Handshake& handshake = table_.at(tracked.connection->handshake);
    handshake.connection = tracked.connection->number;
    handshake.first_data_packet = packet.frame.number;
    handshake.first_data_time = packet.frame.timestamp;
  }
  std::uint8_t& tries = progress.tries[tracked.sender];
  if (!opcode.request || tries >= kMostTries) return;
  const auto& reth = tracked.reth;
  if (!reth || reth->dma_length() == 0) return;
  Handshake& handshake = table_.at(tracked.connection->handshake);
  const std::size_t owner = 1 - tracked.sender;
  const bool has_none = handshake.sides[owner].private_data.empty() && step_of(handshake, owner) != nullptr;
  if (handshake.kind != HandshakeKind::kCm || handshake.sides[owner].region || has_none) {
    tries = kMostTries;
    return;
  }
  ++tries;
  search(tracked, *reth, handshake);
}

void HandshakeFollower::search(const TrackedPacket& tracked, const Reth& reth, Handshake& handshake) {
  const std::size_t owner = 1 - tracked.sender;
  HandshakeSide& side = handshake.sides[owner];
  auto region = find_region(side.private_data, reth.virtual_address(), reth.r_key(), reth.dma_length());
  if (!region) return;
  const HandshakeStep* step = step_of(handshake, owner);
  if (step == nullptr) return;
  region->packet = step->packet;
  region->proof->packet = tracked.packet().frame.number;
  side.region = region;
  tracked.connection->sides[owner].sightings.add(FindingId::kRkeyInClear, step->packet, step->time);
}

}  // namespace rocescope
