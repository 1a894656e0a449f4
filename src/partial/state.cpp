#include "partial/state.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "partial/carry.hpp"
#include "partial/describe.hpp"
#include "partial/partial.hpp"
#include "partial/state/connections.hpp"
#include "partial/state/containers.hpp"
#include "partial/state/counters.hpp"
#include "partial/state/handshakes.hpp"
#include "partial/state/payload.hpp"
#include "partial/state/points.hpp"
#include "partial/state/reading.hpp"
#include "partial/state/requests.hpp"
#include "partial/state/tracker.hpp"
#include "partial/state/ulp.hpp"
#include "partial/state/watchers.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope::partial {
namespace {

constexpr std::string_view kCaptures = "captures";
constexpr std::string_view kAnalysis = "analysis";

/// What all sections hold.
const std::string& state_tables() {
  static const std::string kText = [] {
    Description description;
    const std::string captures = description.words(type_of<StateMembers, CapturesBefore>());
    const std::string analysis = description.words(type_of<StateMembers, Analysis>());
    const std::string sections =
        fmt::format("{} {}[], {} {}, {} {}", kMessages, Description().words(type_of<NoMembers, MessageRecord>()),
                    kCaptures, captures, kAnalysis, analysis);
    description.add("sections: " + sections);
    return description.text();
  }();
  return kText;
}

}  // namespace

StateWriter::StateWriter(std::string_view program, const StateFacts& facts, const Sink& sink)
    : sink_(sink), messages_(kMessages, sink) {
  write_start(sink);
  SectionWriter section(kStateTables, sink_);
  WritingArchive archive(section);
  archive.text(program);
  archive.text(state_tables());
  archive.text(facts.options);
  carry(archive, facts.has_messages);
  archive.number(hash_seed());
  section.finish();
}

void StateWriter::add(const Connection& connection, std::size_t side, const Message& message) {
  WritingArchive archive(messages_);
  const MessageRecord record = record_of(connection, side, message);
  carry(archive, record);
}

void StateWriter::finish(Analysis& analysis, const std::deque<KeptFrame>& rest) {
  messages_.finish();
  analysis.settle();
  const auto write = [&]<class T>(std::string_view name, const T& value) {
    SectionWriter section(name, sink_);
    StateWritingArchive archive(section);
    carry(archive, value);
    section.finish();
  };
  const std::span<const CaptureInfo> captures = analysis.captures();
  const PacketReader& reader = analysis.reader();
  write(kCaptures, CapturesBefore{{captures.begin(), captures.end()}, reader.frames(), reader.latest(), rest});
  write(kAnalysis, std::as_const(analysis));
  SectionWriter(kEnd, sink_).finish();
}

Result<StateReader> StateReader::open(const std::string& path, std::string_view program) {
  Result<BlockReader> blocks = BlockReader::open(path);
  if (!blocks) return blocks.error();
  if (blocks->next() != 0) return blocks->error("something follows its end");
  StateReader reader(std::move(*blocks));
  if (std::optional<Error> error = reader.read_head(program)) return *std::move(error);
  std::optional<Error> error = show_messages(reader.blocks_, {});
  if (error) return *std::move(error);
  StateReadingArchive archive(reader.blocks_, kCaptures);
  carry(archive, reader.captures_);
  error = archive.finish();
  if (error) return *std::move(error);
  blocks = BlockReader::open(path);  // once more, from its beginning
  if (!blocks) return blocks.error();
  reader.blocks_ = std::move(*blocks);
  return reader;
}

std::optional<Error> StateReader::read_head(std::string_view program) {
  if (blocks_.section() == kTables) return blocks_.error("it is a partial result, which merge reads, and no state");
  ReadingArchive archive(blocks_, kStateTables);
  std::string writer;
  std::string described;
  std::uint64_t seed = 0;
  archive.text(writer);
  archive.text(described);
  if (archive.is_good() && writer != program) {
    return blocks_.error(
        fmt::format("rocescope {} wrote it, and no other version can go on with it (this is {})", writer, program));
  }
  if (archive.is_good() && described != state_tables())
    return blocks_.error(fmt::format("another build of rocescope {} wrote it, whose tables are others", writer));
  archive.text(facts_.options);
  carry(archive, facts_.has_messages);
  archive.number(seed);
  if (std::optional<Error> error = archive.finish()) return error;
  if (seed == 0 || !set_hash_seed(seed)) return blocks_.error("this program has begun with another analysis");
  return std::nullopt;
}

std::optional<Error> StateReader::restore(const MessageVisitor& on_message, Analysis& analysis) {
  std::optional<Error> error = blocks_.skip();
  if (!error) error = show_messages(blocks_, on_message);
  if (!error) error = blocks_.skip();
  if (error) return error;
  StateReadingArchive archive(blocks_, kAnalysis);
  carry(archive, analysis);
  error = archive.finish();
  if (!error && !blocks_.section().empty()) error = blocks_.error("it has sections that are not known");
  return error;
}

}  // namespace rocescope::partial
