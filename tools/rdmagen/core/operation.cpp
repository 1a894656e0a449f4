#include "core/operation.hpp"

#include <array>

namespace rocescope::rdmagen {
namespace {

constexpr std::array<OperationTraits, kOperationCount> kTraits{{
    // option, name, uc, ud, takes_receive, has_payload, answered_with_data
    {"send", "SEND", true, true, true, true, false},
    {"send-imm", "SEND_WITH_IMM", true, true, true, true, false},
    {"send-inv", "SEND_WITH_INV", false, false, true, true, false},
    {"write", "RDMA_WRITE", true, false, false, true, false},
    {"write-imm", "RDMA_WRITE_WITH_IMM", true, false, true, true, false},
    {"read", "RDMA_READ", false, false, false, false, true},
    {"cas", "ATOMIC_CMP_AND_SWP", false, false, false, false, true},
    {"fadd", "ATOMIC_FETCH_AND_ADD", false, false, false, false, true},
    {"atomic-write", "ATOMIC_WRITE", false, false, false, true, false},
    {"flush", "FLUSH", false, false, false, false, false},
    {"", "BIND_MW", false, false, false, false, false},
}};

}  // namespace

const OperationTraits& traits(Operation operation) noexcept { return kTraits[static_cast<std::size_t>(operation)]; }

std::optional<Operation> operation_named(std::string_view option) noexcept {
  for (std::size_t i = 0; i < kTraits.size(); ++i) {
    if (!option.empty() && kTraits[i].option == option) return static_cast<Operation>(i);
  }
  return std::nullopt;
}

bool carries(Transport transport, Operation operation) noexcept {
  switch (transport) {
    case Transport::kUc:
      return traits(operation).uc;
    case Transport::kUd:
      return traits(operation).ud;
    case Transport::kRc:
      break;
  }
  return true;
}

std::string_view name_of(Transport transport) noexcept {
  switch (transport) {
    case Transport::kUc:
      return "UC";
    case Transport::kUd:
      return "UD";
    case Transport::kRc:
      break;
  }
  return "RC";
}

}  // namespace rocescope::rdmagen
