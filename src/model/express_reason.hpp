// Why a packet goes the full way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rocescope {

/// In the order in which they are looked for: the first one counts.
enum class ExpressReason : std::uint8_t {
  kNone,  ///< it takes the express lane
  // What the packet is.
  kShape,
  kCut,
  kTransport,
  kOperation,
  kResponse,
  kCe,
  kCopies,
  kChecksum,
  // What its connection is, after the packets before.
  kUnknown,
  kUnready,
  kUnusual,
  kYoung,
  kOpen,
  kCongestion,
  kChain,
  kSettled,
  kPayload,
  // What the packet is to its connection.
  kTime,
  kEvicts,
  kLikeness,
  kPsn,
  kMessage,
  kOutstanding,
};

/// In the order of ExpressReason.
inline constexpr std::array<std::string_view, 24> kExpressReasonTexts{
    "",
    "another protocol, or unusual headers",
    "headers cut off",
    "another transport than RC",
    "an operation that does not take it",
    "a response that is no positive ACK",
    "marked CE",
    "the capture shows packets twice",
    "wrong ICRC or IP checksum, or a rewritten UDP port",
    "first of a connection, or of none",
    "connection not paired, being set up, or over",
    "behind an unusual packet: not in order, or another operation",
    "one of the first packets of a connection, of very many",
    "no ACK yet, or something missing, asked for again, or copied",
    "close to a CNP",
    "message or path MTU not known from its beginning",
    "connection was looked at in between",
    "its payload is looked at",
    "earlier than the packet before, or behind a pause",
    "time to look for idle connections",
    "another class, priority, P_Key or ICRC result than before",
    "not the next PSN, or an ACK of nothing outstanding",
    "does not go on with the message",
    "too much outstanding",
};
static_assert(kExpressReasonTexts.size() == static_cast<std::size_t>(ExpressReason::kOutstanding) + 1);

/// A few words for people.
[[nodiscard]] constexpr std::string_view text_of(ExpressReason reason) noexcept {
  return kExpressReasonTexts[static_cast<std::size_t>(reason)];
}

/// Where the express lane is open: packets that took it, and others.
struct ExpressTotals {
  std::uint64_t packets = 0;
  std::uint64_t cut = 0;  ///< of these
  /// That went the full way, by ExpressReason.
  std::array<std::uint64_t, kExpressReasonTexts.size()> others{};
};

}  // namespace rocescope
