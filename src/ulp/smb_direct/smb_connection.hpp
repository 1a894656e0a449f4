// A connection of SMB Direct.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dissectors/ulp/smb_direct/smb_message.hpp"
#include "ulp/carried.hpp"
#include "ulp/command_books.hpp"
#include "ulp/smb_direct/smb_credits.hpp"

namespace rocescope {

/// Puts the fragments of messages together, and ties commands to their responses by the Message ID, and to the READs
/// and WRITEs of the server by the buffer descriptors.
class SmbConnection final : public Carried {
 public:
  /// `client`: the side that connects.
  SmbConnection(std::uint32_t connection, std::optional<std::uint8_t> client)
      : client_(client), credits_(connection), books_(UpperProtocol::kSmbDirect, connection) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  void observe(const TakenAgain& taken) override { books_.observe(taken); }
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override {
    books_.end(side, message, log);
  }
  [[nodiscard]] const Fit& fit() const override { return books_.counts().fit; }
  void finish(CommandSink& log) override {
    credits_.finish(log);
    books_.finish(log);
  }
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  [[nodiscard]] std::span<const CommandBook> books() const override { return books_.all(); }

 private:
  friend struct StateMembers;
  /// A message that still lacks fragments.
  struct Fragments {
    std::uint64_t left = 0;         ///< bytes that are to come; 0: there is none
    std::uint64_t first_frame = 0;  ///< of the first fragment
    std::int64_t first_time = 0;
    bool is_whole = true;             ///< no byte is missing so far
    std::vector<std::uint8_t> bytes;  ///< kMostKept at most
  };
  static constexpr std::size_t kMostKept = 16'384;  // of commands in a chain; what is behind are data

  void observe_fragment(const SendPayload& payload, const SmbDirectMessage& fragment, CommandSink& log);
  /// A message of SMB that `payload` ends, and that began with `first`.
  void observe_message(const SendPayload& payload, Bytes message, const Fragments& first, CommandSink& log);
  void observe_command(const SendPayload& payload, SmbMessage&& message, const Fragments& first, CommandSink& log);
  void observe_request(const SendPayload& payload, SmbMessage&& message, const Fragments& first, CommandSink& log);
  void observe_response(const SendPayload& payload, const SmbMessage& message, CommandSink& log);
  void observe_cut_responses(const SendPayload& payload, std::uint64_t request, CommandSink& log);
  /// False: the Message ID is not known.
  [[nodiscard]] bool find_id(const SendPayload& payload, SmbMessage& message);

  std::optional<std::uint8_t> client_;
  SmbCredits credits_;
  CommandBooks books_;                      // by Message ID
  std::array<Fragments, 2> fragments_;      // by side
  std::optional<std::uint32_t> last_hash_;  // of the last message's start
  std::uint64_t encrypted_ = 0;             // messages
  std::uint64_t cut_ = 0;  // messages whose Message ID was not captured, or whose beginning was not seen
  std::string share_;
};

}  // namespace rocescope
