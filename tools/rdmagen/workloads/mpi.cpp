#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {

Plan mpi(const Job& job) {
  PlanBuilder plan(job);
  const std::uint64_t source = plan.client().source(job.size);
  const std::uint64_t before = plan.client().zeroed(8U * job.qps);
  const std::uint64_t seen = plan.client().zeroed(8U * job.qps);
  const std::uint64_t target = plan.server().zeroed(job.size * job.qps);
  const std::uint64_t barrier = plan.server().zeroed(8);
  for (std::uint32_t round = 0; round < job.count; ++round) {
    for (std::uint8_t rank = 0; rank < job.qps; ++rank) {
      plan.client().write(rank, source, target + rank * job.size, job.size);
      plan.client().fetch_add(rank, before + 8U * rank, barrier, 1);
    }
    plan.client().await_completions();
    for (std::uint8_t rank = 0; rank < job.qps; ++rank) plan.client().read(rank, seen + 8U * rank, barrier, 8);
    plan.client().await_completions();
    for (std::uint8_t rank = 0; rank < job.qps; ++rank) {
      plan.client().verify_number(seen + 8U * rank, (round + std::uint64_t{1}) * job.qps);
    }
  }
  for (std::uint8_t rank = 0; rank < job.qps; ++rank) {
    plan.server().finally_verify_bytes(target + rank * job.size, job.size, Side::kClient, source);
  }
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
