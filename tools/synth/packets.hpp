// The packets of a connection.
#pragma once

#include <cstddef>
#include <cstdint>

#include "synth/connection.hpp"
#include "synth/frame_maker.hpp"
#include "synth/options.hpp"
#include "synth/round.hpp"

namespace rocescope::synth {

class PacketMaker {
 public:
  explicit PacketMaker(const Options& options)
      : frames_(options.seed, options.snap_length), path_mtu_(options.path_mtu), ack_every_(options.ack_every) {}

  /// Makes packet `packet` of `step` (from step.first on) at `to`. Returns the size of its frame.
  std::size_t make(std::uint8_t* to, const Identity& identity, const Round& round, const Step& step,
                   std::uint32_t packet) const;

 private:
  std::size_t request(std::uint8_t* to, const Identity& identity, const Round& round, const Step& step,
                      std::uint32_t packet) const;
  std::size_t answer(std::uint8_t* to, const Identity& identity, const Message& message, std::uint32_t packet) const;
  std::size_t nak(std::uint8_t* to, const Identity& identity, const Message& message, std::uint32_t packet) const;
  [[nodiscard]] std::size_t payload_of(const Message& message, std::uint32_t packet) const noexcept;

  FrameMaker frames_;
  std::uint32_t path_mtu_;
  std::uint32_t ack_every_;
};

/// A message of the communication manager (IBTA 12.6): REQ, REP or RTU.
std::size_t make_cm_message(const FrameMaker& frames, std::uint8_t* to, const Identity& identity, Step::Kind kind,
                            std::uint32_t path_mtu);

}  // namespace rocescope::synth
