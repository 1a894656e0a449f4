// Partial results of captures at several points, often on different hosts: which belong to one point, and what is compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "partial/merging.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/result.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope::partial {

/// Groups the places in `heads`, which PartialReader::read_head() filled: a partial result of whole captures is a group
/// of its own; all shards of the same captures are one. The groups are in the order in which the captures begin,
/// whatever the order of `heads`. Fails if the same captures are there twice; also if shards of a group are missing and
/// those of another one may be meant as the missing ones: a group of the same files, or, if `needs_all`, any group.
[[nodiscard]] Result<std::vector<std::vector<std::size_t>>> group(const std::vector<Part>& heads, bool needs_all);

/// Directions of queue pairs that several points saw. Takes 16 bytes a direction.
class SharedFlows {
 public:
  /// The requests of a side of a connection, whose peer has a number.
  [[nodiscard]] static FlowKey key_of(const IpAddress& requester, const IpAddress& responder, Qpn responder_qpn) {
    return {requester, responder, responder_qpn, 0, 0};
  }
  /// Adds a group that saw so many messages of the flow. Groups come one after the other.
  void add(std::uint32_t group, const FlowKey& key, std::uint64_t messages);
  /// Call once, after all were added. At most so many flows and messages are compared; returns the number of these
  /// messages.
  std::uint64_t choose(std::size_t most_flows, std::uint64_t most_messages);

  enum class Choice : std::uint8_t { kOfOnePoint, kCompared, kTooMany };
  [[nodiscard]] Choice choice_of(const FlowKey& key) const;

 private:
  struct Entry {
    std::uint64_t name = 0;
    std::uint32_t group = 0;
    std::uint32_t messages = 0;
  };

  [[nodiscard]] static std::uint64_t name_of(const FlowKey& key) noexcept;

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> compared_;  // sorted
  std::vector<std::uint64_t> too_many_;  // sorted
};

}  // namespace rocescope::partial
