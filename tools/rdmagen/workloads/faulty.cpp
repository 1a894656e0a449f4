#include <algorithm>

#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {
namespace {

/// A good WRITE, for comparison, then one that the server must refuse.
Plan refused_write(const Job& job) {
  PlanBuilder plan(job);
  const std::uint64_t size = std::max<std::uint64_t>(job.size, 1);
  const std::uint64_t source = plan.client().source(size);
  const std::uint64_t target = plan.server().zeroed(size);
  if (job.fault != Fault::kReadOnly) {
    plan.client().write(0, source, target, size);
    plan.client().await_completions();
  }
  Step& bad = plan.client().write(0, source, target, size);
  if (job.fault == Fault::kWrongRkey) bad.key = KeyChoice::kWrong;
  if (job.fault == Fault::kOutOfRange) bad.remote_offset = plan.server().half().region_bytes;
  plan.server().half().remote_write = job.fault != Fault::kReadOnly;
  plan.client().accept(Outcome::kRemoteAccess);
  return plan.finish();
}

Plan sends(const Job& job) {
  constexpr std::uint64_t kSmallReceive = 64;
  PlanBuilder plan(job);
  const bool oversized = job.fault == Fault::kOversizedSend;
  const std::uint64_t size = oversized ? std::max(job.size, kSmallReceive + 1) : job.size;
  const std::uint64_t source = plan.client().source(size);
  const std::uint32_t count = job.fault == Fault::kSlowReceiver ? job.count : 1;
  for (std::uint32_t i = 0; i < count; ++i) plan.client().send(0, source, size);
  if (oversized) {
    plan.client().accept(Outcome::kRemoteInvalidRequest);
    plan.server().accept(Outcome::kLocalLengthError);
    // So says rxe, where IBTA 9.9.3 has the two above.
    plan.client().accept(Outcome::kRemoteOperation);
    plan.server().accept(Outcome::kLocalQpOperation);
    return plan.finish(kSmallReceive);
  }
  Plan finished = plan.finish();
  if (job.fault == Fault::kSlowReceiver) {
    finished.server.policy = ReceivePolicy::kLate;
  } else {
    finished.server.policy = ReceivePolicy::kNever;
    finished.server.steps.clear();
    finished.client.accepts = {Outcome::kRnrRetryExceeded};
  }
  return finished;
}

/// WRITEs; in the middle a SEND that is the last thing the side to be killed sees, or does not come to send.
Plan killed(const Job& job) {
  PlanBuilder plan(job);
  const std::uint64_t source = plan.client().source(job.size);
  const std::uint64_t answer = plan.server().source(8);
  const std::uint64_t target = plan.server().zeroed(job.size);
  const std::uint32_t half = std::max(job.count / 2, 1U);
  for (std::uint32_t i = 0; i < half; ++i) plan.client().write(0, source, target, job.size);
  if (job.fault == Fault::kKillClient) {
    plan.client().kill_self();
    plan.server().accept(Outcome::kPeerGone);
    plan.server().accept(Outcome::kFlushed);
  }
  plan.client().send(0, source, std::min<std::uint64_t>(job.size, 8));
  plan.server().await_receives();
  if (job.fault == Fault::kKillServer) {
    plan.server().kill_self();
    plan.client().accept(Outcome::kRetryExceeded);
    plan.client().accept(Outcome::kPeerGone);
    plan.client().accept(Outcome::kFlushed);
    // The server goes between these and the ones before: wait until it has had its time.
    plan.client().await_completions();
  }
  for (std::uint32_t i = 0; i < half; ++i) plan.client().write(0, source, target, job.size);
  if (job.fault == Fault::kKillServer) {
    // An answer that never comes, in case that the WRITEs were faster than the end.
    plan.server().send(0, answer, 8);
    plan.client().await_receives();
  }
  return plan.finish();
}

}  // namespace

Plan faulty(const Job& job) {
  switch (job.fault) {
    case Fault::kKillServer:
    case Fault::kKillClient:
      return killed(job);
    case Fault::kRnr:
    case Fault::kSlowReceiver:
    case Fault::kOversizedSend:
      return sends(job);
    default:
      return refused_write(job);
  }
}

}  // namespace rocescope::rdmagen::workloads
