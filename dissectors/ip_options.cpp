// Options of IPv4.
#include <utility>

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/ipv4.hpp"

namespace rocescope::dissectors {
namespace {

/// Entries of `size` bytes until `end`; what is too short for one is padding.
bool take_list(Dissection& d, HeaderKind kind, std::size_t size, std::uint64_t end) noexcept {
  while (d.offset + size <= end) {
    if (!d.take_run(kind, size)) return false;
  }
  return d.offset == end || d.take(HeaderKind::kIpOptionPadding, end - d.offset);
}

bool take_route(Dissection& d, std::uint64_t end) noexcept {
  const std::uint32_t start = d.offset;
  const auto route = d.take<IpOptionRoute>();
  if (!route) return false;
  // The pointer counts from 1.
  const std::uint64_t next = std::min<std::uint64_t>(end, start + std::max<std::uint32_t>(route->pointer(), 1) - 1U);
  while (d.offset + IpRecordedRoute::kSize <= next) {
    if (!d.take_run(HeaderKind::kIpRecordedRoute, IpRecordedRoute::kSize)) return false;
  }
  const bool empty = route->type() == ip_option::kRecordRoute;
  return take_list(d, empty ? HeaderKind::kIpEmptyRoute : HeaderKind::kIpSourceRoute, IpSourceRoute::kSize, end);
}

bool take_timestamps(Dissection& d, std::uint64_t end) noexcept {
  const auto option = d.take<IpOptionTimestamp>();
  if (!option) return false;
  if (option->has_addresses()) return take_list(d, HeaderKind::kIpAddressTimestamp, IpAddressTimestamp::kSize, end);
  return take_list(d, HeaderKind::kIpTimestamp, IpTimestamp::kSize, end);
}

/// Takes the next option. False if there is none.
bool take_ipv4_option(Dissection& d) noexcept {
  if (!d.need(HeaderKind::kIpOption, 1)) return false;
  const std::uint8_t type = d.data[d.offset];
  if (type == ip_option::kEnd) {
    static_cast<void>(d.take_run(HeaderKind::kIpOptionByte, IpOptionByte::kSize));
    return false;
  }
  if (type == ip_option::kNoOperation) return d.take_run(HeaderKind::kIpOptionByte, IpOptionByte::kSize);
  if (!d.need(HeaderKind::kIpOption, IpOption::kSize)) return false;
  const std::uint8_t length = d.data[d.offset + 1];
  if (length < IpOption::kSize) {
    d.stop(StopReason::kMalformed, HeaderKind::kIpOption, IpOption::kSize);
    return false;
  }
  if (d.rest().size() < length) return d.take(HeaderKind::kIpOption, length);  // keeps the captured part
  const std::uint64_t end = std::uint64_t{d.offset} + length;
  switch (type) {
    case ip_option::kRecordRoute:
    case ip_option::kLooseSourceRoute:
    case ip_option::kStrictSourceRoute:
      if (length >= IpOptionRoute::kSize) return take_route(d, end);
      break;
    case ip_option::kTimestamp:
      if (length >= IpOptionTimestamp::kSize) return take_timestamps(d, end);
      break;
    case ip_option::kRouterAlert:
    case ip_option::kStreamId:
    case ip_option::kMtuProbe:
    case ip_option::kMtuReply:
      if (length == IpOptionWord::kSize) return d.take(HeaderKind::kIpOptionWord, length);
      break;
    default:
      break;
  }
  return d.take(HeaderKind::kIpOption, length);
}

}  // namespace

bool take_ip_options(Dissection& d, std::uint64_t header_end) noexcept {
  if (d.offset == header_end) return true;
  if (header_end > d.end) return d.need(HeaderKind::kIpv4, header_end - d.offset);
  const std::uint64_t packet_end = std::exchange(d.end, header_end);
  while (d.offset < header_end && take_ipv4_option(d)) {
  }
  const bool complete = d.offset == header_end || d.take(HeaderKind::kIpOptionPadding, header_end - d.offset);
  d.end = packet_end;
  return complete;
}

}  // namespace rocescope::dissectors
