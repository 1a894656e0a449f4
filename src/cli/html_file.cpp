#include "cli/html_file.hpp"

#include <fmt/format.h>

#include <string_view>
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
  // Where only a part of the packets is read, a message counts with the packet that ends it, as in the report.
  options->purpose = options->filter || !options->narrowing.empty() ? Purpose::kReport : Purpose::kPackets;
  const bool is_whole = options->purpose == Purpose::kPackets;
  options->numbers = is_whole ? FinalNumbers() : numbers;  // `details` translates those that are not the last
  Result<std::unique_ptr<FrameSource>> source = open_captures(options->files);
  if (!source) return source.error();
  if (is_whole && options->count == 0) source = details.frames(std::move(*source));
  PacketInput input(std::move(*options), std::move(*source), messages);
  Tracker& tracker = input.analysis().tracker();
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

std::optional<Error> check_has_page() {
  if (render::has_page()) return std::nullopt;
  return Error{
      "this build has no --html: when it was made, npm was missing or could not fetch what the page is made of"};
}

HtmlFile::HtmlFile(const Arguments& arguments, NewFile file, std::int64_t interval)
    : arguments_(&arguments),
      file_(std::move(file)),
      interval_(interval),
      recorder_(std::make_unique<render::OverviewRecorder>(interval)) {}

Result<std::optional<HtmlFile>> HtmlFile::open(const Arguments& arguments, std::int64_t interval) {
  const GivenOption* given = arguments.last(kHtml);
  if (given == nullptr) return std::optional<HtmlFile>();
  if (std::optional<Error> error = check_has_page()) return *std::move(error);
  const Result<InputOptions> options = input_options(arguments, "analyze");
  if (!options) return options.error();
  Result<NewFile> file = NewFile::create(*given);
  if (!file) return file.error();
  HtmlFile html(arguments, std::move(*file), interval);
  html.reads_twice_ = !check_can_be_read_twice(*options);
  return std::optional<HtmlFile>(std::move(html));
}

std::optional<Error> HtmlFile::finish(const Report& report, const FinalNumbers& numbers, Messages& messages) {
  std::optional<render::DetailRecorder> details;
  if (reads_twice_) {
    details.emplace(report, *recorder_, numbers);
    if (std::optional<Error> error = read_again(*arguments_, numbers, messages, *details)) return error;
    if (interrupted()) {
      messages.warning("no HTML report is written: it would lack what it shows of packets");
      return std::nullopt;
    }
  } else {
    messages.warning(fmt::format("{} lacks what it shows of packets: the input cannot be read twice", file_.path()));
  }
  const render::PageFacts facts{.program = fmt::format("rocescope {}", version()),
                                .narrowing = narrowing_words(*arguments_),
                                .interval = interval_};
  render::write_html_report(report, *recorder_, details ? &*details : nullptr, facts,
                            [&](std::string_view piece) { file_.write(piece); });
  return file_.finish();
}

}  // namespace rocescope::cli
