// What findings rest on of the commands of a connection.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rocescope/command.hpp"
#include "rocescope/detail/box.hpp"
#include "rocescope/finding.hpp"

namespace rocescope {

/// Bounded, however many commands there are.
struct CommandTroubles {
  static constexpr std::size_t kMostKinds = 32;      ///< of failures
  static constexpr std::int64_t kSlow = 20'000'000;  ///< ns: no healthy device takes longer for one in a hundred

  /// Commands that failed alike.
  struct Failure {
    FindingId id = FindingId::kIoFailed;
    std::string_view operation;  ///< empty: it has no name
    std::string detail;
    std::uint32_t status = 0;
    std::string_view status_name;
    Occurrences seen;  ///< the responses
  };
  /// Task management of one function.
  struct Task {
    std::string_view operation;
    Occurrences seen;  ///< the requests
  };
  /// Commands that were issued again for one reason.
  struct Retry {
    std::string_view operation;
    bool was_answered = false;       ///< the one before each failed; else it had no response
    std::uint32_t status = 0;        ///< of that one
    std::string_view status_name;    ///< the same
    Occurrences seen;                ///< the new ones
    std::uint64_t first_packet = 0;  ///< of the command that the first new one repeats
    std::int64_t first_wait = 0;     ///< ns, from there to the new one
  };
  /// Commands that took kSlow or longer for one reason.
  struct Slow {
    Occurrences seen;  ///< the responses
    CommandTimes worst;
    std::string_view operation;  ///< of the worst
    std::uint64_t packet = 0;    ///< the packet that began the worst
    std::uint64_t resent = 0;    ///< messages on its behalf

    void merge(const Slow& other);
  };

  /// What happens to a side beside its commands.
  enum class Event : std::uint8_t {
    kNoCredits,      ///< it had something to send, and no credits of its peer
    kQueueFull,      ///< it may not send another command before a response comes
    kKeepAliveLate,  ///< it was silent for longer than it promised
    kUnanswered,     ///< an I/O command had no response when the connection ended; `from` is when it was sent
    kLastCommand,  ///< of a queue of NVMe, the last that was seen; its limit: the longest silence that is promised, ns
  };
  static constexpr std::size_t kEvents = 5;
  struct Times {
    Occurrences seen;
    std::int64_t total = 0;    ///< ns
    std::int64_t longest = 0;  ///< ns
    std::uint64_t limit = 0;   ///< of the protocol; 0: there is none

    void add(std::uint64_t packet, std::int64_t from, std::int64_t to, std::uint64_t its_limit) {
      seen.add(packet, to);
      total += to - from;
      longest = std::max(longest, to - from);
      limit = its_limit;
    }
    void merge(const Times& other) {
      seen.merge(other.seen);
      total += other.total;
      longest = std::max(longest, other.longest);
      limit = std::max(limit, other.limit);
    }
  };
  /// I/O commands that name data.
  struct Shape {
    std::uint64_t commands = 0;
    std::uint64_t with_blocks = 0;  ///< of these: it is known where on the device the data are
    Occurrences small;              ///< less than kBlock
    Occurrences unaligned;          ///< of those with_blocks, kBlock or longer: they do not begin at a multiple of it
    // Of NVMe over Fabrics:
    std::uint64_t writes = 0;           ///< whose data could have come with them, as far as was known by then
    Occurrences fetched;                ///< of these: a READ fetched them
    std::uint64_t most_in_capsule = 0;  ///< bytes, that came with a Write which succeeded
    std::optional<std::uint32_t> queue;
  };
  static constexpr std::uint64_t kBlock = 4'096;  ///< bytes, that devices and file systems write at once

  std::uint8_t initiator = 0;     ///< the side of the connection that sends commands
  std::vector<Failure> failures;  ///< in the order of their first
  std::vector<Task> tasks;        ///< the same
  std::vector<Retry> retries;     ///< in the order in which they were known
  bool lacks_retries = false;     ///< there were too many commands that may be issued again
  bool lacks_places = false;      ///< where the data of some are was cut off: not all slow ones are known for that
  bool lacks_commands = false;    ///< responses came whose commands were not seen
  Histogram latency;              ///< of the commands of I/O queues that were seen in full
  Box<Slow> target;               ///< of these: the target had the next move for four fifths of the time
  Box<Slow> late;    ///< the same, if the target lost nothing before the capture: they took as long as copies do
  Box<Slow> copies;  ///< of these: half of the time or more went into the network, and packets were sent again
  Box<Slow> way;     ///< of these: packets were on their way for four fifths of the time, and none was sent again
  Shape shape;
  std::array<std::array<Box<Times>, kEvents>, 2> events;  ///< by side, then by Event

  [[nodiscard]] Times& at(std::size_t side, Event event) {
    return events[side][static_cast<std::size_t>(event)].make();
  }
  /// Lasts as long as these troubles.
  [[nodiscard]] const Times& at(std::size_t side, Event event) const {
    return *events[side][static_cast<std::size_t>(event)];
  }

  /// `times`: its own.
  void add(const Command& command, const std::optional<CommandTimes>& times);
  void add(const Retry& retry);
  /// `other`: of the same connection.
  void merge(const CommandTroubles& other);

 private:
  void add_task(const Command& command);
  void add_shape(const Command& command);
  void add_nvme_shape(const Command& command);
};

/// By number of the connection.
using TroublesByConnection = std::unordered_map<std::uint32_t, CommandTroubles>;

}  // namespace rocescope
