// Partial results: what was read of captures, in a file, before anything is concluded.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analysis/observations.hpp"
#include "partial/archives.hpp"
#include "partial/block.hpp"
#include "partial/fields.hpp"
#include "rocescope/result.hpp"

namespace rocescope::partial {

/// Whether a file begins like a partial result. Opens only regular files: a named pipe would block.
[[nodiscard]] bool is_partial_result(const std::string& path);

/// Sections of files that have the same form: the first one, of each kind of file, and the messages.
inline constexpr std::string_view kTables = "tables";
inline constexpr std::string_view kStateTables = "state";
inline constexpr std::string_view kMessages = "messages";

[[nodiscard]] MessageRecord record_of(const Connection& connection, std::size_t side, const Message& message);
/// Reads the section of the messages, which comes next. `on_message`, where there is one, is shown them; of a connection its number, and
/// address and queue pair of each side.
[[nodiscard]] std::optional<Error> show_messages(BlockReader& blocks, const MessageVisitor& on_message);

/// Writes a partial result: first the messages, as they come, then all else.
class PartialWriter {
 public:
  /// `program`: the version of it, in words. `sink` is given the bytes of the file, and outlives the writer. `has_messages`: else add()
  /// is not called, and whoever reads it knows that messages were left out.
  PartialWriter(std::string_view program, bool has_messages, const Sink& sink);
  PartialWriter(const PartialWriter&) = delete;
  PartialWriter& operator=(const PartialWriter&) = delete;

  /// In a shard: writes messages from now on with their moments, and with the messages that `begun` notes. Both outlive
  /// the writer.
  void note_order(const std::uint64_t& moment, BegunMessages& begun) {
    moment_ = &moment;
    begun_ = &begun;
  }
  void add(const Connection& connection, std::size_t side, const Message& message);
  /// Adds a complete message.
  void add(const MessageRecord& record);
  /// Writes all else. Nothing follows.
  void finish(const Observations& observations);

 private:
  const Sink& sink_;
  SectionWriter messages_;
  const std::uint64_t* moment_ = nullptr;
  BegunMessages* begun_ = nullptr;
};

/// Reads a partial result.
class PartialReader {
 public:
  /// Opens a file, or the result that begins at byte `start` of it. Fails, and says why, if there is none, if any of it
  /// is damaged or missing, or if a program with other tables wrote it.
  [[nodiscard]] static Result<PartialReader> open(const std::string& path, std::string_view program,
                                                  std::uint64_t start = 0);

  /// Where in the file the next result begins (a file may have one for each capture point); 0: this is the last.
  [[nodiscard]] std::uint64_t next() const noexcept { return blocks_.next(); }

  /// False: they were left out.
  [[nodiscard]] bool has_messages() const noexcept { return has_messages_; }
  /// What to say where they are needed.
  [[nodiscard]] Error lacks_messages() const {
    return blocks_.error(
        "it was made with --no-messages: --csv needs messages, as does --partial without --no-messages");
  }
  /// Once. `on_message`, where there is one, is shown the messages; of a connection its number, and address and queue pair of each side.
  [[nodiscard]] std::optional<Error> read(const MessageVisitor& on_message, Observations& observations);
  /// Call instead of read(). Reads only what identifies the captures: captures, packets_read, start and shard of
  /// `observations`.
  [[nodiscard]] std::optional<Error> read_head(Observations& observations);
  /// Instead: the next message, while there is one; see error().
  [[nodiscard]] const MessageRecord* next_message();
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  explicit PartialReader(BlockReader&& blocks) : blocks_(std::move(blocks)) {}
  /// Reads these sections of those after the messages; no names: all of them.
  [[nodiscard]] std::optional<Error> read_sections(std::initializer_list<std::string_view> names,
                                                   Observations& observations);

  BlockReader blocks_;
  bool has_messages_ = false;
  std::unique_ptr<ReadingArchive> archive_;  // of next_message()
  MessageRecord record_;
  std::optional<Error> error_;
};

}  // namespace rocescope::partial
