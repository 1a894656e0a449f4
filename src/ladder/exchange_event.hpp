// A captured message of rdmagen's set-up exchange.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/headers/exchange.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// The content of a message of the exchange (rocescope/headers/exchange.hpp). Members that it lacks are absent.
struct ExchangeEvent {
  ExchangeType type = ExchangeType::kDeviceDiscoveryReq;
  std::uint16_t sequence = 0;
  std::optional<Qpn> qpn;  ///< QP_CREATE: the sender's
  std::optional<Psn> starting_psn;
  std::optional<std::uint32_t> path_mtu;  ///< bytes
  std::optional<std::uint64_t> address;   ///< MR_REGISTER: the sender's region
  std::optional<std::uint64_t> length;    ///< bytes
  std::optional<std::uint32_t> r_key;
  std::optional<Qpn> client_qpn;  ///< CONNECTION_...
  std::optional<Qpn> server_qpn;
  std::optional<std::uint32_t> status;  ///< of responses; 0: success
};

/// Nothing for a packet that does not belong to the exchange.
[[nodiscard]] std::optional<ExchangeEvent> exchange_event(const Packet& packet);

}  // namespace rocescope
