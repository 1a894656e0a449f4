// Control protocols of a link: MAC control (PAUSE, PFC) and ARP; and headers that protect or time what follows: MACsec,
// Arista's time stamps.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/encryption.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/mac_control.hpp"
#include "rocescope/headers/tap.hpp"

namespace rocescope::dissectors {

void dissect_mac_control(Dissection& d) noexcept {
  const auto header = d.take<MacControl>();
  if (!header) return;
  const std::uint16_t opcode = header->opcode();
  if (opcode == mac_control::kPause) {
    if (d.take<MacPause>()) d.end_here();
  } else if (opcode == mac_control::kPfc) {
    if (d.take<MacPfc>()) d.end_here();
  } else if (opcode >= mac_control::kGate && opcode <= mac_control::kRegisterAck) {
    static_cast<void>(d.take<MacTimestamp>());
  }
}

void dissect_arp(Dissection& d) noexcept {
  const auto arp = d.take<Arp>();
  if (!arp) return;
  const std::size_t length = 2 * (std::size_t{arp->hardware_size()} + arp->protocol_size());
  const bool taken = arp->ethernet_ipv4() ? d.take(HeaderKind::kArpEthernetIpv4, ArpEthernetIpv4::kSize)
                                          : length == 0 || d.take(HeaderKind::kArpAddresses, length);
  if (taken) d.end_here();
}

void dissect_macsec(Dissection& d) noexcept {
  // The first bit is the version: another one may look otherwise.
  if (d.need(HeaderKind::kMacsec, 1) && d.data[d.offset] >= 0x80) return;
  const auto tag = d.take<Macsec>();
  if (!tag) return;
  if (tag->has_channel() && !d.take<MacsecChannel>()) return;
  // A short frame has its length, since Ethernet pads it.
  const std::uint64_t secured_end = tag->short_length() != 0
                                        ? d.offset + std::uint64_t{tag->short_length()}
                                        : d.end - std::min<std::uint64_t>(d.left(), MacsecIcv::kSize);
  d.narrow(secured_end + MacsecIcv::kSize, HeaderKind::kMacsec);
  const std::uint64_t packet_end = std::exchange(d.end, std::min(d.end, secured_end));
  if (tag->readable()) {
    if (const auto type = d.take<MacsecType>()) dissect_ether_type(d, type->ether_type());
  } else {
    d.stop(StopReason::kEncrypted, HeaderKind::kMacsec);
  }
  d.end = packet_end;
  if (packet_end != secured_end + MacsecIcv::kSize || packet_end > d.data.size()) return;
  d.offset = static_cast<std::uint32_t>(secured_end);
  static_cast<void>(d.take(HeaderKind::kMacsecIcv, MacsecIcv::kSize));
}

void dissect_avsp(Dissection& d) noexcept {
  constexpr std::size_t kStart = 4;
  if (!d.need(HeaderKind::kAvsp64, kStart)) return;
  const std::uint8_t* header = d.data.data() + d.offset;
  if (load_bits(header, 0, 16) != avsp::kSubtype) return;
  switch (load_bits(header, 16, 16)) {
    case 0x0010:
    case 0x0110:
      if (const auto avsp = d.take<Avsp64>()) dissect_ether_type(d, avsp->ether_type());
      return;
    case 0x0020:
    case 0x0120:
      if (const auto avsp = d.take<Avsp48>()) dissect_ether_type(d, avsp->ether_type());
      return;
    default:
      return;
  }
}

}  // namespace rocescope::dissectors
