// A memory region of ours, and memory windows into it.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/private_data.hpp"
#include "core/truth.hpp"
#include "verbs/device.hpp"

namespace rocescope::rdmagen {

class Region {
 public:
  /// Allocates and registers `bytes` (more than 0), zeroed. Throws Error.
  Region(Device& device, Truth& truth, std::uint64_t bytes, unsigned access);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  [[nodiscard]] std::span<std::uint8_t> bytes() noexcept { return {memory_, length_}; }
  [[nodiscard]] std::uint64_t address() const noexcept { return reinterpret_cast<std::uintptr_t>(memory_); }
  [[nodiscard]] std::uint32_t lkey() const noexcept { return mr_->lkey; }
  [[nodiscard]] std::uint32_t rkey() const noexcept { return mr_->rkey; }
  [[nodiscard]] unsigned access() const noexcept { return access_; }
  [[nodiscard]] ibv_mr* mr() const noexcept { return mr_; }
  /// As the other side needs it.
  [[nodiscard]] RemoteRegion remote() const noexcept;

  /// Allocates `count` memory windows of type 2. Throws Error.
  void allocate_windows(Device& device, std::uint32_t count);
  [[nodiscard]] std::vector<ibv_mw*>& windows() noexcept { return windows_; }

 private:
  Truth& truth_;
  std::uint8_t* memory_ = nullptr;
  std::size_t length_ = 0;
  unsigned access_ = 0;
  ibv_mr* mr_ = nullptr;
  std::vector<ibv_mw*> windows_;
};

}  // namespace rocescope::rdmagen
