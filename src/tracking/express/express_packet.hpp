// A packet as the express lane reads it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "model/express_reason.hpp"
#include "model/express_shape.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/icrc.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// The properties of RC opcodes that are needed most often: one byte for an opcode, while OpcodeInfo takes a cache
/// line.
struct ExpressRole {
  static constexpr std::uint8_t kBegins = 1;  ///< a message
  static constexpr std::uint8_t kEnds = 2;
  static constexpr std::uint8_t kRequest = 4;
  static constexpr std::uint8_t kRead = 8;     ///< a READ Request
  static constexpr std::uint8_t kAnswer = 16;  ///< a READ response
  static constexpr std::uint8_t kWord = 32;    ///< immediate data, or an R_Key that it invalidates

  static constexpr std::size_t kCodes = 32;  ///< of RC, which stands for 0 in the bits above
  static constexpr std::array<std::uint8_t, kCodes> kAll = [] {
    std::array<std::uint8_t, kCodes> roles{};
    for (std::size_t code = 0; code < kCodes; ++code) {
      const OpcodeInfo& opcode = opcode_info(static_cast<std::uint8_t>(code));
      const bool begins = opcode.position == Position::kFirst || opcode.position == Position::kOnly;
      const bool ends = opcode.position == Position::kLast || opcode.position == Position::kOnly;
      roles[code] =
          static_cast<std::uint8_t>((begins ? kBegins : 0) | (ends ? kEnds : 0) | (opcode.request ? kRequest : 0) |
                                    (opcode.operation == Operation::kReadRequest ? kRead : 0) |
                                    (opcode.operation == Operation::kReadResponse ? kAnswer : 0) |
                                    (opcode.immediate || opcode.invalidate ? kWord : 0));
    }
    return roles;
  }();
  static constexpr std::array<Operation, kCodes> kOperations = [] {
    std::array<Operation, kCodes> operations{};
    for (std::size_t code = 0; code < kCodes; ++code) {
      operations[code] = opcode_info(static_cast<std::uint8_t>(code)).operation;
    }
    return operations;
  }();
};

/// What is counted of a packet: one line of the cache.
struct alignas(64) ExpressFacts {
  std::int64_t time = 0;  ///< ns since 1970, not before
  std::uint64_t frame = 0;
  std::uint64_t message = 0;      ///< number of the message that it begins; 0: none, or not known yet
  std::uint64_t address = 0;      ///< of the RETH
  std::uint32_t key_or_msn = 0;   ///< its R_Key, or the MSN of the AETH
  std::uint32_t dma_length = 0;   ///< of the RETH
  std::uint32_t immediate = 0;    ///< of the Last or Only packet with one, or the R_Key that it invalidates
  std::uint32_t wire_length = 0;  ///< bytes
  std::uint32_t payload = 0;      ///< bytes, without pad
  std::uint32_t icrc = 0;         ///< as IcrcCheck has it
  Psn psn;
  std::uint16_t identification = 0;  ///< of IPv4; 0 without it
  std::uint8_t code = 0;             ///< opcode
  std::uint8_t flags = 0;

  static constexpr std::uint8_t kPad = 3;  ///< of the flags: bytes
  static constexpr std::uint8_t kCut = 1 << 2;
  static constexpr std::uint8_t kHasReth = ExpressForm::kHasReth;
  static constexpr std::uint8_t kHasMsn = ExpressForm::kHasMsn;
  static constexpr unsigned kIcrcShift = 5;  ///< IcrcStatus
  static constexpr unsigned kSenderShift = 7;
  static constexpr std::uint8_t kSender = 1 << kSenderShift;  ///< the side of its connection, once that is known

  [[nodiscard]] const OpcodeInfo& opcode() const noexcept { return opcode_info(code); }
  [[nodiscard]] std::uint8_t pad() const noexcept { return flags & kPad; }
  [[nodiscard]] bool is_cut() const noexcept { return (flags & kCut) != 0; }
  [[nodiscard]] bool has_reth() const noexcept { return (flags & kHasReth) != 0; }
  [[nodiscard]] bool has_msn() const noexcept { return (flags & kHasMsn) != 0; }
  [[nodiscard]] IcrcStatus icrc_status() const noexcept { return static_cast<IcrcStatus>((flags >> kIcrcShift) & 3U); }
  [[nodiscard]] std::size_t sender() const noexcept { return (flags & kSender) != 0 ? 1 : 0; }
  [[nodiscard]] std::uint32_t r_key() const noexcept { return key_or_msn; }
  /// Of an ACK, and of the First, Last or Only response to a READ.
  [[nodiscard]] Psn msn() const noexcept { return Psn(key_or_msn); }
  /// Of ExpressRole.
  [[nodiscard]] std::uint8_t role() const noexcept { return ExpressRole::kAll[code % ExpressRole::kCodes]; }
  [[nodiscard]] Operation operation() const noexcept { return ExpressRole::kOperations[code % ExpressRole::kCodes]; }
  [[nodiscard]] bool begins() const noexcept { return (role() & ExpressRole::kBegins) != 0; }
  [[nodiscard]] bool ends() const noexcept { return (role() & ExpressRole::kEnds) != 0; }
};

/// A SEND, a WRITE, a READ Request, a READ response or a positive ACK of RC over RoCEv2, whose headers are all here and as the
/// specification wants them: in Ethernet, with one VLAN tag at most, no IP options and nothing behind the ICRC. Its payload may be cut
/// off.
struct ExpressPacket : ExpressFacts {
  std::uint64_t hash = 0;  ///< of the key(), once the capture point is known
  /// What packets of one kind and direction have in common: partition, traffic class, priority, the state of the ICRC,
  /// and the capture. Never 0.
  std::uint64_t likeness = 0;
  IpAddress source;
  IpAddress destination;
  Qpn dest_qp;
  std::uint32_t icrc_headers = 0;  ///< as IcrcCheck has it
  std::uint32_t captured = 0;      ///< of its bytes
  std::uint8_t capture_point = 1;
  ExpressKind kind = ExpressKind::kSendOrWrite;
  std::uint8_t shape = 0;        ///< which headers it has, below kShapes
  bool is_like_message = false;  ///< it has the form of a message of a protocol above (dissectors/ulp/)

  static constexpr std::size_t kShapes = kExpressShapes;

  /// Whether it shows how busy its sender is: all but ACKs do.
  [[nodiscard]] bool is_data() const noexcept { return kind != ExpressKind::kAck; }
  [[nodiscard]] bool is_request() const noexcept {
    return kind == ExpressKind::kSendOrWrite || kind == ExpressKind::kReadRequest;
  }
  [[nodiscard]] FlowKey key() const noexcept { return {source, destination, dest_qp, 0, capture_point}; }

  /// Takes the result of the check of the ICRC; kNone: it was not checked.
  void set_icrc(const IcrcCheck& check) noexcept {
    flags = static_cast<std::uint8_t>(flags | static_cast<unsigned>(check.status) << ExpressFacts::kIcrcShift);
    icrc = check.found;
    icrc_headers = check.headers;
    likeness |= static_cast<std::uint64_t>(check.status) << kLikenessIcrcShift;
  }

  // The parts of the likeness that counters need.
  [[nodiscard]] static constexpr IcrcStatus icrc_of(std::uint64_t likeness) noexcept {
    return static_cast<IcrcStatus>((likeness >> kLikenessIcrcShift) & 3U);
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

  [[nodiscard]] static constexpr std::uint32_t capture_of(std::uint64_t likeness) noexcept {
    return static_cast<std::uint32_t>(likeness >> kCaptureShift) & ((1U << kCaptureBits) - 1);
  }

  static constexpr unsigned kClassShift = 0;
  static constexpr unsigned kPcpShift = 8;  ///< 4 bits: 0 without a VLAN tag, else the priority and 1
  static constexpr unsigned kLikenessIcrcShift = 12;
  static constexpr unsigned kPkeyShift = 16;
  static constexpr unsigned kFlagsShift = 32;
  static constexpr unsigned kCaptureShift = 41;
  static constexpr unsigned kCaptureBits = 22;  ///< more captures than can be open
  static constexpr std::uint64_t kIsLikeness = std::uint64_t{1} << 63;
};
static_assert(sizeof(ExpressPacket) == 128, "one thread writes it, another one reads it");

/// Fills in `express`, except the state of the ICRC, the capture point and what note_form() does, and the offsets of
/// `roce`. Not kNone: the frame cannot take the express lane.
[[nodiscard]] ExpressReason read_express(const Frame& frame, ExpressPacket& express, RocePacket& roce) noexcept;
/// Fills in ExpressPacket::is_like_message.
void note_form(const Frame& frame, const RocePacket& roce, ExpressPacket& express) noexcept;

}  // namespace rocescope
