// Fuzz target: messages with lengths and holes that lie, through the followers of protocols and the dissectors of their messages.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "dissectors/message.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/field_value.hpp"
#include "ulp/command_watch.hpp"

namespace rocescope {
namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

/// Takes the input apart.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  [[nodiscard]] std::uint8_t byte() {
    const std::uint8_t first = bytes_.empty() ? 0 : bytes_[0];
    bytes_ = bytes_.subspan(std::min<std::size_t>(1, bytes_.size()));
    return first;
  }
  [[nodiscard]] std::uint32_t number() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8U | byte();
    return value;
  }
  [[nodiscard]] Bytes take(std::size_t count) {
    const Bytes taken = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

 private:
  Bytes bytes_;
};

/// The layers of a message that a packet ends: all fields must be readable.
void read_layers(MessageProtocol protocol, Bytes message) {
  static const std::array<std::uint8_t, 64> kFrame{};
  Packet packet;
  dissect({.data = kFrame, .original_length = kFrame.size()}, packet);
  dissect_message(protocol, message, packet);
  std::uint64_t sum = 0;
  for_each_field(packet, [&](const Layer&, const FieldValue& value) { sum += value.number + value.bytes.size(); });
  check(packet.layer_count <= Packet::kMaxLayers);
  static_cast<void>(sum);
}

void check(const CommandReport& report) {
  for (const Command& command : report.commands) {
    if (const auto times = command.times()) {
      check(times->request >= 0 && times->data >= 0 && times->resend >= 0 && times->unknown >= 0 && times->target >= 0);
      check(times->request + times->data + times->resend + times->unknown + times->target == times->total);
    }
  }
  std::uint64_t counted = 0;
  for (const CommandTotals& totals : report.totals) counted += totals.commands;
  check(counted == report.commands.size() + report.unlisted);
}

}  // namespace
}  // namespace rocescope

// A byte says what comes: a SEND, the end of a message, data, or nothing more of the connection. Then what it is made of.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rocescope;
  Input input(data, size);
  constexpr std::array kForced{UpperProtocol::kUnknown, UpperProtocol::kNvme,  UpperProtocol::kNfs,
                               UpperProtocol::kIser,    UpperProtocol::kSrp,   UpperProtocol::kSmbDirect,
                               UpperProtocol::kRds,     UpperProtocol::kNineP, UpperProtocol::kRsockets,
                               UpperProtocol::kRtrs,    UpperProtocol::kUcx,   UpperProtocol::kNccl};
  const UpperProtocol forced = kForced[input.byte() % kForced.size()];
  CommandWatch watch(forced != UpperProtocol::kUnknown ? std::vector<DecodeAs>{{.connection = 1, .protocol = forced}}
                                                       : std::vector<DecodeAs>{});
  Connection connection;
  connection.number = 1;
  Packet packet;
  packet.roce.opcode = &opcode_info(0x04);
  PacketRecord record;
  record.packet = &packet;
  std::int64_t time = 0;
  // What RTRS needs to know of the CM: 512 buffers.
  Handshake handshake;
  handshake.kind = HandshakeKind::kCm;
  handshake.sides[1].private_data = {0xBD, 0x1B, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02};
  static_cast<void>(watch.wish(connection, forced == UpperProtocol::kRtrs ? &handshake : nullptr));
  while (!input.empty()) {
    const std::uint8_t what = input.byte();
    const std::size_t side = what >> 7U;
    time += static_cast<std::int8_t>(input.byte()) * 1000;
    ++packet.frame.number;
    packet.frame.timestamp = time;
    const Psn psn(input.byte());
    if (what % 4 == 0) {
      const Bytes bytes = input.take(input.byte());
      const std::array holes{Hole{input.byte(), input.byte(), Hole::Reason::kCut}};
      SendPayload payload{.record = (what & 0x40U) != 0 ? nullptr : &record,
                          .connection = &connection,
                          .sender = side,
                          .first_psn = psn};
      payload.bytes = bytes;
      payload.length = (what & 0x20U) != 0 ? input.byte() : bytes.size();
      if ((what & 0x10U) != 0) payload.holes = holes;
      payload.first_frame = packet.frame.number;
      watch.observe(payload);
      const CommandWatch::Layers layers = watch.take_layers();
      read_layers(layers.protocol, layers.message);
      for (unsigned protocol = 0; protocol <= static_cast<unsigned>(MessageProtocol::kRtrsRequest); ++protocol) {
        read_layers(static_cast<MessageProtocol>(protocol), bytes);
      }
    } else if (what % 4 == 1) {
      Message message{
          .operation = static_cast<Operation>(input.byte() % 3), .has_first = true, .first_psn = psn, .last_psn = psn};
      if ((what & 0x20U) != 0) message.immediate = input.number();
      message.address = input.byte();
      message.r_key = input.byte();
      message.bytes = input.byte();
      message.first_time = time;
      message.last_time = time + input.byte();
      message.completion_time = time + input.byte();
      message.completion_frame = input.byte();
      watch.observe_end(connection, side, message);
    } else if (what % 4 == 2) {
      const Bytes bytes = input.take(input.byte());
      DataPayload payload{
          .record = record, .connection = connection, .requester = side, .is_read = (what & 0x10U) == 0};
      payload.address = input.byte();
      payload.r_key = input.byte();
      payload.bytes = bytes;
      payload.length = static_cast<std::uint32_t>(bytes.size());
      payload.is_last = (what & 0x20U) != 0;
      if (payload.is_last) payload.immediate = input.number();
      if ((what & 0x40U) != 0) payload.offset = input.byte();
      watch.observe(payload);
      const CommandWatch::Layers layers = watch.take_layers();
      read_layers(layers.protocol, layers.message);
    } else {
      static_cast<void>(watch.wish(connection, nullptr));
      if ((what & 0x60U) == 0x60U) watch.forget(connection);
    }
  }
  watch.finish();
  check(watch.take());
  return 0;
}
