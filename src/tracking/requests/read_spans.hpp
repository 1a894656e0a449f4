// The spans of READs whose path MTU is known now.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracking/requests/open_messages.hpp"
#include "tracking/requests/request_order.hpp"

namespace rocescope {

/// Sets the spans by what the READs ask for. Before that, a READ had one PSN, or all up to the next request that was
/// seen, although requests between them may have been missed.
inline void set_read_spans(OpenMessages& messages, RequestOrder& order) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    Message& read = messages.at(i);
    if (!read.is_read() || read.bytes == 0) continue;
    const auto before = static_cast<std::uint32_t>(read.first_psn.distance_to(read.last_psn)) + 1;
    const auto span = static_cast<std::uint32_t>((read.bytes - 1) / order.mtu() + 1);
    const Psn end = read.first_psn + span;
    const bool fits = i + 1 == messages.size() ? !order.next().before(end) : !messages.at(i + 1).first_psn.before(end);
    SentPacket* const sent = order.sent().find(read.first_psn);
    if (span == before || sent == nullptr || (span > before && (before > 1 || !fits))) continue;
    read.last_psn = end - 1;
    sent->span = span;
    if (span > 1) order.missing().fill(read.first_psn + 1, span - 1);
  }
}

}  // namespace rocescope
