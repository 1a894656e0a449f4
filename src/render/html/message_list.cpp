#include "render/html/message_list.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kKeptPerColumn = 4;

std::int64_t time_or_zero(const ListedMessage& listed) { return time_of(listed.message).value_or(0); }

bool is_before(const ListedMessage& a, const ListedMessage& b) {
  return std::pair(a.message.first_frame, a.message.number) < std::pair(b.message.first_frame, b.message.number);
}

/// One past the last byte; of the address space its last.
std::uint64_t end_address(const Message& message) {
  std::uint64_t end = 0;
  return __builtin_add_overflow(*message.address, message.bytes, &end) ? ~std::uint64_t{0} : end;
}

}  // namespace

MessageList::MessageList(std::int64_t first, std::int64_t last, std::size_t limit)
    : first_(first),
      width_(elapsed(first, last) / static_cast<std::int64_t>(std::max<std::size_t>(limit / kKeptPerColumn, 1)) + 1),
      limit_(limit) {}

void MessageList::add(const ListedMessage& message) {
  ++added_;
  messages_.push_back(message);
  if (messages_.size() > 4 * limit_) thin();
}

void MessageList::thin() {
  sorting::sort(messages_, is_before);
  std::map<std::int64_t, std::array<const ListedMessage*, kKeptPerColumn>> columns;
  std::vector<ListedMessage> kept;
  for (const ListedMessage& each : messages_) {
    if (!ends_well(each.message)) {
      if (kept.size() < limit_) kept.push_back(each);
      continue;
    }
    const std::int64_t column = elapsed(first_, each.message.first_time) / width_;
    const auto [found, is_new] = columns.try_emplace(column);
    auto& [begin, quickest, slowest, end] = found->second;
    if (is_new) begin = quickest = slowest = &each;
    if (time_or_zero(each) < time_or_zero(*quickest)) quickest = &each;
    if (time_or_zero(each) > time_or_zero(*slowest)) slowest = &each;
    end = &each;
  }
  for (auto& [column, few] : columns) {
    std::ranges::sort(few);  // they stand in one vector
    const auto behind = std::unique(few.begin(), few.end());
    for (auto each = few.begin(); each != behind; ++each) kept.push_back(**each);
  }
  messages_ = std::move(kept);
}

std::vector<MessageList::Region> MessageList::regions() const {
  std::map<std::pair<std::uint8_t, std::uint32_t>, Region> regions;
  for (const ListedMessage& each : messages_) {
    if (!each.message.r_key || !each.message.address) continue;
    const auto owner = static_cast<std::uint8_t>(1 - each.side);
    const std::uint64_t base = *each.message.address;
    const auto [found, is_new] = regions.try_emplace({owner, *each.message.r_key});
    Region& region = found->second;
    if (is_new) region = {owner, *each.message.r_key, base, base, 0};
    region.base = std::min(region.base, base);
    region.end = std::max(region.end, end_address(each.message));
    ++region.messages;
  }
  std::vector<Region> all;
  for (const auto& [key, region] : regions) all.push_back(region);
  return all;
}

void MessageList::write(std::int64_t start, JsonWriter& json) {
  if (messages_.size() > limit_) thin();
  sorting::sort(messages_, is_before);
  const std::vector<Region> touched = regions();
  write_columns(start, touched, json);
  json.number("messages_left_out", added_ - messages_.size());
  json.open_array("regions");
  for (const Region& region : touched) {
    json.open_object();
    json.number("side", region.side);
    json.number("r_key", region.r_key);
    json.hex_id("base", region.base);
    json.hex_id("end", region.end);
    json.number("messages", region.messages);
    json.close_object();
  }
  json.close_array();
}

void MessageList::write_columns(std::int64_t start, const std::vector<Region>& regions, JsonWriter& json) const {
  std::vector<std::string_view> operations;
  const auto index_in = [](std::vector<std::string_view>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    const auto index = found - names.begin();
    if (found == names.end()) names.push_back(name);
    return index;
  };
  const auto region_of = [&](const ListedMessage& each) -> std::ptrdiff_t {
    if (!each.message.r_key || !each.message.address) return -1;
    const auto same = [&](const Region& region) {
      return region.side != each.side && region.r_key == *each.message.r_key;
    };
    return std::ranges::find_if(regions, same) - regions.begin();
  };
  const auto write_optional = [&](std::string_view key, auto number) {
    json.open_array(key);
    for (const ListedMessage& each : messages_) {
      const auto value = number(each);
      value ? json.number({}, *value) : json.null({});
    }
    json.close_array();
  };
  const auto ended = [](const Message& message) { return message.completion_frame != 0; };
  const auto numbers = [&](std::string_view key, auto number) { write_numbers(key, messages_, number, json); };
  const auto differences = [&](std::string_view key, auto number) { write_differences(key, messages_, number, json); };

  json.open_object("messages");
  write_optional("number", [](const ListedMessage& each) {
    return each.message.number != 0 ? std::optional(each.message.number) : std::nullopt;
  });
  numbers("side", [](const ListedMessage& each) { return each.side; });
  numbers("operation",
          [&](const ListedMessage& each) { return index_in(operations, to_string(each.message.operation)); });
  numbers("outcome", [](const ListedMessage& each) { return static_cast<unsigned>(each.message.outcome); });
  numbers("bytes", [](const ListedMessage& each) { return each.message.bytes; });
  differences("start", [&](const ListedMessage& each) { return elapsed(start, each.message.first_time); });
  numbers("end", [](const ListedMessage& each) { return elapsed(each.message.first_time, each.message.last_time); });
  write_optional("done", [&](const ListedMessage& each) {
    return ended(each.message) ? std::optional(elapsed(each.message.first_time, each.message.completion_time))
                               : std::nullopt;
  });
  write_optional("time", [](const ListedMessage& each) { return time_of(each.message); });
  differences("first_psn", [](const ListedMessage& each) { return each.first_psn; });
  numbers("psns", [](const ListedMessage& each) {
    return std::max(each.message.first_psn.distance_to(each.message.last_psn), 0) + 1;
  });
  numbers("attempts", [](const ListedMessage& each) { return each.message.attempts; });
  numbers("resent", [](const ListedMessage& each) { return each.message.resent ? 1 : 0; });
  differences("first_frame", [](const ListedMessage& each) { return each.message.first_frame; });
  numbers("done_frame", [](const ListedMessage& each) { return each.message.completion_frame; });
  numbers("region", region_of);
  write_optional("offset", [&](const ListedMessage& each) {
    const std::ptrdiff_t region = region_of(each);
    return region < 0 ? std::nullopt
                      : std::optional(*each.message.address - regions[static_cast<std::size_t>(region)].base);
  });
  json.close_object();
  json.open_array("operations");
  for (const std::string_view name : operations) json.string(name);
  json.close_array();
  json.open_array("outcomes");
  for (unsigned i = 0; i <= static_cast<unsigned>(MessageOutcome::kLost); ++i) {
    json.string(to_string(static_cast<MessageOutcome>(i)));
  }
  json.close_array();
}

}  // namespace rocescope::render
