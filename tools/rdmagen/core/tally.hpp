// What a connection did, counted; and the summary that a person reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rocescope::rdmagen {

struct Tally {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t operations = 0;       ///< completed here: work requests and arrivals
  std::uint64_t payload_bytes = 0;    ///< of those
  std::uint64_t verified_bytes = 0;   ///< compared with what they must be, and equal
  std::uint64_t lost = 0;             ///< UC, UD: messages that never came
  std::vector<std::string> as_asked;  ///< failures that the fault was meant to cause
  std::vector<std::string> errors;

  /// Adds another connection's, which ran at the same time.
  void add(const Tally& other);
  [[nodiscard]] bool good() const noexcept { return errors.empty(); }
};

/// Two or three lines: elapsed, MiB/s, operations/s, verified bytes, errors.
[[nodiscard]] std::string summary(const Tally& tally);

}  // namespace rocescope::rdmagen
