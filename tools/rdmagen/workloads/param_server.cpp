#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {

Plan param_server(const Job& job) {
  PlanBuilder plan(job);
  const std::uint64_t gradients = plan.client().source(job.size);
  const std::uint64_t pulled = plan.client().zeroed(job.size * job.qps);
  const std::uint64_t step_before = plan.client().zeroed(8U * job.qps);
  const std::uint64_t weights = plan.server().source(job.size);
  const std::uint64_t pushed = plan.server().zeroed(job.size * job.qps);
  const std::uint64_t steps_done = plan.server().zeroed(8);
  for (std::uint32_t round = 0; round < job.count; ++round) {
    for (std::uint8_t worker = 0; worker < job.qps; ++worker) {
      plan.client().write(worker, gradients, pushed + worker * job.size, job.size);
      plan.client().fetch_add(worker, step_before + 8U * worker, steps_done, 1);
      plan.client().read(worker, pulled + worker * job.size, weights, job.size);
    }
    plan.client().await_completions();
    for (std::uint8_t worker = 0; worker < job.qps; ++worker) {
      plan.client().verify_bytes(pulled + worker * job.size, job.size, Side::kServer, weights);
    }
  }
  for (std::uint8_t worker = 0; worker < job.qps; ++worker) {
    plan.server().finally_verify_bytes(pushed + worker * job.size, job.size, Side::kClient, gradients);
  }
  plan.server().finally_verify_number(steps_done, std::uint64_t{job.count} * job.qps);
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
