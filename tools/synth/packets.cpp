#include "synth/packets.hpp"

#include <algorithm>

namespace rocescope::synth {
namespace {

using rdmagen::Operation;

constexpr std::uint32_t kPsnMask = 0xFFFFFF;

// Opcodes of RC (IBTA 9.2.1)
constexpr std::uint8_t kSendFirst = 0x00;
constexpr std::uint8_t kSendMiddle = 0x01;
constexpr std::uint8_t kSendLast = 0x02;
constexpr std::uint8_t kSendLastImmediate = 0x03;
constexpr std::uint8_t kSendOnly = 0x04;
constexpr std::uint8_t kSendOnlyImmediate = 0x05;
constexpr std::uint8_t kWriteFirst = 0x06;
constexpr std::uint8_t kWriteMiddle = 0x07;
constexpr std::uint8_t kWriteLast = 0x08;
constexpr std::uint8_t kWriteLastImmediate = 0x09;
constexpr std::uint8_t kWriteOnly = 0x0A;
constexpr std::uint8_t kWriteOnlyImmediate = 0x0B;
constexpr std::uint8_t kReadRequest = 0x0C;
constexpr std::uint8_t kReadResponseFirst = 0x0D;
constexpr std::uint8_t kReadResponseMiddle = 0x0E;
constexpr std::uint8_t kReadResponseLast = 0x0F;
constexpr std::uint8_t kReadResponseOnly = 0x10;
constexpr std::uint8_t kAcknowledge = 0x11;
constexpr std::uint8_t kAtomicAcknowledge = 0x12;
constexpr std::uint8_t kCompareSwap = 0x13;
constexpr std::uint8_t kFetchAdd = 0x14;

constexpr std::uint32_t kAck = 0x1FU << 24;  // no credits
constexpr std::uint32_t kSequenceNak = 0x60U << 24;

struct Opcodes {
  std::uint8_t first, middle, last, only;

  [[nodiscard]] std::uint8_t of(std::uint32_t packet, std::uint32_t packets) const noexcept {
    if (packets == 1) return only;
    if (packet == 0) return first;
    return packet + 1 == packets ? last : middle;
  }
};

Opcodes opcodes_of(Operation operation) {
  switch (operation) {
    case Operation::kSend:
      return {kSendFirst, kSendMiddle, kSendLast, kSendOnly};
    case Operation::kSendImm:
      return {kSendFirst, kSendMiddle, kSendLastImmediate, kSendOnlyImmediate};
    case Operation::kWrite:
      return {kWriteFirst, kWriteMiddle, kWriteLast, kWriteOnly};
    case Operation::kWriteImm:
      return {kWriteFirst, kWriteMiddle, kWriteLastImmediate, kWriteOnlyImmediate};
    case Operation::kCompareSwap:
      return {.first = 0, .middle = 0, .last = 0, .only = kCompareSwap};
    case Operation::kFetchAdd:
      return {.first = 0, .middle = 0, .last = 0, .only = kFetchAdd};
    default:
      return {.first = 0, .middle = 0, .last = 0, .only = kReadRequest};
  }
}

Envelope to_server(const Identity& identity, std::uint32_t psn) {
  return {.source = identity.client.address,
          .destination = identity.server.address,
          .udp_port = identity.udp_port,
          .dest_qp = identity.server.qpn,
          .psn = psn & kPsnMask};
}

Envelope to_client(const Identity& identity, std::uint32_t psn) {
  return {.source = identity.server.address,
          .destination = identity.client.address,
          .udp_port = identity.udp_port,
          .dest_qp = identity.client.qpn,
          .psn = psn & kPsnMask};
}

/// The headers of a request, in the order of the wire.
Extension request_headers(const Message& message, const Region& region, std::uint32_t packet, bool last) {
  Extension extension;
  const Operation operation = message.operation;
  const bool writes = operation == Operation::kWrite || operation == Operation::kWriteImm;
  if (packet == 0 && (writes || operation == Operation::kRead)) {
    extension.put(message.address).put(region.key).put(static_cast<std::uint32_t>(message.bytes));
  }
  if (last && (operation == Operation::kSendImm || operation == Operation::kWriteImm)) {
    extension.put(static_cast<std::uint32_t>(message.value));
  }
  if (operation == Operation::kCompareSwap || operation == Operation::kFetchAdd) {
    // Swap, or add, and compare
    const std::uint64_t compare = operation == Operation::kCompareSwap ? ~message.value : 0;
    extension.put(message.address).put(region.key).put(message.value).put(compare);
  }
  return extension;
}

}  // namespace

std::size_t PacketMaker::payload_of(const Message& message, std::uint32_t packet) const noexcept {
  const std::uint64_t before = std::uint64_t{packet} * path_mtu_;
  return static_cast<std::size_t>(std::min<std::uint64_t>(path_mtu_, message.bytes - before));
}

std::size_t PacketMaker::make(std::uint8_t* to, const Identity& identity, const Round& round, const Step& step,
                              std::uint32_t packet) const {
  switch (step.kind) {
    case Step::Kind::kRequest:
      return request(to, identity, round, step, packet);
    case Step::Kind::kAnswer:
      return answer(to, identity, round.messages[step.message], packet);
    case Step::Kind::kNak:
      return nak(to, identity, round.messages[step.message], packet);
    default:
      return make_cm_message(frames_, to, identity, step.kind, path_mtu_);
  }
}

std::size_t PacketMaker::request(std::uint8_t* to, const Identity& identity, const Round& round, const Step& step,
                                 std::uint32_t packet) const {
  const Message& message = round.messages[step.message];
  const rdmagen::OperationTraits& traits = rdmagen::traits(message.operation);
  const std::uint32_t packets = message.request_packets();
  const bool last = packet + 1 == packets;
  Envelope envelope = to_server(identity, message.psn + packet);
  envelope.opcode = opcodes_of(message.operation).of(packet, packets);
  const std::size_t number = step.message + std::size_t{1};
  envelope.ack_request = last && (number % ack_every_ == 0 || number == round.messages.size());
  const Extension headers = request_headers(message, identity.server.region, packet, last);
  return frames_.make(to, envelope, headers, traits.has_payload ? payload_of(message, packet) : 0);
}

std::size_t PacketMaker::answer(std::uint8_t* to, const Identity& identity, const Message& message,
                                std::uint32_t packet) const {
  constexpr Opcodes kReadResponse{kReadResponseFirst, kReadResponseMiddle, kReadResponseLast, kReadResponseOnly};
  Extension headers;
  if (message.operation == Operation::kRead) {
    Envelope envelope = to_client(identity, message.psn + packet);
    envelope.opcode = kReadResponse.of(packet, message.psns);
    if (envelope.opcode != kReadResponseMiddle) headers.put(kAck | message.msn);
    return frames_.make(to, envelope, headers, payload_of(message, packet));
  }
  Envelope envelope = to_client(identity, message.psn + message.psns - 1);
  headers.put(kAck | message.msn);
  const bool atomic = rdmagen::traits(message.operation).answered_with_data;
  envelope.opcode = atomic ? kAtomicAcknowledge : kAcknowledge;
  if (atomic) headers.put(~message.value);
  return frames_.make(to, envelope, headers, 0);
}

/// Names the packet that is expected, with the messages that were done before it.
std::size_t PacketMaker::nak(std::uint8_t* to, const Identity& identity, const Message& message,
                             std::uint32_t packet) const {
  Envelope envelope = to_client(identity, message.psn + packet);
  envelope.opcode = kAcknowledge;
  return frames_.make(to, envelope, Extension().put(kSequenceNak | ((message.msn - 1) & kPsnMask)), 0);
}

}  // namespace rocescope::synth
