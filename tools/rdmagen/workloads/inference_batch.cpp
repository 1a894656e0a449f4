#include <algorithm>

#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {

Plan inference_batch(const Job& job) {
  // A classification is much smaller than what it is made from.
  const std::uint64_t result_bytes = std::max<std::uint64_t>(job.size / 64, 4);
  PlanBuilder plan(job);
  const std::uint64_t batch = plan.client().source(job.size);
  const std::uint64_t received_results = plan.client().zeroed(result_bytes * job.qps);
  const std::uint64_t result = plan.server().source(result_bytes);
  const std::uint64_t received_batches = plan.server().zeroed(job.size * job.qps);
  for (std::uint32_t round = 0; round < job.count; ++round) {
    for (std::uint8_t qp = 0; qp < job.qps; ++qp) {
      plan.client().write(qp, batch, received_batches + qp * job.size, job.size);
      plan.client().write_imm(qp, batch, received_batches + qp * job.size, 0, round * job.qps + qp);
    }
    plan.server().await_receives();
    for (std::uint8_t qp = 0; qp < job.qps; ++qp) {
      if (!job.lossy) {
        plan.server().verify_bytes(received_batches + qp * job.size, job.size, Side::kClient, batch);
      }
      plan.server().write_imm(qp, result, received_results + qp * result_bytes, result_bytes, round * job.qps + qp);
    }
    plan.client().await_receives();
    for (std::uint8_t qp = 0; qp < job.qps && !job.lossy; ++qp) {
      plan.client().verify_bytes(received_results + qp * result_bytes, result_bytes, Side::kServer, result);
    }
  }
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
