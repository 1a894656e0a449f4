#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {

Plan write_read(const Job& job) {
  // Each round writes other bytes than the one before, so that a READ of stale ones does not compare equal.
  constexpr std::uint64_t kRounds = 16;
  constexpr std::uint64_t kShift = 64;
  PlanBuilder plan(job);
  const std::uint64_t source = plan.client().source(job.size + kRounds * kShift);
  const std::uint64_t landing = plan.client().zeroed(job.size * job.qps);
  const std::uint64_t target = plan.server().zeroed(job.size * job.qps);
  for (std::uint32_t round = 0; round < job.count; ++round) {
    const std::uint64_t from = source + round % kRounds * kShift;
    for (std::uint8_t qp = 0; qp < job.qps; ++qp) {
      plan.client().write(qp, from, target + qp * job.size, job.size);
      plan.client().read(qp, landing + qp * job.size, target + qp * job.size, job.size);
    }
    plan.client().await_completions();
    for (std::uint8_t qp = 0; qp < job.qps; ++qp) {
      plan.client().verify_bytes(landing + qp * job.size, job.size, Side::kClient, from);
    }
    if (round + 1 == job.count) {
      plan.server().finally_verify_bytes(target, job.size, Side::kClient, from);
    }
  }
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
