#include "partial/partial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "partial/archives.hpp"
#include "partial/carry.hpp"
#include "partial/describe.hpp"

namespace rocescope::partial {
namespace {

/// What all sections hold.
const std::string& tables() {
  static const std::string kText = [] {
    Description description;
    const Observations none;
    std::string sections = fmt::format("{} {}[]", kMessages, description.words(type_of<NoMembers, MessageRecord>()));
    visit_sections(none, [&]<class Member>(std::string_view name, const Member&) {
      sections += fmt::format(", {} {}", name, description.words(type_of<NoMembers, Member>()));
    });
    description.add("sections: " + sections);
    return description.text();
  }();
  return kText;
}

}  // namespace

bool is_partial_result(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::string start(kMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kMagic;
}

PartialWriter::PartialWriter(std::string_view program, bool has_messages, const Sink& sink)
    : sink_(sink), messages_(kMessages, sink) {
  write_start(sink);
  SectionWriter section(kTables, sink_);
  WritingArchive archive(section);
  archive.text(program);
  archive.text(tables());
  carry(archive, has_messages);
  section.finish();
}

MessageRecord record_of(const Connection& connection, std::size_t side, const Message& message) {
  MessageRecord record{.connection = connection.number, .side = static_cast<std::uint8_t>(side), .message = message};
  for (std::size_t i = 0; i < 2; ++i) record.sides[i] = {connection.sides[i].address, connection.sides[i].qpn};
  return record;
}

void PartialWriter::add(const Connection& connection, std::size_t side, const Message& message) {
  MessageRecord record = record_of(connection, side, message);
  if (moment_ != nullptr) record.moment = *moment_;
  if (begun_ != nullptr) record.begun = std::exchange(*begun_, {});
  add(record);
}

void PartialWriter::add(const MessageRecord& record) {
  WritingArchive archive(messages_);
  carry(archive, record);
}

void PartialWriter::finish(const Observations& observations) {
  if (begun_ != nullptr && !begun_->empty()) add({.moment = kMomentOver, .begun = std::exchange(*begun_, {})});
  messages_.finish();
  visit_sections(observations, [&](std::string_view name, const auto& member) {
    SectionWriter section(name, sink_);
    WritingArchive archive(section);
    carry(archive, member);
    section.finish();
  });
  SectionWriter(kEnd, sink_).finish();
}

Result<PartialReader> PartialReader::open(const std::string& path, std::string_view program, std::uint64_t start) {
  Result<BlockReader> blocks = BlockReader::open(path, start);
  if (!blocks) return blocks.error();
  PartialReader reader(std::move(*blocks));
  if (reader.blocks_.section() == kStateTables)
    return reader.blocks_.error("it is a state of analyze --save-state, which analyze --resume reads");
  ReadingArchive archive(reader.blocks_, kTables);
  std::string writer;
  std::string described;
  archive.text(writer);
  archive.text(described);
  if (archive.is_good() && described != tables())
    return reader.blocks_.error(
        fmt::format("rocescope {} wrote it, whose tables are not those of this one ({})", writer, program));
  carry(archive, reader.has_messages_);
  if (std::optional<Error> error = archive.finish()) return *std::move(error);
  return reader;
}

const MessageRecord* PartialReader::next_message() {
  if (!archive_) archive_ = std::make_unique<ReadingArchive>(blocks_, kMessages);
  if (error_ || archive_->is_at_end()) {
    if (!error_) error_ = archive_->finish();
    return nullptr;
  }
  record_ = {};
  carry(*archive_, record_);
  if (archive_->is_good()) return &record_;
  error_ = archive_->finish();
  return nullptr;
}

std::optional<Error> show_messages(BlockReader& blocks, const MessageVisitor& on_message) {
  if (!on_message && blocks.section() == kMessages) return blocks.skip();
  ReadingArchive archive(blocks, kMessages);
  Connection connection;
  while (!archive.is_at_end()) {
    MessageRecord record;
    carry(archive, record);
    if (!archive.is_good()) break;
    if (record.connection == 0) continue;
    connection.number = record.connection;
    for (std::size_t i = 0; i < 2; ++i) {
      connection.sides[i].address = record.sides[i].address;
      connection.sides[i].qpn = record.sides[i].qpn;
    }
    on_message(connection, record.side, record.message);
  }
  return archive.finish();
}

std::optional<Error> PartialReader::read_sections(std::initializer_list<std::string_view> names,
                                                  Observations& observations) {
  std::optional<Error> error;
  visit_sections(observations, [&](std::string_view name, auto& member) {
    if (error) return;
    if (names.size() > 0 && std::ranges::find(names, name) == names.end()) {
      if (blocks_.section() == name) error = blocks_.skip();
      return;
    }
    ReadingArchive archive(blocks_, name);
    carry(archive, member);
    error = archive.finish();
  });
  if (!error && !blocks_.section().empty()) error = blocks_.error("it has sections that are not known");
  return error;
}

std::optional<Error> PartialReader::read(const MessageVisitor& on_message, Observations& observations) {
  if (std::optional<Error> error = show_messages(blocks_, on_message)) return error;
  return read_sections({}, observations);
}

std::optional<Error> PartialReader::read_head(Observations& observations) {
  if (std::optional<Error> error = show_messages(blocks_, {})) return error;
  return read_sections({"captures", "packets_read", "start", "shard"}, observations);
}

}  // namespace rocescope::partial
