#include "rocescope/tracker.hpp"

#include <algorithm>
#include <optional>

#include "connection_table.hpp"
#include "requester.hpp"
#include "rocescope/headers/aeth.hpp"
#include "rocescope/headers/atomic_eth.hpp"
#include "rocescope/headers/imm_dt.hpp"
#include "rocescope/headers/reth.hpp"
#include "setup_watcher.hpp"
#include "wire_length.hpp"

namespace rocescope {
namespace {

RequestPacket request_of(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  RequestPacket request{.opcode = packet.roce.opcode,
                        .psn = packet.roce.psn,
                        .frame = packet.frame.number,
                        .time = packet.frame.timestamp,
                        .icrc = record.icrc.found,
                        .payload = packet.roce.payload_length};
  if (const auto reth = packet.header<Reth>()) {
    request.address = reth->virtual_address();
    request.r_key = reth->r_key();
    request.dma_length = reth->dma_length();
  } else if (const auto atomic = packet.header<AtomicEth>()) {
    request.address = atomic->virtual_address();
    request.r_key = atomic->r_key();
  }
  if (const auto immediate = packet.header<ImmDt>()) {
    request.immediate = static_cast<std::uint32_t>(load_bits(immediate->bytes().data(), 0, 32));
  }
  return request;
}

ResponsePacket response_of(const Packet& packet) {
  using Kind = ResponsePacket::Kind;
  ResponsePacket response{.position = packet.roce.opcode->position,
                          .psn = packet.roce.psn,
                          .frame = packet.frame.number,
                          .time = packet.frame.timestamp,
                          .payload = packet.roce.payload_length};
  if (packet.roce.opcode->operation == Operation::kReadResponse) {
    response.kind = Kind::kRead;
    return response;
  }
  const auto aeth = packet.header<Aeth>();
  if (aeth) response.value = aeth->value();
  if (aeth && aeth->kind() == AethKind::kRnrNak) {
    response.kind = Kind::kRnrNak;
  } else if (aeth && aeth->kind() == AethKind::kNak) {
    const bool sequence = aeth->value() == static_cast<std::uint8_t>(NakCode::kPsnSequenceError);
    response.kind = sequence ? Kind::kSequenceNak : Kind::kFatalNak;
  } else if (packet.roce.opcode->operation == Operation::kAtomicAcknowledge) {
    response.kind = Kind::kAtomicAck;
  }
  return response;
}

bool is_connected(Transport transport) {
  return transport == Transport::kRc || transport == Transport::kXrc || transport == Transport::kUc;
}

void count_ended(Requester& requester, ConnectionSide& side) {
  for (const Message& message : requester.take_ended()) {
    OperationTotals& totals = side.operations[static_cast<std::size_t>(message.operation)];
    ++totals.messages;
    totals.bytes += message.bytes;
    if (message.outcome == MessageOutcome::kCompleted) ++totals.completed;
    if (message.outcome == MessageOutcome::kRefused) ++totals.refused;
  }
}

}  // namespace

class Tracker::Implementation {
 public:
  explicit Implementation(const TrackOptions& options) : options_(options), table_(options.max_connections) {}

  Verdict track(const PacketRecord& record) {
    const Packet& packet = *record.packet;
    if (!packet.is_roce()) return {};
    if (const auto setup = setups_.add(packet)) table_.set_up(*setup);
    const OpcodeInfo& opcode = *packet.roce.opcode;
    if (opcode.operation == Operation::kCnp) return track_cnp(packet);
    if (!is_connected(opcode.transport) || opcode.operation == Operation::kReserved) return {};
    return track_connected(record);
  }

  [[nodiscard]] std::vector<Connection> connections() const {
    std::vector<Connection> result;
    for (const ConnectionState& state : table_.connections()) {
      if (state.merged) continue;
      Connection& connection = result.emplace_back(state.facts);
      for (std::size_t i = 0; i < 2; ++i) {
        const Requester& requester = state.requesters[i];
        connection.sides[i].requests = requester.totals();
        if (connection.path_mtu == 0) connection.path_mtu = requester.mtu();
        for (const Message& open : requester.open_messages()) {
          OperationTotals& totals = connection.sides[i].operations[static_cast<std::size_t>(open.operation)];
          ++totals.messages;
          totals.bytes += open.bytes;
        }
      }
    }
    return result;
  }

  [[nodiscard]] std::uint64_t untracked_packets() const noexcept { return untracked_; }

 private:
  Verdict track_cnp(const Packet& packet) {
    const auto place = table_.find_existing(FlowKey::of(packet));
    if (place.connection == nullptr) return {};
    note_traffic(packet, place);
    ++place.connection->facts.sides[place.sender].cnp_packets;
    return {.connection = place.connection->facts.number};
  }

  Verdict track_connected(const PacketRecord& record) {
    const Packet& packet = *record.packet;
    const OpcodeInfo& opcode = *packet.roce.opcode;
    const std::optional<Psn> answers = opcode.request ? std::nullopt : std::optional(packet.roce.psn);
    const auto place = table_.find(FlowKey::of(packet), opcode.transport, answers, packet.frame.timestamp);
    if (place.connection == nullptr) {
      ++untracked_;
      return {};
    }
    note_traffic(packet, place);
    ConnectionState& connection = *place.connection;
    if (opcode.transport == Transport::kUc) {
      for (Requester& requester : connection.requesters) requester.set_unreliable();
    }
    connection.facts.transport = opcode.transport;
    Verdict verdict;
    bool& had_good = connection.had_good_icrc[place.sender];
    if (record.icrc.status == IcrcStatus::kGood) had_good = true;
    // Its receiver drops a packet with a wrong ICRC. Where every one of a sender is wrong, its NIC fills it in later.
    if (record.icrc.status != IcrcStatus::kBad || !had_good) verdict = judge(record, connection, place.sender);
    verdict.connection = connection.facts.number;
    return verdict;
  }

  Verdict judge(const PacketRecord& record, ConnectionState& connection, std::size_t sender) {
    const Packet& packet = *record.packet;
    const std::size_t requesting = packet.roce.opcode->request ? sender : 1 - sender;
    Requester& requester = connection.requesters[requesting];
    Verdict verdict;
    if (packet.roce.opcode->request) {
      verdict = requester.request(request_of(record), options_, messages_);
      if (connection.facts.transport == Transport::kUc) requester.settle(packet.frame.number, packet.frame.timestamp);
    } else {
      verdict = requester.response(response_of(packet));
    }
    count_ended(requester, connection.facts.sides[requesting]);
    if (requester.mtu() != 0 && connection.requesters[1 - requesting].mtu() == 0) {
      connection.requesters[1 - requesting].set_mtu(requester.mtu());
    }
    return verdict;
  }

  static void note_traffic(const Packet& packet, const ConnectionTable::Place& place) {
    Connection& facts = place.connection->facts;
    ConnectionSide& side = facts.sides[place.sender];
    side.traffic.add(wire_length(packet));
    constexpr unsigned kEcnMask = 3;
    if ((packet.traffic_class & kEcnMask) == kEcnMask) ++side.ce_packets;
    facts.first_time = std::min(facts.first_time, packet.frame.timestamp);
    facts.last_time = std::max(facts.last_time, packet.frame.timestamp);
  }

  TrackOptions options_;
  ConnectionTable table_;
  SetupWatcher setups_;
  std::uint64_t messages_ = 0;
  std::uint64_t untracked_ = 0;
};

Tracker::Tracker(const TrackOptions& options) : implementation_(std::make_unique<Implementation>(options)) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;

Verdict Tracker::track(const PacketRecord& record) { return implementation_->track(record); }
std::vector<Connection> Tracker::connections() const { return implementation_->connections(); }
std::uint64_t Tracker::untracked_packets() const noexcept { return implementation_->untracked_packets(); }

}  // namespace rocescope
