// States: where an analysis stands between two files of one capture, so that another run goes on as if it had read both.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/analysis.hpp"
#include "capture/continued_capture.hpp"
#include "partial/archives.hpp"
#include "partial/block.hpp"
#include "rocescope/result.hpp"

namespace rocescope::partial {

/// What a state must be resumed with.
struct StateFacts {
  std::string options;  ///< what was asked for, in words
  bool has_messages = false;
};

/// Writes a state, which has the form of a partial result: first the messages, as they come, then all else.
class StateWriter {
 public:
  /// `program`: the version of it, in words. `sink` is given the bytes of the file, and outlives the writer.
  StateWriter(std::string_view program, const StateFacts& facts, const Sink& sink);
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  void add(const Connection& connection, std::size_t side, const Message& message);
  /// Writes all else. Nothing follows. `analysis` has read all packets except `rest` (EndKeeper), and holds back
  /// (PacketReader::hold_back()).
  void finish(Analysis& analysis, const std::deque<KeptFrame>& rest);

 private:
  const Sink& sink_;
  SectionWriter messages_;
};

/// Reads a state.
class StateReader {
 public:
  /// Fails, and says why, if the file is none, if any of it is damaged or missing, or if another program wrote it. Call
  /// it before anything is hashed.
  [[nodiscard]] static Result<StateReader> open(const std::string& path, std::string_view program);

  [[nodiscard]] const StateFacts& facts() const noexcept { return facts_; }
  /// The captures that were read.
  [[nodiscard]] const CapturesBefore& captures() const noexcept { return captures_; }
  /// Call once. `analysis` goes on with captures(), and has read nothing so far. `on_message` gets the messages that it
  /// would have got before. After an error both are useless.
  [[nodiscard]] std::optional<Error> restore(const MessageVisitor& on_message, Analysis& analysis);
  /// A state like this cannot be resumed.
  [[nodiscard]] Error error(std::string_view what) const { return blocks_.error(what); }

 private:
  explicit StateReader(BlockReader&& blocks) : blocks_(std::move(blocks)) {}
  [[nodiscard]] std::optional<Error> read_head(std::string_view program);

  BlockReader blocks_;
  StateFacts facts_;
  CapturesBefore captures_;
};

}  // namespace rocescope::partial
