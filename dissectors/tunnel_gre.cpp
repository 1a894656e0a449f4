// GRE and the mirrors that use it: RFC 2784, 2890, 1701, 2637, 7637; draft-foschiano-erspan-03.
#include <algorithm>
#include <span>

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/mirrors.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tunnels/gre.hpp"

namespace rocescope::dissectors {
namespace {

constexpr std::uint16_t kSpectrumMirrorBytes = 22;

/// The key, as the protocol that follows has it.
bool take_key(Dissection& d, std::uint16_t protocol) noexcept {
  if (protocol == gre_protocol::kPptp) return d.take(HeaderKind::kPptpKey, PptpKey::kSize);
  if (protocol != ether_type::kTransparentEthernet) return d.take(HeaderKind::kGreKey, GreKey::kSize);
  const auto key = d.take<NvgreKey>();
  if (!key) return false;
  d.packet.overlay_id = key->virtual_subnet_id();
  return true;
}

/// Source route entries, up to and with the one that ends them.
bool take_routing(Dissection& d) noexcept {
  for (;;) {
    if (!d.need(HeaderKind::kGreRouting, GreRouting::kSize)) return false;
    const GreRouting entry(d.data.data() + d.offset);
    if (!d.take(HeaderKind::kGreRouting, GreRouting::kSize + entry.length())) return false;
    if (entry.address_family() == 0 && entry.length() == 0) return true;
  }
}

bool take_optional_words(Dissection& d, const Gre& gre) noexcept {
  if ((gre.has_checksum() || gre.has_routing()) && !d.take<GreChecksum>()) return false;
  if (gre.has_key() && !take_key(d, gre.protocol())) return false;
  if (gre.has_sequence_number() && !d.take<GreSequence>()) return false;
  if (gre.has_acknowledgment() && !d.take<GreAcknowledgment>()) return false;
  return !gre.has_routing() || take_routing(d);
}

/// A mirror may cut the frame with or without a mark.
void dissect_mirrored_ethernet(Dissection& d) noexcept {
  d.enter_cut_packet();
  dissect_ethernet(d);
}

void dissect_mirrored_ethernet_behind(Dissection& d, std::uint16_t bytes) noexcept {
  if (bytes == 0 || d.take(HeaderKind::kMirrorHeader, bytes)) dissect_mirrored_ethernet(d);
}

/// ERSPAN II and III by the version in their first byte.
void dissect_erspan(Dissection& d) noexcept {
  constexpr unsigned kTypeII = 1;
  constexpr unsigned kTypeIII = 2;
  constexpr unsigned kIpFrame = 2;
  if (!d.need(HeaderKind::kErspanII, 1)) return;
  switch (d.data[d.offset] >> 4) {
    case kTypeII:
      if (d.take<ErspanII>()) dissect_mirrored_ethernet(d);
      return;
    case kTypeIII: {
      const auto erspan = d.take<ErspanIII>();
      if (!erspan || (erspan->has_platform_header() && !d.take<ErspanPlatform>())) return;
      if (erspan->frame_type() != kIpFrame) return dissect_mirrored_ethernet(d);
      d.enter_cut_packet();
      return dissect_ip_by_version(d);
    }
    default:
      return d.stop(StopReason::kMalformed, HeaderKind::kErspanII, ErspanII::kSize);
  }
}

void dissect_gre_payload(Dissection& d, const Gre& gre) noexcept {
  const std::span rules(d.options.gre_skips.data(),
                        std::min<std::size_t>(d.options.gre_skip_count, d.options.gre_skips.size()));
  for (const GreSkip& rule : rules) {
    if (rule.protocol == gre.protocol()) return dissect_mirrored_ethernet_behind(d, rule.bytes);
  }
  switch (gre.protocol()) {
    case ether_type::kTransparentEthernet:
      return dissect_ethernet(d);
    case gre_protocol::kErspan:
      // Type I has neither a sequence number nor a header of its own.
      return gre.has_sequence_number() ? dissect_erspan(d) : dissect_mirrored_ethernet(d);
    case gre_protocol::kErspan3:
      return dissect_erspan(d);
    case gre_protocol::kSpectrumMirror:
      return dissect_mirrored_ethernet_behind(d, kSpectrumMirrorBytes);
    default:
      return dissect_ether_type(d, gre.protocol());
  }
}

}  // namespace

void dissect_gre(Dissection& d) noexcept {
  constexpr unsigned kEnhanced = 1;  // PPTP
  const auto gre = d.take<Gre>();
  if (!gre) return;
  if (gre->version() > kEnhanced) return d.stop(StopReason::kMalformed, HeaderKind::kGre);
  if (take_optional_words(d, *gre)) dissect_gre_payload(d, *gre);
}

}  // namespace rocescope::dissectors
