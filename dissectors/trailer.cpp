// What stands behind the end of the packet.
#include "dissectors.hpp"

namespace rocescope::dissectors {

void dissect_trailer(Dissection& d) noexcept {
  const std::uint64_t captured = d.data.size();
  if (d.end > captured) return d.stop(d.cut_by, HeaderKind::kPayload, d.left());
  if (d.end < captured) d.add(HeaderKind::kTrailer, d.end, captured - d.end);
}

}  // namespace rocescope::dissectors
