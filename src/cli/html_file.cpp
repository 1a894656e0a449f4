#include "cli/html_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/connection_numbers.hpp"
#include "cli/input_options.hpp"
#include "cli/packet_input.hpp"
#include "cli/program.hpp"
#include "cli/report_options.hpp"
#include "cli/signals.hpp"
#include "render/html/html_report.hpp"

namespace rocescope::cli {
namespace {

Error cannot_write_page(const std::string& path) {
  return Error{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

/// The options that leave packets out, as they may be given.
std::vector<std::string> narrowing_words(const Arguments& arguments) {
  std::vector<std::string> words;
  for (const Option* const option : kNarrowTable) {
    for (const std::string& value : arguments.values(*option))
      words.push_back(fmt::format("--{} {}", option->name, value));
  }
  if (const GivenOption* const count = arguments.last(kCount)) words.push_back(fmt::format("-c {}", count->value));
  return words;
}

/// Reads the captures again for `details`.
std::optional<Error> read_again(const Arguments& arguments, const FinalNumbers& numbers, Messages& messages,
                                render::DetailRecorder& details) {
  Result<InputOptions> options = input_options(arguments, "analyze");
  if (!options) return options.error();
  if (std::optional<Error> error = read_track_options(arguments, options->track)) return error;
  options->parts = {.icrc = !arguments.has(kNoIcrc), .verdict = true};
  options->ahead = ReadingAhead::kInOwnThread;
  // Of a part of the packets, a message counts with the packet that ends it, as in the report.
  options->purpose = options->filter || !options->narrowing.empty() ? Purpose::kReport : Purpose::kPackets;
  const bool is_whole = options->purpose == Purpose::kPackets;
  options->numbers = is_whole ? FinalNumbers() : numbers;  // `details` translates those that are not the last
  Result<std::unique_ptr<FrameSource>> source = open_captures(options->files);
  if (!source) return source.error();
  if (is_whole && options->count == 0) source = details.frames(std::move(*source));
  PacketInput input(std::move(*options), std::move(*source), messages);
  Tracker& tracker = input.reader().tracker();
  const auto add = [&](const Connection& connection, std::size_t side, const Message& message) {
    if (message.counts) details.add(connection, side, message);
  };
  tracker.on_message(add);
  while (const PacketRecord* const record = input.next()) details.add(*record, tracker);
  tracker.visit_open_messages(add);
  static_cast<void>(std::move(tracker).finish());  // READs come last: until then their requester may ask for them again
  return std::nullopt;
}

}  // namespace

HtmlFile::HtmlFile(const Arguments& arguments, std::string path, std::int64_t interval)
    : arguments_(&arguments),
      path_(std::move(path)),
      interval_(interval),
      draft_(std::make_unique<std::string>(fmt::format("{}.{}", path_, ::getpid()))),
      recorder_(std::make_unique<render::OverviewRecorder>(interval)) {}

HtmlFile::~HtmlFile() {
  std::error_code ignored;
  if (draft_) std::filesystem::remove(*draft_, ignored);
}

Result<std::optional<HtmlFile>> HtmlFile::open(const Arguments& arguments, std::int64_t interval) {
  const GivenOption* given = arguments.last(kHtml);
  if (given == nullptr) return std::optional<HtmlFile>();
  if (!render::has_page()) {
    return Error{"this build has no --html: node and npm were missing when it was made"};
  }
  const Result<InputOptions> options = input_options(arguments, "analyze");
  if (!options) return options.error();
  const std::string& path = given->value;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    return Error{fmt::format("{} is there already, and --html overwrites nothing. Name a new file", path)};
  }
  HtmlFile file(arguments, path, interval);
  file.reads_twice_ = !check_can_be_read_twice(*options);
  const std::ofstream draft(*file.draft_, std::ios::binary);
  if (!draft) return cannot_write_page(path);
  return std::optional<HtmlFile>(std::move(file));
}

std::optional<Error> HtmlFile::finish(const Report& report, const FinalNumbers& numbers, Messages& messages) {
  if (std::optional<Error> error = write(report, numbers, messages)) return error;
  if (interrupted()) return std::nullopt;
  if (std::rename(draft_->c_str(), path_.c_str()) != 0) return cannot_write_page(path_);
  draft_.reset();
  return std::nullopt;
}

std::optional<Error> HtmlFile::write(const Report& report, const FinalNumbers& numbers, Messages& messages) {
  std::optional<render::DetailRecorder> details;
  if (reads_twice_) {
    details.emplace(report, *recorder_, numbers);
    if (std::optional<Error> error = read_again(*arguments_, numbers, messages, *details)) return error;
  }
  std::ofstream file(*draft_, std::ios::binary);
  const render::PageFacts facts{.program = fmt::format("rocescope {}", version()),
                                .narrowing = narrowing_words(*arguments_),
                                .interval = interval_};
  render::write_html_report(report, *recorder_, details ? &*details : nullptr, facts,
                            [&](std::string_view piece) { file << piece; });
  file.close();
  return file ? std::nullopt : std::optional(cannot_write_page(path_));
}

}  // namespace rocescope::cli
