// What a work request may do, over which transport, and how the command line and the truth call it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocescope::rdmagen {

/// Transport service that messages travel by; the numbers are those of a job.
enum class Transport : std::uint8_t { kRc = 1, kUc = 2, kUd = 3, kXrc = 4 };

/// Type of a queue pair; the numbers are those of the set-up exchange's QP_CREATE messages. XRC has two (IBTA A14): an
/// initiator that sends requests, and a target that takes them and keeps its receives in a shared receive queue.
enum class QpType : std::uint8_t { kRc = 1, kUc = 2, kUd = 3, kXrcSend = 4, kXrcRecv = 5 };

/// Work requests of a send queue. kBindWindow stays inside its own device: nothing of it is seen on the wire.
enum class Operation : std::uint8_t {
  kSend,
  kSendImm,
  kSendInv,
  kWrite,
  kWriteImm,
  kRead,
  kCompareSwap,
  kFetchAdd,
  kAtomicWrite,
  kFlush,
  kBindWindow,
};
inline constexpr std::size_t kOperationCount = 11;

/// One row of the table of operations.
struct OperationTraits {
  std::string_view option;  ///< on the command line: "write-imm"
  std::string_view name;    ///< in the truth, as ibverbs has it: "RDMA_WRITE_WITH_IMM"
  bool uc;                  ///< also over UC (RC has all)
  bool ud;                  ///< also over UD
  bool xrc;                 ///< also over XRC
  bool takes_receive;       ///< consumes a receive of the peer's
  bool has_payload;         ///< its bytes travel with the request
  bool answered_with_data;  ///< its result lands in the poster's memory
};

[[nodiscard]] const OperationTraits& traits(Operation operation) noexcept;

/// The operation of that command line name; none for kBindWindow, which nobody asks for by name.
[[nodiscard]] std::optional<Operation> operation_named(std::string_view option) noexcept;

[[nodiscard]] bool carries(Transport transport, Operation operation) noexcept;

[[nodiscard]] std::string_view name_of(Transport transport) noexcept;

/// In the truth, as ibverbs has it: "RC", "XRC_SEND".
[[nodiscard]] std::string_view name_of(QpType type) noexcept;

/// A set of operations, one bit each.
class OperationSet {
 public:
  constexpr OperationSet() = default;
  constexpr explicit OperationSet(std::uint16_t bits) noexcept : bits_(bits) {}

  constexpr void add(Operation operation) noexcept { bits_ = static_cast<std::uint16_t>(bits_ | bit(operation)); }
  [[nodiscard]] constexpr bool has(Operation operation) const noexcept { return (bits_ & bit(operation)) != 0; }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
  friend constexpr bool operator==(OperationSet, OperationSet) = default;

 private:
  static constexpr std::uint16_t bit(Operation operation) noexcept {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(operation));
  }
  std::uint16_t bits_ = 0;
};

}  // namespace rocescope::rdmagen
