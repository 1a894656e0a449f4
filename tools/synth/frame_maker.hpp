// Frames of RoCEv2 over IPv4, with their ICRC (IBTA A17.3.3), made in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "synth/connection.hpp"

namespace rocescope::synth {

/// Ethernet, IPv4, UDP and BTH of one packet.
struct Envelope {
  std::uint32_t source = 0;  ///< IPv4
  std::uint32_t destination = 0;
  std::uint16_t udp_port = 0;
  std::uint8_t opcode = 0;
  bool ack_request = false;
  std::uint32_t dest_qp = 0;
  std::uint32_t psn = 0;
};

/// Header bytes that follow the BTH.
class Extension {
 public:
  template <class T>
  Extension& put(T value, unsigned bytes = sizeof(T)) noexcept {
    while (bytes-- > 0) bytes_[size_++] = static_cast<std::uint8_t>(std::uint64_t{value} >> (8 * bytes));
    return *this;
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return {bytes_, size_}; }

 private:
  std::uint8_t bytes_[36] = {};
  std::size_t size_ = 0;
};

class FrameMaker {
 public:
  /// `needed`: bytes of a frame that anyone will look at; what lies behind them need not be made.
  FrameMaker(std::uint64_t seed, std::uint32_t needed);

  /// Makes a frame at `to`. Its payload of `payload` bytes follows from PSN and queue pair, so that it is the same when it
  /// is sent again. Returns the size of the frame.
  std::size_t make(std::uint8_t* to, const Envelope& envelope, const Extension& extension, std::size_t payload) const;
  /// The same with a given payload.
  std::size_t make(std::uint8_t* to, const Envelope& envelope, const Extension& extension,
                   std::span<const std::uint8_t> payload) const;

 private:
  std::uint32_t needed_;
  std::vector<std::uint8_t> pool_;  // of payloads
};

}  // namespace rocescope::synth
