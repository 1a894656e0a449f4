// The options of a capture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/operation.hpp"

namespace rocescope::synth {

enum class Format : std::uint8_t { kPcap, kPcapng };

struct Options {
  bool help = false;
  std::string output = "-";
  std::string truth;       ///< empty: none
  bool tell_posts = true;  ///< every work request in the truth, not only sums
  Format format = Format::kPcap;

  std::uint64_t packets = 1'000'000;
  std::uint32_t queue_pairs = 64;  ///< connections
  std::uint32_t host_pairs = 0;    ///< 0: one for each 256 connections
  std::uint32_t active = 4096;     ///< connections that have something outstanding at a time
  std::uint64_t seed = 1;
  bool cm = true;  ///< connections are set up by the communication manager, in the capture

  std::vector<rdmagen::Operation> operations{rdmagen::Operation::kSend};
  std::vector<std::uint64_t> sizes{4096};  ///< bytes of a message; one of them at random
  std::uint32_t frame_size = 0;            ///< bytes; not 0: messages of one packet, in frames of at most that
  std::uint32_t path_mtu = 1024;           ///< bytes
  std::uint32_t depth = 8;                 ///< messages that are sent before the first answer
  std::uint32_t ack_every = 4;             ///< messages
  std::uint32_t burst = 4;                 ///< packets of one connection in a row

  double loss = 0;        ///< of request packets, before the capture point; and so on
  double loss_after = 0;  ///< behind it
  double reorder = 0;
  double duplicate = 0;

  std::uint32_t snap_length = 65535;  ///< bytes
  double gigabits = 100;              ///< a second: how fast packets follow one another
};

/// Throws rdmagen::UsageError.
[[nodiscard]] Options parse_options(int argc, const char* const* argv);

/// What --help prints.
[[nodiscard]] std::string usage();

}  // namespace rocescope::synth
