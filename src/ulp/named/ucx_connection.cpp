#include "ulp/named/ucx_connection.hpp"

#include "dissectors/ulp/ucx/ucx_message.hpp"

namespace rocescope {
namespace {

constexpr std::uint32_t bit_of(UcxKind kind) { return std::uint32_t{1} << static_cast<unsigned>(kind); }

/// Whether a tag follows the ID. In a rendezvous another header may follow.
constexpr bool has_tag(UcxId id) {
  return id == UcxId::kEagerOnly || id == UcxId::kEagerFirst || id == UcxId::kSyncOnly || id == UcxId::kSyncFirst;
}

void add_kind(UcxKind kind, std::string& kinds) {
  if (kinds.find(to_string(kind)) != std::string::npos) return;
  if (!kinds.empty()) kinds += ", ";
  kinds += to_string(kind);
}

}  // namespace

MessageProtocol UcxConnection::observe(const SendPayload& payload, CommandSink& /*log*/) {
  constexpr std::size_t kNumber = 8;
  const Bytes start = payload.start();
  const auto message = ucx_message_of(start);
  ++seen_;
  if (!message || payload.length < start.size()) return MessageProtocol::kUnknown;
  if (const auto kind = ucx_kind_of(message->id); kind && !message->body.empty()) kinds_ |= bit_of(*kind);
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
  const auto id = static_cast<UcxId>(message->id);
  if (has_tag(id) && body.size() >= kNumber) tags_.observe(payload.sender, number(0));
  switch (id) {
    case UcxId::kEagerOnly:
    case UcxId::kSyncFirst:
    case UcxId::kWireUp:
      break;
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
  }
  if (has_seen_enough()) waiting_ = {};
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
  seen_ += joined->seen_;
  kinds_ |= joined->kinds_;
  tags_.join(joined->tags_);
}

void UcxConnection::describe(CarriedProtocol& carried) {
  carried.mpi_library = tags_.library();
  for (std::size_t i = 0; i < kUcxKinds; ++i) {
    const auto kind = static_cast<UcxKind>(i);
    if ((kinds_ & bit_of(kind)) != 0) add_kind(kind, carried.kinds);
  }
}

void UcxConnection::describe_one_sided(const Connection& connection, CarriedProtocol& carried) {
  std::uint64_t sends = 0;
  std::uint64_t written = 0;  // bytes: UCX ends what it sent with a WRITE of none
  std::uint64_t reads = 0;
  std::uint64_t atomics = 0;
  for (const ConnectionSide& side : connection.sides) {
    for (const OperationTotals& totals : side.operations.all()) {
      const bool is_atomic = totals.operation == Operation::kCompareSwap || totals.operation == Operation::kFetchAdd;
      if (totals.operation == Operation::kSend) sends += totals.messages;
      if (totals.operation == Operation::kWrite) written += totals.bytes;
      if (totals.operation == Operation::kReadRequest) reads += totals.messages;
      if (is_atomic) atomics += totals.messages;
    }
  }
  const bool has_rendezvous = carried.kinds.find(to_string(UcxKind::kRendezvous)) != std::string::npos;
  const bool were_all_seen = sends < kMostSeen;
  if (!were_all_seen || has_rendezvous || carried.kinds.empty()) return;
  if (written > 0) add_kind(UcxKind::kPut, carried.kinds);
  if (reads > 0) add_kind(UcxKind::kGet, carried.kinds);
  if (atomics > 0) add_kind(UcxKind::kAtomic, carried.kinds);
}

}  // namespace rocescope
