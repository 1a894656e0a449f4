// What matters most about a packet.
#include "render/packets/packet_notes.hpp"

#include <algorithm>

#include "model/immediate.hpp"
#include "render/packets/command_notes.hpp"
#include "render/packets/setup_notes.hpp"
#include "render/packets/verdict_notes.hpp"
#include "rocescope/field_value.hpp"
#include "rocescope/headers/dc.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/text.hpp"
#include "text/append.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope::render {
namespace {

void note_aeth(const Packet& packet, Notes& notes) {
  const auto aeth = packet.header<Aeth>();
  if (!aeth) return;
  switch (aeth->kind()) {
    case AethKind::kAck: {
      constexpr std::uint8_t kNoCredits = 31;
      const bool response = packet.roce.opcode->operation == Operation::kReadResponse;
      notes.add(Tone::kPlain, "{}MSN {}", response ? "" : "ACK ", aeth->msn());
      if (aeth->value() != kNoCredits) notes.add(Tone::kPlain, "{}", name_of(kCreditNames, aeth->value()));
      return;
    }
    case AethKind::kRnrNak:
      return notes.add(Tone::kError, "RNR NAK {} MSN {}", name_of(kRnrTimerNames, aeth->value()), aeth->msn());
    case AethKind::kNak:
      if (aeth->value() > static_cast<std::uint8_t>(NakCode::kInvalidRdRequest)) {
        return notes.add(Tone::kError, "NAK reserved code {} MSN {}", aeth->value(), aeth->msn());
      }
      return notes.add(Tone::kError, "NAK {} MSN {}", name_of(kNakCodeNames, aeth->value()), aeth->msn());
    case AethKind::kReserved:
      return notes.add(Tone::kError, "reserved syndrome {:#04x} MSN {}", aeth->syndrome(), aeth->msn());
  }
}

void note_remote_memory(const Packet& packet, Notes& notes) {
  if (const auto feth = packet.header<Feth>()) {
    notes.add(Tone::kPlain, "{} of {}", name_of(kFlushPlacementNames, feth->placement()),
              name_of(kFlushSelectivityNames, feth->selectivity()));
  }
  if (const auto reth = packet.header<Reth>()) {
    notes.add(Tone::kPlain, "VA {:#x} R_Key {:#010x} DMALen {}", reth->virtual_address(), reth->r_key(),
              reth->dma_length());
  }
  if (const auto atomic = packet.header<AtomicEth>()) {
    notes.add(Tone::kPlain, "VA {:#x} R_Key {:#010x}", atomic->virtual_address(), atomic->r_key());
    if (packet.roce.opcode->operation == Operation::kCompareSwap) {
      notes.add(Tone::kPlain, "compare {} swap {}", atomic->compare(), atomic->swap_or_add());
    } else {
      notes.add(Tone::kPlain, "add {}", atomic->swap_or_add());
    }
  }
  if (const auto original = packet.header<AtomicAckEth>()) {
    notes.add(Tone::kPlain, "original {}", original->original());
  }
}

void note_queue_pairs(const Packet& packet, Notes& notes) {
  if (const auto rdeth = packet.header<Rdeth>()) notes.add(Tone::kPlain, "EE context {:#x}", rdeth->ee_context());
  if (const auto xrceth = packet.header<Xrceth>()) notes.add(Tone::kPlain, "XRC SRQ {:#x}", xrceth->xrc_srq());
  if (const auto dceth = packet.header<Dceth>()) {
    notes.add(Tone::kPlain, "from QP {}", to_text(dceth->src_qp()));
  }
  if (const auto deth = packet.header<Deth>()) {
    notes.add(Tone::kPlain, "from QP {} Q_Key {:#x}", to_text(deth->src_qp()), deth->q_key());
  }
}

void note_payload(const Packet& packet, Notes& notes) {
  const RocePacket& roce = packet.roce;
  const auto reth = packet.header<Reth>();
  const bool in_reth = reth && reth->dma_length() == roce.payload_length;
  if (roce.payload_offset != 0 && roce.payload_length > 0 && !in_reth) {
    notes.add(Tone::kPlain, "payload {}", roce.payload_length);
  }
}

/// Whether an outer IP header, one of a tunnel, carries a mark.
bool is_marked_outside(const Packet& packet) {
  for (const Layer& layer : packet.layers()) {
    const std::uint8_t* header = packet.bytes_with(layer).data() + layer.offset;
    const unsigned traffic_class = layer.kind == HeaderKind::kIpv4   ? Ipv4(header).traffic_class()
                                   : layer.kind == HeaderKind::kIpv6 ? Ipv6(header).traffic_class()
                                                                     : 0;
    if (ecn_of(traffic_class) == Ecn::kCe) return true;
  }
  return false;
}

void note_congestion(const Packet& packet, Notes& notes) {
  if (is_ce_marked(packet)) {
    notes.add(Tone::kCongestion, "CE");
  } else if (is_marked_outside(packet)) {
    notes.add(Tone::kCongestion, "CE on the tunnel");
  }
  const auto bth = packet.header<Bth>();
  if (!bth) return;
  if (bth->fecn()) notes.add(Tone::kCongestion, "FECN");
  if (bth->becn() && packet.roce.opcode->operation != Operation::kCnp) notes.add(Tone::kCongestion, "BECN");
}

bool is_vlan_id(std::string_view name) {
  return name == "vlan.id" || name == "ieee8021ad.id" || name == "ieee8021ad.svid" || name == "ieee8021ad.cvid";
}

bool is_vlan(const Layer& layer) {
  return layer.kind == HeaderKind::kVlan || layer.kind == HeaderKind::kServiceVlan ||
         layer.kind == HeaderKind::kServiceVlanPair;
}

/// `VLAN 100.5`, outermost first.
void append_tags(const Packet& packet, std::span<const Layer> tags, std::string& out) {
  std::string_view separator = "VLAN ";
  for (const Layer& layer : tags) {
    for_each_field(packet, layer, [&](const Layer&, const FieldValue& value) {
      if (!is_vlan_id(value.field->name)) return;
      text::append(out, "{}{}", separator, value.number);
      separator = ".";
    });
  }
}

/// Tags that follow each other are one note; those inside a tunnel another.
void note_vlans(const Packet& packet, Notes& notes) {
  const std::span<const Layer> layers = packet.layers();
  auto first = std::ranges::find_if(layers, is_vlan);
  while (first != layers.end()) {
    const auto last = std::find_if_not(first, layers.end(), is_vlan);
    notes.add_with(Tone::kPlain, [&](std::string& out) { append_tags(packet, {first, last}, out); });
    first = std::find_if(last, layers.end(), is_vlan);
  }
}

/// Whether the capture cut only bytes behind the headers, which a line does not show.
bool is_cut_payload(const Stop& stop) {
  return stop.reason == StopReason::kTruncated &&
         (stop.layer == HeaderKind::kPayload || stop.layer == HeaderKind::kPad || stop.layer == HeaderKind::kIcrc);
}

}  // namespace

void add_operation_notes(const Packet& packet, Notes& notes) {
  if (packet.roce.opcode->operation == Operation::kCnp) notes.add(Tone::kCongestion, "congestion notification");
  if (add_setup_notes(packet, notes)) return;
  note_queue_pairs(packet, notes);
  note_aeth(packet, notes);
  note_remote_memory(packet, notes);
  if (const auto immediate = immediate_of(packet)) notes.add(Tone::kPlain, "Imm {:#010x}", *immediate);
  if (const auto invalidate = packet.header<Ieth>()) {
    notes.add(Tone::kPlain, "invalidate R_Key {:#010x}", load_bits(invalidate->bytes().data(), 0, 32));
  }
  add_command_notes(packet, notes);
  note_payload(packet, notes);
}

void append_stop(const Stop& stop, std::string& out) {
  const std::string_view title = stop.layer == HeaderKind::kNone ? "packet" : header_info(stop.layer).title;
  switch (stop.reason) {
    case StopReason::kNone:
      return;
    case StopReason::kTruncated:
      text::append(out, "truncated: {} needs {} bytes at {}, {} were captured", title, stop.needed, stop.offset,
                   stop.available);
      return;
    case StopReason::kMalformed:
      text::append(out, "malformed: {} at {}", title, stop.offset);
      if (stop.needed > stop.available) text::append(out, " needs {} bytes, {} are left", stop.needed, stop.available);
      return;
    case StopReason::kFragment:
      out += "IP fragment";
      return;
    case StopReason::kEncrypted:
      text::append(out, "encrypted: {} at {}", title, stop.offset);
      return;
    case StopReason::kLimit:
      text::append(out, "{} at {} is one header more than rocescope follows", title, stop.offset);
      return;
  }
}

void add_journey_notes(const PacketRecord& record, Notes& notes) {
  const Packet& packet = *record.packet;
  if (packet.is_roce()) note_congestion(packet, notes);
  note_vlans(packet, notes);
  if (packet.overlay_id != 0) notes.add(Tone::kPlain, "VNI {}", packet.overlay_id);
  if (record.true_source_port) {
    notes.add(Tone::kWarning, "source port {} rewritten by the capture", *record.true_source_port);
  }
  add_verdict_notes(record.verdict, notes);
  if (record.icrc.status == IcrcStatus::kBad) notes.add(Tone::kError, "bad ICRC");
  if (is_cut_payload(packet.stop)) {
    notes.add(Tone::kDim, "cut");
  } else if (packet.stop.reason != StopReason::kNone) {
    const bool broken = packet.stop.reason == StopReason::kMalformed;
    notes.add_with(broken ? Tone::kError : Tone::kWarning, [&](std::string& out) { append_stop(packet.stop, out); });
  }
}

}  // namespace rocescope::render
