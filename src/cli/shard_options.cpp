#include "cli/shard_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/report_options.hpp"
#include "cli/values.hpp"

namespace rocescope::cli {

Result<std::optional<Shard>> read_shard(const Arguments& arguments) {
  const GivenOption* const given = arguments.last(kShard);
  if (given == nullptr) return std::optional<Shard>();
  const std::string_view value = given->value;
  const std::size_t slash = value.find('/');
  if (slash == std::string_view::npos) return wrong_value(*given, "I/N, such as 1/4");
  const auto count = parse_number(value.substr(slash + 1), kHostParts);
  const auto number = parse_number(value.substr(0, slash), kHostParts);
  if (!count || !number || *number == 0 || *number > *count)
    return wrong_value(*given, fmt::format("I/N, where I is 1 to N and N 1 to {}", kHostParts));
  return std::optional(Shard{static_cast<std::uint32_t>(*number), static_cast<std::uint32_t>(*count)});
}

Result<std::optional<std::uint32_t>> read_jobs(const Arguments& arguments) {
  const GivenOption* const given = arguments.last(kJobs);
  if (given == nullptr) return std::optional<std::uint32_t>();
  const auto count = parse_number(given->value, kHostParts);
  if (!count || *count == 0) return wrong_value(*given, fmt::format("a whole number from 1 to {}", kHostParts));
  return std::optional(static_cast<std::uint32_t>(*count));
}

std::vector<std::string> counting_words(const Arguments& arguments) {
  constexpr const Option* kOthers[] = {&kCnpWindow, &kLinkSpeed, &kInterval, &kMaxConnections, &kIdleTimeout, &kNoIcrc};
  std::vector<std::string> words;
  for (const std::span<const Option* const> table :
       {std::span<const Option* const>(kInputTable), std::span<const Option* const>(kNarrowTable),
        std::span<const Option* const>(kOthers)}) {
    for (const Option* const option : table) {
      if (option == &kRead || option == &kNumeric) continue;  // files, without effect
      for (const std::string& value : arguments.values(*option)) {
        words.push_back(option->argument.empty() ? fmt::format("--{}", option->name)
                                                 : fmt::format("--{}={}", option->name, value));
      }
    }
  }
  return words;
}

std::vector<std::string> shard_words(const Arguments& arguments, const InputOptions& options) {
  std::vector<std::string> words = counting_words(arguments);
  words.emplace_back("--");
  words.insert(words.end(), options.files.begin(), options.files.end());
  return words;
}

std::string reason_for_whole(const InputOptions& options) {
  if (options.track.idle_timeout > 0) return "connections are evicted";
  const Narrowing& chosen = options.narrowing;
  if (!chosen.connections.empty() || !chosen.messages.empty() || !chosen.points.empty())
    return "connections, messages or capture points are chosen by their numbers";
  if (options.parts_to_choose().verdict) return "the filter is about what packets are in their connections";
  const auto names_one = [](const DecodeAs& each) { return each.connection != 0; };
  if (std::ranges::any_of(options.decode_as, names_one)) return "a connection is decoded by its number";
  return {};
}

}  // namespace rocescope::cli
