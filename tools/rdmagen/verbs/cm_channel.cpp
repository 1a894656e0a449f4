#include "verbs/cm_channel.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "verbs/device.hpp"

namespace rocescope::rdmagen {
namespace {

std::string address_text(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address == nullptr) return text;
  if (address->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, address, sizeof v4);
    inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
  } else if (address->sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, address, sizeof v6);
    inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
  }
  return text;
}

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

std::string name_of(rdma_cm_event_type type) {
  const std::string name = rdma_event_str(type);
  constexpr std::string_view kPrefix = "RDMA_CM_EVENT_";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

CmChannel::CmChannel(Truth& truth) : truth_(truth), channel_(rdma_create_event_channel()) {
  if (channel_ == nullptr) {
    if (errno == EACCES || errno == EPERM) throw_errno("cannot use the communication manager", errno);
    throw_no_device(fmt::format("the communication manager cannot be used: {}", std::strerror(errno)));
  }
  fcntl(channel_->fd, F_SETFL, fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
}

CmChannel::~CmChannel() { rdma_destroy_event_channel(channel_); }

std::optional<CmEvent> CmChannel::next(int timeout_ms) {
  pollfd waiting{channel_->fd, POLLIN, 0};
  if (poll(&waiting, 1, timeout_ms) <= 0) return std::nullopt;
  rdma_cm_event* raw = nullptr;
  if (rdma_get_cm_event(channel_, &raw) != 0) return std::nullopt;
  const std::uint64_t time = now_ns();
  CmEvent event;
  event.type = raw->event;
  event.status = raw->status;
  event.id = raw->id;
  const bool datagram = raw->id->ps == RDMA_PS_UDP;
  const void* data = datagram ? raw->param.ud.private_data : raw->param.conn.private_data;
  const std::size_t length = datagram ? raw->param.ud.private_data_len : raw->param.conn.private_data_len;
  if (data != nullptr) {
    event.private_data.resize(length);
    std::memcpy(event.private_data.data(), data, length);
  }
  if (datagram) {
    event.datagram = raw->param.ud;
  } else {
    event.rnr_retry_count = raw->param.conn.rnr_retry_count;
  }
  nlohmann::ordered_json fact{{"type", name_of(raw->event)},
                              {"status", raw->status},
                              {"local_address", address_text(rdma_get_local_addr(raw->id))},
                              {"local_port", ntohs(rdma_get_src_port(raw->id))},
                              {"peer_address", address_text(rdma_get_peer_addr(raw->id))},
                              {"peer_port", ntohs(rdma_get_dst_port(raw->id))},
                              {"private_data", hex(event.private_data)}};
  if (raw->id->qp != nullptr) fact["qpn"] = raw->id->qp->qp_num;
  if (datagram) {
    fact["peer_qpn"] = raw->param.ud.qp_num;
    fact["qkey"] = raw->param.ud.qkey;
  } else if (raw->event == RDMA_CM_EVENT_CONNECT_REQUEST || raw->event == RDMA_CM_EVENT_ESTABLISHED) {
    fact["responder_resources"] = raw->param.conn.responder_resources;
    fact["initiator_depth"] = raw->param.conn.initiator_depth;
    fact["retry_count"] = raw->param.conn.retry_count;
    fact["rnr_retry_count"] = raw->param.conn.rnr_retry_count;
  }
  rdma_ack_cm_event(raw);
  truth_.fact("cm_event", fact, time);
  return event;
}

}  // namespace rocescope::rdmagen
