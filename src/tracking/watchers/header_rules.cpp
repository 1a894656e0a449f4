#include "tracking/watchers/header_rules.hpp"

#include <algorithm>

#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/watchers/pad.hpp"

namespace rocescope {
namespace {

class Checker {
 public:
  Checker(const TrackedPacket& tracked, Breaches& breaches)
      : tracked_(tracked), packet_(tracked.packet()), breaches_(breaches) {}

  void base_header() {
    const Bth bth = tracked_.bth();
    if (bth.version() != 0) note(BreachKind::kVersion, bth.version());
    if (const auto bits = bth.get<"infiniband.bth.reserved6">(); bits != 0) note(BreachKind::kReserved6, bits);
    if (const auto bits = bth.get<"infiniband.bth.reserved7">(); bits != 0) note(BreachKind::kReserved7, bits);
    const OpcodeInfo& opcode = *packet_.roce.opcode;
    if (opcode.operation == Operation::kReserved && opcode.transport != Transport::kDc) {
      note(BreachKind::kReservedOpcode, opcode.code);
    }
  }

  void extended_headers() {
    if (const auto& aeth = tracked_.aeth) {
      const bool unknown_nak =
          aeth->kind() == AethKind::kNak && aeth->value() > static_cast<unsigned>(NakCode::kInvalidRdRequest);
      const bool top_bit = aeth->get<"infiniband.aeth.syndrome.reserved">() != 0;
      if (top_bit || aeth->kind() == AethKind::kReserved || unknown_nak) {
        note(BreachKind::kReservedSyndrome, aeth->syndrome());
      }
    }
    constexpr std::uint64_t kRare = Packet::bit_of(HeaderKind::kDeth) | Packet::bit_of(HeaderKind::kXrceth) |
                                    Packet::bit_of(HeaderKind::kFeth) | Packet::bit_of(HeaderKind::kCnpReserved);
    if ((packet_.kinds & kRare) == 0) return;
    if (const auto deth = packet_.header<Deth>()) reserved(deth->get<"infiniband.deth.reserved8">());
    if (const auto xrceth = packet_.header<Xrceth>()) reserved(xrceth->get<"infiniband.xrceth.reserved8">());
    if (const auto feth = packet_.header<Feth>()) reserved(feth->get<"infiniband.feth.reserved26">());
    if (const auto cnp = packet_.header<CnpReserved>()) {
      const Bytes bytes = cnp->bytes();
      const auto bits = std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
      if (bits != bytes.end()) reserved(*bits);
    }
  }

  void payload_and_pad() {
    const OpcodeInfo& opcode = *packet_.roce.opcode;
    const RocePacket& roce = packet_.roce;
    if (!opcode.has_payload && roce.payload_length > 0) note(BreachKind::kNoPayload, roce.payload_length, opcode.code);
    if (opcode.transport == Transport::kUd && roce.payload_length > kLargestMtu) {
      note(BreachKind::kAbovePathMtu, roce.payload_length, kLargestMtu);
    }
    const std::uint32_t length = roce.payload_length + roce.pad_length;
    if (length % 4 != 0) return note(BreachKind::kNotWords, length);
    const bool inside = opcode.position == Position::kFirst || opcode.position == Position::kMiddle;
    if (inside && roce.pad_length > 0) return note(BreachKind::kPadInside, roce.pad_length);
    if (const std::uint64_t bytes = pad_of(packet_); bytes != 0) note(BreachKind::kPadNotZero, bytes);
  }

 private:
  void note(BreachKind kind, std::uint64_t value, std::uint64_t other = 0) {
    breaches_.add({.kind = kind,
                   .seen = {},
                   .value = value,
                   .other = other,
                   .uncompared = tracked_.has_compared_icrc() ? 0U : 1U},
                  packet_.frame.number, packet_.frame.timestamp);
  }
  void reserved(std::uint64_t bits) {
    if (bits != 0) note(BreachKind::kReservedExtended, bits);
  }

  const TrackedPacket& tracked_;
  const Packet& packet_;
  Breaches& breaches_;
};

}  // namespace

void check_headers(const TrackedPacket& tracked, Breaches& breaches) {
  const Packet& packet = tracked.packet();
  Checker checker(tracked, breaches);
  checker.base_header();
  const Transport transport = packet.roce.opcode->transport;
  const bool specified = transport != Transport::kDc && transport != Transport::kManufacturer &&
                         packet.roce.opcode->operation != Operation::kReserved;
  if (!specified) return;
  checker.extended_headers();
  if (packet.roce.payload_offset != 0 && !packet.roce.fragmented) checker.payload_and_pad();
}

}  // namespace rocescope
