#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {

Plan write_imm(const Job& job) {
  constexpr std::uint64_t kControl = 16;
  PlanBuilder plan(job);
  const std::uint64_t source = plan.client().source(job.size + kControl);
  const std::uint64_t answer = plan.server().source(kControl);
  const std::uint64_t target = plan.server().zeroed(job.size * job.qps);
  for (std::uint32_t round = 0; round < job.count; ++round) {
    const auto each_qp = [&](auto&& act) {
      for (std::uint8_t qp = 0; qp < job.qps; ++qp) act(qp);
    };
    each_qp([&](std::uint8_t qp) { plan.client().send(qp, source + job.size, kControl); });
    plan.server().await_receives();
    each_qp([&](std::uint8_t qp) { plan.server().send(qp, answer, kControl); });
    plan.client().await_receives();
    each_qp([&](std::uint8_t qp) {
      plan.client().write_imm(qp, source, target + qp * job.size, job.size, round * job.qps + qp);
    });
    plan.server().await_receives();
    if (job.lossy) continue;
    each_qp(
        [&](std::uint8_t qp) { plan.server().verify_bytes(target + qp * job.size, job.size, Side::kClient, source); });
  }
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
