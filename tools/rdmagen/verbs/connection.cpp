#include "verbs/connection.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace rocescope::rdmagen {
namespace {

bool posts(const SidePlan& half, Operation operation) {
  return std::any_of(half.steps.begin(), half.steps.end(),
                     [&](const Step& step) { return step.kind == StepKind::kPost && step.operation == operation; });
}

QpType posting_type(Transport transport) noexcept {
  return transport == Transport::kXrc ? QpType::kXrcSend : static_cast<QpType>(transport);
}

}  // namespace

Connection::Connection(Device& device, Truth& truth, Side side, const Job& job)
    : device_(device), truth_(truth), side_(side), job_(job), plan_(make_plan(job)) {
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (posts(half(), operation) && !device_.has(operation)) {
      throw Error(fmt::format("{} has no {}", device_.name(), traits(operation).name),
                  "leave it out with --operations; rxe has ATOMIC_WRITE and FLUSH from Linux 6.2 on");
    }
  }
  if (job_.transport == Transport::kXrc) xrc_domain_ = std::make_unique<XrcDomain>(device_);
  region_ = std::make_unique<Region>(device_, truth_, half().region_bytes, access());
  PayloadStream(job_, side_).fill(region_->bytes().first(half().source_bytes), 0);
  region_->allocate_windows(device_, half().windows);

  const std::uint32_t entries = job_.qps * (job_.depth + std::max(half().slots, 1U)) + 1;
  channel_ = ibv_create_comp_channel(device_.context());
  if (channel_ == nullptr) throw_errno("cannot create a completion channel", errno);
  fcntl(channel_->fd, F_SETFL, fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
  const std::uint64_t before = now_ns();
  cq_ = ibv_create_cq(device_.context(), static_cast<int>(entries), nullptr, channel_, 0);
  if (cq_ == nullptr) throw_errno(fmt::format("cannot create a completion queue of {} entries", entries), errno);
  truth_.fact("cq", {{"cq", cq_->handle}, {"entries", cq_->cqe}, {"duration_ns", now_ns() - before}});
}

Connection::~Connection() {
  lanes_.clear();
  if (cq_ != nullptr) ibv_destroy_cq(cq_);
  if (channel_ != nullptr) ibv_destroy_comp_channel(channel_);
}

unsigned Connection::access() const noexcept {
  unsigned access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ;
  if (half().remote_write) access |= IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
  if (half().windows > 0) access |= IBV_ACCESS_MW_BIND;
#ifdef RDMAGEN_HAVE_FLUSH
  if (posts(plan_.of(peer_of(side_)), Operation::kFlush)) access |= IBV_ACCESS_FLUSH_GLOBAL;
#endif
  return access;
}

QueuePair& Connection::add_queue_pair(rdma_cm_id* id) {
  if (xrc_domain_ && id != nullptr) throw Error("XRC is connected by --setup exchange only");
  QueuePairNeeds needs;
  needs.type = posting_type(job_.transport);
  needs.send_wr = job_.depth;
  needs.recv_wr = std::max(half().slots, 1U);
  needs.inline_bytes = job_.inline_bytes;
  needs.extended = posts(half(), Operation::kAtomicWrite) || posts(half(), Operation::kFlush);
  needs.cq = cq_;
  Lane lane;
  if (xrc_domain_) {
    add_xrc_target(lane, needs);
    needs.recv_wr = 0;
  }
  lane.qp = id != nullptr ? std::make_unique<QueuePair>(device_, truth_, needs, id)
                          : std::make_unique<QueuePair>(device_, truth_, needs);
  lane.arrivals = arrivals_at(plan_, side_, static_cast<std::uint8_t>(lanes_.size()));
  lanes_.push_back(std::move(lane));
  return *lanes_.back().qp;
}

void Connection::add_xrc_target(Lane& lane, QueuePairNeeds needs) {
  lane.xrc_receives = std::make_unique<XrcReceiveQueue>(device_, truth_, *xrc_domain_, cq_, needs.recv_wr);
  needs.type = QpType::kXrcRecv;
  needs.send_wr = 0;
  needs.xrc_domain = xrc_domain_->get();
  needs.xrc_srqn = lane.xrc_receives->number();
  lane.xrc_target = std::make_unique<QueuePair>(device_, truth_, needs);
}

std::uint64_t Connection::slot_offset(std::uint8_t qp, std::uint32_t slot) const noexcept {
  return half().receive_offset + half().slot_bytes * (std::uint64_t{qp} * half().slots + slot);
}

void Connection::post_first_receives(std::uint8_t qp) {
  if (half().policy != ReceivePolicy::kAhead) return;
  const std::size_t wanted = std::min<std::size_t>(half().slots, lanes_[qp].arrivals.size());
  for (std::uint32_t slot = 0; slot < wanted; ++slot) post_receive(qp, slot);
}

void Connection::post_receive(std::uint8_t qp, std::uint32_t slot) {
  Lane& lane = lanes_[qp];
  ibv_sge place{region_->address() + slot_offset(qp, slot), static_cast<std::uint32_t>(half().slot_bytes),
                region_->lkey()};
  ibv_recv_wr request{};
  request.wr_id = next_wr_id() | kReceiveBit;
  request.sg_list = &place;
  request.num_sge = 1;
  PostFact fact;
  fact.time_ns = now_ns();
  fact.qpn = lane.receiver().qpn();
  fact.wr_id = request.wr_id;
  fact.opcode = "RECV";
  fact.bytes = place.length;
  fact.local_address = place.addr;
  fact.lkey = place.lkey;
  fact.signaled = true;
  ibv_recv_wr* bad = nullptr;
  const int error = lane.xrc_receives ? ibv_post_srq_recv(lane.xrc_receives->get(), &request, &bad)
                                      : ibv_post_recv(lane.qp->get(), &request, &bad);
  if (error != 0) throw_errno("cannot post a receive", error);
  truth_.post(fact);
  lane.receives.push_back(slot);
  ++lane.receives_posted;
}

}  // namespace rocescope::rdmagen
