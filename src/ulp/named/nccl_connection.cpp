#include "ulp/named/nccl_connection.hpp"

#include <algorithm>
#include <utility>

#include "dissectors/ulp/nccl/nccl_clear_to_send.hpp"

namespace rocescope {

/// NCCL has no SENDs.
MessageProtocol NcclConnection::observe(const SendPayload& /*payload*/, CommandSink& /*log*/) {
  ++fit_.bad;
  return MessageProtocol::kUnknown;
}

MessageProtocol NcclConnection::observe(const DataPayload& payload, CommandSink& /*log*/) {
  // Queue pairs take turns where a receiver uses several.
  constexpr std::uint64_t kMostQueuePairs = 128;
  const auto ready = nccl_clear_to_send_of(payload.bytes);
  if (payload.is_read || !ready) return MessageProtocol::kUnknown;
  std::optional<std::uint64_t>& last = numbers_[payload.requester];
  if (last) {
    const bool is_next = ready->number > *last && ready->number - *last <= kMostQueuePairs;
    fit_.good += is_next ? 1U : 0U;
    fit_.bad += is_next || ready->number == *last ? 0U : 1U;
  }
  if (last != ready->number) {
    std::vector<Place>& places = places_[payload.requester];
    if (places.size() == kMostPlaces) places.erase(places.begin());
    places.push_back({ready->address, ready->r_key});
  }
  last = ready->number;
  return MessageProtocol::kUnknown;
}

void NcclConnection::observe_end(std::size_t side, const Message& message, CommandSink& /*log*/) {
  if (message.operation != Operation::kWrite || message.outcome != MessageOutcome::kCompleted) return;
  if (!message.address || !message.r_key) return;
  std::vector<Place>& places = places_[1 - side];
  const auto place = std::ranges::find(places, Place{*message.address, *message.r_key});
  if (place == places.end()) return;
  ++fit_.good;
  places.erase(place);
}

void NcclConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<NcclConnection*>(&other);
  if (joined == nullptr) return;
  for (std::size_t side = 0; side < 2; ++side) {
    if (joined->numbers_[side]) numbers_[1 - side] = joined->numbers_[side];
    if (!joined->places_[side].empty()) places_[1 - side] = std::move(joined->places_[side]);
  }
  fit_.good += joined->fit_.good;
  fit_.bad += joined->fit_.bad;
}

}  // namespace rocescope
