#include "commands/named/ucx_connection.hpp"

#include "dissectors/ulp/ucx/ucx_message.hpp"

namespace rocescope {

MessageProtocol UcxConnection::observe(const SendPayload& payload, CommandSink& /*log*/) {
  constexpr std::size_t kNumber = 8;
  const Bytes start = payload.start();
  const auto message = ucx_message_of(start);
  if (!message || payload.length < start.size()) return MessageProtocol::kUnknown;
  const Bytes body = message->body;
  const std::uint64_t length = payload.length - (start.size() - body.size());
  const auto number = [&](std::size_t index) {
    return body.size() < (index + 1) * kNumber ? 0 : load_little_endian(body.data() + index * kNumber, kNumber);
  };
  Waiting& mine = waiting_[payload.sender];
  Waiting& theirs = waiting_[1 - payload.sender];
  const auto ask = [&](std::uint64_t request) {
    if (request != 0 && mine.requests.size() < kMostWaiting) mine.requests[request] = message->id;
  };
  const auto answer = [&](std::uint64_t request) { fit_.good += theirs.requests.erase(request); };
  switch (static_cast<UcxId>(message->id)) {
    case UcxId::kEagerFirst:
      if (length > 3 * kNumber && mine.offsets.size() < kMostWaiting) mine.offsets[number(2)] = length - 3 * kNumber;
      break;
    case UcxId::kEagerMiddle:
      if (const auto begun = mine.offsets.find(number(0)); begun != mine.offsets.end() && length > 2 * kNumber) {
        fit_.good += begun->second == number(1) ? 1U : 0U;
        begun->second = number(1) + length - 2 * kNumber;
      }
      break;
    case UcxId::kSyncOnly:
    case UcxId::kReadyToSend:
      ask(number(2));
      break;
    case UcxId::kSyncAck:
    case UcxId::kAckToSend:
    case UcxId::kAckToPut:
      answer(number(0));
      break;
    case UcxId::kReadyToReceive:
      answer(number(0));
      ask(number(1));
      break;
    case UcxId::kWireUp:
      break;
  }
  return MessageProtocol::kUnknown;
}

void UcxConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<UcxConnection*>(&other);
  if (joined == nullptr) return;
  for (std::size_t side = 0; side < 2; ++side) {
    waiting_[1 - side].offsets.merge(joined->waiting_[side].offsets);
    waiting_[1 - side].requests.merge(joined->waiting_[side].requests);
  }
  fit_.good += joined->fit_.good;
}

}  // namespace rocescope
