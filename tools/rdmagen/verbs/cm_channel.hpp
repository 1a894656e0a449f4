// Events of the communication manager, each a fact.
#pragma once

#include <rdma/rdma_cma.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/truth.hpp"

namespace rocescope::rdmagen {

/// A copy of an rdma_cm_event that outlives its acknowledgement.
struct CmEvent {
  rdma_cm_event_type type{};
  int status = 0;
  rdma_cm_id* id = nullptr;
  std::vector<std::uint8_t> private_data;
  std::uint8_t rnr_retry_count = 0;
  rdma_ud_param datagram{};  ///< its private_data is not valid any more
};

struct DestroyCmId {
  void operator()(rdma_cm_id* id) const noexcept { rdma_destroy_id(id); }
};
using CmId = std::unique_ptr<rdma_cm_id, DestroyCmId>;

class CmChannel {
 public:
  /// Throws Error: modules missing, no rights.
  explicit CmChannel(Truth& truth);
  ~CmChannel();
  CmChannel(const CmChannel&) = delete;
  CmChannel& operator=(const CmChannel&) = delete;

  [[nodiscard]] rdma_event_channel* get() const noexcept { return channel_; }
  [[nodiscard]] int fd() const noexcept { return channel_->fd; }

  /// The next event; nothing when there is none for `timeout_ms`.
  std::optional<CmEvent> next(int timeout_ms);

 private:
  Truth& truth_;
  rdma_event_channel* channel_;
};

/// "ROUTE_RESOLVED" and so on.
[[nodiscard]] std::string name_of(rdma_cm_event_type type);

}  // namespace rocescope::rdmagen
