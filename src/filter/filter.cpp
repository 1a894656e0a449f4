// Compiles filters and describes their errors.
#include "filter/filter.hpp"

#include <algorithm>
#include <utility>

#include "filter/parser.hpp"
#include "filter/predicate.hpp"

namespace rocescope::filter {
namespace {

constexpr std::string_view kIndent = "    ";
constexpr std::string_view kEllipsis = "...";
/// Characters of a filter shown on each side of the place.
constexpr std::size_t kContext = 60;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// How many columns `text` takes on a terminal: characters, not bytes.
std::size_t columns(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

}  // namespace

std::string describe(const FilterError& error, std::string_view text) {
  // Line breaks and tabs would move the caret away from its place.
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  const std::size_t offset = std::min(error.offset, line.size());
  std::size_t length = std::min(error.length, line.size() - offset);
  std::size_t begin = offset > kContext ? offset - kContext : 0;
  while (begin > 0 && continues_character(line[begin])) --begin;
  length = std::min(length, kContext);
  std::size_t end = std::min(line.size(), offset + length + kContext);
  while (end < line.size() && continues_character(line[end])) ++end;

  const std::string_view before = begin > 0 ? kEllipsis : std::string_view{};
  const std::string_view after = end < line.size() ? kEllipsis : std::string_view{};
  const std::size_t indent = before.size() + columns(std::string_view(line).substr(begin, offset - begin));
  const std::size_t width = std::max<std::size_t>(1, columns(std::string_view(line).substr(offset, length)));
  std::string result = error.message;
  result.append("\n").append(kIndent).append(before).append(line, begin, end - begin).append(after);
  result.append("\n").append(kIndent).append(indent, ' ').append("^").append(width - 1, '~');
  return result;
}

Filter::Filter(std::unique_ptr<const Predicate> predicate, RecordParts parts) noexcept
    : predicate_(std::move(predicate)), parts_(parts) {}
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;
Filter::~Filter() = default;

bool Filter::matches(const PacketRecord& record) const { return predicate_->test(record); }

bool Filter::may_pass_expected() const { return predicate_->may_pass_expected(); }

Result<Filter> compile(std::string_view text) {
  FilterError error;
  Parsed parsed = parse(text, error);
  if (parsed.predicate == nullptr) return Error{describe(error, text)};
  return Filter(std::move(parsed.predicate), parsed.parts);
}

}  // namespace rocescope::filter
