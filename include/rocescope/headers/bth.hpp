// Base Transport Header, IBTA 9.2.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     OpCode    |S|M|Pad|  TVer |             P_Key             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |F|B|   Resv6   |                     DestQP                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |A|    Resv7    |                      PSN                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// S: solicited event. M: MigReq. F: FECN. B: BECN. A: acknowledge request.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct Bth : HeaderView<Bth> {
  static constexpr HeaderKind kKind = HeaderKind::kBth;
  static constexpr std::string_view kName = "infiniband.bth";
  static constexpr std::string_view kTitle = "Base Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.2";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("infiniband.bth.opcode", "Opcode", 0, 8).named(kOpcodeNames),
      field::flag("infiniband.bth.se", "Solicited event", 8),
      field::flag("infiniband.bth.m", "MigReq", 9),
      field::number("infiniband.bth.padcnt", "Pad count", 10, 2),
      field::number("infiniband.bth.tver", "Transport header version", 12, 4),
      field::number("infiniband.bth.p_key", "Partition key", 16, 16),
      field::flag("infiniband.bth.fecn", "Forward explicit congestion notification", 32),
      field::flag("infiniband.bth.becn", "Backward explicit congestion notification", 33),
      field::number("infiniband.bth.reserved6", "Reserved", 34, 6),
      field::hex("infiniband.bth.destqp", "Destination queue pair", 40, 24),
      field::flag("infiniband.bth.a", "Acknowledge request", 64),
      field::number("infiniband.bth.reserved7", "Reserved", 65, 7),
      field::number("infiniband.bth.psn", "Packet sequence number", 72, 24),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t opcode() const noexcept { return get<"infiniband.bth.opcode">(); }
  [[nodiscard]] constexpr bool solicited_event() const noexcept { return get<"infiniband.bth.se">(); }
  [[nodiscard]] constexpr std::uint8_t pad_count() const noexcept { return get<"infiniband.bth.padcnt">(); }
  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"infiniband.bth.tver">(); }
  [[nodiscard]] constexpr std::uint16_t p_key() const noexcept { return get<"infiniband.bth.p_key">(); }
  [[nodiscard]] constexpr bool fecn() const noexcept { return get<"infiniband.bth.fecn">(); }
  [[nodiscard]] constexpr bool becn() const noexcept { return get<"infiniband.bth.becn">(); }
  [[nodiscard]] constexpr Qpn dest_qp() const noexcept { return Qpn(get<"infiniband.bth.destqp">()); }
  [[nodiscard]] constexpr bool ack_request() const noexcept { return get<"infiniband.bth.a">(); }
  [[nodiscard]] constexpr Psn psn() const noexcept { return Psn(get<"infiniband.bth.psn">()); }
};

}  // namespace rocescope
