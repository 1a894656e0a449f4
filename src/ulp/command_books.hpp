// The commands of both sides of a connection: what protocols of requests and responses have in common.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "ulp/carried.hpp"
#include "ulp/command_book.hpp"

namespace rocescope {

/// A book for each side, as either may ask.
class CommandBooks {
 public:
  CommandBooks(UpperProtocol protocol, std::uint32_t connection) : protocol_(protocol), connection_(connection) {}

  [[nodiscard]] Carried::Counts& counts() noexcept { return counts_; }
  [[nodiscard]] const Carried::Counts& counts() const noexcept { return counts_; }
  /// The commands that `side` asks for.
  [[nodiscard]] CommandBook& of(std::size_t side) { return books_[side]; }
  [[nodiscard]] std::span<const CommandBook> all() const noexcept { return books_; }

  /// `payload` asks for a command with this ID. If another command has the ID, its response was not seen. False: there
  /// are too many.
  [[nodiscard]] bool admit(const SendPayload& payload, std::uint64_t id, CommandSink& log) {
    CommandBook& book = books_[payload.sender];
    counts_.depth.pass(payload.record->packet->frame.timestamp);
    counts_.commands += payload.counts ? 1U : 0U;
    if (book.find(id) != nullptr) report(*book.take(id), log);
    if (!book.is_full()) return true;
    ++counts_.unfollowed;
    return false;
  }
  /// Adds a command after admit().
  void add(std::uint64_t id, std::unique_ptr<OpenCommand>&& open) {
    open->ask(counts_.depth);
    begin(id, std::move(open));
  }
  /// Adds a command that note_asked() counted. Its ID becomes known with its response, or later.
  void add_late(std::uint64_t id, std::unique_ptr<OpenCommand>&& open) {
    open->command.id = id;
    begin(id, std::move(open));
  }
  /// `payload` asked for `open`, whose ID is not known yet.
  void note_asked(const SendPayload& payload, OpenCommand& open) {
    counts_.depth.pass(payload.record->packet->frame.timestamp);
    counts_.commands += payload.counts ? 1U : 0U;
    open.ask(counts_.depth);
  }
  /// `payload` asked for a command. Its side may have so many outstanding.
  void note_limit(const SendPayload& payload, std::size_t limit, CommandSink& log) const;
  /// Adds a message that gets no response.
  void add_event(OpenCommand& open, CommandSink& log);
  /// `payload` answers the command with this ID.
  [[nodiscard]] std::unique_ptr<OpenCommand> take_answered(std::uint64_t id, const SendPayload& payload) {
    return books_[1 - payload.sender].take_answered(id, payload, counts_.fit.good);
  }
  /// Its status is known, and its outcome.
  void answer(std::unique_ptr<OpenCommand>&& open, CommandSink& log) {
    CommandBook& book = books_[open->command.initiator];
    if (const auto oldest = book.answer(std::move(open))) report(*oldest, log);
  }
  void observe(const TakenAgain& taken) { books_[1 - taken.sender].observe(taken); }
  /// A message of `side` ended.
  void end(std::size_t side, const Message& message, CommandSink& log) {
    end(side, message, log, message.operation != Operation::kSend);
  }
  /// `is_data`: it is neither a request nor a response.
  void end(std::size_t side, const Message& message, CommandSink& log, bool is_data);
  /// Nothing more comes.
  void finish(CommandSink& log);
  /// Adds what `other` followed of one direction alone; its side 0 is side 1 of this connection.
  void join(CommandBooks& other);

 private:
  friend struct StateMembers;
  void begin(std::uint64_t id, std::unique_ptr<OpenCommand>&& open) {
    CommandBook& book = books_[open->command.initiator];
    open->begin(counts_.depth);
    book.add(id, std::move(open));
  }
  void report(OpenCommand& open, CommandSink& log);

  UpperProtocol protocol_;
  std::uint32_t connection_;
  Carried::Counts counts_;
  std::array<CommandBook, 2> books_;  // by the side that asks, then by ID
};

}  // namespace rocescope
