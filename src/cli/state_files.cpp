#include "cli/state_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/html_file.hpp"
#include "cli/partial_file.hpp"
#include "cli/perfetto_file.hpp"
#include "cli/program.hpp"
#include "cli/report_options.hpp"
#include "cli/shard_options.hpp"

namespace rocescope::cli {
namespace {

std::string words_of(const Arguments& arguments) {
  return fmt::format("{}", fmt::join(counting_words(arguments), " "));
}

std::string_view or_none(const std::string& words) { return words.empty() ? std::string_view("none") : words; }

}  // namespace

std::optional<Error> check_state_options(const Arguments& arguments, const InputOptions& options) {
  const bool resumes = arguments.has(kResume);
  if (!resumes && !arguments.has(kSaveState)) return std::nullopt;
  const std::string_view name = resumes ? kResume.name : kSaveState.name;
  for (const Option* const other : {&kShard, &kJobs, &kHtml, &kPerfetto, &kCount}) {
    if (arguments.has(*other)) return Error{fmt::format("--{} and --{} do not go together", name, other->name)};
  }
  const Narrowing& chosen = options.narrowing;
  if (!chosen.connections.empty() || !chosen.messages.empty() || !chosen.points.empty())
    return Error{fmt::format("--{} cannot choose connections, messages or capture points by their numbers", name)};
  if (options.parts_to_choose().verdict) {
    return Error{
        fmt::format("--{} cannot choose packets by what they are in their connections (fields rocescope.*)", name)};
  }
  for (const std::string& file : options.files) {
    if (file == "-") return Error{fmt::format("--{} reads files, not standard input", name)};
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(file, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      return Error{fmt::format("--{} reads files: {} is none", name, file)};
  }
  return std::nullopt;
}

Result<std::unique_ptr<partial::StateReader>> open_state(const Arguments& arguments) {
  const GivenOption* const given = arguments.last(kResume);
  if (given == nullptr) return std::unique_ptr<partial::StateReader>();
  Result<partial::StateReader> state = partial::StateReader::open(given->value, version());
  if (!state) return state.error();
  const std::string words = words_of(arguments);
  if (state->facts().options != words) {
    return state->error(
        fmt::format("it was saved with other options ({}; now: {})", or_none(state->facts().options), or_none(words)));
  }
  const bool wants_messages = (arguments.has(kPartial) || arguments.has(kSaveState)) && !arguments.has(kNoMessages);
  if (!state->facts().has_messages && (arguments.has(kCsv) || wants_messages)) {
    return state->error(fmt::format("it was saved with --no-messages: {} lack those so far",
                                    arguments.has(kCsv) ? "CSV files would" : "without that option, files would"));
  }
  return std::make_unique<partial::StateReader>(std::move(*state));
}

StateFile::StateFile(NewFile&& file, const partial::StateFacts& facts)
    : file_(std::move(file)),
      sink_([this](std::string_view bytes) { file_.write(bytes); }),
      writer_(version(), facts, sink_) {}

Result<std::unique_ptr<StateFile>> StateFile::open(const Arguments& arguments) {
  const GivenOption* const given = arguments.last(kSaveState);
  if (given == nullptr) return std::unique_ptr<StateFile>();
  Result<NewFile> file = NewFile::create(*given);
  if (!file) return file.error();
  return std::unique_ptr<StateFile>(
      new StateFile(std::move(*file), {words_of(arguments), !arguments.has(kNoMessages)}));
}

std::optional<Error> StateFile::finish(Analysis& analysis, const std::deque<KeptFrame>& rest) {
  writer_.finish(analysis, rest);
  return file_.finish();
}

}  // namespace rocescope::cli
