#include "verify/lost_packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rocescope/host.hpp"
#include "verify/device_counters.hpp"

namespace rocescope::verify {
namespace {

/// By the counter of one host; nothing: its device has none.
std::optional<std::uint64_t> growth_of(const Values& values, NicCounter counter) {
  const auto found = values.find(nic_counter_infos()[static_cast<std::size_t>(counter)].rxe);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::uint64_t lost_before_capture(const Comparison& comparison, const TruthQueuePair& queue_pair) {
  const truth::Truth& truth = comparison.truth().truth();
  const Party& party = comparison.truth().parties()[queue_pair.party];
  const auto host = std::ranges::find_if(
      truth.hosts, [&](const truth::Host& each) { return party.addresses.contains(each.address); });
  if (host == truth.hosts.end()) return 0;
  std::uint64_t sent_by_it = 0;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  for (const auto& [name, values] : growths_of(truth).known) {
    const auto its_sent = growth_of(values, NicCounter::kSentPackets);
    const auto its_received = growth_of(values, NicCounter::kReceivedPackets);
    if (!its_sent || !its_received) return 0;
    if (name == host->name) sent_by_it = *its_sent;
    sent += *its_sent;
    received += *its_received;
  }
  std::uint64_t captured = 0;
  for (const Host& each : comparison.report().hosts) {
    if (each.address == host->address)
      captured += nic_counters(each)[static_cast<std::size_t>(NicCounter::kSentPackets)];
  }
  return std::min(surplus(sent_by_it, captured), surplus(sent, received));
}

bool was_given_up(const WorkRequest& request) noexcept {
  return request.completion != nullptr && request.completion->status == "RETRY_EXC_ERR";
}

std::string why_given_up_unseen(std::uint64_t lost) {
  return fmt::format(
      "given up after its retries, which were lost before the capture point: the device sent {} packets that nobody "
      "received",
      lost);
}

}  // namespace rocescope::verify
