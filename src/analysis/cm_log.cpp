#include "analysis/cm_log.hpp"

#include "rocescope/headers/cm/connection.hpp"
#include "rocescope/headers/cm/path.hpp"
#include "rocescope/headers/cm/req.hpp"
#include "rocescope/headers/cm/sidr.hpp"
#include "rocescope/headers/mad.hpp"

namespace rocescope {
namespace {

void set_private_data(Bytes bytes, CmEvent& event) { event.private_data.assign(bytes.begin(), bytes.end()); }

/// The RDMA IP CM header and the private data behind it; all private data where there is no such header.
template <class Message>
void read_ip_cm(const Message& message, CmEvent& event) {
  const auto ip = message.ip_cm();
  if (!ip) return set_private_data(message.private_data(), event);
  event.ip = {ip->source(), ip->source_port(), ip->destination(), static_cast<std::uint16_t>(message.service_id())};
  set_private_data(ip->consumer_data(), event);
}

/// What most messages have under the same names.
template <class Message>
void read_common(const Message& message, CmEvent& event) {
  if constexpr (requires { message.local_comm_id(); }) event.local_comm_id = message.local_comm_id();
  if constexpr (requires { message.remote_comm_id(); }) event.remote_comm_id = message.remote_comm_id();
  if constexpr (requires { message.request_id(); }) event.request_id = message.request_id();
  if constexpr (requires { message.local_qpn(); }) event.local_qpn = message.local_qpn();
  if constexpr (requires { message.remote_qpn(); }) event.remote_qpn = message.remote_qpn();
  if constexpr (requires { message.starting_psn(); }) event.starting_psn = message.starting_psn();
  if constexpr (requires { message.service_id(); }) event.service_id = message.service_id();
  if constexpr (requires { message.status(); }) event.status = message.status();
  if constexpr (requires { message.responder_resources(); }) {
    event.responder_resources = message.responder_resources();
    event.initiator_depth = message.initiator_depth();
  }
  if constexpr (requires { message.ip_cm(); }) {
    read_ip_cm(message, event);
  } else if constexpr (requires { message.private_data(); }) {
    set_private_data(message.private_data(), event);
  }
}

template <class Message>
void read(const Message& message, CmEvent& event) {
  read_common(message, event);
}
void read(const CmReq& req, CmEvent& event) {
  read_common(req, event);
  event.transport = static_cast<std::uint8_t>(req.transport());
  event.xrc = req.xrc();
  event.path_mtu = req.path_mtu();
}
void read(const CmRej& rej, CmEvent& event) {
  read_common(rej, event);
  event.about = rej.message_rejected();
  event.reason = rej.reason();
}
void read(const CmMra& mra, CmEvent& event) {
  read_common(mra, event);
  event.about = mra.message();
}
void read(const CmSidrRep& rep, CmEvent& event) {
  read_common(rep, event);
  event.local_qpn = rep.qpn();
}

/// Reads the first of the messages that the packet has.
template <class... Messages>
bool read_one_of(const Packet& packet, CmEvent& event) {
  const auto read_it = [&]<class Message>(const std::optional<Message>& message) {
    if (message) read(*message, event);
    return message.has_value();
  };
  return (read_it(packet.header<Messages>()) || ...);
}

}  // namespace

std::optional<CmEvent> CmLog::event_of(const Packet& packet) {
  const auto mad = packet.header<Mad>();
  if (!mad || mad->management_class() != mad_class::kCommunication) return std::nullopt;
  std::optional<CmEvent> found(std::in_place);
  CmEvent& event = *found;
  if (!read_one_of<CmReq, CmRep, CmRtu, CmRej, CmMra, CmDreq, CmDrep, CmSidrReq, CmSidrRep, CmLap, CmApr, CmSap, CmSpr>(
          packet, event)) {
    return std::nullopt;
  }
  event.time = packet.frame.timestamp;
  event.packet = packet.frame.number;
  event.source = packet.source;
  event.destination = packet.destination;
  event.message = static_cast<CmMessage>(mad->attribute_id());
  event.transaction_id = mad->transaction_id();
  return found;
}

void CmLog::add(CmEvent event) {
  if (events_.size() >= max_events_) {
    ++unlisted_;
    return;
  }
  const std::uint32_t id = event.local_comm_id.value_or(event.request_id.value_or(0));
  const auto [first, added] = first_packets_.try_emplace(
      Key{event.source, event.destination, event.transaction_id, id, event.message}, event.packet);
  if (!added) event.retry_of = first->second;
  events_.push_back(std::move(event));
}

}  // namespace rocescope
