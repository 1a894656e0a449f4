#include <algorithm>

#include "core/plan_builder.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {
namespace {

/// The operation of the job; by default WRITE, or SEND if the transport has no WRITE.
Operation operation_of(const Job& job) {
  for (const Operation operation :
       {Operation::kSend, Operation::kSendImm, Operation::kWrite, Operation::kWriteImm, Operation::kRead}) {
    if (job.operations.has(operation)) return operation;
  }
  return job.transport == Transport::kUd ? Operation::kSend : Operation::kWrite;
}

}  // namespace

Plan bulk(const Job& job) {
  const Operation operation = operation_of(job);
  const bool reads = operation == Operation::kRead;
  PlanBuilder plan(job);
  SideBuilder& holder = reads ? plan.server() : plan.client();
  SideBuilder& taker = reads ? plan.client() : plan.server();
  const std::uint64_t source = holder.source(job.size);
  const bool one_sided = !traits(operation).takes_receive || operation == Operation::kWriteImm;
  const std::uint64_t target = one_sided ? taker.zeroed(job.size) : 0;

  std::uint32_t message = 0;
  for (std::uint32_t round = 0; round < job.count; ++round) {
    std::uint64_t at = 0;
    do {
      const std::uint64_t length = std::min<std::uint64_t>(job.chunk, job.size - at);
      const auto qp = static_cast<std::uint8_t>(message % job.qps);
      Step& step = reads ? plan.client().read(qp, target + at, source + at, length)
                         : plan.client().post(operation, qp, source + at, one_sided ? target + at : 0, length);
      step.immediate = message++;
      at += length;
    } while (at < job.size);
  }
  if (reads) {
    plan.client().await_completions();
    plan.client().verify_bytes(target, job.size, Side::kServer, source);
  } else if (one_sided && !job.lossy) {
    plan.server().finally_verify_bytes(target, job.size, Side::kClient, source);
  }
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
