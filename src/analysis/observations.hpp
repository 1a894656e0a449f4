// What was read of captures, before anything is concluded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/command_troubles.hpp"
#include "rocescope/detail/shard.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/report.hpp"
#include "ulp/command_log.hpp"

namespace rocescope {

/// What a shard has beside the report, and what it takes to find the order of what all shards counted.
struct ShardFacts {
  std::uint32_t count = 0;             ///< of the shards that make up the whole; 0: it is the whole
  std::vector<std::uint32_t> numbers;  ///< of those that this is; sorted
  std::string inputs;                  ///< what was asked of them, in words: all shards were asked the same
  /// Why it could not know what it had to, so that one shard has all; empty: it could, but another one may know better.
  std::string whole_for;
  bool has_all =
      false;  ///< of whole_for: it is this one, and the result is that of no shard; else this one has nothing
  bool selects = false;  ///< packets may be left out of the report
  std::int64_t rate_interval = 0;
  std::uint64_t max_connections = 0;
  std::vector<std::uint64_t> connections;  ///< Tracker::order()
  std::vector<CommandMoment> commands;     ///< CommandLog::take_moments()
  std::uint64_t icrc_flows = 0;            ///< IcrcVerifier::flows()

  /// Whether it follows what the sides of the handshake send each other.
  [[nodiscard]] bool follows(const Handshake& handshake) const {
    return std::ranges::any_of(numbers, [&](std::uint32_t number) {
      return Shard{number, count}.has(handshake.sides[0].address, handshake.sides[1].address);
    });
  }
};

/// A report without findings, and what else they rest on. Plain data: a partial result (src/partial) holds just this.
struct Observations {
  Report report;                 ///< its findings are empty; nothing is sorted or left out that rests on all of it
  std::deque<Flow> other_flows;  ///< of packets that do not count, for rules about all flows of a host
  TroublesByConnection command_troubles;
  std::vector<Finding> evicted_findings;  ///< about connections that were evicted: drawn then
  ShardFacts shard;
};

/// The report, with its findings.
[[nodiscard]] Report conclude(Observations&& observations);

}  // namespace rocescope
