#include "truth/truth.hpp"

#include <algorithm>
#include <iterator>

namespace rocescope::truth {

std::string_view to_string(Side side) noexcept {
  constexpr std::string_view kNames[] = {"server", "client", "lab"};
  return kNames[static_cast<std::size_t>(side)];
}

std::string_view to_string(WorkOpcode opcode) noexcept {
  constexpr std::string_view kNames[] = {"SEND",
                                         "SEND_WITH_IMM",
                                         "SEND_WITH_INV",
                                         "RDMA_WRITE",
                                         "RDMA_WRITE_WITH_IMM",
                                         "RDMA_READ",
                                         "ATOMIC_CMP_AND_SWP",
                                         "ATOMIC_FETCH_AND_ADD",
                                         "ATOMIC_WRITE",
                                         "FLUSH",
                                         "BIND_MW",
                                         "RECV",
                                         "RECV_RDMA_WITH_IMM",
                                         ""};
  static_assert(std::size(kNames) == static_cast<std::size_t>(WorkOpcode::kOther) + 1);
  return kNames[static_cast<std::size_t>(opcode)];
}

bool MemoryRegion::is_remote() const noexcept {
  return std::any_of(access.begin(), access.end(),
                     [](const std::string& right) { return right.starts_with("REMOTE_"); });
}

bool Post::is_message() const noexcept { return opcode < WorkOpcode::kBindMw; }

}  // namespace rocescope::truth
