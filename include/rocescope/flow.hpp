// Flows: all packets from one address to one queue pair; and datagrams from one queue pair to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "rocescope/address.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// Packets and their bytes on the wire, from the first byte of the link layer on. Where a capture cut a packet and lost
/// its original length as well, the packet's own length fields count.
struct Traffic {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t packet_bytes) noexcept {
    ++packets;
    bytes += packet_bytes;
  }
  void add(const Traffic& other) noexcept {
    packets += other.packets;
    bytes += other.bytes;
  }
};

/// The PSNs of one stream of packets.
struct PsnRange {
  std::uint64_t packets = 0;  ///< 0: the rest means nothing
  Psn first;                  ///< of the first packet seen
  Psn last;                   ///< of the last packet seen
  Psn lowest;                 ///< in serial order, counted from the first: 16777215 is lower than 0
  Psn highest;
  std::uint64_t span = 0;  ///< numbers from lowest to highest, both included; above 2^24 the stream came round
};

/// A set of transports, small enough to keep one per flow.
class TransportSet {
 public:
  constexpr void insert(Transport transport) noexcept { bits_ = static_cast<std::uint8_t>(bits_ | bit(transport)); }
  [[nodiscard]] constexpr bool contains(Transport transport) const noexcept { return (bits_ & bit(transport)) != 0; }

 private:
  friend struct PrivateMembers;
  [[nodiscard]] static constexpr unsigned bit(Transport transport) noexcept {
    return 1U << static_cast<unsigned>(transport);
  }
  std::uint8_t bits_ = 0;
};

/// What was seen of the packets from one address to one queue pair. A flow of a connected service carries two streams,
/// each with PSNs of its own: the requests of the sender, and its responses to the requests of the peer.
struct Flow {
  IpAddress source;
  IpAddress destination;
  Qpn dest_qp;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels

  Encapsulation encapsulation = Encapsulation::kNone;  ///< of the first packet
  TransportSet transports;
  Traffic traffic;
  std::uint64_t payload_bytes = 0;  ///< message bytes: without headers and pad
  PsnRange requests;
  PsnRange responses;             ///< READ responses and acknowledgements
  std::uint64_t cnp_packets = 0;  ///< congestion notifications; they have no PSN
  std::int64_t first_time = 0;    ///< nanoseconds since 1970-01-01 UTC
  std::int64_t last_time = 0;
  std::uint64_t icrc_bad_packets = 0;
  /// Its first packets, as long as the checksum of their IPv4 header is wrong and no right ICRC belies that: routers and receivers
  /// drop such a packet.
  std::uint64_t wrong_header_packets = 0;

  std::uint16_t source_port = 0;                  ///< UDP source port of the first packet as the capture shows it
  std::optional<std::uint16_t> true_source_port;  ///< the first one found to be sent, where the capture rewrote it
  std::uint64_t rewritten_packets = 0;            ///< packets whose source port the capture rewrote
};

/// Flows that were evicted.
struct EvictedFlows {
  std::uint64_t flows = 0;
  Flow all;  ///< their counts, added up; nothing else
  /// The packets of one sender. There are at most kMostSenders.
  struct Sender {
    std::uint64_t packets = 0;
    std::uint64_t icrc_bad_packets = 0;
  };
  static constexpr std::size_t kMostSenders = 16'384;
  std::map<IpAddress, Sender> senders;

  void add(const Flow& flow);
};

/// UD SENDs from one queue pair to another: every packet is a message (IBTA 9.8.4). Nothing acknowledges them and their
/// PSNs say nothing of losses.
struct UdFlow {
  IpAddress source;
  IpAddress destination;
  Qpn source_qp;  ///< of the DETH
  Qpn dest_qp;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels

  std::uint32_t q_key = 0;          ///< of the first message
  Traffic traffic;                  ///< its packets are the messages
  std::uint64_t payload_bytes = 0;  ///< of the messages, without headers and pad
  std::uint64_t immediate_messages = 0;
  std::uint64_t icrc_bad_messages = 0;
  std::int64_t first_time = 0;  ///< nanoseconds since 1970-01-01 UTC
  std::int64_t last_time = 0;
};

/// Those that were evicted.
struct EvictedUdFlows {
  std::uint64_t flows = 0;
  UdFlow all;  ///< their counts, added up; nothing else

  void add(const UdFlow& flow);
};

}  // namespace rocescope
