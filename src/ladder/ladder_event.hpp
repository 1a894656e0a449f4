// The events of a ladder: what happened on one connection, in the order of time.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "ladder/command_mark.hpp"
#include "ladder/command_spans.hpp"
#include "ladder/exchange_event.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

/// Similar packets of one side in a row; acknowledgements may come between them.
struct PacketRun {
  enum class Extent : std::uint8_t {
    kMessages,  ///< whole messages of the same size
    kPart,      ///< some packets of a message
    kPackets,   ///< packets with the same verdict: sent again, out of order, ...
  };
  Extent extent = Extent::kPackets;
  const OpcodeInfo* opcode = nullptr;  ///< of the first packet
  bool with_immediate = false;         ///< of each message
  bool with_invalidate = false;
  Verdict verdict;            ///< of the first packet; all have its kind, cause, lost and evidence
  std::uint64_t packets = 0;  ///< each message has the same number
  std::uint64_t messages = 0;
  bool has_first = false;   ///< kPart: the message's First is among them
  bool has_last = false;    ///< kPart: the message's Last is among them
  std::uint64_t bytes = 0;  ///< payload; of READ and FLUSH: the bytes that they name
  bool same_size = true;    ///< of all messages; of all packets if the run is not whole messages
  Psn first_psn;
  Psn last_psn;
  std::uint64_t last_related = 0;  ///< Verdict::related of the last packet
  std::uint64_t ce_packets = 0;    ///< marked by a switch on the way
  bool bad_icrc = false;           ///< of all of them
  bool apart = false;              ///< of a message that shares it with no other: see LadderOptions
  // Of the first packet that has it
  std::optional<AethKind> aeth;
  std::uint8_t aeth_value = 0;  ///< credit code, RNR timer code or NAK code, by kind
  std::optional<std::uint64_t> address;
  std::optional<std::uint32_t> r_key;
  std::optional<std::uint32_t> immediate;
  std::optional<CommandMark> command;  ///< of a protocol above RoCE; such a message stands apart
  std::vector<CommandEnd> ends;        ///< of all of them; such a message stands apart
};

struct LadderEvent {
  std::int64_t time = 0;       ///< nanoseconds since 1970, of the first packet
  std::int64_t last_time = 0;  ///< of the last packet
  std::uint64_t frame = 0;     ///< number of the first frame
  std::uint64_t last_frame = 0;
  std::uint8_t sender = 0;  ///< index into Connection::sides
  std::optional<std::int64_t>
      silence;  ///< ns from the previous packet of the ladder to the first one; none if there is no previous one
  std::variant<CmEvent, ExchangeEvent, PacketRun> what;
};

}  // namespace rocescope
