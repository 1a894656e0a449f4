#include "core/exchange_messages.hpp"

#include <array>

#include "core/big_endian.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::uint8_t kExchangeVersion = 1;
constexpr std::size_t kShortBytes = 32;

constexpr std::array<std::string_view, 10> kNames{
    "DEVICE_DISCOVERY_REQ", "DEVICE_DISCOVERY_RESP", "QP_CREATE_REQ",     "QP_CREATE_RESP",     "MR_REGISTER_REQ",
    "MR_REGISTER_RESP",     "CONNECTION_REQ",        "CONNECTION_ACCEPT", "CONNECTION_CONFIRM", "CONNECTION_READY"};

constexpr std::size_t size_of_type(std::uint8_t type) noexcept {
  return type == DeviceDiscoveryReq::kType || type >= ConnectionConfirm::kType ? kShortBytes : kExchangeBytes;
}

// Each message names its fields once, in wire order; writing and reading both walk that list.

struct Writer {
  BigEndianWriter bytes;
  void number24(std::uint32_t value) {
    bytes.put(static_cast<std::uint8_t>(value >> 16U)).put(static_cast<std::uint16_t>(value));
  }
  template <typename T>
  void operator()(const T& value) {
    bytes.put(value);
  }
  void reserved(std::size_t count) { bytes.skip(count); }
};

struct Reader {
  BigEndianReader bytes;
  void number24(std::uint32_t& value) {
    value = std::uint32_t{bytes.take<std::uint8_t>()} << 16U;
    value |= bytes.take<std::uint16_t>();
  }
  template <typename T>
  void operator()(T& value) {
    bytes.take(value);
  }
  void reserved(std::size_t count) { bytes.skip(count); }
};

void walk(auto& visit, auto& m, std::type_identity<DeviceDiscoveryReq> /*type*/) {
  visit(m.client_id);
  visit(m.capabilities);
}

void walk(auto& visit, auto& m, std::type_identity<DeviceDiscoveryResp> /*type*/) {
  visit(m.server_id);
  visit(m.device_guid);
  visit(m.max_qps);
  visit(m.max_mrs);
  visit(m.max_message_size);
  visit(m.transports);
}

void walk_qp(auto& visit, auto& qp) {
  visit(qp.qpn);
  visit(qp.qp_type);
  visit.number24(qp.xrc_srqn);
  visit(qp.starting_psn);
  visit(qp.max_send_wr);
  visit(qp.max_recv_wr);
  visit(qp.max_send_sge);
  visit(qp.max_recv_sge);
  visit(qp.path_mtu);
}

void walk(auto& visit, auto& m, std::type_identity<QpCreateReq> /*type*/) { walk_qp(visit, m.qp); }

void walk(auto& visit, auto& m, std::type_identity<QpCreateResp> /*type*/) {
  walk_qp(visit, m.qp);
  visit(m.status);
}

void walk_region(auto& visit, auto& region) {
  visit(region.region_id);
  visit(region.virtual_address);
  visit(region.length);
  visit(region.access_flags);
  visit(region.protection_domain);
}

void walk(auto& visit, auto& m, std::type_identity<MrRegisterReq> /*type*/) { walk_region(visit, m.region); }

void walk(auto& visit, auto& m, std::type_identity<MrRegisterResp> /*type*/) {
  walk_region(visit, m.region);
  visit(m.remote_key);
  visit(m.local_key);
  visit(m.status);
}

void walk_connection(auto& visit, auto& connection) {
  visit(connection.client_qpn);
  visit(connection.server_qpn);
  visit(connection.client_guid);
  visit(connection.server_guid);
  visit(connection.client_rkey);
  visit(connection.server_rkey);
  visit(connection.max_message_size);
  visit(connection.timeout);
  visit(connection.retry_count);
  visit(connection.rnr_retry);
  visit.reserved(1);
}

void walk(auto& visit, auto& m, std::type_identity<ConnectionReq> /*type*/) { walk_connection(visit, m.connection); }

void walk(auto& visit, auto& m, std::type_identity<ConnectionAccept> /*type*/) {
  walk_connection(visit, m.connection);
  visit(m.status);
}

void walk(auto& visit, auto& m, std::type_identity<ConnectionConfirm> /*type*/) {
  visit(m.client_qpn);
  visit(m.server_qpn);
  visit(m.status);
}

void walk(auto& visit, auto& m, std::type_identity<ConnectionReady> /*type*/) {
  visit(m.client_qpn);
  visit(m.server_qpn);
  visit(m.state);
}

template <std::size_t kIndex = 0>
ExchangeBody body_of_type(std::uint8_t type) {
  using Body = std::variant_alternative_t<kIndex, ExchangeBody>;
  if constexpr (kIndex + 1 < std::variant_size_v<ExchangeBody>) {
    if (Body::kType != type) return body_of_type<kIndex + 1>(type);
  }
  return Body{};
}

}  // namespace

std::vector<std::uint8_t> encode(const ExchangeMessage& message) {
  return std::visit(
      [&]<typename Body>(const Body& body) {
        std::vector<std::uint8_t> bytes(size_of_type(Body::kType), 0);
        Writer writer{BigEndianWriter(bytes)};
        writer(kExchangeKey);
        writer(kExchangeVersion);
        writer(Body::kType);
        writer(message.sequence);
        walk(writer, body, std::type_identity<Body>());
        return bytes;
      },
      message.body);
}

std::optional<ExchangeMessage> decode_exchange(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kShortBytes) return std::nullopt;
  Reader reader{BigEndianReader(bytes)};
  const auto magic = reader.bytes.take<std::uint32_t>();
  const auto version = reader.bytes.take<std::uint8_t>();
  const auto type = reader.bytes.take<std::uint8_t>();
  if (magic != kExchangeKey || version != kExchangeVersion || type < 1 || type > kNames.size()) return std::nullopt;
  if (bytes.size() != size_of_type(type)) return std::nullopt;
  ExchangeMessage message;
  reader(message.sequence);
  message.body = body_of_type(type);
  std::visit([&]<typename Body>(Body& body) { walk(reader, body, std::type_identity<Body>()); }, message.body);
  return message;
}

std::string_view name_of(const ExchangeBody& body) noexcept { return kNames[body.index()]; }

}  // namespace rocescope::rdmagen
