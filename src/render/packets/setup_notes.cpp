// Management datagrams and the set-up exchange.
#include "render/packets/setup_notes.hpp"

#include <algorithm>

#include "render/value_text.hpp"
#include "rocescope/field_value.hpp"
#include "rocescope/headers/cm/connection.hpp"
#include "rocescope/headers/cm/path.hpp"
#include "rocescope/headers/cm/req.hpp"
#include "rocescope/headers/cm/sidr.hpp"
#include "rocescope/headers/mad.hpp"
#include "rocescope/text.hpp"
#include "schema/names/service_text.hpp"
#include "text/append.hpp"

namespace rocescope::render {
using text::append_duration;

namespace {

constexpr Tone kTone = Tone::kConnection;

/// `CM REQ` of the title `CM REQ: Connect Request`.
std::string_view short_title(HeaderKind kind) {
  const std::string_view title = header_info(kind).title;
  return title.substr(0, title.find(':'));
}

std::string_view transport_of(const CmReq& req) {
  return req.xrc() ? "XRC" : name_of(kCmTransportNames, static_cast<std::uint64_t>(req.transport()));
}

void note_message(const CmReq& req, Notes& notes) {
  notes.add(kTone, "CM REQ comm {:#010x}", req.local_comm_id());
  notes.add(kTone, "{} QP {} PSN {}", transport_of(req), to_text(req.local_qpn()), req.starting_psn().value());
  if (req.path_mtu() != 0) notes.add(kTone, "MTU {}", req.path_mtu());
  notes.add(kTone, "{}", schema::service_text(req.service_id()));
}

/// The messages that name both sides' communication IDs start alike.
template <class Message>
void note_ids(const Message& message, Tone tone, Notes& notes) {
  notes.add(tone, "{} comm {:#010x} to {:#010x}", short_title(Message::kKind), message.local_comm_id(),
            message.remote_comm_id());
}

template <class Message>
void note_message(const Message& message, Notes& notes) {
  note_ids(message, kTone, notes);
}
void note_message(const CmRep& rep, Notes& notes) {
  note_ids(rep, kTone, notes);
  notes.add(kTone, "QP {} PSN {}", to_text(rep.local_qpn()), rep.starting_psn().value());
}
void note_message(const CmMra& mra, Notes& notes) {
  note_ids(mra, kTone, notes);
  notes.add_with(kTone, [&](std::string& out) {
    text::append(out, "{} received, wait ", name_of(kMraMessageNames, mra.message()));
    append_duration(mra.service_timeout_ns(), out);
  });
}
void note_message(const CmRej& rej, Notes& notes) {
  note_ids(rej, Tone::kError, notes);
  const std::string_view reason = name_of(kRejReasonNames, rej.reason());
  const std::string_view message = name_of(kRejMessageNames, rej.message_rejected());
  if (reason.empty()) return notes.add(Tone::kError, "{} rejected: reason {}", message, rej.reason());
  notes.add(Tone::kError, "{} rejected: {}", message, reason);
}
void note_message(const CmDreq& dreq, Notes& notes) {
  note_ids(dreq, kTone, notes);
  notes.add(kTone, "QP {}", to_text(dreq.remote_qpn()));
}
void note_message(const CmLap& lap, Notes& notes) {
  note_ids(lap, kTone, notes);
  notes.add(kTone, "QP {}", to_text(lap.remote_qpn()));
}
void note_message(const CmApr& apr, Notes& notes) {
  note_ids(apr, kTone, notes);
  notes.add(apr.status() == 0 ? kTone : Tone::kError, "{}", name_of(kAprStatusNames, apr.status()));
}
void note_message(const CmSidrReq& req, Notes& notes) {
  notes.add(kTone, "CM SIDR_REQ request {:#010x}", req.request_id());
  notes.add(kTone, "{}", schema::service_text(req.service_id()));
}
void note_message(const CmSidrRep& rep, Notes& notes) {
  notes.add(kTone, "CM SIDR_REP request {:#010x}", rep.request_id());
  if (rep.status() != 0) return notes.add(Tone::kError, "{}", name_of(kSidrStatusNames, rep.status()));
  notes.add(kTone, "QP {} Q_Key {:#x}", to_text(rep.qpn()), rep.q_key());
}

/// Notes the first of the messages that the packet has.
template <class... Messages>
bool note_one_of(const Packet& packet, Notes& notes) {
  const auto note = [&]<class Message>(const std::optional<Message>& message) {
    if (message) note_message(*message, notes);
    return message.has_value();
  };
  return (note(packet.header<Messages>()) || ...);
}

/// The names that the MAD header's table gives: they depend on the management class.
void note_mad(const Packet& packet, const Mad& mad, Notes& notes) {
  notes.add_with(kTone, [&](std::string& out) {
    const std::string_view name = name_of(kMadClassNames, mad.management_class());
    text::append(out, "MAD {}", name);
    if (name.empty()) text::append(out, "class {:#04x}", mad.management_class());
    for_each_field(packet, *packet.find(HeaderKind::kMad), [&](const Layer&, const FieldValue& value) {
      const std::string_view field = value.field->name;
      if (field != "infiniband.mad.method" && field != "infiniband.mad.attributeid") return;
      out += ' ';
      value.meaning().empty() ? append_value(value, out) : static_cast<void>(out += value.meaning());
    });
  });
  if (mad.status() != 0 && mad.management_class() != mad_class::kSubnetDirectedRoute) {
    notes.add(Tone::kError, "status {:#06x}", mad.status());
  }
}

/// The fields of the exchange's messages that a line has room for, by the last part of their names.
bool matters(std::string_view name) {
  constexpr std::string_view kNames[] = {"clientid", "serverid", "qpn",    "type", "startpsn", "clientqpn", "serverqpn",
                                         "regionid", "va",       "length", "rkey", "status",   "state"};
  return std::ranges::find(kNames, name.substr(name.rfind('.') + 1)) != std::end(kNames);
}

bool is_exchange_message(HeaderKind kind) {
  return kind >= HeaderKind::kExchangeDiscoveryReq && kind <= HeaderKind::kExchangeConnectionReady;
}

void note_exchange(const Packet& packet, Notes& notes) {
  for (const Layer& layer : packet.layers()) {
    if (!is_exchange_message(layer.kind)) continue;
    notes.add(kTone, "{}", header_info(layer.kind).title);
    for_each_field(packet, layer, [&](const Layer&, const FieldValue& value) {
      if (!matters(value.field->name)) return;
      notes.add_with(kTone, [&](std::string& out) {
        out += value.field->label;
        out += ' ';
        value.meaning().empty() ? append_value(value, out) : static_cast<void>(out += value.meaning());
      });
    });
  }
}

}  // namespace

bool add_setup_notes(const Packet& packet, Notes& notes) {
  if (note_one_of<CmReq, CmRep, CmRtu, CmRej, CmMra, CmDreq, CmDrep, CmSidrReq, CmSidrRep, CmLap, CmApr, CmSap, CmSpr>(
          packet, notes)) {
    return true;
  }
  if (const auto mad = packet.header<Mad>()) {
    note_mad(packet, *mad, notes);
    return true;
  }
  if (packet.find(HeaderKind::kExchange) == nullptr) return false;
  note_exchange(packet, notes);
  return true;
}

}  // namespace rocescope::render
