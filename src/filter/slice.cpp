// Reading and applying slices.
#include "filter/slice.hpp"

#include <fmt/format.h>

#include "filter/number.hpp"

namespace rocescope::filter {
namespace {

constexpr std::string_view kForms = "a slice is [i:n], [i-j], [i], [:n] or [i:]";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<std::int32_t> parse_position(std::string_view text) {
  text = trim(text);
  const bool negative = text.starts_with('-');
  const auto magnitude = parse_number(negative ? text.substr(1) : text);
  if (!magnitude || *magnitude > INT32_MAX) return std::nullopt;
  const auto position = static_cast<std::int32_t>(*magnitude);
  return negative ? -position : position;
}

std::optional<Slice> fail(std::string& error, std::string message) {
  error = std::move(message);
  return std::nullopt;
}

/// [i:n], [:n], [i:]; `colon` is where the colon stands.
std::optional<Slice> parse_length(std::string_view text, std::size_t colon, std::string& error) {
  Slice slice;
  const std::string_view before = trim(text.substr(0, colon));
  const std::string_view after = trim(text.substr(colon + 1));
  if (!before.empty()) {
    const auto start = parse_position(before);
    if (!start) return fail(error, fmt::format("`{}` is no position; {}", before, kForms));
    slice.start = *start;
  }
  if (after.empty()) {
    slice.kind = Slice::Kind::kRest;
    return slice;
  }
  const auto length = parse_position(after);
  if (!length) return fail(error, fmt::format("`{}` is no length; {}", after, kForms));
  if (*length <= 0) return fail(error, fmt::format("a slice of length {} holds nothing", *length));
  slice.end = *length;
  return slice;
}

/// [i-j]; `dash` is where the dash between the two stands.
std::optional<Slice> parse_last(std::string_view text, std::size_t dash, std::string& error) {
  const auto start = parse_position(text.substr(0, dash));
  const auto last = parse_position(text.substr(dash + 1));
  if (!start || !last) return fail(error, fmt::format("`{}` is no slice; {}", text, kForms));
  if ((*start < 0) != (*last < 0)) {
    return fail(error, fmt::format("{} and {} count from different ends", *start, *last));
  }
  if (*start > *last) return fail(error, fmt::format("{} lies behind {}", *start, *last));
  return Slice{*start, *last, Slice::Kind::kLast};
}

std::optional<Slice> parse_slice(std::string_view text, std::string& error) {
  text = trim(text);
  if (text.empty()) return fail(error, fmt::format("a slice is missing; {}", kForms));
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) return parse_length(text, colon, error);
  const std::size_t dash = text.find('-', 1);
  if (dash != std::string_view::npos) return parse_last(text, dash, error);
  const auto start = parse_position(text);
  if (!start) return fail(error, fmt::format("`{}` is no position; {}", text, kForms));
  return Slice{*start, 1, Slice::Kind::kLength};
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> locate(const Slice& slice, std::size_t size) noexcept {
  const auto total = static_cast<std::int64_t>(size);
  const std::int64_t start = slice.start < 0 ? slice.start + total : slice.start;
  std::int64_t end = total;
  if (slice.kind == Slice::Kind::kLength) end = start + slice.end;
  if (slice.kind == Slice::Kind::kLast) end = (slice.end < 0 ? slice.end + total : slice.end) + 1;
  if (start < 0 || start >= end || end > total) return std::nullopt;
  return std::pair{static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)};
}

std::vector<Slice> parse_slices(std::string_view text, std::string& error) {
  std::vector<Slice> slices;
  while (true) {
    const std::size_t comma = text.find(',');
    const auto slice = parse_slice(text.substr(0, comma), error);
    if (!slice) return {};
    slices.push_back(*slice);
    if (comma == std::string_view::npos) return slices;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace rocescope::filter
