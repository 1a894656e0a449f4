// A packet as the express lane reads it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocescope/congestion.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/icrc.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/express/express_reason.hpp"

namespace rocescope {

/// Packets that are judged and counted alike.
enum class ExpressKind : std::uint8_t { kSendOrWrite, kReadRequest, kAck, kReadResponse };
inline constexpr std::size_t kExpressKinds = static_cast<std::size_t>(ExpressKind::kReadResponse) + 1;

/// A SEND, a WRITE, a READ Request, a READ response or a positive ACK of RC over RoCEv2, whose headers are all here and as the
/// specification wants them: in Ethernet, with one VLAN tag at most, no IP options and nothing behind the ICRC. Its payload may be cut
/// off.
struct ExpressPacket {
  FlowKey key;
  /// All that such packets of one kind and direction have in common: partition, traffic class, priority, what the ICRC shows. Never 0.
  std::uint64_t likeness = 0;
  std::uint64_t hash = 0;  ///< of the key
  const OpcodeInfo* opcode = nullptr;
  std::uint64_t frame = 0;
  std::int64_t time = 0;           ///< ns since 1970, not before
  std::uint32_t wire_length = 0;   ///< bytes
  std::uint32_t captured = 0;      ///< of these
  std::uint32_t payload = 0;       ///< bytes, without pad
  std::uint32_t icrc = 0;          ///< as IcrcCheck has it
  std::uint32_t icrc_headers = 0;  ///< the same
  Psn psn;
  std::uint16_t identification = 0;  ///< of IPv4; 0 without it
  std::uint8_t pad = 0;              ///< bytes
  std::uint8_t shape = 0;            ///< which headers it has, below kShapes
  IcrcStatus icrc_status = IcrcStatus::kNone;
  ExpressKind kind = ExpressKind::kSendOrWrite;

  // Of an ACK, and of the First, Last or Only response to a READ.
  bool has_msn = false;
  Psn msn;

  // Of a READ Request, and of the First or Only packet of a WRITE.
  bool has_reth = false;
  std::uint32_t r_key = 0;
  std::uint32_t dma_length = 0;
  std::uint64_t address = 0;
  // Of the Last or Only packet with one.
  std::uint32_t immediate = 0;

  RocePacket roce;  ///< where its parts are

  static constexpr std::size_t kShapes = 4;  ///< IPv4 or IPv6, with a VLAN tag or without

  [[nodiscard]] bool is_cut() const noexcept { return captured < wire_length; }
  /// What says how busy its sender is: all but ACKs.
  [[nodiscard]] bool is_data() const noexcept { return kind != ExpressKind::kAck; }
  [[nodiscard]] bool begins() const noexcept {
    return opcode->position == Position::kFirst || opcode->position == Position::kOnly;
  }
  [[nodiscard]] bool ends() const noexcept {
    return opcode->position == Position::kLast || opcode->position == Position::kOnly;
  }

  /// What was found out about the ICRC; kNone: nothing was.
  void set_icrc(const IcrcCheck& check) noexcept {
    icrc_status = check.status;
    icrc = check.found;
    icrc_headers = check.headers;
    likeness |= static_cast<std::uint64_t>(check.status) << kIcrcShift;
  }
  /// Once the capture point is known.
  void set_hash() noexcept { hash = FlowKeyHash{}(key); }

  // The parts of the likeness that counters need.
  [[nodiscard]] static constexpr IcrcStatus icrc_of(std::uint64_t likeness) noexcept {
    return static_cast<IcrcStatus>((likeness >> kIcrcShift) & 3U);
  }
  [[nodiscard]] static constexpr Ecn ecn_of(std::uint64_t likeness) noexcept {
    return static_cast<Ecn>((likeness >> kClassShift) & 3U);
  }
  [[nodiscard]] static TrafficClass class_of(std::uint64_t likeness) noexcept {
    TrafficClass result{static_cast<std::uint8_t>((likeness >> (kClassShift + 2)) & 0x3FU), {}};
    const auto pcp = static_cast<std::uint8_t>((likeness >> kPcpShift) & 0xFU);
    if (pcp != 0) result.pcp = static_cast<std::uint8_t>(pcp - 1);
    return result;
  }
  [[nodiscard]] static constexpr std::uint16_t p_key_of(std::uint64_t likeness) noexcept {
    return static_cast<std::uint16_t>(likeness >> kPkeyShift);
  }

  static constexpr unsigned kClassShift = 0;
  static constexpr unsigned kPcpShift = 8;  ///< 4 bits: 0 without a VLAN tag, else the priority and 1
  static constexpr unsigned kIcrcShift = 12;
  static constexpr unsigned kPkeyShift = 16;
  static constexpr unsigned kFlagsShift = 32;
  static constexpr std::uint64_t kIsLikeness = std::uint64_t{1} << 63;
};

/// Fills in `express`, but for what the ICRC shows and the capture point. Not kNone: the frame is not one for the express lane.
[[nodiscard]] ExpressReason read_express(const Frame& frame, ExpressPacket& express) noexcept;

}  // namespace rocescope
