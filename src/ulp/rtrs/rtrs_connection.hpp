// A connection of RTRS, which carries the commands of RNBD.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dissectors/ulp/rtrs/rtrs_message.hpp"
#include "ulp/carried.hpp"
#include "ulp/command_books.hpp"

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
    const bool is_data = message.operation != Operation::kSend && !message.immediate;
    if (!asked_.empty() && is_data) return books_.of(1 - side).end_data(message, asked_with_data(side, message));
    if (!asked_.empty()) note_asked_end(side, message);
    books_.end(side, message, log, is_data);
  }
  [[nodiscard]] bool wants_data() const override { return true; }
  [[nodiscard]] const Fit& fit() const override { return books_.counts().fit; }
  void finish(CommandSink& log) override;
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  [[nodiscard]] std::span<const CommandBook> books() const override { return books_.all(); }

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostKept = 4'608;  // the last bytes of a WRITE: a header, and 256 descriptors

  /// The WRITE of a side whose packets are coming.
  struct Write {
    bool is_open = false;
    Psn first_psn;
    std::uint64_t first_frame = 0;
    std::int64_t first_time = 0;
    std::uint64_t length = 0;         // so far
    std::vector<std::uint8_t> bytes;  // the last, without a gap
    std::uint32_t behind = 0;         // of the last request: bytes from the header of RNBD to its end
  };
  /// What the form of a request says, independent of its immediate data.
  struct ByForm {
    std::optional<RtrsPlace> place;
    std::optional<RtrsRequest> read;  ///< whose end was cut off
  };
  /// A request while nobody knows where in its immediate data the buffer begins.
  struct Asked {
    std::uint32_t value = 0;  ///< of the immediate data
    std::uint64_t place = 0;  ///< as RtrsPlace has it
    std::uint64_t known = 0;  ///< the same; 0: nothing is known
    std::unique_ptr<OpenCommand> open;
    bool may_be_over = false;  ///< a response came since, and nobody knows to which request
  };
  static constexpr std::size_t kMostAsked = 64;

  void observe_request(const SendPayload& payload, const ByForm& form, std::uint32_t value, CommandSink& log);
  void observe_response(const SendPayload& payload, std::uint32_t value, CommandSink& log);
  /// Looks for the request that a response is for. False: it is not known.
  [[nodiscard]] bool find_asked(std::uint64_t buffer, std::size_t client);
  void vote(std::uint8_t place_bits, std::size_t client);
  /// The request that asked for the data of this message, among those whose buffer is not known; null: none is known.
  [[nodiscard]] OpenCommand* asked_with_data(std::size_t side, const Message& message) const;
  /// A message ended that may be the request of one of them.
  void note_asked_end(std::size_t side, const Message& message);
  /// Makes room among these for another.
  void drop_asked();
  /// If a new request has the buffer, earlier requests of it are over.
  void forget_asked(std::uint64_t buffer);
  void observe_immediate(const SendPayload& payload, const ByForm& form, std::uint32_t immediate, CommandSink& log);

  Known known_;
  CommandBooks books_;            // by buffer
  std::array<Write, 2> writes_;   // by side
  std::vector<Asked> asked_;      // the oldest first
  std::uint8_t likely_bits_ = 0;  // what place_bits most likely are
  std::uint8_t votes_ = 0;        // commands that say so
};

}  // namespace rocescope
