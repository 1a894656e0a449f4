#include "ulp/rsockets/rsockets_connection.hpp"

#include <string>
#include <utility>

#include "dissectors/ulp/forms.hpp"
#include "rocescope/headers/rsockets.hpp"

namespace rocescope {
namespace {

/// WRITEs to the memory of an iomap have no immediate data.
constexpr std::uint16_t kRsocketsDirect = 2;

/// What `immediate` says of a message with so many bytes.
void describe_rsockets(std::uint32_t immediate, Command& command) {
  constexpr unsigned kShift = 29;
  const std::uint32_t value = immediate & ((1U << kShift) - 1);
  command.opcode = static_cast<std::uint16_t>(immediate >> kShift);
  command.operation = name_of(kRsocketsOpNames, command.opcode);
  switch (RsocketsOp(command.opcode)) {
    case RsocketsOp::kData:
      command.kind = CommandKind::kIo;
      command.bytes = value;
      break;
    case RsocketsOp::kCredits:
    case RsocketsOp::kIomap:
      command.detail = "up to message " + std::to_string(value);
      break;
    case RsocketsOp::kControl:
      command.opcode = static_cast<std::uint16_t>(0x100 + value);
      command.operation = name_of(kRsocketsControlNames, value);
      break;
  }
}

}  // namespace

/// rsockets sends no SENDs over RoCE.
MessageProtocol RsocketsConnection::observe(const SendPayload& /*payload*/, CommandSink& /*log*/) {
  ++counts_.fit.bad;
  return MessageProtocol::kUnknown;
}

MessageProtocol RsocketsConnection::observe(const DataPayload& payload, CommandSink& /*log*/) {
  if (payload.immediate && has_form_of_rsockets(payload.bytes, payload.length, *payload.immediate)) {
    const auto number = [&](std::size_t at, std::size_t size) {
      return load_little_endian(payload.bytes.data() + at, size);  // in the order of the host
    };
    buffers_[payload.requester] = {number(0, 8), static_cast<std::uint32_t>(number(8, 4)),
                                   static_cast<std::uint32_t>(number(12, 4))};
  }
  return payload.immediate ? MessageProtocol::kRsockets : MessageProtocol::kUnknown;
}

/// In a data message, the immediate data are the length, and the data go to a buffer that the other side offered.
void RsocketsConnection::judge(std::size_t side, const Message& message) {
  if (!message.immediate) {
    if (message.has_last) ++counts_.fit.doubts;
    return;
  }
  constexpr unsigned kShift = 29;
  const std::uint32_t value = *message.immediate & ((1U << kShift) - 1);
  const auto op = static_cast<std::uint8_t>(*message.immediate >> kShift);
  const bool is_control = RsocketsOp(op) == RsocketsOp::kControl;
  const auto name = is_control ? name_of(kRsocketsControlNames, value) : name_of(kRsocketsOpNames, op);
  const bool is_data = RsocketsOp(op) == RsocketsOp::kData;
  if (name.empty() || (is_data && message.bytes > value)) ++counts_.fit.doubts;
  if (!is_data || message.bytes != value || value == 0 || !message.address || !message.r_key) return;
  const Buffer& buffer = buffers_[1 - side];
  const bool is_there = *message.r_key == buffer.r_key && *message.address + buffer.length >= buffer.address &&
                        *message.address < buffer.address + buffer.length;
  counts_.fit.good += is_there ? 1U : 0U;
}

void RsocketsConnection::observe_end(std::size_t side, const Message& message, CommandSink& log) {
  if (message.operation != Operation::kWrite) return;
  judge(side, message);
  Command command{.connection = connection_, .protocol = UpperProtocol::kRsockets};
  command.initiator = static_cast<std::uint8_t>(side);
  command.id = message.first_psn.value();
  if (message.immediate) {
    describe_rsockets(*message.immediate, command);
  } else if (message.has_last) {
    command.opcode = kRsocketsDirect;
    command.operation = "Direct WRITE";
    command.kind = CommandKind::kIo;
    command.bytes = message.bytes;
  } else {
    return;  // what it is stands in its last packet
  }
  command.in_capsule = command.bytes > 0;
  command.request_packet = message.first_frame;
  if (message.has_first) command.issued = message.first_time;
  command.resent = message.resent ? 1 : 0;
  if (message.outcome == MessageOutcome::kCompleted) {
    command.outcome = CommandOutcome::kSucceeded;
    if (message.completion_frame != 0) command.acknowledged = message.completion_time;
  }
  counts_.commands += message.counts ? 1U : 0U;
  log.add(std::move(command), message.counts);
}

void RsocketsConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<RsocketsConnection*>(&other);
  if (joined == nullptr) return;
  counts_.join(joined->counts_);
  for (std::size_t side = 0; side < 2; ++side) {
    if (joined->buffers_[side].length > 0) buffers_[1 - side] = joined->buffers_[side];
  }
}

void RsocketsConnection::describe(CarriedProtocol& carried) {
  carried.protocol = UpperProtocol::kRsockets;
  carried.depth = credits_;
  counts_.describe(carried);
}

}  // namespace rocescope
