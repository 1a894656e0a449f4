// A queue pair: made, moved from state to state, posted to. Every change is a fact.
#pragma once

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <cstdint>
#include <optional>

#include "core/job.hpp"
#include "core/truth.hpp"
#include "verbs/device.hpp"

namespace rocescope::rdmagen {

/// The purpose of a queue pair.
struct QueuePairNeeds {
  QpType type = QpType::kRc;
  std::uint32_t send_wr = 1;
  std::uint32_t recv_wr = 1;
  std::uint32_t inline_bytes = 0;
  bool extended = false;  ///< ATOMIC WRITE or FLUSH will be posted
  ibv_cq* cq = nullptr;
  // Of an XRC target, which has neither protection domain nor CQ, and no receives but those of this queue:
  ibv_xrcd* xrc_domain = nullptr;
  std::uint32_t xrc_srqn = 0;
};

/// The attributes for INIT, RTR and RTS, if no communication manager sets them.
struct PathParameters {
  Gid local;
  ibv_gid remote{};
  std::uint32_t dest_qpn = 0;
  std::uint32_t rq_psn = 0;
  std::uint32_t sq_psn = 0;
  std::uint32_t path_mtu = 1024;  ///< bytes
  std::uint8_t timeout = 14;
  std::uint8_t retry_count = 7;
  std::uint8_t rnr_retry = 7;
  std::uint8_t min_rnr_timer = 12;
  std::uint8_t traffic_class = 0;
  std::uint8_t service_level = 0;
  std::uint32_t qkey = RDMA_UDP_QKEY;  ///< UD only
};

class QueuePair {
 public:
  /// In RESET, for the hand-made set-up. Throws Error.
  QueuePair(Device& device, Truth& truth, const QueuePairNeeds& needs);
  /// On a connection of the CM, which takes it to INIT (UD: to RTS).
  QueuePair(Device& device, Truth& truth, const QueuePairNeeds& needs, rdma_cm_id* id);
  ~QueuePair();
  QueuePair(const QueuePair&) = delete;
  QueuePair& operator=(const QueuePair&) = delete;

  [[nodiscard]] ibv_qp* get() const noexcept { return qp_; }
  [[nodiscard]] std::uint32_t qpn() const noexcept { return qp_->qp_num; }
  [[nodiscard]] const QueuePairNeeds& needs() const noexcept { return needs_; }
  [[nodiscard]] bool datagram() const noexcept { return needs_.type == QpType::kUd; }
  /// Its requests are acknowledged; the requests that it takes are.
  [[nodiscard]] bool requests_reliably() const noexcept;
  [[nodiscard]] bool responds_reliably() const noexcept;

  /// The queue pair allows the peer everything; the regions limit access to memory.
  void to_init(const PathParameters& path);
  void to_rtr(const PathParameters& path);
  void to_rts(const PathParameters& path);
  /// Only the RNR timer of a queue pair that the CM has connected.
  void set_min_rnr_timer(std::uint8_t code);
  /// Writes the state and attributes as the device reports them now; `by`: who changed the state.
  void tell_state(const char* by);

  /// Where UD messages go. Owns the handle.
  void set_datagram_peer(ibv_ah* handle, std::uint32_t qpn, std::uint32_t qkey);
  [[nodiscard]] bool has_datagram_peer() const noexcept { return handle_ != nullptr; }
  [[nodiscard]] std::uint32_t datagram_qpn() const noexcept { return peer_qpn_; }
  /// Fills in the address of a UD work request.
  void address(ibv_send_wr& request) const noexcept;

  /// XRC initiators: the shared receive queue of the peer that the requests name.
  void set_xrc_srqn(std::uint32_t number) noexcept { xrc_srqn_ = number; }
  [[nodiscard]] std::optional<std::uint32_t> xrc_srqn() const noexcept { return xrc_srqn_; }

 private:
  [[nodiscard]] ibv_qp_init_attr_ex initial_attributes() const noexcept;
  void tell_created(std::uint64_t duration_ns, const ibv_qp_cap& caps);
  void modify(ibv_qp_attr& attributes, int mask, const char* to);

  Device& device_;
  Truth& truth_;
  QueuePairNeeds needs_;
  rdma_cm_id* id_ = nullptr;
  ibv_qp* qp_ = nullptr;
  ibv_ah* handle_ = nullptr;
  std::uint32_t peer_qpn_ = 0;
  std::uint32_t peer_qkey_ = 0;
  std::optional<std::uint32_t> xrc_srqn_;
  ibv_qp_state written_state_ = IBV_QPS_RESET;  ///< the last state written as a fact
};

/// The address handle attributes of a path.
[[nodiscard]] ibv_ah_attr address_of(const PathParameters& path) noexcept;

}  // namespace rocescope::rdmagen
