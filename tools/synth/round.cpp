#include "synth/round.hpp"

#include <algorithm>

namespace rocescope::synth {
namespace {

using rdmagen::Operation;

constexpr std::uint32_t kNumberMask = 0xFFFFFF;  // of PSN and MSN
constexpr std::uint64_t kAtomicBytes = 8;

bool is_atomic(Operation operation) {
  return operation == Operation::kCompareSwap || operation == Operation::kFetchAdd;
}

}  // namespace

bool RoundMaker::happens(double rate) noexcept {
  constexpr double kAll = 1ULL << 32;
  return rate > 0 && static_cast<double>(random_.next() >> 32) < rate * kAll;
}

std::uint64_t RoundMaker::bytes_of(Operation operation) noexcept {
  if (is_atomic(operation)) return kAtomicBytes;
  if (options_.frame_size == 0) return options_.sizes[random_.below(options_.sizes.size())];
  constexpr std::uint32_t kHeaders = 58;  // Ethernet, IPv4, UDP, BTH, ICRC
  constexpr std::uint32_t kReth = 16;
  constexpr std::uint32_t kAeth = 4;  // of a READ response
  constexpr std::uint32_t kImmediate = 4;
  std::uint32_t headers = kHeaders;
  if (operation == Operation::kWrite || operation == Operation::kWriteImm) headers += kReth;
  if (operation == Operation::kSendImm || operation == Operation::kWriteImm) headers += kImmediate;
  if (operation == Operation::kRead) headers += kAeth;
  return std::min((options_.frame_size - headers) & ~3U, options_.path_mtu);
}

void RoundMaker::plan(const Identity& identity, Connection& connection, Round& round) {
  round.messages.clear();
  for (std::uint32_t i = 0; i < options_.depth; ++i) {
    Message& message = round.messages.emplace_back();
    message.operation = options_.operations[random_.below(options_.operations.size())];
    message.wr_id = connection.next_wr_id++;
    message.bytes = bytes_of(message.operation);
    const Region& region = identity.server.region;
    message.address = region.address + (random_.below(region.length - message.bytes + 1) & ~std::uint64_t{7});
    message.value = random_.next();
    message.psn = connection.next_psn;
    const std::uint64_t packets = (message.bytes + options_.path_mtu - 1) / options_.path_mtu;
    message.psns = is_atomic(message.operation) ? 1 : static_cast<std::uint32_t>(std::max<std::uint64_t>(1, packets));
    connection.msn = (connection.msn + 1) & kNumberMask;
    message.msn = connection.msn;
    connection.next_psn = (connection.next_psn + message.psns) & kNumberMask;
    const auto index = static_cast<std::size_t>(message.operation);
    ++connection.tally.messages[index];
    connection.tally.bytes[index] += message.bytes;
  }
}

RoundMaker::Faults RoundMaker::choose_faults(const Round& round) noexcept {
  Faults faults{.reorder = options_.reorder, .duplicate = options_.duplicate};
  if (options_.loss == 0 && options_.loss_after == 0) return faults;
  for (std::size_t m = 0; m < round.messages.size(); ++m) {
    const std::uint32_t packets = round.messages[m].request_packets();
    const bool last = m + 1 == round.messages.size();
    for (std::uint32_t p = 0; p + (last ? 1 : 0) < packets; ++p) {
      const bool before = happens(options_.loss);
      if (!before && !happens(options_.loss_after)) continue;
      return {true, before, static_cast<std::uint16_t>(m), p, 0, options_.duplicate};
    }
  }
  return faults;
}

void RoundMaker::make(const Identity& identity, Connection& connection, Round& round) {
  plan(identity, connection, round);
  round.steps.clear();
  if (connection.rounds == 0 && options_.cm) {
    for (const auto kind : {Step::Kind::kReq, Step::Kind::kRep, Step::Kind::kRtu})
      round.steps.push_back({.kind = kind});
  }
  // Without CM, pairing the flows takes some answers.
  constexpr std::uint32_t kQuietRounds = 4;
  const bool quiet = !options_.cm && connection.rounds < kQuietRounds;
  ++connection.rounds;
  const Faults faults = quiet ? Faults{} : choose_faults(round);
  Tally& tally = connection.tally;
  send(round, faults, tally);
  if (faults.loss) {
    answer(round, 0, faults.message, tally);
    round.steps.push_back({.kind = Step::Kind::kNak, .message = faults.message, .first = faults.packet});
    ++tally.naks;
    ++tally.responses;
    ++(faults.before ? tally.lost_before : tally.lost_after);
    send_again(round, faults, tally);
  }
  answer(round, faults.loss ? faults.message : 0, round.messages.size(), tally);
}

/// In runs as long as nothing happens to a packet.
void RoundMaker::send(Round& round, const Faults& faults, Tally& tally) {
  bool held = false;  // a packet that the next one overtakes
  Step late;
  const auto append = [&](const Step& step) {
    tally.requests += step.count;
    Step* before = round.steps.empty() ? nullptr : &round.steps.back();
    const bool goes_on = before != nullptr && before->kind == step.kind && !before->glued && !step.glued &&
                         before->message == step.message && before->first + before->count == step.first;
    if (goes_on) {
      before->count += step.count;
    } else {
      round.steps.push_back(step);
    }
  };
  const bool any = faults.loss || faults.reorder > 0 || faults.duplicate > 0;
  for (std::size_t m = 0; m < round.messages.size(); ++m) {
    const auto message = static_cast<std::uint16_t>(m);
    const std::uint32_t packets = round.messages[m].request_packets();
    if (!any) {
      append({.message = message, .count = packets});
      continue;
    }
    const bool is_last_message = m + 1 == round.messages.size();
    for (std::uint32_t p = 0; p < packets; ++p) {
      Step step{.message = message, .first = p};
      if (faults.loss && faults.before && faults.message == m && faults.packet == p) continue;
      if (held) {
        step.glued = true;
        append(step);
        append(late);
        held = false;
        ++tally.reordered;
      } else if (!(is_last_message && p + 1 == packets) && happens(faults.reorder)) {
        late = step;
        held = true;
      } else if (happens(faults.duplicate)) {
        step.glued = true;
        append(step);
        append({.message = message, .first = p});
        ++tally.duplicates;
      } else {
        append(step);
      }
    }
  }
}

/// From the lost packet on, the one as the other.
void RoundMaker::send_again(Round& round, const Faults& faults, Tally& tally) const {
  for (std::size_t m = faults.message; m < round.messages.size(); ++m) {
    const std::uint32_t first = m == faults.message ? faults.packet : 0;
    const std::uint32_t count = round.messages[m].request_packets() - first;
    round.steps.push_back({.message = static_cast<std::uint16_t>(m), .first = first, .count = count});
    tally.requests += count;
    tally.resent += count;
  }
}

/// The messages from `first` to `end` - 1. What a NAK or a response answers needs no ACK.
void RoundMaker::answer(Round& round, std::size_t first, std::size_t end, Tally& tally) const {
  for (std::size_t m = first; m < end; ++m) {
    const Message& message = round.messages[m];
    Step step{.kind = Step::Kind::kAnswer, .message = static_cast<std::uint16_t>(m)};
    if (message.operation == Operation::kRead) {
      step.count = message.psns;
    } else if (!is_atomic(message.operation)) {
      const bool due = (m + 1) % options_.ack_every == 0 || m + 1 == round.messages.size();
      if (!due) continue;
      ++tally.acks;
    }
    tally.responses += step.count;
    round.steps.push_back(step);
  }
}

}  // namespace rocescope::synth
