#include "screen/screen_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sorting/sort.hpp"

namespace rocescope::screen {
namespace {

bool passes(const ConnectionRow& row, const UiState& ui) {
  if (ui.troubled_only && row.trouble == 0 && !row.failed()) return false;
  if (ui.filter.empty()) return true;
  const std::string_view state = row.state ? to_string(*row.state) : std::string_view();
  return fmt::format("{} {} {}", row.number, sides_text(row, true), state).find(ui.filter) != std::string::npos;
}

using Rank = std::tuple<double, double, double>;

/// The higher, the nearer to the top; of the same the lower number.
Rank rank(const ConnectionRow& row, Order order, std::uint64_t look) {
  const double rate = row.rates.at(look);
  switch (order) {
    case Order::kTrouble:
      return {row.failed() ? 1 : 0, static_cast<double>(row.trouble), rate};
    case Order::kRate:
      return {rate, static_cast<double>(row.bytes), 0};
    case Order::kLatency:
      return {row.p99 ? static_cast<double>(*row.p99) : -1, rate, 0};
    case Order::kNumber:
      break;
  }
  return {0, 0, 0};
}

}  // namespace

std::vector<std::uint32_t> listed_connections(const LiveBook& book, const UiState& ui) {
  struct Listed {
    Rank rank;
    std::uint32_t number = 0;
  };
  std::vector<Listed> listed;
  for (const ConnectionRow& row : book.rows()) {
    if (passes(row, ui)) listed.push_back({rank(row, ui.order, book.look()), row.number});
  }
  sorting::sort(listed, [](const Listed& a, const Listed& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.number < b.number;
  });
  std::vector<std::uint32_t> numbers;
  numbers.reserve(listed.size());
  for (const Listed& each : listed) numbers.push_back(each.number);
  return numbers;
}

std::string sides_text(const ConnectionRow& row, bool with_queue_pairs) {
  if (!with_queue_pairs) return fmt::format("{} > {}", row.addresses[0], row.addresses[1]);
  return fmt::format("{}{} > {}{}", row.addresses[0], row.queue_pairs[0], row.addresses[1], row.queue_pairs[1]);
}

}  // namespace rocescope::screen
