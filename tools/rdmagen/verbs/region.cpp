#include "verbs/region.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"

namespace rocescope::rdmagen {
namespace {

nlohmann::ordered_json access_names(unsigned access) {
  struct Name {
    unsigned bit;
    const char* name;
  };
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const Name& name : {Name{IBV_ACCESS_LOCAL_WRITE, "LOCAL_WRITE"}, Name{IBV_ACCESS_REMOTE_WRITE, "REMOTE_WRITE"},
                           Name{IBV_ACCESS_REMOTE_READ, "REMOTE_READ"}, Name{IBV_ACCESS_REMOTE_ATOMIC, "REMOTE_ATOMIC"},
                           Name{IBV_ACCESS_MW_BIND, "MW_BIND"}, Name{1U << 8U, "FLUSH_GLOBAL"}}) {
    if ((access & name.bit) != 0) names.push_back(name.name);
  }
  return names;
}

}  // namespace

Region::Region(Device& device, Truth& truth, std::uint64_t bytes, unsigned access)
    : truth_(truth), length_(bytes), access_(access) {
  void* memory = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw_errno(fmt::format("cannot allocate {} bytes", length_), errno);
  memory_ = static_cast<std::uint8_t*>(memory);
  const std::uint64_t before = now_ns();
  mr_ = ibv_reg_mr(device.pd(), memory_, length_, access);
  const std::uint64_t after = now_ns();
  if (mr_ == nullptr) {
    const int error = errno;
    munmap(memory_, length_);
    throw_errno(fmt::format("cannot register {} bytes", length_), error);
  }
  truth_.fact("mr", {{"pd", device.pd()->handle},
                     {"address", address()},
                     {"length", length_},
                     {"lkey", lkey()},
                     {"rkey", rkey()},
                     {"access", access_names(access)},
                     {"duration_ns", after - before}});
}

Region::~Region() {
  for (ibv_mw* window : windows_) ibv_dealloc_mw(window);
  ibv_dereg_mr(mr_);
  truth_.fact("mr_deregistered", {{"address", address()}, {"rkey", rkey()}});
  munmap(memory_, length_);
}

RemoteRegion Region::remote() const noexcept { return {address(), rkey(), static_cast<std::uint32_t>(length_)}; }

void Region::allocate_windows(Device& device, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    ibv_mw* window = ibv_alloc_mw(device.pd(), IBV_MW_TYPE_2);
    if (window == nullptr) throw_errno("cannot allocate a memory window", errno);
    windows_.push_back(window);
    truth_.fact("mw", {{"pd", device.pd()->handle}, {"rkey", window->rkey}, {"type", "2"}});
  }
}

}  // namespace rocescope::rdmagen
