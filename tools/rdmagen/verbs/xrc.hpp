// The objects of XRC beside queue pairs (IBTA A14): a domain, and its shared receive queues, which requests name by number.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>

#include "core/truth.hpp"
#include "verbs/device.hpp"

namespace rocescope::rdmagen {

/// Throws Error when the device has no XRC.
void require_xrc(const Device& device);

/// A domain of its own, shared with no other process.
class XrcDomain {
 public:
  /// Throws Error.
  explicit XrcDomain(Device& device);
  ~XrcDomain() { ibv_close_xrcd(domain_); }
  XrcDomain(const XrcDomain&) = delete;
  XrcDomain& operator=(const XrcDomain&) = delete;

  [[nodiscard]] ibv_xrcd* get() const noexcept { return domain_; }

 private:
  ibv_xrcd* domain_ = nullptr;
};

/// The receives of one target. Completions come to the CQ that it was created with.
class XrcReceiveQueue {
 public:
  /// Throws Error.
  XrcReceiveQueue(Device& device, Truth& truth, const XrcDomain& domain, ibv_cq* cq, std::uint32_t receives);
  ~XrcReceiveQueue() { ibv_destroy_srq(queue_); }
  XrcReceiveQueue(const XrcReceiveQueue&) = delete;
  XrcReceiveQueue& operator=(const XrcReceiveQueue&) = delete;

  [[nodiscard]] ibv_srq* get() const noexcept { return queue_; }
  /// 24 bits; what the XRCETH of requests to it carries.
  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }

 private:
  ibv_srq* queue_ = nullptr;
  std::uint32_t number_ = 0;
};

}  // namespace rocescope::rdmagen
