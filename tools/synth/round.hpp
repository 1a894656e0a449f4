// A round of a connection: some messages, and the order in which their packets are captured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/operation.hpp"
#include "core/random.hpp"
#include "synth/connection.hpp"
#include "synth/options.hpp"

namespace rocescope::synth {

struct Message {
  rdmagen::Operation operation = rdmagen::Operation::kSend;
  std::uint64_t wr_id = 0;
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;  ///< the server's memory
  std::uint64_t value = 0;    ///< immediate; of an atomic operation its operands and what it answers
  std::uint32_t psn = 0;      ///< of its first packet
  std::uint32_t psns = 0;     ///< that it spans
  std::uint32_t msn = 0;

  /// Packets that the client sends for it.
  [[nodiscard]] std::uint32_t request_packets() const noexcept {
    return rdmagen::traits(operation).answered_with_data ? 1 : psns;
  }
};

/// Packets of one kind that follow each other.
struct Step {
  enum class Kind : std::uint8_t { kReq, kRep, kRtu, kRequest, kAnswer, kNak };
  Kind kind = Kind::kRequest;
  bool glued = false;         ///< the next step follows at once
  std::uint16_t message = 0;  ///< index into Round::messages
  std::uint32_t first = 0;    ///< packet of the message
  std::uint32_t count = 1;    ///< packets
};

struct Round {
  std::vector<Message> messages;
  std::vector<Step> steps;
};

/// Makes rounds, each as its connection goes on. Faults are chosen so that what can be concluded from the capture is
/// certain: a lost packet is never the last of its round, so that a NAK reports it, and is not lost again; a round has
/// either losses or packets out of order.
class RoundMaker {
 public:
  explicit RoundMaker(const Options& options) : options_(options), random_(options.seed) {}

  /// Fills `round` (whose memory is used again) and counts in `connection` what will be in the capture.
  void make(const Identity& identity, Connection& connection, Round& round);

 private:
  /// What goes wrong in a round.
  struct Faults {
    bool loss = false;    ///< of the packet below
    bool before = false;  ///< the capture point
    std::uint16_t message = 0;
    std::uint32_t packet = 0;
    double reorder = 0;  ///< rates of the others
    double duplicate = 0;
  };

  [[nodiscard]] bool happens(double rate) noexcept;
  [[nodiscard]] std::uint64_t bytes_of(rdmagen::Operation operation) noexcept;
  void plan(const Identity& identity, Connection& connection, Round& round);
  [[nodiscard]] Faults choose_faults(const Round& round) noexcept;
  void send(Round& round, const Faults& faults, Tally& tally);
  void send_again(Round& round, const Faults& faults, Tally& tally) const;
  void answer(Round& round, std::size_t first, std::size_t end, Tally& tally) const;

  const Options& options_;
  rdmagen::Random random_;
};

}  // namespace rocescope::synth
