#include "plan_simulator.hpp"

#include <cstring>

namespace rocescope::rdmagen::testing {

PlanSimulator::PlanSimulator(const Job& job) : job_(job), plan_(make_plan(job)) {
  for (const Side side : {Side::kClient, Side::kServer}) {
    State& state = state_of(side);
    const SidePlan& half = plan_.of(side);
    state.memory.resize(half.region_bytes, 0);
    PayloadStream(job, side).fill(std::span(state.memory).first(half.source_bytes), 0);
    state.window_open.resize(half.windows, false);
    const std::uint64_t receives_end = half.receive_offset + half.slot_bytes * half.slots * job.qps;
    if (half.slots > 0 && receives_end > half.region_bytes) complain("receive slots reach beyond the region");
    if (half.slots > 0 && half.receive_offset < half.source_bytes) complain("receive slots overlap the source");
  }
}

void PlanSimulator::complain(const std::string& what) {
  if (complaint_.empty()) complaint_ = what;
}

std::uint8_t* PlanSimulator::at(State& state, std::uint64_t offset, std::uint64_t length, const char* what) {
  if (offset + length > state.memory.size()) {
    complain(std::string(what) + " outside of its region");
    return nullptr;
  }
  return state.memory.data() + offset;
}

std::string PlanSimulator::run() {
  while (complaint_.empty() && (advance(Side::kClient) || advance(Side::kServer))) {
  }
  for (const Side side : {Side::kClient, Side::kServer}) {
    if (state_of(side).next < plan_.of(side).steps.size()) complain(std::string(name_of(side)) + " waits forever");
    if (seen_[static_cast<std::size_t>(side)].empty()) continue;
    for (std::uint8_t qp = 0; qp < job_.qps; ++qp) {
      if (seen_[static_cast<std::size_t>(side)][qp] != arrivals_at(plan_, side, qp))
        complain("arrivals differ from the plan");
    }
  }
  for (const Side side : {Side::kClient, Side::kServer}) {
    for (const Step& step : plan_.of(side).final_steps) verify(side, step);
  }
  return complaint_;
}

/// Steps as far as can be; whether it got anywhere.
bool PlanSimulator::advance(Side side) {
  State& state = state_of(side);
  const auto& steps = plan_.of(side).steps;
  const std::size_t before = state.next;
  while (state.next < steps.size() && complaint_.empty()) {
    const Step& step = steps[state.next];
    if (step.kind == StepKind::kAwaitReceives && state.arrived < step.count) break;
    execute(side, step);
    ++state.next;
  }
  return state.next != before;
}

void PlanSimulator::execute(Side side, const Step& step) {
  if (step.kind == StepKind::kPost) {
    post(side, step);
  } else if (step.kind == StepKind::kVerifyBytes || step.kind == StepKind::kVerifyNumber) {
    verify(side, step);
  }
}

void PlanSimulator::post(Side side, const Step& step) {
  State& here = state_of(side);
  State& there = state_of(peer_of(side));
  ++posted_[step.operation];
  if (step.qp >= job_.qps) complain("no such queue pair");
  if (!carries(job_.transport, step.operation)) complain("an operation that the transport has not");
  if (step.inlined && step.length > job_.inline_bytes) complain("too large to go inline");
  const OperationTraits& operation = traits(step.operation);
  std::uint8_t* local = at(here, step.local_offset, step.length, "local bytes");
  if (local == nullptr) return;
  if (operation.takes_receive) {
    ++there.arrived;
    seen_[static_cast<std::size_t>(peer_of(side))][step.qp].push_back(
        {step.operation, step.advertises, step.immediate, step.length, step.local_offset});
    const SidePlan& peer = plan_.of(peer_of(side));
    if (step.operation != Operation::kWriteImm && step.length > peer.slot_bytes) complain("larger than its receive");
    if (step.operation != Operation::kWriteImm && !step.advertises &&
        step.local_offset + step.length > plan_.of(side).source_bytes) {
      complain("a message from outside of the source area");
    }
  }
  if (step.operation == Operation::kBindWindow) {
    here.window_open.at(step.count) = true;
    return;
  }
  if (step.key == KeyChoice::kWindow && !there.window_open.at(step.count)) complain("a window that is not open");
  if (step.operation == Operation::kSendInv) there.window_open.at(step.count) = false;
  const bool writes = step.operation == Operation::kWrite || step.operation == Operation::kWriteImm ||
                      step.operation == Operation::kAtomicWrite;
  if (writes) {
    if (std::uint8_t* remote = at(there, step.remote_offset, step.length, "WRITE")) {
      std::memcpy(remote, local, step.length);
    }
  } else if (step.operation == Operation::kRead) {
    if (const std::uint8_t* remote = at(there, step.remote_offset, step.length, "READ")) {
      std::memcpy(local, remote, step.length);
    }
  } else if (step.operation == Operation::kCompareSwap || step.operation == Operation::kFetchAdd) {
    change_number(here, there, step);
  }
}

void PlanSimulator::change_number(State& here, State& there, const Step& step) {
  if (step.remote_offset % 8 != 0 || step.length != 8) complain("an atomic that is not of eight aligned bytes");
  std::uint8_t* remote = at(there, step.remote_offset, 8, "atomic");
  std::uint8_t* local = at(here, step.local_offset, 8, "result of atomic");
  if (remote == nullptr || local == nullptr) return;
  std::uint64_t value = 0;
  std::memcpy(&value, remote, 8);
  std::memcpy(local, &value, 8);
  if (step.operation == Operation::kFetchAdd) {
    value += step.swap_or_add;
  } else if (value == step.compare) {
    value = step.swap_or_add;
  }
  std::memcpy(remote, &value, 8);
}

void PlanSimulator::verify(Side side, const Step& step) {
  const std::uint8_t* bytes = at(state_of(side), step.local_offset, step.length, "verification");
  if (bytes == nullptr) return;
  verified_bytes_ += step.length;
  if (step.kind == StepKind::kVerifyNumber) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, 8);
    if (value != step.compare) complain("a number is not what was foretold");
    return;
  }
  const auto difference = PayloadStream(job_, step.of).first_difference({bytes, step.length}, step.remote_offset);
  if (difference) complain("bytes differ at offset " + std::to_string(step.local_offset + *difference));
}

}  // namespace rocescope::rdmagen::testing
