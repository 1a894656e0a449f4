#include "core/plan_builder.hpp"

#include <algorithm>
#include <array>

namespace rocescope::rdmagen {
namespace {

constexpr std::uint64_t kAlignment = 64;
/// Most receives of a queue pair, and their memory: enough that no sender meets an empty queue, small enough for a
/// machine with little memory that may be locked.
constexpr std::uint64_t kMostSlots = 4096;
constexpr std::uint64_t kMostSlotBytes = std::uint64_t{64} << 20U;

constexpr std::uint64_t aligned(std::uint64_t bytes) noexcept {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

bool is_post(const Step& step) noexcept { return step.kind == StepKind::kPost; }
bool sends_message(const Step& step) noexcept { return is_post(step) && traits(step.operation).takes_receive; }

std::uint32_t messages_sent(const SidePlan& half) {
  return static_cast<std::uint32_t>(std::count_if(half.steps.begin(), half.steps.end(), sends_message));
}

}  // namespace

SidePlan& SideBuilder::half() noexcept { return side_ == Side::kClient ? plan_.plan_.client : plan_.plan_.server; }

Step& SideBuilder::post(Operation operation, std::uint8_t qp, std::uint64_t local, std::uint64_t remote,
                        std::uint64_t length) {
  Step step;
  step.operation = operation;
  step.qp = qp;
  step.local_offset = local;
  step.remote_offset = remote;
  step.length = length;
  step.inlined = traits(operation).has_payload && operation != Operation::kAtomicWrite && length > 0 &&
                 length <= plan_.job_.inline_bytes;
  return half().steps.emplace_back(step);
}

Step& SideBuilder::send(std::uint8_t qp, std::uint64_t local, std::uint64_t length) {
  return post(Operation::kSend, qp, local, 0, length);
}

Step& SideBuilder::send_imm(std::uint8_t qp, std::uint64_t local, std::uint64_t length, std::uint32_t immediate) {
  Step& step = post(Operation::kSendImm, qp, local, 0, length);
  step.immediate = immediate;
  return step;
}

Step& SideBuilder::write(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t length) {
  return post(Operation::kWrite, qp, local, remote, length);
}

Step& SideBuilder::write_imm(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t length,
                             std::uint32_t immediate) {
  Step& step = post(Operation::kWriteImm, qp, local, remote, length);
  step.immediate = immediate;
  return step;
}

Step& SideBuilder::read(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t length) {
  return post(Operation::kRead, qp, local, remote, length);
}

Step& SideBuilder::fetch_add(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t add) {
  Step& step = post(Operation::kFetchAdd, qp, local, remote, 8);
  step.swap_or_add = add;
  return step;
}

Step& SideBuilder::compare_swap(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t compare,
                                std::uint64_t swap) {
  Step& step = post(Operation::kCompareSwap, qp, local, remote, 8);
  step.compare = compare;
  step.swap_or_add = swap;
  return step;
}

void SideBuilder::await_completions() {
  Step step;
  step.kind = StepKind::kAwaitCompletions;
  half().steps.push_back(step);
}

void SideBuilder::await_receives() {
  Step step;
  step.kind = StepKind::kAwaitReceives;
  step.count = messages_sent(plan_.side(peer_of(side_)).half());
  half().steps.push_back(step);
}

namespace {

Step bytes_step(std::uint64_t local, std::uint64_t length, Side of, std::uint64_t stream_offset) {
  Step step;
  step.kind = StepKind::kVerifyBytes;
  step.of = of;
  step.local_offset = local;
  step.remote_offset = stream_offset;
  step.length = length;
  return step;
}

Step number_step(std::uint64_t local, std::uint64_t value) {
  Step step;
  step.kind = StepKind::kVerifyNumber;
  step.local_offset = local;
  step.compare = value;
  step.length = 8;
  return step;
}

}  // namespace

void SideBuilder::verify_bytes(std::uint64_t local, std::uint64_t length, Side of, std::uint64_t stream_offset) {
  half().steps.push_back(bytes_step(local, length, of, stream_offset));
}
void SideBuilder::verify_number(std::uint64_t local, std::uint64_t value) {
  half().steps.push_back(number_step(local, value));
}
void SideBuilder::finally_verify_bytes(std::uint64_t local, std::uint64_t length, Side of,
                                       std::uint64_t stream_offset) {
  half().final_steps.push_back(bytes_step(local, length, of, stream_offset));
}
void SideBuilder::finally_verify_number(std::uint64_t local, std::uint64_t value) {
  half().final_steps.push_back(number_step(local, value));
}

void SideBuilder::kill_self() {
  Step step;
  step.kind = StepKind::kKillSelf;
  half().steps.push_back(step);
}

std::uint64_t SideBuilder::source(std::uint64_t bytes) {
  const std::uint64_t offset = aligned(half().source_bytes);
  half().source_bytes = offset + bytes;
  half().region_bytes = half().source_bytes;
  return offset;
}

std::uint64_t SideBuilder::zeroed(std::uint64_t bytes) {
  const std::uint64_t offset = aligned(half().region_bytes);
  half().region_bytes = offset + bytes;
  return offset;
}

void SideBuilder::accept(Outcome outcome) { half().accepts.push_back(outcome); }

Plan PlanBuilder::finish(std::uint64_t largest_slot) {
  for (const Side at : {Side::kClient, Side::kServer}) {
    const SidePlan& half = side(at).half();
    if (half.steps.empty() && messages_sent(side(peer_of(at)).half()) == 0) continue;
    side(at).await_completions();
    side(at).await_receives();
  }
  for (const Side at : {Side::kClient, Side::kServer}) {
    ask_for_completions(side(at).half());
    lay_out_receives(at, largest_slot);
    // A region of no bytes cannot be registered.
    side(at).half().region_bytes = std::max(side(at).half().region_bytes, kAlignment);
  }
  return std::move(plan_);
}

// Every n-th of a queue pair, and the last of each before a wait: unsignaled requests do not report that they are done.
void PlanBuilder::ask_for_completions(SidePlan& half) const {
  std::array<std::uint32_t, 256> since{};
  std::array<Step*, 256> last{};
  for (Step& step : half.steps) {
    if (is_post(step)) {
      last[step.qp] = &step;
      step.signaled = ++since[step.qp] == job_.signal_every;
      if (step.signaled) since[step.qp] = 0;
    } else if (step.kind == StepKind::kAwaitCompletions) {
      for (Step*& of_qp : last) {
        if (of_qp != nullptr) of_qp->signaled = true;
        of_qp = nullptr;
      }
      since.fill(0);
    }
  }
}

void PlanBuilder::lay_out_receives(Side at, std::uint64_t largest_slot) {
  SidePlan& half = side(at).half();
  std::array<std::uint64_t, 256> messages{};
  std::uint64_t largest = 0;
  for (const Step& step : side(peer_of(at)).half().steps) {
    if (!sends_message(step)) continue;
    ++messages[step.qp];
    // A WRITE with immediate consumes a receive and puts nothing into it.
    if (step.operation != Operation::kWriteImm) largest = std::max(largest, step.length);
  }
  const std::uint64_t most = *std::max_element(messages.begin(), messages.end());
  if (most == 0) return;
  if (largest_slot != 0) largest = largest_slot;
  if (job_.transport == Transport::kUd) largest += kGrhBytes;
  half.slot_bytes = aligned(std::max<std::uint64_t>(largest, 1));
  if (largest_slot != 0) half.slot_bytes = largest;
  const std::uint64_t room = std::max<std::uint64_t>(kMostSlotBytes / half.slot_bytes / job_.qps, 2);
  half.slots = static_cast<std::uint32_t>(std::min({most, kMostSlots, room}));
  half.receive_offset = side(at).zeroed(half.slot_bytes * half.slots * job_.qps);
}

}  // namespace rocescope::rdmagen
