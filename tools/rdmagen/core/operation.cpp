#include "core/operation.hpp"

#include <array>

namespace rocescope::rdmagen {
namespace {

constexpr std::array<OperationTraits, kOperationCount> kTraits{{
    // option, name, uc, ud, xrc, takes_receive, has_payload, answered_with_data
    // A memory window of type 2 is open to requests of the queue pair that bound it; XRC's targets post no bind. So there is
    // none that a SEND with invalidate could close.
    {"send", "SEND", true, true, true, true, true, false},
    {"send-imm", "SEND_WITH_IMM", true, true, true, true, true, false},
    {"send-inv", "SEND_WITH_INV", false, false, false, true, true, false},
    {"write", "RDMA_WRITE", true, false, true, false, true, false},
    {"write-imm", "RDMA_WRITE_WITH_IMM", true, false, true, true, true, false},
    {"read", "RDMA_READ", false, false, true, false, false, true},
    {"cas", "ATOMIC_CMP_AND_SWP", false, false, true, false, false, true},
    {"fadd", "ATOMIC_FETCH_AND_ADD", false, false, true, false, false, true},
    {"atomic-write", "ATOMIC_WRITE", false, false, true, false, true, false},
    {"flush", "FLUSH", false, false, true, false, false, false},
    {"", "BIND_MW", false, false, false, false, false, false},
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
    case Transport::kXrc:
      return traits(operation).xrc;
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
    case Transport::kXrc:
      return "XRC";
    case Transport::kRc:
      break;
  }
  return "RC";
}

std::string_view name_of(QpType type) noexcept {
  switch (type) {
    case QpType::kUc:
      return "UC";
    case QpType::kUd:
      return "UD";
    case QpType::kXrcSend:
      return "XRC_SEND";
    case QpType::kXrcRecv:
      return "XRC_RECV";
    case QpType::kRc:
      break;
  }
  return "RC";
}

}  // namespace rocescope::rdmagen
