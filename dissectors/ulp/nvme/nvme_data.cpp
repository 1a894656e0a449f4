// What commands of NVMe over Fabrics carry.
#include <algorithm>

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/nvme/data.hpp"

namespace rocescope::dissectors {

void dissect_nvme_discovery(Dissection& d, bool has_beginning) noexcept {
  constexpr std::uint64_t kMostRecords = Packet::kMaxLayers / 2;
  std::uint64_t records = kMostRecords;
  if (has_beginning) {
    const auto log = d.take<NvmeDiscoveryLog>();
    if (!log) return;
    records = std::min(records, log->records());
    if (d.left() < NvmeDiscoveryFormat::kSize || !d.take<NvmeDiscoveryFormat>()) return;
  }
  // What the host asked for is often longer than the log page.
  for (; records > 0 && d.left() >= NvmeDiscoveryRecord::kSize; --records) {
    const Bytes rest = d.rest();
    if (!rest.empty() && rest[0] == 0) return;
    if (!d.take<NvmeDiscoveryRecord>()) return;
  }
}

void dissect_nvme_auth_message(Dissection& d) noexcept {
  const Bytes message = d.rest();
  const HeaderKind kind = NvmeAuthFailure::is_it(message) ? HeaderKind::kNvmeAuthFailure : HeaderKind::kNvmeAuthMessage;
  // All that this packet has of it, so that its secrets are no payload, which is shown.
  (void)d.take(kind, std::max<std::size_t>(header_info(kind).size, message.size()));
}

}  // namespace rocescope::dissectors
