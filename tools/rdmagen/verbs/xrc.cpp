#include "verbs/xrc.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace rocescope::rdmagen {

void require_xrc(const Device& device) {
  if (device.has_xrc()) return;
  throw Error(fmt::format("{} has no XRC", device.name()),
              "ConnectX adapters (mlx5, mlx4) and some others (hns, qedr) have it, rxe and siw do not. Look for it: "
              "ibv_devinfo -v | grep -i xrc. Or use --transport rc");
}

XrcDomain::XrcDomain(Device& device) {
  require_xrc(device);
  ibv_xrcd_init_attr initial{};
  initial.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
  initial.fd = -1;  // no file that others would find it by
  initial.oflags = O_CREAT;
  domain_ = ibv_open_xrcd(device.context(), &initial);
  if (domain_ == nullptr) throw_errno("cannot open an XRC domain", errno);
}

XrcReceiveQueue::XrcReceiveQueue(Device& device, Truth& truth, const XrcDomain& domain, ibv_cq* cq,
                                 std::uint32_t receives) {
  ibv_srq_init_attr_ex initial{};
  initial.attr.max_wr = receives;
  initial.attr.max_sge = 1;
  initial.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
  initial.srq_type = IBV_SRQT_XRC;
  initial.pd = device.pd();
  initial.xrcd = domain.get();
  initial.cq = cq;
  const std::uint64_t before = now_ns();
  queue_ = ibv_create_srq_ex(device.context(), &initial);
  if (queue_ == nullptr) {
    throw_errno(fmt::format("cannot create an XRC shared receive queue of {} receives", receives), errno);
  }
  const std::uint64_t after = now_ns();
  if (const int error = ibv_get_srq_num(queue_, &number_)) {
    ibv_destroy_srq(queue_);
    throw_errno("cannot learn the number of an XRC shared receive queue", error);
  }
  truth.fact("xrc_srq", {{"xrc_srqn", number_},
                         {"pd", device.pd()->handle},
                         {"cq", cq->handle},
                         {"max_recv_wr", initial.attr.max_wr},
                         {"duration_ns", after - before}});
}

}  // namespace rocescope::rdmagen
