// Rules of the specification that packets broke.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "rocescope/detail/box.hpp"
#include "rocescope/finding.hpp"

namespace rocescope {

/// Each with what `value` and `other` of a Breach are.
enum class BreachKind : std::uint8_t {
  // opcode_order, IBTA 9.7.4
  kOpcodeOrder,  ///< the opcode; that of the packet before
  // length_mtu, IBTA 9.7.4
  kNotPathMtu,    ///< First, Middle: bytes of payload; the path MTU
  kAbovePathMtu,  ///< Last, Only: bytes of payload; the path MTU
  kNoMtu,         ///< First, Middle: bytes of payload, which no path MTU is
  kEmptyLast,
  kDmaLength,  ///< WRITE, ATOMIC WRITE: bytes of payload of the whole message; what its RETH says
  kNoPayload,  ///< bytes of payload; the opcode, which has none
  // pad, IBTA 9.2
  kNotWords,    ///< bytes of payload and pad, no multiple of 4
  kPadInside,   ///< First, Middle: bytes of pad
  kPadNotZero,  ///< the pad bytes as a number
  // transport_operation, IBTA 9.6
  kReservedOpcode,  ///< the opcode
  kOtherTransport,  ///< the opcode; the Transport of the queue pair
  // tver, IBTA 9.6
  kVersion,  ///< the version
  // reserved_bits, IBTA 9.2 and 9.3
  kReserved6,         ///< BTH, the six bits beside FECN and BECN: the ICRC leaves them out
  kReserved7,         ///< BTH, the seven bits beside AckReq
  kReservedSyndrome,  ///< AETH: the syndrome
  kReservedExtended,  ///< of another header: the bits
  // pkey_mismatch, IBTA 9.6
  kPkey,  ///< the P_Key; that of the connection
  // used_psn, IBTA 9.7.3
  kUsedPsn,  ///< the opcode; the number of the frame that had the PSN before
};

/// The finding that it is evidence for.
[[nodiscard]] constexpr FindingId finding_of(BreachKind kind) noexcept {
  switch (kind) {
    case BreachKind::kOpcodeOrder:
      return FindingId::kOpcodeOrder;
    case BreachKind::kNotPathMtu:
    case BreachKind::kAbovePathMtu:
    case BreachKind::kNoMtu:
    case BreachKind::kEmptyLast:
    case BreachKind::kDmaLength:
    case BreachKind::kNoPayload:
      return FindingId::kLengthMtu;
    case BreachKind::kNotWords:
    case BreachKind::kPadInside:
    case BreachKind::kPadNotZero:
      return FindingId::kPad;
    case BreachKind::kReservedOpcode:
    case BreachKind::kOtherTransport:
      return FindingId::kTransportOperation;
    case BreachKind::kVersion:
      return FindingId::kTver;
    case BreachKind::kPkey:
      return FindingId::kPkeyMismatch;
    case BreachKind::kUsedPsn:
      return FindingId::kUsedPsn;
    default:
      return FindingId::kReservedBits;
  }
}

/// One rule that one sender broke.
struct Breach {
  BreachKind kind = BreachKind::kOpcodeOrder;
  Occurrences seen;
  std::uint64_t value = 0;  ///< of the first packet: see BreachKind
  std::uint64_t other = 0;
  std::uint64_t uncompared = 0;  ///< packets of `seen` whose ICRC could not be compared: they may have been damaged
};

/// Those of one sender: none on most.
class Breaches {
 public:
  /// Cold: many call it, each seldom, and its code would take room in their instruction cache.
  [[gnu::cold, gnu::noinline]] void add(const Breach& first, std::uint64_t packet, std::int64_t time) {
    std::vector<Breach>& breaches = breaches_.make();
    for (Breach& breach : breaches) {
      if (breach.kind != first.kind) continue;
      breach.uncompared += first.uncompared;
      return breach.seen.add(packet, time);
    }
    breaches.emplace_back(first).seen.add(packet, time);
  }
  /// Those that others met among the same frames, as Occurrences::interleave().
  void interleave(const Breach& other) {
    std::vector<Breach>& breaches = breaches_.make();
    const auto begins_before = [&](const Breach& breach) { return breach.seen.packets[0] < other.seen.packets[0]; };
    Breach merged = other;
    const auto known = std::ranges::find(breaches, other.kind, &Breach::kind);
    if (known != breaches.end()) {
      if (begins_before(*known)) {
        merged.value = known->value;
        merged.other = known->other;
      }
      merged.uncompared += known->uncompared;
      merged.seen.interleave(known->seen);
      breaches.erase(known);
    }
    breaches.insert(
        std::ranges::find_if_not(breaches,
                                 [&](const Breach& breach) { return breach.seen.packets[0] < merged.seen.packets[0]; }),
        merged);
  }
  /// In the order of their first packets.
  [[nodiscard]] std::span<const Breach> all() const { return *breaches_; }

 private:
  friend struct PrivateMembers;
  Box<std::vector<Breach>> breaches_;
};

}  // namespace rocescope
