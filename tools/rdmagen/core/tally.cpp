#include "core/tally.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rocescope::rdmagen {

void Tally::add(const Tally& other) {
  start_ns = start_ns == 0 ? other.start_ns : std::min(start_ns, other.start_ns == 0 ? start_ns : other.start_ns);
  end_ns = std::max(end_ns, other.end_ns);
  operations += other.operations;
  payload_bytes += other.payload_bytes;
  verified_bytes += other.verified_bytes;
  lost += other.lost;
  as_asked.insert(as_asked.end(), other.as_asked.begin(), other.as_asked.end());
  errors.insert(errors.end(), other.errors.begin(), other.errors.end());
}

std::string summary(const Tally& tally) {
  const double seconds = static_cast<double>(tally.end_ns - tally.start_ns) / 1e9;
  const double rate = seconds > 0 ? 1 / seconds : 0;
  std::string text = fmt::format(
      "{:.3f} s, {:.2f} MiB/s, {:.0f} operations/s: {} operations, {} bytes, {} bytes verified", seconds,
      static_cast<double>(tally.payload_bytes) / (1 << 20) * rate, static_cast<double>(tally.operations) * rate,
      tally.operations, tally.payload_bytes, tally.verified_bytes);
  if (tally.lost > 0) text += fmt::format(", {} messages lost", tally.lost);
  text += '\n';
  for (const std::string& failure : tally.as_asked) text += fmt::format("as asked for: {}\n", failure);
  for (const std::string& error : tally.errors) text += fmt::format("error: {}\n", error);
  return text;
}

}  // namespace rocescope::rdmagen
