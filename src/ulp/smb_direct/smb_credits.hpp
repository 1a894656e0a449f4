// Credits of SMB Direct.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dissectors/ulp/smb_direct/smb_message.hpp"
#include "ulp/carried.hpp"

namespace rocescope {

/// Counts what each side may still send, to find when it had to wait (MS-SMBD, 3.1.1.1).
class SmbCredits {
 public:
  explicit SmbCredits(std::uint32_t connection) : connection_(connection) {}

  void observe(const SendPayload& payload, const SmbDirectMessage& message, CommandSink& log);
  /// Nothing more comes: a side that waits in the middle of a message waited in vain.
  void finish(CommandSink& log);
  /// The credits of both sides are no longer known.
  void forget() { senders_ = {}; }

 private:
  friend struct StateMembers;
  /// A message that ended a time without credits.
  struct Grant {
    std::uint64_t packet = 0;
    std::int64_t time = 0;
  };
  struct Sender {
    std::optional<std::uint32_t> left;  ///< nothing: the negotiation was not seen, or a grant was not
    bool is_out = false;                ///< of credits, since its last message
    bool has_more = false;              ///< of the message of SMB
    bool counts = false;                ///< its last message does
    std::int64_t since = 0;
    std::optional<Grant> grant;  ///< since then, the first
  };
  void observe_sent(const SendPayload& payload, const SmbDirectMessage& message, CommandSink& log);
  void observe_granted(const SendPayload& payload, std::uint16_t granted);

  std::uint32_t connection_;
  std::array<Sender, 2> senders_;  // by side
  Grant last_;                     // the last message, whatever it granted
};

}  // namespace rocescope
