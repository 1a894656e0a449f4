// TCP. UDP is in dissect.cpp.
#include "rocescope/headers/transport.hpp"

#include "dissectors/dissectors.hpp"

namespace rocescope::dissectors {

void dissect_tcp(Dissection& d) noexcept {
  const auto header = d.take<Tcp>();
  if (!header) return;
  const std::size_t length = header->header_words() * 4U;
  if (length < Tcp::kSize) return d.stop(StopReason::kMalformed, HeaderKind::kTcp, Tcp::kSize);
  if (length > Tcp::kSize && !d.extend_last(length - Tcp::kSize)) return;
  dissect_smc_clc(d);
}

}  // namespace rocescope::dissectors
