#include "partial/members.hpp"

#include "rocescope/header_kind.hpp"

namespace rocescope::partial {

static_assert(kHeaderKinds <= kEnumerable<HeaderKind>);

namespace detail {

EnumeratorNames names_in(std::string_view text, std::size_t count) {
  constexpr std::string_view kStart = "values = ";
  EnumeratorNames names(count);
  text.remove_prefix(text.find(kStart) + kStart.size() + 1);
  for (std::string_view& name : names) {
    const std::size_t end = text.find(", ");
    const std::string_view value = text.substr(0, end);
    if (!value.starts_with('(')) name = last_name(value);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 2);
  }
  return names;
}

}  // namespace detail
}  // namespace rocescope::partial
