// The packets that packets.py makes, and what tshark reads in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/dissect.hpp"
#include "support/hex.hpp"
#include "support/source_dir.hpp"

namespace rocescope::testing {

using NamedPackets = std::map<std::string, std::vector<std::uint8_t>, std::less<>>;

inline std::ifstream open_tunnel_file(std::string_view name) {
  std::ifstream file((rocescope::testing::source_dir() + "/tests/dissectors/tunnel/").append(name));
  if (!file) throw std::runtime_error("cannot open " + std::string(name));
  return file;
}

inline const NamedPackets& tunnel_packets() {
  static const NamedPackets kPackets = [] {
    NamedPackets packets;
    std::ifstream file = open_tunnel_file("packets.txt");
    for (std::string name, bytes; file >> name >> bytes;) packets[name] = hex(bytes);
    return packets;
  }();
  return kPackets;
}

/// A copy of one of them, to break.
inline std::vector<std::uint8_t> tunnel_packet(std::string_view name) {
  const auto found = tunnel_packets().find(name);
  if (found == tunnel_packets().end()) throw std::invalid_argument("no packet " + std::string(name));
  return found->second;
}

/// The packet of a whole frame. It shares the bytes.
inline Packet dissect_tunnel(const std::vector<std::uint8_t>& bytes, const DissectOptions& options = {}) {
  Packet packet;
  dissect({.data = bytes, .original_length = static_cast<std::uint32_t>(bytes.size())}, packet, options);
  return packet;
}

/// Where `part` starts in `bytes`.
inline std::size_t find_bytes(const std::vector<std::uint8_t>& bytes, std::string_view part) {
  const auto wanted = hex(part);
  const auto found = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
  if (found == bytes.end()) throw std::invalid_argument("no such bytes");
  return static_cast<std::size_t>(found - bytes.begin());
}

}  // namespace rocescope::testing
