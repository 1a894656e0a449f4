// What both sides of the communication manager need.
#pragma once

#include <rdma/rdma_cma.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>

#include "core/options.hpp"
#include "verbs/device.hpp"

namespace rocescope::rdmagen {

/// The port space that a transport is connected in.
[[nodiscard]] constexpr rdma_port_space port_space_of(Transport transport) noexcept {
  switch (transport) {
    case Transport::kUd:
      return RDMA_PS_UDP;
    case Transport::kUc:
      return RDMA_PS_IB;
    case Transport::kRc:
    case Transport::kXrc:  // comes to none: options.cpp refuses it
      break;
  }
  return RDMA_PS_TCP;
}

/// Connection parameters without private data: as many READs and atomics outstanding as the device can, up to 16.
[[nodiscard]] inline rdma_conn_param connection_parameters(const Options& options, const Device& device) noexcept {
  constexpr int kMostReads = 16;
  rdma_conn_param parameters{};
  parameters.responder_resources =
      static_cast<std::uint8_t>(std::min(device.attributes().orig_attr.max_qp_rd_atom, kMostReads));
  parameters.initiator_depth =
      static_cast<std::uint8_t>(std::min(device.attributes().orig_attr.max_qp_init_rd_atom, kMostReads));
  parameters.retry_count = options.retry_count;
  parameters.rnr_retry_count = options.rnr_retry;
  return parameters;
}

/// A new identifier on `channel`. librdmacm makes one for UC only in a roundabout way. Throws Error.
[[nodiscard]] rdma_cm_id* new_cm_id(rdma_event_channel* channel, Transport transport, const sockaddr_storage& address,
                                    bool passive);

}  // namespace rocescope::rdmagen
