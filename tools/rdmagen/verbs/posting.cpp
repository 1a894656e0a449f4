// The part of the runner that posts: a step becomes a work request, and a fact.
#include <fmt/format.h>

#include "core/big_endian.hpp"
#include "core/clock.hpp"
#include "verbs/runner.hpp"

namespace rocescope::rdmagen {

void Runner::post(const Step& step) {
  Lane& lane = connection_.lanes()[step.qp];
  while (!failed() && lane.sent.size() >= connection_.job().depth) poll();
  if (failed()) return;
  if (step.operation == Operation::kBindWindow) {
    bind_window(step);
    return;
  }
  if (step.advertises) advertise_windows(step);
  ibv_send_wr request{};
  ibv_sge place{};
  PostFact fact;
  describe(step, request, place, fact);
  // Known before it is posted: its completion may be there at once.
  lane.sent.push_back({request.wr_id, &step});
  fact.time_ns = now_ns();
  if (const int error = submit(*lane.qp, request, step)) {
    lane.sent.pop_back();
    if (peer_.state() != PeerState::kThere) {
      fail(Outcome::kPeerGone, "the connection ended before the work did");
      return;
    }
    throw_errno(fmt::format("cannot post {}", traits(step.operation).name), error);
  }
  connection_.truth().post(fact);
}

void Runner::describe(const Step& step, ibv_send_wr& request, ibv_sge& place, PostFact& fact) {
  const QueuePair& qp = *connection_.lanes()[step.qp].qp;
  place = {connection_.region().address() + step.local_offset, static_cast<std::uint32_t>(step.length),
           connection_.region().lkey()};
  request.wr_id = connection_.next_wr_id();
  request.sg_list = &place;
  request.num_sge = step.length > 0 && step.operation != Operation::kFlush ? 1 : 0;
  request.send_flags =
      (step.signaled ? unsigned{IBV_SEND_SIGNALED} : 0U) | (step.inlined ? unsigned{IBV_SEND_INLINE} : 0U);
  fact.qpn = qp.qpn();
  fact.wr_id = request.wr_id;
  fact.opcode = traits(step.operation).name;
  fact.bytes = step.length;
  fact.local_address = place.addr;
  fact.lkey = place.lkey;
  fact.signaled = step.signaled;
  fact.inlined = step.inlined;
  if (qp.datagram()) {
    qp.address(request);
    fact.dest_qpn = qp.datagram_qpn();
  }
  if (qp.xrc_srqn()) {
    request.qp_type.xrc.remote_srqn = *qp.xrc_srqn();
    fact.xrc_srqn = qp.xrc_srqn();
  }
  const std::uint64_t remote =
      connection_.peer_region ? connection_.peer_region->address + step.remote_offset : step.remote_offset;
  const bool one_sided = !traits(step.operation).takes_receive || step.operation == Operation::kWriteImm;
  if (one_sided) {
    fact.remote_address = remote;
    fact.rkey = remote_key(step);
    request.wr.rdma.remote_addr = remote;
    request.wr.rdma.rkey = *fact.rkey;
  }
  switch (step.operation) {
    case Operation::kSendImm:
    case Operation::kWriteImm:
      request.opcode = step.operation == Operation::kSendImm ? IBV_WR_SEND_WITH_IMM : IBV_WR_RDMA_WRITE_WITH_IMM;
      request.imm_data = htobe32(step.immediate);
      fact.immediate = step.immediate;
      break;
    case Operation::kSendInv:
      request.opcode = IBV_WR_SEND_WITH_INV;
      request.invalidate_rkey = remote_key(step);
      fact.invalidate_rkey = request.invalidate_rkey;
      break;
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      request.wr.atomic.remote_addr = remote;
      request.wr.atomic.rkey = *fact.rkey;
      if (step.operation == Operation::kFetchAdd) {
        request.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
        request.wr.atomic.compare_add = step.swap_or_add;
        fact.add = step.swap_or_add;
      } else {
        request.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
        request.wr.atomic.compare_add = step.compare;
        request.wr.atomic.swap = step.swap_or_add;
        fact.compare = step.compare;
        fact.swap = step.swap_or_add;
      }
      break;
    case Operation::kWrite:
      request.opcode = IBV_WR_RDMA_WRITE;
      break;
    case Operation::kRead:
      request.opcode = IBV_WR_RDMA_READ;
      break;
    default:
      request.opcode = IBV_WR_SEND;
      break;
  }
}

int Runner::submit(QueuePair& qp, ibv_send_wr& request, const Step& step) {
  if (step.operation != Operation::kAtomicWrite && step.operation != Operation::kFlush) {
    ibv_send_wr* bad = nullptr;
    return ibv_post_send(qp.get(), &request, &bad);
  }
  ibv_qp_ex* extended = ibv_qp_to_qp_ex(qp.get());
  ibv_wr_start(extended);
  extended->wr_id = request.wr_id;
  extended->wr_flags = request.send_flags;
  if (step.operation == Operation::kAtomicWrite) {
    ibv_wr_atomic_write(extended, request.wr.rdma.rkey, request.wr.rdma.remote_addr,
                        connection_.region().bytes().data() + step.local_offset);
  }
#ifdef RDMAGEN_HAVE_FLUSH
  if (step.operation == Operation::kFlush) {
    ibv_wr_flush(extended, request.wr.rdma.rkey, request.wr.rdma.remote_addr, step.length, IBV_FLUSH_GLOBAL,
                 IBV_FLUSH_RANGE);
  }
#endif
  if (qp.xrc_srqn()) ibv_wr_set_xrc_srqn(extended, *qp.xrc_srqn());
  return ibv_wr_complete(extended);
}

std::uint32_t Runner::remote_key(const Step& step) const {
  constexpr std::uint32_t kWrongBits = 0x5a5a5a00;
  const std::uint32_t key = connection_.peer_region ? connection_.peer_region->rkey : 0;
  switch (step.key) {
    case KeyChoice::kWrong:
      return key ^ kWrongBits;
    case KeyChoice::kWindow:
      return step.count < connection_.peer_windows.size() ? connection_.peer_windows[step.count] : 0;
    case KeyChoice::kRegion:
      break;
  }
  return key;
}

void Runner::bind_window(const Step& step) {
  Lane& lane = connection_.lanes()[step.qp];
  ibv_mw* window = connection_.region().windows()[step.count];
  ibv_send_wr request{};
  request.wr_id = connection_.next_wr_id();
  request.opcode = IBV_WR_BIND_MW;
  request.send_flags = step.signaled ? IBV_SEND_SIGNALED : 0;
  request.bind_mw.mw = window;
  request.bind_mw.rkey = ibv_inc_rkey(window->rkey);
  request.bind_mw.bind_info = {connection_.region().mr(), connection_.region().address() + step.local_offset,
                               step.length, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ};
  PostFact fact;
  fact.qpn = lane.qp->qpn();
  fact.wr_id = request.wr_id;
  fact.opcode = traits(step.operation).name;
  fact.bytes = step.length;
  fact.local_address = connection_.region().address() + step.local_offset;
  fact.lkey = connection_.region().lkey();
  fact.signaled = step.signaled;
  fact.rkey = request.bind_mw.rkey;
  lane.sent.push_back({request.wr_id, &step});
  fact.time_ns = now_ns();
  ibv_send_wr* bad = nullptr;
  if (const int error = ibv_post_send(lane.qp->get(), &request, &bad))
    throw_errno("cannot bind a memory window", error);
  window->rkey = request.bind_mw.rkey;
  connection_.truth().post(fact);
}

void Runner::advertise_windows(const Step& step) {
  BigEndianWriter writer(connection_.region().bytes().subspan(step.local_offset, step.length));
  std::uint64_t address = connection_.region().address() + connection_.half().window_offset;
  for (const ibv_mw* window : connection_.region().windows()) {
    writer.put(address).put(window->rkey).put(std::uint32_t{8});
    address += 8;
  }
}

}  // namespace rocescope::rdmagen
