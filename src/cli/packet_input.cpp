// Reading what the user asked for.
#include "packet_input.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "signals.hpp"

namespace rocescope::cli {
namespace {

bool is_regular_file(const std::string& path) {
  struct stat status {};
  const int result = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  return result == 0 && S_ISREG(status.st_mode);
}

std::string describe(const CaptureInfo& capture) {
  std::string text = fmt::format("{}: {}", capture.path, capture.format);
  if (capture.interfaces.size() > 1) text += fmt::format(", {} interfaces", capture.interfaces.size());
  return text;
}

}  // namespace

Result<std::unique_ptr<PacketInput>> PacketInput::open(InputOptions options, Messages& messages) {
  Result<std::unique_ptr<FrameSource>> source = open_captures(options.files);
  if (!source) return source.error();
  return std::unique_ptr<PacketInput>(new PacketInput(std::move(options), std::move(*source), messages));
}

PacketInput::PacketInput(InputOptions options, std::unique_ptr<FrameSource> source, Messages& messages)
    : options_(std::move(options)),
      source_(std::move(source)),
      reader_(*source_, {.dissect = options_.dissect, .verify_icrc = options_.verify_icrc}),
      messages_(messages),
      live_(!std::all_of(options_.files.begin(), options_.files.end(), is_regular_file)) {}

const PacketRecord* PacketInput::next() {
  while (!interrupted() && (options_.count == 0 || counts_.packets < options_.count)) {
    const PacketRecord* record = reader_.next();
    if (record == nullptr) break;
    count(*record->packet);
    if (options_.narrowing.admits(*record->packet)) return record;
  }
  messages_.end_progress();
  return nullptr;
}

void PacketInput::count(const Packet& packet) {
  ++counts_.packets;
  if (packet.is_roce()) ++counts_.roce;
  if (packet.stop.reason == StopReason::kTruncated || packet.frame.data.size() < packet.frame.original_length) {
    ++counts_.cut;
  }
  messages_.progress(counts_.packets);
}

void PacketInput::finish(bool verbose) {
  if (interrupted()) return;
  for (const CaptureInfo& capture : source_->info()) {
    if (verbose) messages_.note(describe(capture));
    for (const std::string& warning : capture.warnings) {
      messages_.warning(fmt::format("{}: {}", capture.path, warning));
    }
  }
  if (counts_.cut > 0) {
    messages_.warning(fmt::format("{} of {} packets are cut: the capture did not keep all of their bytes", counts_.cut,
                                  counts_.packets));
  }
  if (verbose) messages_.note(fmt::format("{} packets read, {} of them RoCE", counts_.packets, counts_.roce));
}

}  // namespace rocescope::cli
