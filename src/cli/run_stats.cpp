#include "cli/run_stats.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::cli {
namespace {

double seconds_of(const timeval& time) {
  constexpr double kMicrosecond = 1e-6;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * kMicrosecond;
}

/// `1,204 packets, 95 % of all`
std::string share(std::uint64_t packets, std::uint64_t all) {
  constexpr double kPercent = 100;
  return fmt::format("{}, {:.1f} % of all", text::count(packets, "packet"),
                     kPercent * static_cast<double>(packets) / static_cast<double>(all));
}

}  // namespace

void RunStats::report(std::uint64_t packets, std::uint64_t bytes, std::uint32_t jobs, Messages& messages) const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  double processor = 0;
  long most = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    processor += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    most = std::max(most, usage.ru_maxrss);
  }
  constexpr double kKibibyte = 1024;
  messages.note(fmt::format("{} and {} in {:.3g} s: {}, {}", text::count(packets, "packet"),
                            text::quantity(static_cast<double>(bytes), "B"), seconds,
                            text::quantity(static_cast<double>(packets) / seconds, "packets/s"),
                            text::quantity(static_cast<double>(bytes) / seconds, "B/s")));
  messages.note(fmt::format("{:.3g} s of processor time, {} of memory at most{}", processor,
                            text::quantity(static_cast<double>(most) * kKibibyte, "B"),
                            jobs > 0 ? fmt::format(" in one of {} processes", jobs + 1) : ""));
}

void report_express(const ExpressTotals& express, Messages& messages) {
  const std::uint64_t all = std::accumulate(express.others.begin(), express.others.end(), express.packets);
  if (all == 0) return;
  std::vector<std::pair<std::uint64_t, ExpressReason>> others;
  for (std::size_t i = 0; i < express.others.size(); ++i) {
    if (express.others[i] > 0) others.emplace_back(express.others[i], static_cast<ExpressReason>(i));
  }
  sorting::stable_sort(others, std::greater(), [](const auto& other) { return other.first; });
  messages.note(fmt::format("express lane: {}", share(express.packets, all)));
  for (const auto& [packets, reason] : others) {
    messages.note(fmt::format("  not {}: {}", share(packets, all), text_of(reason)));
  }
}

}  // namespace rocescope::cli
