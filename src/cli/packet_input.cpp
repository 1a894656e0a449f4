// Reads the captures.
#include "cli/packet_input.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/connection_numbers.hpp"
#include "cli/signals.hpp"
#include "partial/partial.hpp"
#include "rocescope/text.hpp"
#include "schema/names/protocol_names.hpp"

namespace rocescope::cli {
namespace {

bool is_live(const std::string& path) {
  struct stat status {};
  const int result = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  return result != 0 || !S_ISREG(status.st_mode);
}

/// Packets from a pipe are read in the main thread, which Ctrl-C interrupts.
ReadingAhead ahead(ReadingAhead wanted, bool live) {
  return live && wanted == ReadingAhead::kInOwnThread ? ReadingAhead::kBatches : wanted;
}

bool is_live_file(const std::string& path) { return path != "-" && is_live(path); }

std::string_view name_of(const CaptureInfo& capture) {
  return capture.path == "-" ? std::string_view("standard input") : std::string_view(capture.path);
}

/// `lab.pcapng: pcapng in gzip, 2 interfaces, Ethernet`
std::string describe(const CaptureInfo& capture) {
  std::string text = fmt::format("{}: {}", name_of(capture), capture.format);
  if (capture.interfaces.size() > 1) text += ", " + text::count(capture.interfaces.size(), "interface");
  std::set<std::string> link_types;
  for (const CaptureInterface& each : capture.interfaces) link_types.insert(schema::link_type_name(each.link_type));
  return link_types.empty() ? text : fmt::format("{}, {}", text, fmt::join(link_types, " and "));
}

AnalysisOptions options_for(const InputOptions& options, bool live) {
  AnalysisOptions result;
  result.dissect = options.dissect;
  result.decode_as = options.decode_as;
  result.parts = options.parts;
  result.track = options.track;
  result.most_packets = options.count;
  result.ahead = ahead(options.ahead, live);
  result.notes = options.notes;
  result.selection = options.selection();
  result.purpose = options.purpose;
  if (options.numbers) result.numbers = *options.numbers;
  result.is_live = options.files.empty();
  return result;
}

/// What is wrong with files that were not opened.
Error with_hint(const Error& error, std::span<const std::string> files) {
  const auto partial = std::ranges::find_if(files, partial::is_partial_result);
  if (partial != files.end()) {
    return Error{fmt::format(
        "cannot read {}: it is no capture, but a partial result, which `merge` reads, or a state, which --resume reads",
        *partial)};
  }
  // tcpdump takes filters after the options; here they look like files that do not exist.
  const bool all_there = std::all_of(files.begin(), files.end(), [](const std::string& file) {
    return file == "-" || ::access(file.c_str(), F_OK) == 0;
  });
  if (files.size() < 2 || all_there) return error;
  return Error{error.message + ". Every word is a file name; filters are given with -Y"};
}

}  // namespace

Result<std::unique_ptr<PacketInput>> PacketInput::open(InputOptions options, Messages& messages) {
  Result<std::unique_ptr<FrameSource>> source = open_captures(options.files);
  if (!source) return with_hint(source.error(), options.files);
  if (std::optional<Error> error = look_up_connections(options, messages)) return *std::move(error);
  if (std::optional<Error> error = look_up_points(options, messages)) return *std::move(error);
  return std::make_unique<PacketInput>(std::move(options), std::move(*source), messages);
}

Result<std::unique_ptr<PacketInput>> PacketInput::open(InputOptions options, const CapturesBefore* before,
                                                       bool keeps_end, Messages& messages) {
  Result<std::unique_ptr<FrameSource>> source =
      continue_captures(options.files, before != nullptr ? *before : CapturesBefore());
  if (!source) return with_hint(source.error(), options.files);
  auto keeper = keeps_end ? std::make_unique<EndKeeper>(std::move(*source)) : nullptr;
  EndKeeper* const kept = keeper.get();
  auto input =
      std::make_unique<PacketInput>(std::move(options), keeps_end ? std::move(keeper) : std::move(*source), messages);
  input->keeper_ = kept;
  if (before != nullptr) input->captures_before_ = before->captures.size();
  return input;
}

PacketInput::PacketInput(InputOptions options, std::unique_ptr<FrameSource> source, Messages& messages)
    : options_(std::move(options)),
      source_(std::move(source)),
      live_(std::any_of(options_.files.begin(), options_.files.end(), is_live)),
      unseen_(options_.narrowing.connections.begin(), options_.narrowing.connections.end()),
      unseen_points_(options_.narrowing.points.begin(), options_.narrowing.points.end()),
      analysis_(*source_, options_for(options_, live_)),
      messages_(messages),
      only_stdin_(std::none_of(options_.files.begin(), options_.files.end(), is_live_file)) {}

bool PacketInput::may_wait() const {
  if (!live_ || !only_stdin_) return live_;
  pollfd standard_input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&standard_input, 1, 0) == 0;
}

const PacketRecord* PacketInput::next() {
  while (true) {
    if (stopped_ || interrupted()) analysis_.stop();
    const PacketRecord* record = analysis_.next();
    if (record == nullptr) break;
    count(*record);
    if (analysis_.is_selected()) return record;
  }
  messages_.end_progress();
  return nullptr;
}

void PacketInput::count(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  ++counts_.packets;
  if (!unseen_.empty()) unseen_.erase(record.verdict.connection);
  if (!unseen_points_.empty()) unseen_points_.erase(packet.frame.capture_point);
  if (packet.is_roce()) ++counts_.roce;
  if (packet.is_cut()) ++counts_.cut;
  show_progress();
}

void PacketInput::show_progress() {
  messages_.progress(counts().packets, [this] { return part_done(); });
}

ReadCounts PacketInput::counts() const noexcept {
  const ExpressTotals& express = analysis_.express();
  return {counts_.packets + express.packets, counts_.roce + express.packets, counts_.cut + express.cut};
}

double PacketInput::part_done() const {
  const ReadPosition position = source_->position();
  const auto part = [](std::uint64_t done, std::uint64_t of) {
    return of == 0 ? 0.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(of));
  };
  return std::max(part(position.bytes, position.size), part(counts().packets, options_.count));
}

void PacketInput::take_express_lane() {
  if (options_.shows_expected || !is_express_lane_wanted()) return;
  analysis_.take_express_lane([this] {
    if (stopped_ || interrupted()) analysis_.stop();
    show_progress();
  });
}

Report PacketInput::report(const std::function<void(const PacketRecord&)>& on_packet) {
  return conclude(observations(on_packet));
}

Observations PacketInput::observations(const std::function<void(const PacketRecord&)>& on_packet) {
  take_express_lane();
  const auto read = [&] {
    while (const PacketRecord* const record = next()) {
      if (on_packet) on_packet(*record);
    }
  };
  read();
  if (keeper_ != nullptr) {
    if (save_ && !interrupted()) save_(keeper_->kept());
    keeper_->go_on();
    analysis_.go_on();
    read();
  }
  numbers_error_ = check_numbers();
  numbers_ = analysis_.final_numbers();
  return analysis_.observations();
}

void PacketInput::check_decoded() {
  const auto last = std::ranges::max_element(options_.decode_as, {}, &DecodeAs::connection);
  if (live_ || last == options_.decode_as.end() || last->connection == 0) return;
  const std::vector<std::uint32_t> numbers = connection_numbers(analysis_.tracker());
  if (!numbers.empty() && std::ranges::max(numbers) >= last->connection) return;
  messages_.warning(fmt::format("--decode-as: among the packets that were read is no connection {}", last->connection));
}

std::optional<Error> PacketInput::check_numbers() {
  const std::vector<std::uint32_t>& wanted = options_.narrowing.connections;
  if (interrupted()) return std::nullopt;
  if (!unseen_points_.empty()) return no_point(*unseen_points_.begin(), analysis_.capture_points().size());
  check_decoded();
  if (wanted.empty()) return std::nullopt;
  const Tracker& tracker = analysis_.tracker();
  if (!unseen_.empty()) return no_connection(*unseen_.begin(), connection_numbers(tracker));
  const FinalNumbers known = options_.numbers.value_or(FinalNumbers());
  for (const Connection& each : tracker.snapshot(wanted).connections) {
    if (known.of(each.joined) == each.number || each.joined == 0) continue;
    messages_.warning(
        fmt::format("connection {} lacks packets of one direction, from before the two directions were paired. "
                    "Reading from a file finds them",
                    each.number));
  }
  return std::nullopt;
}

void PacketInput::finish(bool verbose) {
  if (interrupted()) {
    // Ctrl-C cut the input: that is no damage.
    messages_.warning(fmt::format("interrupted after {}", text::count(counts().packets, "packet")));
    return;
  }
  finish_captures(verbose);
  warn_of_cut(counts(), messages_);
  if (verbose) note_counts(counts().packets, counts(), messages_);
}

void PacketInput::finish_captures(bool verbose) {
  std::uint64_t dropped = 0;
  for (const CaptureInfo& capture : source_->info().subspan(captures_before_)) {
    for (const CaptureInterface& each : capture.interfaces) dropped += each.dropped.value_or(0);
    if (verbose) messages_.note(describe(capture));
    for (const std::string& warning : capture.warnings) {
      messages_.warning(fmt::format("{}: {}", name_of(capture), warning));
    }
  }
  if (dropped > 0) {
    messages_.warning(
        fmt::format("{} lost while capturing: they are not in the capture", text::count(dropped, "packet")));
  }
}

void warn_of_cut(const ReadCounts& counts, Messages& messages, std::string_view of) {
  if (counts.cut == 0) return;
  messages.warning(fmt::format("{}{} of {} cut: the capture did not keep all of their bytes", of,
                               text::count(counts.cut), text::count(counts.packets, "packet")));
}

void note_counts(std::uint64_t read, const ReadCounts& counts, Messages& messages) {
  const std::string others =
      read == counts.packets ? "" : fmt::format("; the report is of {}", text::count(counts.packets));
  messages.note(
      fmt::format("{} read{}, {} of them RoCE", text::count(read, "packet"), others, text::count(counts.roce)));
}

}  // namespace rocescope::cli
