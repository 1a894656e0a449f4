// The header of RDS, and its extension headers.
#include "rocescope/headers/rds.hpp"

#include <algorithm>

#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/rds/rds_message.hpp"

namespace rocescope {
namespace {

/// The size of an extension header; 0: it ends them, or it is not known.
std::size_t rds_extension_size(std::uint8_t type) noexcept {
  switch (type) {
    case RdsVersion::kType:
      return RdsVersion::kSize;
    case RdsRdma::kType:
      return RdsRdma::kSize;
    case RdsRdmaDestination::kType:
      return RdsRdmaDestination::kSize;
    case RdsPaths::kType:
      return RdsPaths::kSize;
    case RdsGeneration::kType:
      return RdsGeneration::kSize;
    default:
      return 0;
  }
}

HeaderKind rds_extension_kind(std::uint8_t type) noexcept {
  switch (type) {
    case RdsVersion::kType:
      return HeaderKind::kRdsVersion;
    case RdsRdma::kType:
      return HeaderKind::kRdsRdma;
    case RdsRdmaDestination::kType:
      return HeaderKind::kRdsRdmaDestination;
    case RdsPaths::kType:
      return HeaderKind::kRdsPaths;
    default:
      return HeaderKind::kRdsGeneration;
  }
}

/// As far as they were captured.
Bytes extensions_of(Bytes start) noexcept {
  const Bytes rest = start.subspan(std::min(start.size(), RdsHeader::kSize));
  return rest.first(std::min(rest.size(), kRdsExtensionsSize));
}

}  // namespace

bool has_rds_extensions(Bytes start) noexcept {
  Bytes rest = extensions_of(start);
  if (rest.size() == kRdsExtensionsSize) return true;
  while (!rest.empty()) {
    const std::size_t size = rds_extension_size(rest[0]);
    if (size == 0) return rest[0] == 0;
    rest = rest.subspan(std::min(rest.size(), size));
  }
  return false;
}

std::optional<RdsMessage> rds_message_of(Bytes start, std::uint64_t length) noexcept {
  if (!has_form_of_rds(start, length)) return std::nullopt;
  const RdsHeader header(start.data());
  RdsMessage message{.sequence = header.get<"rocescope.rds.sequence">(),
                     .acknowledged = header.get<"rocescope.rds.ack">(),
                     .length = header.get<"rocescope.rds.len">(),
                     .source = header.get<"rocescope.rds.sport">(),
                     .destination = header.get<"rocescope.rds.dport">(),
                     .is_congestion_map = header.get<"rocescope.rds.flags.congestion">() != 0,
                     .used = {},
                     .to_use = {},
                     .data = start.subspan(std::min(start.size(), RdsHeader::kSize + kRdsExtensionsSize))};
  Bytes rest = extensions_of(start);
  while (!rest.empty()) {
    const std::size_t size = rds_extension_size(rest[0]);
    if (size == 0 || size > rest.size()) break;
    if (rest[0] == RdsRdma::kType) message.used = RdsRdma(rest.data()).get<"rocescope.rds.rdma.r_key">();
    if (rest[0] == RdsRdmaDestination::kType) {
      const RdsRdmaDestination memory(rest.data());
      message.to_use = memory.get<"rocescope.rds.rdma_dest.r_key">();
      message.offset = memory.get<"rocescope.rds.rdma_dest.offset">();
    }
    rest = rest.subspan(size);
  }
  return message;
}

namespace dissectors {

void dissect_rds(Dissection& d) noexcept {
  if (!has_form_of_rds(d.rest(), 0) || !d.take<RdsHeader>()) return;
  std::size_t left = kRdsExtensionsSize;
  while (left > 0 && !d.rest().empty()) {
    const std::uint8_t type = d.rest()[0];
    const std::size_t size = rds_extension_size(type);
    if (size == 0 || size > left) return (void)d.take(HeaderKind::kRdsExtensionEnd, left);
    if (!d.take(rds_extension_kind(type), size)) return;
    left -= size;
  }
}

}  // namespace dissectors
}  // namespace rocescope
