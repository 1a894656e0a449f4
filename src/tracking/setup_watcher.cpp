#include "setup_watcher.hpp"

#include "rocescope/headers/cm_rep.hpp"
#include "rocescope/headers/cm_req.hpp"

namespace rocescope {
namespace {

std::optional<Transport> transport_of(const CmReq& req) {
  if (req.xrc()) return Transport::kXrc;
  switch (req.transport()) {
    case CmTransport::kRc:
      return Transport::kRc;
    case CmTransport::kUc:
      return Transport::kUc;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ConnectionSetup> SetupWatcher::add(const Packet& packet) {
  if (const auto req = packet.header<CmReq>()) {
    const auto transport = transport_of(*req);
    if (!transport || pending_.size() >= kMostPending) return std::nullopt;
    ConnectionSetup setup{.method = PairedBy::kCm, .transport = *transport, .overlay_id = packet.overlay_id};
    setup.addresses = {packet.source, packet.destination};
    setup.qpns[0] = req->local_qpn();
    setup.first_psns[1] = req->starting_psn();
    setup.path_mtu = req->path_mtu();
    setup.ack_timeouts = {req->local_ack_timeout_ns(), req->local_ack_timeout_ns()};
    pending_.try_emplace({packet.source, packet.destination, req->local_comm_id()}, setup);
    return std::nullopt;
  }
  const auto rep = packet.header<CmRep>();
  if (!rep) return std::nullopt;
  const auto found = pending_.find({packet.destination, packet.source, rep->remote_comm_id()});
  if (found == pending_.end()) return std::nullopt;
  ConnectionSetup setup = found->second;
  setup.qpns[1] = rep->local_qpn();
  setup.first_psns[0] = rep->starting_psn();
  setup.cm_ids = (std::uint64_t{rep->remote_comm_id()} << 32) | rep->local_comm_id();
  setup.time = packet.frame.timestamp;
  return setup;
}

}  // namespace rocescope
