#include "verbs/queue_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::uint8_t kHopLimit = 64;
/// READs and atomics outstanding: what devices have; each end's own limit bounds it.
constexpr int kMostReads = 16;

const char* name_of(ibv_qp_state state) {
  switch (state) {
    case IBV_QPS_RESET:
      return "RESET";
    case IBV_QPS_INIT:
      return "INIT";
    case IBV_QPS_RTR:
      return "RTR";
    case IBV_QPS_RTS:
      return "RTS";
    case IBV_QPS_SQD:
      return "SQD";
    case IBV_QPS_SQE:
      return "SQE";
    case IBV_QPS_ERR:
      return "ERR";
    default:
      return "UNKNOWN";
  }
}

ibv_qp_type type_of(QpType type) noexcept {
  switch (type) {
    case QpType::kUc:
      return IBV_QPT_UC;
    case QpType::kUd:
      return IBV_QPT_UD;
    case QpType::kXrcSend:
      return IBV_QPT_XRC_SEND;
    case QpType::kXrcRecv:
      return IBV_QPT_XRC_RECV;
    case QpType::kRc:
      break;
  }
  return IBV_QPT_RC;
}

ibv_mtu mtu_of(std::uint32_t bytes) noexcept { return static_cast<ibv_mtu>(std::bit_width(bytes) - 8); }

}  // namespace

ibv_ah_attr address_of(const PathParameters& path) noexcept {
  ibv_ah_attr address{};
  address.is_global = 1;
  address.grh.dgid = path.remote;
  address.grh.sgid_index = static_cast<std::uint8_t>(path.local.index);
  address.grh.hop_limit = kHopLimit;
  address.grh.traffic_class = path.traffic_class;
  address.sl = path.service_level;
  address.port_num = path.local.port;
  return address;
}

ibv_qp_init_attr_ex QueuePair::initial_attributes() const noexcept {
  ibv_qp_init_attr_ex initial{};
  initial.qp_type = type_of(needs_.type);
  if (needs_.type == QpType::kXrcRecv) {
    initial.comp_mask = IBV_QP_INIT_ATTR_XRCD;
    initial.xrcd = needs_.xrc_domain;
    return initial;
  }
  initial.send_cq = needs_.cq;
  initial.cap.max_send_wr = needs_.send_wr;
  initial.cap.max_send_sge = 1;
  if (needs_.type != QpType::kXrcSend) {
    initial.recv_cq = needs_.cq;
    initial.cap.max_recv_wr = needs_.recv_wr;
    initial.cap.max_recv_sge = 1;
  }
  initial.cap.max_inline_data = needs_.inline_bytes;
  initial.comp_mask = IBV_QP_INIT_ATTR_PD;
  initial.pd = device_.pd();
  if (needs_.extended) {
    initial.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    if (device_.has(Operation::kAtomicWrite)) initial.send_ops_flags |= IBV_QP_EX_WITH_ATOMIC_WRITE;
#ifdef RDMAGEN_HAVE_FLUSH
    if (device_.has(Operation::kFlush)) initial.send_ops_flags |= IBV_QP_EX_WITH_FLUSH;
#endif
  }
  return initial;
}

bool QueuePair::requests_reliably() const noexcept {
  return needs_.type == QpType::kRc || needs_.type == QpType::kXrcSend;
}

bool QueuePair::responds_reliably() const noexcept {
  return needs_.type == QpType::kRc || needs_.type == QpType::kXrcRecv;
}

QueuePair::QueuePair(Device& device, Truth& truth, const QueuePairNeeds& needs)
    : device_(device), truth_(truth), needs_(needs) {
  ibv_qp_init_attr_ex initial = initial_attributes();
  const std::uint64_t before = now_ns();
  qp_ = ibv_create_qp_ex(device_.context(), &initial);
  if (qp_ == nullptr) throw_errno("cannot create a queue pair", errno);
  tell_created(now_ns() - before, initial.cap);
}

QueuePair::QueuePair(Device& device, Truth& truth, const QueuePairNeeds& needs, rdma_cm_id* id)
    : device_(device), truth_(truth), needs_(needs), id_(id) {
  ibv_qp_init_attr_ex initial = initial_attributes();
  const std::uint64_t before = now_ns();
  if (rdma_create_qp_ex(id_, &initial) != 0) throw_errno("cannot create a queue pair", errno);
  qp_ = id_->qp;
  tell_created(now_ns() - before, initial.cap);
  tell_state("librdmacm");
}

QueuePair::~QueuePair() {
  if (handle_ != nullptr) ibv_destroy_ah(handle_);
  const std::uint32_t number = qpn();
  if (id_ != nullptr) {
    rdma_destroy_qp(id_);
  } else {
    ibv_destroy_qp(qp_);
  }
  truth_.fact("qp_destroyed", {{"qpn", number}});
}

void QueuePair::tell_created(std::uint64_t duration_ns, const ibv_qp_cap& caps) {
  nlohmann::ordered_json fields{{"qpn", qpn()}, {"type", rdmagen::name_of(needs_.type)}};
  if (needs_.type != QpType::kXrcRecv) fields["pd"] = device_.pd()->handle;
  fields.update({{"max_send_wr", caps.max_send_wr},
                 {"max_recv_wr", caps.max_recv_wr},
                 {"max_send_sge", caps.max_send_sge},
                 {"max_recv_sge", caps.max_recv_sge},
                 {"max_inline_data", caps.max_inline_data},
                 {"duration_ns", duration_ns}});
  truth_.fact("qp", fields);
}

void QueuePair::to_init(const PathParameters& path) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.port_num = path.local.port;
  int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
  if (datagram()) {
    attributes.qkey = path.qkey;
    mask |= IBV_QP_QKEY;
  } else {
    attributes.qp_access_flags = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
#ifdef RDMAGEN_HAVE_FLUSH
    if (device_.has(Operation::kFlush)) attributes.qp_access_flags |= IBV_ACCESS_FLUSH_GLOBAL;
#endif
    mask |= IBV_QP_ACCESS_FLAGS;
  }
  modify(attributes, mask, "INIT");
}

void QueuePair::to_rtr(const PathParameters& path) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTR;
  int mask = IBV_QP_STATE;
  if (!datagram()) {
    attributes.path_mtu = mtu_of(path.path_mtu);
    attributes.dest_qp_num = path.dest_qpn;
    attributes.rq_psn = path.rq_psn;
    attributes.ah_attr = address_of(path);
    mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  }
  if (responds_reliably()) {
    attributes.max_dest_rd_atomic =
        static_cast<std::uint8_t>(std::min(kMostReads, device_.attributes().orig_attr.max_qp_rd_atom));
    attributes.min_rnr_timer = path.min_rnr_timer;
    mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  }
  modify(attributes, mask, "RTR");
}

void QueuePair::to_rts(const PathParameters& path) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTS;
  attributes.sq_psn = path.sq_psn;
  int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
  // A target sends no requests, but gets a timeout too (IBTA A14; the kernel requires it).
  if (requests_reliably() || responds_reliably()) {
    attributes.timeout = path.timeout;
    mask |= IBV_QP_TIMEOUT;
  }
  if (requests_reliably()) {
    attributes.retry_cnt = path.retry_count;
    attributes.rnr_retry = path.rnr_retry;
    attributes.max_rd_atomic =
        static_cast<std::uint8_t>(std::min(kMostReads, device_.attributes().orig_attr.max_qp_init_rd_atom));
    mask |= IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  }
  modify(attributes, mask, "RTS");
}

void QueuePair::set_min_rnr_timer(std::uint8_t code) {
  ibv_qp_attr attributes{};
  attributes.min_rnr_timer = code;
  modify(attributes, IBV_QP_MIN_RNR_TIMER, "its RNR timer");
}

void QueuePair::modify(ibv_qp_attr& attributes, int mask, const char* to) {
  if (const int error = ibv_modify_qp(qp_, &attributes, mask)) {
    throw_errno(fmt::format("cannot take queue pair {} to {}", qpn(), to), error);
  }
  tell_state("rdmagen");
}

void QueuePair::tell_state(const char* by) {
  if (!truth_.enabled()) return;
  ibv_qp_attr now{};
  ibv_qp_init_attr initial{};
  const int everything = IBV_QP_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY |
                         IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                         IBV_QP_RQ_PSN | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC |
                         IBV_QP_MIN_RNR_TIMER | IBV_QP_DEST_QPN;
  const std::uint64_t time = now_ns();
  if (ibv_query_qp(qp_, &now, everything, &initial) != 0) return;
  nlohmann::ordered_json fields{{"qpn", qpn()}, {"state", name_of(now.qp_state)}, {"by", by}};
  // librdmacm takes several steps at once; the device reports only the last state.
  if (now.qp_state == IBV_QPS_RTS && written_state_ == IBV_QPS_RESET) fields["via"] = {"INIT", "RTR"};
  if (now.qp_state == IBV_QPS_RTS && written_state_ == IBV_QPS_INIT)
    fields["via"] = nlohmann::ordered_json::array({"RTR"});
  written_state_ = now.qp_state;
  const bool ready = now.qp_state == IBV_QPS_RTR || now.qp_state == IBV_QPS_RTS;
  if (datagram()) {
    fields["qkey"] = now.qkey;
  }
  if (now.qp_state == IBV_QPS_INIT || ready) fields["port"] = now.port_num;
  if (ready && !datagram()) {
    fields["dest_qpn"] = now.dest_qp_num;
    if (needs_.type != QpType::kXrcSend) fields["rq_psn"] = now.rq_psn;
    fields["path_mtu"] = 128U << static_cast<unsigned>(now.path_mtu);
    fields["dgid"] = to_text(now.ah_attr.grh.dgid);
    fields["sgid_index"] = now.ah_attr.grh.sgid_index;
    fields["traffic_class"] = now.ah_attr.grh.traffic_class;
    fields["hop_limit"] = now.ah_attr.grh.hop_limit;
    fields["sl"] = now.ah_attr.sl;
  }
  if (ready && responds_reliably()) {
    fields["max_dest_rd_atomic"] = now.max_dest_rd_atomic;
    fields["min_rnr_timer"] = now.min_rnr_timer;
  }
  if (now.qp_state == IBV_QPS_RTS && needs_.type != QpType::kXrcRecv) {
    fields["sq_psn"] = now.sq_psn;
    if (requests_reliably()) {
      fields["timeout"] = now.timeout;
      fields["retry_cnt"] = now.retry_cnt;
      fields["rnr_retry"] = now.rnr_retry;
      fields["max_rd_atomic"] = now.max_rd_atomic;
    }
  }
  truth_.fact("qp_state", fields, time);
}

void QueuePair::set_datagram_peer(ibv_ah* handle, std::uint32_t qpn, std::uint32_t qkey) {
  if (handle_ != nullptr) ibv_destroy_ah(handle_);
  handle_ = handle;
  peer_qpn_ = qpn;
  peer_qkey_ = qkey;
}

void QueuePair::address(ibv_send_wr& request) const noexcept {
  request.wr.ud.ah = handle_;
  request.wr.ud.remote_qpn = peer_qpn_;
  request.wr.ud.remote_qkey = peer_qkey_;
}

}  // namespace rocescope::rdmagen
