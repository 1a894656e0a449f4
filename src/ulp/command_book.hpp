// The commands of one initiator of a connection, from their request to the ACK of their response.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "messages/payload.hpp"
#include "rocescope/command.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/message.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// Memory that the responder READs or WRITEs on behalf of a command.
struct CommandMemory {
  std::uint32_t key = 0;
  std::uint64_t address = 0;
  std::uint64_t length = 0;
  static constexpr std::uint64_t kUnsized = ~std::uint64_t{0};  ///< as a length: the request does not name one

  [[nodiscard]] bool has(const Message& message) const noexcept {
    return message.r_key == key && message.address && *message.address >= address &&
           *message.address - address < length;
  }
};

/// A command that is not over yet.
struct OpenCommand {
  Command command;
  Psn request;       ///< of the request's SEND, its first packet
  Psn response;      ///< the same of the response
  Psn response_end;  ///< of the packet with which all of it was there
  std::vector<CommandMemory> memory;
  bool counts = true;        ///< whether it is reported
  bool is_metered = false;   ///< whether the meter of its connection knows that it began
  std::int64_t asked = 0;    ///< when the last packet of its request came
  std::uint8_t version = 0;  ///< of the protocol, if its responses depend on it
  /// SendPayload::copy_after of the response; 1: it came directly after one that may be a copy.
  std::int64_t copy_after = 0;
  /// When its data last came again without a sign whether the initiator lacked them; 0: they did not.
  std::int64_t data_again = 0;

  /// The command that `payload` asks for. It counts as issued with the last packet, until CommandBook::end_request()
  /// knows when the first was sent.
  [[nodiscard]] static std::unique_ptr<OpenCommand> asked_by(const SendPayload& payload, std::uint64_t id);
  /// An I/O command that arrived, and that nothing answered so far.
  [[nodiscard]] bool is_unanswered() const noexcept {
    const bool has_arrived = command.issued && command.acknowledged;
    return counts && has_arrived && command.kind == CommandKind::kIo && command.outcome == CommandOutcome::kOutstanding;
  }
  /// Whether it took at least as long as a copy of a lost packet takes to come.
  [[nodiscard]] bool is_long() const noexcept {
    return copy_after > 0 && command.issued && command.completed &&
           elapsed(*command.issued, *command.completed) >= copy_after;
  }
  /// Call when the command was seen in full. A packet as late as a copy of a lost one may be a copy; a response after
  /// data that came again may have waited for them.
  void note_copies() noexcept {
    if (is_long()) mark_copies();
    if (data_again != 0 && command.completed && *command.completed > data_again &&
        command.response_copied != Copied::kYes)
      command.response_copied = Copied::kMaybe;
  }
  void mark_copies() noexcept;
  /// The message that asked for it ended.
  void note_request_end(const Message& message) noexcept;
  /// The last packet of its request came now.
  void ask(const DepthMeter& depth) noexcept { asked = depth.now(); }
  /// It begins, for the meter of its connection, at the time when it was asked for.
  void begin(DepthMeter& depth) {
    is_metered = true;
    depth.begin(asked, command.request_packet);
  }

  // The next command takes the memory of one that is over, and the room of its list.
  ~OpenCommand();
  [[nodiscard]] static void* operator new(std::size_t size);
  static void operator delete(void* memory) noexcept;
};

/// Ties requests to their responses by an ID, and to READs and WRITEs by R_Key and address. Bounded.
class CommandBook {
 public:
  /// Commands followed at once.
  static constexpr std::size_t kMostOutstanding = 4'096;
  /// Responses whose ACK was not seen; the oldest goes first.
  static constexpr std::size_t kMostFinishing = 256;
  static constexpr std::size_t kMostMemory = 1'024;

  [[nodiscard]] bool is_full() const noexcept { return outstanding_.size() >= kMostOutstanding; }
  [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_.size(); }
  /// When the latest of all commands followed so far was issued. Nothing: there was none.
  [[nodiscard]] std::optional<std::int64_t> last_issued() const noexcept { return last_issued_; }
  /// The command with this ID that has no response yet; null: there is none.
  [[nodiscard]] OpenCommand* find(std::uint64_t id) {
    const auto place = place_of(id);
    return place == outstanding_.end() || place->first != id ? nullptr : place->second.get();
  }
  /// The only command that has no response yet and offered memory with this R_Key; null: there is none, or there are
  /// several.
  [[nodiscard]] OpenCommand* find_with_key(std::uint32_t r_key);
  /// Adds a command. Call it only if there is room and no command has this ID.
  void add(std::uint64_t id, std::unique_ptr<OpenCommand>&& open);
  /// Adds memory that becomes known later to the command with this ID, if there is one. A command has at most
  /// kMostMemory.
  void add_memory(std::uint64_t id, const CommandMemory& memory);
  /// Null: there is none with this ID.
  [[nodiscard]] std::unique_ptr<OpenCommand> take(std::uint64_t id);
  /// The command that `payload` answers. If none has this ID, its request was not seen; else `known` counts it.
  [[nodiscard]] std::unique_ptr<OpenCommand> take_answered(std::uint64_t id, const SendPayload& payload,
                                                           std::uint64_t& known);
  /// Its response came. If too many commands wait for an ACK now, returns one, which is over; else null.
  [[nodiscard]] std::unique_ptr<OpenCommand> answer(std::unique_ptr<OpenCommand>&& open) {
    // The second of two responses may be seen first, if the first was lost and comes again.
    auto place = finishing_.end();
    while (place != finishing_.begin() && (*std::prev(place))->response.after(open->response)) --place;
    finishing_.insert(place, std::move(open));
    return finishing_.size() <= kMostFinishing ? nullptr : take_oldest();
  }
  /// The initiator takes what the responder sent from this packet on.
  void observe(const TakenAgain& taken);
  /// A SEND of the responder ended. Returns how many commands are over by it: call take_oldest() for each.
  [[nodiscard]] std::size_t end_response(const Message& message);
  /// The command with this ID whose response came but was not acknowledged; null: there is none.
  [[nodiscard]] OpenCommand* find_answered(std::uint64_t id) {
    const auto place = std::ranges::find_if(finishing_, [&](const auto& open) { return open->command.id == id; });
    return place == finishing_.end() ? nullptr : place->get();
  }
  /// The first command whose response came. Call it only if there is one.
  [[nodiscard]] std::unique_ptr<OpenCommand> take_oldest() {
    std::unique_ptr<OpenCommand> oldest = std::move(finishing_.front());
    finishing_.erase(finishing_.begin());
    return oldest;
  }
  /// A SEND of the initiator ended.
  void end_request(const Message& message) {
    if (!requests_.empty() || !finishing_.empty()) note_request_end(message);
  }
  /// A READ or WRITE of the responder ended. `other`: the command that asked for it, if it is none of this book; null:
  /// none.
  void end_data(const Message& message, OpenCommand* other = nullptr);
  /// All that are left, in their order.
  [[nodiscard]] std::vector<std::unique_ptr<OpenCommand>> take_all();
  /// Adds the commands of `other` while there is room. Returns how many of those that count found no room: they are no
  /// longer followed.
  [[nodiscard]] std::uint64_t join(CommandBook& other, DepthMeter& depth);
  /// The command is over; it was in one of these books, if it began in one.
  static void end(const OpenCommand& open, DepthMeter& depth, std::span<const CommandBook> books);

  /// Those without a response.
  template <class Visitor>
  void visit_outstanding(Visitor visitor) const {
    for (const auto& [id, open] : outstanding_) visitor(*open);
  }
  template <class Visitor>
  void visit(Visitor visitor) {
    for (auto& [id, open] : outstanding_) visitor(*open);
    for (auto& open : finishing_) visitor(*open);
  }

 private:
  friend struct StateMembers;
  using Outstanding = std::pair<std::uint64_t, std::unique_ptr<OpenCommand>>;
  /// Consecutive packets of a WRITE that were taken again, and when the last of them was.
  struct TakenData {
    Psn first;
    Psn last;
    std::int64_t time = 0;
  };
  static constexpr std::size_t kMostTaken = 64;
  void note_taken(const TakenAgain& taken);
  [[nodiscard]] bool end_taken(const Message& message, OpenCommand* open);
  static void note_again(const Message& message, OpenCommand& open);
  void note_request_end(const Message& message);
  [[nodiscard]] OpenCommand* with_data(const Message& message);
  [[nodiscard]] bool follows_copy(const OpenCommand& open);
  /// The first one not before `id`. A new command mostly goes to the end.
  [[nodiscard]] std::vector<Outstanding>::iterator place_of(std::uint64_t id) {
    if (outstanding_.empty() || outstanding_.back().first < id) return outstanding_.end();
    return std::ranges::lower_bound(outstanding_, id, {}, &Outstanding::first);
  }

  std::optional<std::int64_t> last_issued_;
  // Sorted: mostly few, and with room that is used again.
  std::vector<Outstanding> outstanding_;  // by ID; none is null
  // PSN of the request and ID of these commands, until the message of the request ends. It may ask for several.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> requests_;
  using Memory = std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>;
  void note_memory(const CommandMemory& memory, std::uint64_t id);
  Memory memory_;                                        // of these, by R_Key and address
  Memory::node_type spare_;                              // of memory_, for the next
  std::vector<std::unique_ptr<OpenCommand>> finishing_;  // in the order of the PSNs of their responses; none is null
  std::optional<std::int64_t> last_late_;                // the last response that may be a copy
  std::int64_t round_trip_ = 0;   // ns: the quickest ACK of a request, from the request's last packet
  std::uint64_t acks_ = 0;        // of requests, which it rests on
  std::vector<TakenData> taken_;  // of WRITEs that did not end, as they came; the oldest goes first
};

}  // namespace rocescope
