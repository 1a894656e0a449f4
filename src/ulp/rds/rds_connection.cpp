#include "ulp/rds/rds_connection.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "dissectors/crc32.hpp"
#include "rocescope/text.hpp"

namespace rocescope {
namespace {

constexpr std::uint16_t kRdsDatagram = 0;
constexpr std::uint16_t kRdsCongestionMap = 1;
constexpr std::uint16_t kRdsRdma = 2;

std::string rds_ports(const RdsMessage& message) {
  return "port " + std::to_string(message.source) + " to " + std::to_string(message.destination);
}

/// Of a map with one bit for each port, the lowest of a byte first.
std::string congested_ports(Bytes map) {
  constexpr unsigned kMostNamed = 4;
  std::uint32_t count = 0;
  std::string ports;
  for (std::uint32_t port = 0; port < map.size() * 8; ++port) {
    if ((map[port / 8] >> port % 8U & 1U) == 0) continue;
    if (count < kMostNamed) ports += (count == 0 ? "" : ", ") + std::to_string(port);
    ++count;
  }
  if (count == 0) return "no port is congested";
  return std::to_string(count).append(text::plural(count, " port", " ports")) + " congested: " + ports +
         (count > kMostNamed ? ", ..." : "");
}

}  // namespace

MessageProtocol RdsConnection::observe(const SendPayload& payload, CommandSink& log) {
  const auto message = rds_message_of(payload.start(), payload.length);
  if (!message) {
    ++books_.counts().fit.bad;
    return MessageProtocol::kUnknown;
  }
  // An application that sends the same bytes again and again is none of RDS.
  std::optional<std::uint32_t>& last = sides_[payload.sender].hash;
  const std::uint32_t hash = crc32(0, payload.start().data(), payload.start().size());
  books_.counts().fit.news += last == hash ? 0U : 1U;
  last = hash;
  const std::uint64_t theirs = sides_[1 - payload.sender].sequence;
  books_.counts().fit.good += theirs != 0 && message->acknowledged == theirs ? 1U : 0U;
  if (!message->is_ack()) observe_fragment(payload, *message, log);
  return MessageProtocol::kRds;
}

void RdsConnection::observe_fragment(const SendPayload& payload, const RdsMessage& message, CommandSink& log) {
  constexpr std::uint64_t kHeader = 48;
  constexpr std::uint32_t kFragment = 4'096;  // of all but the last
  Side& side = sides_[payload.sender];
  const bool goes_on = side.open && side.open->command.id == message.sequence && side.length == message.length;
  const bool is_other = goes_on && (side.open->command.target != message.destination ||
                                    (side.open->command.opcode == kRdsCongestionMap) != message.is_congestion_map);
  if (!goes_on || is_other) begin(payload, message, log);
  const auto size = static_cast<std::uint32_t>(std::max(payload.length, kHeader) - kHeader);
  if (size != std::min(side.left, kFragment)) side.open->is_whole = false;  // it is of another part of the datagram
  side.left -= std::min(side.left, size);
  side.open->last = payload.first_psn;
  side.open->command.request_packet = std::min(side.open->command.request_packet, payload.first_frame);
  if (message.is_congestion_map && side.map.size() < kMapSize) {
    const std::size_t room = std::min(message.data.size(), kMapSize - side.map.size());
    side.map.insert(side.map.end(), message.data.begin(), message.data.begin() + static_cast<std::ptrdiff_t>(room));
    if (room < size) side.map.resize(kMapSize + 1);  // some of it is not known
  }
  // The last one is shorter, unless all are full.
  if (side.left == 0 || size < kFragment) close(side, log);
}

/// The first fragment of a datagram that was seen.
void RdsConnection::begin(const SendPayload& payload, const RdsMessage& message, CommandSink& log) {
  Side& side = sides_[payload.sender];
  if (side.open) side.open->is_whole = false;
  close(side, log);
  Datagram datagram{.command = {}, .first = payload.first_psn, .counts = payload.counts, .is_whole = true};
  datagram.command = OpenCommand::asked_by(payload, message.sequence)->command;
  Command& command = datagram.command;
  command.opcode = message.is_congestion_map ? kRdsCongestionMap : kRdsDatagram;
  command.operation = message.is_congestion_map ? "Congestion map" : "Datagram";
  command.target = message.destination;
  command.bytes = message.length;
  command.in_capsule = true;
  if (!message.is_congestion_map) command.detail = rds_ports(message);
  books_.counts().commands += payload.counts ? 1U : 0U;
  side.open = std::move(datagram);
  side.length = side.left = message.length;
  if (!message.is_congestion_map) side.sequence = message.sequence;
  observe_rdma(payload, message, log);
}

void RdsConnection::observe_rdma(const SendPayload& payload, const RdsMessage& message, CommandSink& log) {
  const auto fill = [&](Command& command) {
    command.opcode = kRdsRdma;
    command.operation = "RDMA";
    if (command.detail.empty()) command.detail = rds_ports(message);
    if (!command.target) command.target = message.destination;
  };
  if (message.used) {
    auto open = books_.take_answered(*message.used, payload);
    ++books_.counts().answered;
    Command& command = open->command;
    if (command.operation.empty()) fill(command);
    command.outcome = command.request_packet == 0 ? CommandOutcome::kUnseen : CommandOutcome::kSucceeded;
    books_.answer(std::move(open), log);
  }
  if (!message.to_use || !books_.admit(payload, *message.to_use, log)) return;
  auto open = OpenCommand::asked_by(payload, *message.to_use);
  fill(open->command);
  open->command.offset = message.offset;
  // Only READs and WRITEs show how much of it is used.
  open->memory.push_back({.key = *message.to_use, .address = 0, .length = CommandMemory::kUnsized});
  books_.add(*message.to_use, std::move(open));
}

void RdsConnection::close(Side& side, CommandSink& log) {
  if (!side.open) return;
  Datagram datagram = *std::exchange(side.open, std::nullopt);
  datagram.is_whole = datagram.is_whole && side.left == 0;
  if (datagram.command.opcode == kRdsCongestionMap && datagram.is_whole && side.map.size() == kMapSize)
    datagram.command.detail = congested_ports(side.map);
  side.map.clear();
  if (side.waiting.size() >= kMostWaiting) {
    report(std::move(side.waiting.front()), log);
    side.waiting.pop_front();
  }
  side.waiting.push_back(std::move(datagram));
}

void RdsConnection::observe_end(std::size_t side, const Message& message, CommandSink& log) {
  books_.end(side, message, log);
  if (message.operation != Operation::kSend) return;
  Side& mine = sides_[side];
  const auto note = [&](Datagram& each) {
    if (message.first_psn.before(each.first) || message.first_psn.after(each.last)) return;
    each.command.resent += message.resent ? 1U : 0U;
    if (message.first_psn == each.first && message.has_first && each.command.issued)
      each.command.issued = std::min(*each.command.issued, message.first_time);
  };
  if (mine.open) note(*mine.open);
  for (Datagram& each : mine.waiting) note(each);
  const auto place = std::ranges::find(mine.waiting, message.first_psn, &Datagram::last);
  if (place == mine.waiting.end()) return;
  if (message.outcome == MessageOutcome::kCompleted) {
    if (message.completion_frame != 0) place->command.acknowledged = message.completion_time;
    if (place->is_whole) place->command.outcome = CommandOutcome::kSucceeded;
  }
  // All before it are over as well: messages of one side end in their order.
  for (auto left = place - mine.waiting.begin() + 1; left > 0; --left) {
    report(std::move(mine.waiting.front()), log);
    mine.waiting.pop_front();
  }
}

void RdsConnection::report(Datagram&& datagram, CommandSink& log) const {
  datagram.command.connection = connection_;
  datagram.command.protocol = UpperProtocol::kRds;
  log.add(std::move(datagram.command), datagram.counts);
}

void RdsConnection::finish(CommandSink& log) {
  for (Side& side : sides_) {
    if (side.open) side.open->is_whole = false;
    close(side, log);
    for (Datagram& each : side.waiting) report(std::move(each), log);
    side.waiting.clear();
  }
  books_.finish(log);
}

void RdsConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<RdsConnection*>(&other);
  if (joined == nullptr) return;
  const auto drop = [&](const Datagram& each) { books_.counts().unfollowed += each.counts ? 1U : 0U; };
  for (std::size_t i = 0; i < 2; ++i) {
    Side& from = joined->sides_[i];
    Side& to = sides_[1 - i];
    if (from.open) from.open->command.initiator = static_cast<std::uint8_t>(1 - i);
    for (Datagram& each : from.waiting) {
      each.command.initiator = static_cast<std::uint8_t>(1 - i);
      if (to.waiting.size() < kMostWaiting) {
        to.waiting.push_back(std::move(each));
      } else {
        drop(each);
      }
    }
    to.sequence = std::max(to.sequence, from.sequence);
    if (to.open && from.open) drop(*from.open);
    if (to.open || !from.open) continue;
    to.open = std::move(from.open);
    to.length = from.length;
    to.left = from.left;
    to.map = std::move(from.map);
  }
  books_.join(joined->books_);
}

void RdsConnection::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kRds;
  books_.counts().describe(carried);
}

}  // namespace rocescope
