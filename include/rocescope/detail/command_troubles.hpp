// What findings rest on of the commands of a connection. For this library alone, as all of detail/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rocescope/command.hpp"
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
  /// Commands that took kSlow or longer for one reason.
  struct Slow {
    Occurrences seen;  ///< the responses
    CommandTimes worst;
    std::string_view operation;  ///< of the worst
    std::uint64_t packet = 0;    ///< with which it began
    std::uint64_t resent = 0;    ///< messages on its behalf
  };

  std::uint8_t initiator = 0;     ///< the side of the connection that sends commands
  std::vector<Failure> failures;  ///< in the order of their first
  std::vector<Task> tasks;        ///< the same
  Histogram latency;              ///< of the commands of I/O queues, of which all was seen
  Slow target;                    ///< of these: the target had the next move for four fifths of the time
  Slow network;  ///< of these: half of the time or more went into the network, and packets were sent again

  void add(const Command& command);
  /// `other`: of the same connection.
  void merge(const CommandTroubles& other);

 private:
  void add_task(const Command& command);
};

/// By number of the connection.
using TroublesByConnection = std::unordered_map<std::uint32_t, CommandTroubles>;

}  // namespace rocescope
