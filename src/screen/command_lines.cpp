// What the protocols above RoCE do.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rocescope/text.hpp"
#include "schema/per_second.hpp"
#include "screen/pages.hpp"

namespace rocescope::screen {
namespace {

constexpr std::size_t kMostProtocols = 3;  // the list leaves room for so many

/// What the operations of a protocol have together.
struct ProtocolSum {
  UpperProtocol protocol = UpperProtocol::kUnknown;
  LiveCommands interval;
  std::uint64_t failed = 0;  ///< since the start
};

/// The first protocols that had a command since the start, so that a line stays.
std::vector<ProtocolSum> sums_of(const LiveUpdate& update) {
  std::vector<ProtocolSum> sums;
  for (const LiveCommands& total : update.total_commands) {
    if (sums.empty() || sums.back().protocol != total.protocol) {
      if (sums.size() == kMostProtocols) break;
      sums.push_back({.protocol = total.protocol});
    }
    sums.back().failed += total.failed;
  }
  for (const LiveCommands& each : update.commands) {
    const auto sum = std::ranges::find(sums, each.protocol, &ProtocolSum::protocol);
    if (sum == sums.end()) continue;
    sum->interval.over += each.over;
    sum->interval.bytes += each.bytes;
    sum->interval.unsized += each.unsized;
    sum->interval.outstanding += each.outstanding;
    sum->interval.latency.merge(each.latency);
  }
  return sums;
}

std::string rate_text(std::uint64_t value, std::int64_t nanoseconds, std::string_view unit) {
  return text::quantity(schema::per_second(value, nanoseconds), unit);
}

std::string time_text(const Histogram& times, std::uint64_t per_mille) {
  return times.empty() ? "-" : text::duration(static_cast<std::int64_t>(times.quantile(per_mille)));
}

/// Of which the capture cut some: `-` or, where there are others, `276 kB/s+`.
std::string byte_rate_text(const LiveCommands& now, std::int64_t nanoseconds) {
  if (now.unsized > 0 && now.bytes == 0) return "-";
  return rate_text(now.bytes, nanoseconds, "B/s") + (now.unsized > 0 ? "+" : "");
}

}  // namespace

std::size_t commands_height(const ScreenModel& model) { return sums_of(model.book->last()).size(); }

void draw_commands(const ScreenModel& model, std::size_t top, Cells& cells) {
  struct Item {
    const char* label;
    std::string value;
    std::size_t width;
    Tone tone = Tone::kPlain;
  };
  constexpr std::size_t kProtocol = 11;
  const LiveUpdate& last = model.book->last();
  for (const ProtocolSum& sum : sums_of(last)) {
    const LiveCommands& now = sum.interval;
    cells.text(1, top, to_string(sum.protocol));
    const Item items[] = {
        {"IOPS", rate_text(now.over, last.duration, ""), 11},
        {"", byte_rate_text(now, last.duration), 10},
        {"out", text::count(now.outstanding), 8},
        {"p50", time_text(now.latency, 500), 11},
        {"p99", time_text(now.latency, 990), 11},
        {"failed", text::count(sum.failed), 11, sum.failed == 0 ? Tone::kPlain : Tone::kError},
    };
    std::size_t x = 1 + kProtocol;
    for (const Item& item : items) {
      if (x + item.width > cells.width()) break;
      const std::size_t end = cells.text(x, top, item.label, Tone::kDim);
      draw_right(cells, end, top, item.value, x + item.width - end, Glyphs{model.unicode}, item.tone);
      x += item.width + 2;
    }
    ++top;
  }
}

}  // namespace rocescope::screen
