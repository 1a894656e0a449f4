// Extended transport headers: what follows the BTH, by opcode.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/header.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

// Reliable Datagram Extended Transport Header, IBTA 9.3.1.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                   EE context                  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Rdeth : HeaderView<Rdeth> {
  static constexpr HeaderKind kKind = HeaderKind::kRdeth;
  static constexpr std::string_view kName = "infiniband.rdeth";
  static constexpr std::string_view kTitle = "Reliable Datagram Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.1";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("infiniband.rdeth.reserved8", "Reserved", 0, 8),
      field::number("infiniband.rdeth.eecnxt", "End-to-end context", 8, 24),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t ee_context() const noexcept { return get<"infiniband.rdeth.eecnxt">(); }
};

// Datagram Extended Transport Header, IBTA 9.3.2.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Q_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                     SrcQP                     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Deth : HeaderView<Deth> {
  static constexpr HeaderKind kKind = HeaderKind::kDeth;
  static constexpr std::string_view kName = "infiniband.deth";
  static constexpr std::string_view kTitle = "Datagram Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.2";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("infiniband.deth.q_key", "Queue key", 0, 32).digits(16),
      field::number("infiniband.deth.reserved8", "Reserved", 32, 8),
      field::hex("infiniband.deth.srcqp", "Source queue pair", 40, 24).digits(8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t q_key() const noexcept { return get<"infiniband.deth.q_key">(); }
  [[nodiscard]] constexpr Qpn src_qp() const noexcept { return Qpn(get<"infiniband.deth.srcqp">()); }
};

// XRC Extended Transport Header, IBTA A14.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Reserved   |                    XRC SRQ                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Xrceth : HeaderView<Xrceth> {
  static constexpr HeaderKind kKind = HeaderKind::kXrceth;
  static constexpr std::string_view kName = "infiniband.xrceth";
  static constexpr std::string_view kTitle = "XRC Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA A14";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("infiniband.xrceth.reserved8", "Reserved", 0, 8),
      field::hex("infiniband.xrceth.xrcsrq", "XRC shared receive queue", 8, 24),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t xrc_srq() const noexcept { return get<"infiniband.xrceth.xrcsrq">(); }
};

// RDMA Extended Transport Header, IBTA 9.3.3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Virtual address                        |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             R_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             DMALen                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Reth : HeaderView<Reth> {
  static constexpr HeaderKind kKind = HeaderKind::kReth;
  static constexpr std::string_view kName = "infiniband.reth";
  static constexpr std::string_view kTitle = "RDMA Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.3";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::hex("infiniband.reth.va", "Virtual address", 0, 64),
      field::hex("infiniband.reth.r_key", "Remote key", 64, 32),
      field::number("infiniband.reth.dmalen", "DMA length", 96, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint64_t virtual_address() const noexcept { return get<"infiniband.reth.va">(); }
  [[nodiscard]] constexpr std::uint32_t r_key() const noexcept { return get<"infiniband.reth.r_key">(); }
  [[nodiscard]] constexpr std::uint32_t dma_length() const noexcept { return get<"infiniband.reth.dmalen">(); }
};

// Atomic Extended Transport Header, IBTA 9.3.4.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Virtual address                        |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             R_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Swap or add data                       |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Compare data                         |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct AtomicEth : HeaderView<AtomicEth> {
  static constexpr HeaderKind kKind = HeaderKind::kAtomicEth;
  static constexpr std::string_view kName = "infiniband.atomiceth";
  static constexpr std::string_view kTitle = "Atomic Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.4";
  static constexpr std::size_t kSize = 28;
  static constexpr Field kFields[] = {
      field::hex("infiniband.reth.va", "Virtual address", 0, 64),
      field::hex("infiniband.reth.r_key", "Remote key", 64, 32),
      field::number("infiniband.atomiceth.swapdt", "Swap or add data", 96, 64),
      field::number("infiniband.atomiceth.cmpdt", "Compare data", 160, 64),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint64_t virtual_address() const noexcept { return get<"infiniband.reth.va">(); }
  [[nodiscard]] constexpr std::uint32_t r_key() const noexcept { return get<"infiniband.reth.r_key">(); }
  [[nodiscard]] constexpr std::uint64_t swap_or_add() const noexcept { return get<"infiniband.atomiceth.swapdt">(); }
  [[nodiscard]] constexpr std::uint64_t compare() const noexcept { return get<"infiniband.atomiceth.cmpdt">(); }
};

// ACK Extended Transport Header, IBTA 9.3.5; the syndrome is Table 43.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |R| K |  Value  |                      MSN                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// R: reserved. K: kind. These and the value are the syndrome.

/// Bits 6 and 5 of the syndrome.
enum class AethKind : std::uint8_t { kAck = 0, kRnrNak = 1, kReserved = 2, kNak = 3 };

/// The value of a NAK (IBTA Table 44).
enum class NakCode : std::uint8_t {
  kPsnSequenceError = 0,
  kInvalidRequest = 1,
  kRemoteAccessError = 2,
  kRemoteOperationalError = 3,
  kInvalidRdRequest = 4,
};

inline constexpr ValueName kAethKindNames[] = {{0, 0, "ACK"}, {1, 1, "RNR NAK"}, {2, 2, "reserved"}, {3, 3, "NAK"}};
inline constexpr ValueName kNakCodeNames[] = {{0, 0, "PSN sequence error"},  {1, 1, "invalid request"},
                                              {2, 2, "remote access error"}, {3, 3, "remote operational error"},
                                              {4, 4, "invalid RD request"},  {5, 31, "reserved"}};
/// End-to-end credits (IBTA Table 45).
inline constexpr ValueName kCreditNames[] = {
    {0, 0, "0 credits"},       {1, 1, "1 credit"},        {2, 2, "2 credits"},       {3, 3, "3 credits"},
    {4, 4, "4 credits"},       {5, 5, "6 credits"},       {6, 6, "8 credits"},       {7, 7, "12 credits"},
    {8, 8, "16 credits"},      {9, 9, "24 credits"},      {10, 10, "32 credits"},    {11, 11, "48 credits"},
    {12, 12, "64 credits"},    {13, 13, "96 credits"},    {14, 14, "128 credits"},   {15, 15, "192 credits"},
    {16, 16, "256 credits"},   {17, 17, "384 credits"},   {18, 18, "512 credits"},   {19, 19, "768 credits"},
    {20, 20, "1024 credits"},  {21, 21, "1536 credits"},  {22, 22, "2048 credits"},  {23, 23, "3072 credits"},
    {24, 24, "4096 credits"},  {25, 25, "6144 credits"},  {26, 26, "8192 credits"},  {27, 27, "12288 credits"},
    {28, 28, "16384 credits"}, {29, 29, "24576 credits"}, {30, 30, "32768 credits"}, {31, 31, "no end-to-end credits"}};
/// Receiver-not-ready timers (IBTA Table 46).
inline constexpr ValueName kRnrTimerNames[] = {
    {0, 0, "655.36 ms"},   {1, 1, "0.01 ms"},    {2, 2, "0.02 ms"},     {3, 3, "0.03 ms"},     {4, 4, "0.04 ms"},
    {5, 5, "0.06 ms"},     {6, 6, "0.08 ms"},    {7, 7, "0.12 ms"},     {8, 8, "0.16 ms"},     {9, 9, "0.24 ms"},
    {10, 10, "0.32 ms"},   {11, 11, "0.48 ms"},  {12, 12, "0.64 ms"},   {13, 13, "0.96 ms"},   {14, 14, "1.28 ms"},
    {15, 15, "1.92 ms"},   {16, 16, "2.56 ms"},  {17, 17, "3.84 ms"},   {18, 18, "5.12 ms"},   {19, 19, "7.68 ms"},
    {20, 20, "10.24 ms"},  {21, 21, "15.36 ms"}, {22, 22, "20.48 ms"},  {23, 23, "30.72 ms"},  {24, 24, "40.96 ms"},
    {25, 25, "61.44 ms"},  {26, 26, "81.92 ms"}, {27, 27, "122.88 ms"}, {28, 28, "163.84 ms"}, {29, 29, "245.76 ms"},
    {30, 30, "327.68 ms"}, {31, 31, "491.52 ms"}};

/// The end-to-end credits that an ACK's code of 0 to 30 grants; nothing for 31, the responder does not count them.
[[nodiscard]] constexpr std::optional<std::uint32_t> credits_of(unsigned code) noexcept {
  constexpr std::uint32_t kCredits[] = {0,    1,    2,    3,    4,    6,     8,     12,    16,   24,   32,
                                        48,   64,   96,   128,  192,  256,   384,   512,   768,  1024, 1536,
                                        2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768};
  code &= 31U;
  if (code == 31) return std::nullopt;
  return kCredits[code];
}

/// How long a requester waits at least after an RNR NAK with a timer code of 0 to 31, in nanoseconds.
[[nodiscard]] constexpr std::int64_t rnr_timer_ns(unsigned code) noexcept {
  constexpr std::int64_t kUnit = 10'000;
  constexpr std::int64_t kUnits[] = {65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
                                     48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
                                     2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return kUnits[code & 31U] * kUnit;
}

struct Aeth : HeaderView<Aeth> {
  static constexpr HeaderKind kKind = HeaderKind::kAeth;
  static constexpr std::string_view kName = "infiniband.aeth";
  static constexpr std::string_view kTitle = "ACK Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.5";
  static constexpr std::size_t kSize = 4;
  template <AethKind Kind>
  static constexpr bool kind_is(const std::uint8_t* header) {
    return ((header[0] >> 5) & 3) == static_cast<int>(Kind);
  }
  static constexpr Field kFields[] = {
      field::number("infiniband.aeth.syndrome", "Syndrome", 0, 8),
      field::number("infiniband.aeth.syndrome.reserved", "Reserved", 0, 1).part(),
      field::number("infiniband.aeth.syndrome.opcode", "Kind", 1, 2).part().named(kAethKindNames),
      field::number("infiniband.aeth.syndrome.credit_count", "Credit count", 3, 5)
          .part()
          .named(kCreditNames)
          .when(kind_is<AethKind::kAck>),
      field::number("infiniband.aeth.syndrome.timer", "Timer", 3, 5)
          .part()
          .named(kRnrTimerNames)
          .when(kind_is<AethKind::kRnrNak>),
      field::number("infiniband.aeth.syndrome.reserved_value", "Reserved", 3, 5)
          .part()
          .when(kind_is<AethKind::kReserved>),
      field::number("infiniband.aeth.syndrome.error_code", "Error code", 3, 5)
          .part()
          .named(kNakCodeNames)
          .when(kind_is<AethKind::kNak>),
      field::number("infiniband.aeth.msn", "Message sequence number", 8, 24),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t syndrome() const noexcept { return get<"infiniband.aeth.syndrome">(); }
  [[nodiscard]] constexpr AethKind kind() const noexcept {
    return static_cast<AethKind>(get<"infiniband.aeth.syndrome.opcode">());
  }
  /// The low five bits: credit code, RNR timer code or NAK code, by kind.
  [[nodiscard]] constexpr std::uint8_t value() const noexcept { return get<"infiniband.aeth.syndrome.credit_count">(); }
  [[nodiscard]] constexpr std::uint32_t msn() const noexcept { return get<"infiniband.aeth.msn">(); }
};

// Atomic Acknowledge Extended Transport Header, IBTA 9.3.5.3.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Original remote data                     |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct AtomicAckEth : HeaderView<AtomicAckEth> {
  static constexpr HeaderKind kKind = HeaderKind::kAtomicAckEth;
  static constexpr std::string_view kName = "infiniband.atomicacketh";
  static constexpr std::string_view kTitle = "Atomic Acknowledge Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.5";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("infiniband.atomicacketh.origremdt", "Original remote data", 0, 64),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint64_t original() const noexcept { return get<"infiniband.atomicacketh.origremdt">(); }
};

// Immediate Data, IBTA 9.3.6.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Immediate data                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct ImmDt : HeaderView<ImmDt> {
  static constexpr HeaderKind kKind = HeaderKind::kImmDt;
  static constexpr std::string_view kName = "infiniband.immdt";
  static constexpr std::string_view kTitle = "Immediate Data";
  static constexpr std::string_view kReference = "IBTA 9.3.6";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.immdt", "Immediate data", 0, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto immediate() const noexcept { return get<"infiniband.immdt">(); }
};

// Invalidate Extended Transport Header, IBTA 9.3.7.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             R_Key                             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Ieth : HeaderView<Ieth> {
  static constexpr HeaderKind kKind = HeaderKind::kIeth;
  static constexpr std::string_view kName = "infiniband.ieth";
  static constexpr std::string_view kTitle = "Invalidate Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA 9.3.7";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::bytes("infiniband.ieth", "R_Key to invalidate", 0, 32),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto r_key() const noexcept { return get<"infiniband.ieth">(); }
};

// Flush Extended Transport Header, IBTA A19.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Reserved                     |SEL|  PLT  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

inline constexpr ValueName kFlushSelectivityNames[] = {{0, 0, "memory region range"}, {1, 1, "whole memory region"}};
inline constexpr ValueName kFlushPlacementNames[] = {
    {1, 1, "global visibility"}, {2, 2, "persistence"}, {3, 3, "global visibility and persistence"}};

struct Feth : HeaderView<Feth> {
  static constexpr HeaderKind kKind = HeaderKind::kFeth;
  static constexpr std::string_view kName = "infiniband.feth";
  static constexpr std::string_view kTitle = "Flush Extended Transport Header";
  static constexpr std::string_view kReference = "IBTA A19";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("infiniband.feth.reserved26", "Reserved", 0, 26),
      field::number("infiniband.feth.sel", "Selectivity level", 26, 2).named(kFlushSelectivityNames),
      field::hex("infiniband.feth.plt", "Placement type", 28, 4).named(kFlushPlacementNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t selectivity() const noexcept { return get<"infiniband.feth.sel">(); }
  [[nodiscard]] constexpr std::uint8_t placement() const noexcept { return get<"infiniband.feth.plt">(); }
};

}  // namespace rocescope
