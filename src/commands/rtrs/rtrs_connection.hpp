// A connection of RTRS, which carries the commands of RNBD.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "commands/carried.hpp"
#include "commands/command_books.hpp"
#include "rocescope/detail/rtrs_message.hpp"

namespace rocescope {

/// Ties requests, which are WRITEs with immediate data, to their responses by the buffer, and to the WRITEs of the
/// server by the descriptors.
class RtrsConnection final : public Carried {
 public:
  /// What the messages of the CM say.
  struct Known {
    std::optional<std::uint8_t> client;      ///< the side that connects
    std::optional<std::uint8_t> place_bits;  ///< of a request's immediate data: where its message stands in the buffer
    std::optional<std::uint32_t> depth;      ///< buffers
  };
  RtrsConnection(std::uint32_t connection, Known known) : known_(known), books_(UpperProtocol::kRtrs, connection) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  MessageProtocol observe(const DataPayload& payload, CommandSink& log) override;
  [[nodiscard]] Bytes message_in(const DataPayload& payload) const override;
  void observe(const TakenAgain& taken) override { books_.observe(taken); }
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override {
    books_.end(side, message, log, message.operation != Operation::kSend && !message.immediate);
  }
  [[nodiscard]] bool wants_data() const override { return true; }
  [[nodiscard]] const Fit& fit() const override { return books_.counts().fit; }
  void finish(CommandSink& log) override { books_.finish(log); }
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) const override;
  [[nodiscard]] std::span<const CommandBook> books() const override { return books_.all(); }

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostKept = 4'608;  // the last bytes of a WRITE: a header, and 256 descriptors

  /// The WRITE of a side of which packets come.
  struct Write {
    bool is_open = false;
    Psn first_psn;
    std::uint64_t first_frame = 0;
    std::int64_t first_time = 0;
    std::uint64_t length = 0;         // so far
    std::vector<std::uint8_t> bytes;  // the last, without a gap
    std::uint32_t behind = 0;         // of the last request: bytes from the header of RNBD to its end
  };

  void observe_request(const SendPayload& payload, const Write& write, std::uint32_t value, CommandSink& log);
  void observe_response(const SendPayload& payload, std::uint32_t value, CommandSink& log);
  void observe_immediate(const SendPayload& payload, std::uint32_t immediate, CommandSink& log);

  Known known_;
  CommandBooks books_;           // by buffer
  std::array<Write, 2> writes_;  // by side
};

}  // namespace rocescope
