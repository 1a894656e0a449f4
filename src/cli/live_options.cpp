// Parses the options of `live`.
#include "cli/live_options.hpp"

#include <fmt/format.h>
#include <net/if.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "cli/report_options.hpp"
#include "cli/values.hpp"

namespace rocescope::cli {
namespace {

constexpr std::uint64_t kKilobyte = 1000;
constexpr std::uint64_t kMostFiles = 99'999;

/// A number from 1 to `most`, into `into`.
template <class Number>
std::optional<Error> read_number(const Arguments& arguments, const Option& option, std::uint64_t most, Number& into) {
  const GivenOption* given = arguments.last(option);
  if (given == nullptr) return std::nullopt;
  const std::optional<std::uint64_t> number = parse_number(given->value, most);
  if (!number || *number == 0) return wrong_value(*given, fmt::format("a number from 1 to {}", most));
  into = static_cast<Number>(*number);
  return std::nullopt;
}

/// `filesize:1000` of -a or -b.
struct Test {
  std::string_view name;
  std::uint64_t number = 0;   ///< after the colon
  std::int64_t duration = 0;  ///< nanoseconds; of `duration` only
};

std::optional<Test> parse_test(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  Test test{.name = text.substr(0, colon)};
  const std::string_view value = text.substr(colon + 1);
  if (test.name == "duration") {
    const std::optional<std::int64_t> duration = parse_duration(value);
    if (!duration) return std::nullopt;
    test.duration = *duration;
    return test;
  }
  const std::optional<std::uint64_t> number =
      parse_number(value, std::numeric_limits<std::uint64_t>::max() / kKilobyte);
  if (!number || *number == 0) return std::nullopt;
  test.number = *number;
  return test;
}

std::optional<Error> read_autostop(const Arguments& arguments, LiveSetup& setup) {
  for (const GivenOption* given : arguments.all(kAutostop)) {
    const std::optional<Test> test = parse_test(given->value);
    if (test && test->name == "duration") {
      setup.duration = std::chrono::nanoseconds(test->duration);
    } else if (test && test->name == "packets") {
      std::uint64_t& count = setup.input.count;
      count = count == 0 ? test->number : std::min(count, test->number);
    } else if (test && (test->name == "filesize" || (test->name == "files" && test->number <= kMostFiles))) {
      if (setup.write.empty()) return Error{fmt::format("option '{}' {} needs -w FILE", given->typed, given->value)};
      if (test->name == "filesize") {
        setup.most_bytes = test->number * kKilobyte;
      } else {
        setup.files.stop_after = static_cast<std::uint32_t>(test->number);
      }
    } else {
      return wrong_value(*given, "duration:SECONDS, packets:N, filesize:KB or files:N");
    }
  }
  return std::nullopt;
}

std::optional<Error> read_ring(const Arguments& arguments, LiveSetup& setup) {
  for (const GivenOption* given : arguments.all(kRing)) {
    if (setup.write.empty() || setup.write == "-") {
      return Error{fmt::format("option '{}' needs a file: -w FILE", given->typed)};
    }
    const std::optional<Test> test = parse_test(given->value);
    if (test && test->name == "duration") {
      setup.files.duration = test->duration;
    } else if (test && test->name == "packets") {
      setup.files.packets = test->number;
    } else if (test && test->name == "filesize") {
      setup.files.bytes = test->number * kKilobyte;
    } else if (test && test->name == "files" && test->number <= kMostFiles) {
      setup.files.files = static_cast<std::uint32_t>(test->number);
    } else {
      return wrong_value(*given, "filesize:KB, duration:SECONDS, packets:N or files:N, up to 99999");
    }
  }
  const FileSwitch& files = setup.files;
  const bool switches = files.bytes > 0 || files.duration > 0 || files.packets > 0;
  if (files.files > 0 && !switches) {
    return Error{"-b files:N is the number of files to keep. Add when a new file begins, such as -b filesize:100000"};
  }
  if (files.stop_after > 0 && !switches) {
    return Error{
        "-a files:N is the number of files to stop after. Add when a new file begins, such as -b filesize:100000"};
  }
  return std::nullopt;
}

/// An error if both interfaces see the same packets.
std::optional<Error> same_packets(const std::string& one, const std::string& other) {
  if (one == other) return Error{fmt::format("{} is named twice: its packets would count twice", one)};
  if (one == "any" || other == "any") {
    return Error{fmt::format("any also captures the packets of {}: they would count twice. Name only one of them",
                             one == "any" ? other : one)};
  }
  const unsigned index = ::if_nametoindex(one.c_str());  // an interface may have several names
  if (index == 0 || index != ::if_nametoindex(other.c_str())) return std::nullopt;
  return Error{fmt::format("{} is {}: its packets would count twice", other, one)};
}

std::optional<Error> read_capture(const Arguments& arguments, LiveOptions& capture) {
  constexpr std::uint64_t kMostKib = 2'097'151;
  capture.interfaces = arguments.values(kInterface);
  if (capture.interfaces.empty()) {
    return Error{"no interface given: -i NAME. To list them: rocescope interfaces"};
  }
  for (auto each = capture.interfaces.begin(); each != capture.interfaces.end(); ++each) {
    for (auto before = capture.interfaces.begin(); before != each; ++before) {
      if (std::optional<Error> error = same_packets(*before, *each)) return error;
    }
  }
  if (const GivenOption* given = arguments.last(kCaptureFilter)) capture.filter = given->value;
  if (std::optional<Error> error = read_number(arguments, kBufferSize, kMostKib, capture.buffer_kib)) return error;
  if (std::optional<Error> error = read_number(arguments, kSnapLength, kLongestSnapLength, capture.snap_length))
    return error;
  capture.promiscuous = !arguments.has(kNoPromiscuous);
  capture.immediate = arguments.has(kImmediate);
  if (const GivenOption* given = arguments.last(kTimeStampType)) capture.time_stamp_type = given->value;
  return std::nullopt;
}

}  // namespace

Result<LiveSetup> live_setup(const Arguments& arguments) {
  LiveSetup setup;
  Result<InputOptions> input = input_options_without_files(arguments);
  if (!input) return input.error();
  setup.input = std::move(*input);
  if (std::optional<Error> error = read_capture(arguments, setup.capture)) return *std::move(error);
  if (const GivenOption* given = arguments.last(kUser)) setup.user = given->value;
  if (const GivenOption* given = arguments.last(kWrite)) setup.write = given->value;
  setup.input.track.max_connections = kLiveMaxConnections;
  setup.input.track.idle_timeout = kUsualIdleTimeout;
  if (std::optional<Error> error = read_autostop(arguments, setup)) return *std::move(error);
  if (std::optional<Error> error = read_ring(arguments, setup)) return *std::move(error);
  return setup;
}

}  // namespace rocescope::cli
