// One end of a connection: its half of the plan, memory, completion queue and queue pairs. cm_*.cpp and exchange_*.cpp connect them;
// runner.cpp executes the plan.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/plan.hpp"
#include "core/private_data.hpp"
#include "verbs/device.hpp"
#include "verbs/queue_pair.hpp"
#include "verbs/region.hpp"
#include "verbs/xrc.hpp"

namespace rocescope::rdmagen {

/// The state of a queue pair; with XRC, of two queue pairs, one for each direction.
struct Lane {
  struct Sent {
    std::uint64_t wr_id;
    const Step* step;
  };
  std::unique_ptr<XrcReceiveQueue> xrc_receives;
  std::unique_ptr<QueuePair> xrc_target;
  std::unique_ptr<QueuePair> qp;       ///< where requests are posted; with XRC the initiator
  std::deque<Sent> sent;               ///< posted, not known to be complete
  std::deque<std::uint32_t> receives;  ///< slots of the receives that are posted, in order
  std::vector<Arrival> arrivals;       ///< expected messages
  std::size_t arrived = 0;
  std::uint64_t receives_posted = 0;

  /// The queue pair that the peer's requests come to.
  [[nodiscard]] QueuePair& receiver() const noexcept { return xrc_target ? *xrc_target : *qp; }
};

class Connection {
 public:
  /// Allocates and registers the memory, filled as the plan says. Throws Error.
  Connection(Device& device, Truth& truth, Side side, const Job& job);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] Device& device() noexcept { return device_; }
  [[nodiscard]] Truth& truth() noexcept { return truth_; }
  [[nodiscard]] Side side() const noexcept { return side_; }
  [[nodiscard]] const Job& job() const noexcept { return job_; }
  [[nodiscard]] const SidePlan& half() const noexcept { return plan_.of(side_); }
  [[nodiscard]] Region& region() noexcept { return *region_; }
  [[nodiscard]] std::vector<Lane>& lanes() noexcept { return lanes_; }
  [[nodiscard]] ibv_cq* cq() const noexcept { return cq_; }
  [[nodiscard]] ibv_comp_channel* channel() const noexcept { return channel_; }

  /// Makes the next lane's queue pair: by hand, or on a connection of the CM when `id` is one (never with XRC).
  QueuePair& add_queue_pair(rdma_cm_id* id = nullptr);
  /// Posts the receives that the plan wants before anything can arrive. The queue pair must be in INIT at least.
  void post_first_receives(std::uint8_t qp);
  void post_receive(std::uint8_t qp, std::uint32_t slot);

  /// The peer's region, once it is known.
  std::optional<RemoteRegion> peer_region;
  /// Keys of the peer's memory windows, once it has advertised them.
  std::vector<std::uint32_t> peer_windows;

  /// Number of the next work request; receives have bit 40 set, to distinguish them.
  [[nodiscard]] std::uint64_t next_wr_id() noexcept { return next_wr_id_++; }
  /// Where a slot's bytes are in the region.
  [[nodiscard]] std::uint64_t slot_offset(std::uint8_t qp, std::uint32_t slot) const noexcept;

 private:
  [[nodiscard]] unsigned access() const noexcept;
  void add_xrc_target(Lane& lane, QueuePairNeeds needs);

  Device& device_;
  Truth& truth_;
  Side side_;
  Job job_;
  Plan plan_;
  std::unique_ptr<Region> region_;
  ibv_comp_channel* channel_ = nullptr;
  ibv_cq* cq_ = nullptr;
  std::unique_ptr<XrcDomain> xrc_domain_;  ///< XRC only
  std::vector<Lane> lanes_;
  std::uint64_t next_wr_id_ = 1;
};

inline constexpr std::uint64_t kReceiveBit = std::uint64_t{1} << 40U;

}  // namespace rocescope::rdmagen
