#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {

Plan ping_pong(const Job& job) {
  PlanBuilder plan(job);
  const std::uint64_t ping = plan.client().source(job.size);
  const std::uint64_t pong = plan.server().source(job.size);
  for (std::uint32_t round = 0; round < job.count; ++round) {
    for (std::uint8_t qp = 0; qp < job.qps; ++qp) plan.client().send(qp, ping, job.size);
    plan.server().await_receives();
    for (std::uint8_t qp = 0; qp < job.qps; ++qp) plan.server().send(qp, pong, job.size);
    plan.client().await_receives();
  }
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
