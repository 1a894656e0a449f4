#include "verbs/cm_connect.hpp"

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "verbs/addresses.hpp"

namespace rocescope::rdmagen {

rdma_cm_id* new_cm_id(rdma_event_channel* channel, Transport transport, const sockaddr_storage& address, bool passive) {
  rdma_cm_id* id = nullptr;
  if (transport != Transport::kUc) {
    if (rdma_create_id(channel, &id, nullptr, port_space_of(transport)) != 0) {
      throw_errno("cannot use the communication manager", errno);
    }
    return id;
  }
  // rdma_create_id takes RC for granted; rdma_create_ep asks.
  sockaddr_storage copy = address;
  rdma_addrinfo info{};
  info.ai_flags = passive ? RAI_PASSIVE : 0;
  info.ai_family = address.ss_family;
  info.ai_qp_type = IBV_QPT_UC;
  info.ai_port_space = port_space_of(transport);
  (passive ? info.ai_src_addr : info.ai_dst_addr) = generic(copy);
  (passive ? info.ai_src_len : info.ai_dst_len) = length_of(copy);
  if (rdma_create_ep(&id, &info, nullptr, nullptr) != 0) {
    throw Error(std::string("the communication manager does not connect UC: ") + std::strerror(errno),
                "use --setup exchange");
  }
  if (rdma_migrate_id(id, channel) != 0) {
    const int error = errno;
    rdma_destroy_id(id);
    throw_errno("cannot watch the connection", error);
  }
  return id;
}

}  // namespace rocescope::rdmagen
