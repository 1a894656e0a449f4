#include "core/plan.hpp"

#include <fmt/format.h>

#include "workloads/workloads.hpp"

namespace rocescope::rdmagen {
namespace {

/// What a region may hold: its length travels as 32 bits in the CM's private data.
constexpr std::uint64_t kMostRegion = 0xffffffff;
constexpr std::uint64_t kMostMessage = std::uint64_t{1} << 30U;
/// So that a plan fits in memory: about 100 bytes for each.
constexpr std::uint64_t kMostSteps = 4'000'000;

bool has_acknowledgements(const Job& job) {
  return job.transport == Transport::kRc || job.transport == Transport::kXrc;
}

std::string complaint_about_workload(const Job& job) {
  const std::string_view workload = name_of(job.workload);
  switch (job.workload) {
    case Workload::kWriteRead:
    case Workload::kParamServer:
    case Workload::kMpi:
      if (!has_acknowledgements(job)) {
        return fmt::format("{} needs READ, which only RC and XRC have: use --transport rc", workload);
      }
      break;
    case Workload::kWriteImm:
    case Workload::kInferenceBatch:
      if (job.transport == Transport::kUd) return fmt::format("{} needs WRITE: use --transport rc or uc", workload);
      break;
    default:
      break;
  }
  return {};
}

std::string complaint_about_operations(const Job& job) {
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (!job.operations.has(operation)) continue;
    if (job.transport == Transport::kXrc && operation == Operation::kSendInv) {
      return "send-inv needs a memory window, which the queue pairs that take XRC's requests cannot bind: use "
             "--transport rc";
    }
    if (!carries(job.transport, operation)) {
      return fmt::format("{} has no {}", name_of(job.transport), traits(operation).option);
    }
    const bool moves_data = operation <= Operation::kRead && operation != Operation::kSendInv;
    if (job.workload == Workload::kBulk && !moves_data) {
      return fmt::format("bulk cannot be made of {}: use --workload mixed", traits(operation).option);
    }
    if (job.workload != Workload::kBulk && job.workload != Workload::kMixed) {
      return fmt::format("{} has its own operations: --operations is for bulk and mixed", name_of(job.workload));
    }
  }
  return {};
}

}  // namespace

std::string complaint_about(const Job& job) {
  if (job.fault != Fault::kNone && !has_acknowledgements(job) && job.fault != Fault::kReject &&
      job.fault != Fault::kDeadService) {
    return fmt::format("--fault {} needs acknowledgements, which only RC and XRC have: use --transport rc",
                       name_of(job.fault));
  }
  if (job.lossy && has_acknowledgements(job)) {
    return fmt::format("--lossy is for UC and UD: {} loses nothing", name_of(job.transport));
  }
  if (job.count == 0) return "--count must be 1 at least";
  if (job.depth == 0) return "--depth must be 1 at least";
  if (job.signal_every == 0 || job.signal_every > job.depth) {
    return fmt::format("--signal-every must be between 1 and the depth ({}), or the send queue would never empty",
                       job.depth);
  }
  const bool bulk = job.workload == Workload::kBulk || job.workload == Workload::kTcpBulk;
  if (bulk && job.chunk == 0) return "--chunk must be 1 at least";
  const std::uint64_t message = bulk ? job.chunk : job.size;
  if (message > kMostMessage) return "a message has 1 GiB at most";
  const std::uint64_t messages = bulk ? job.size / job.chunk + 1 : 3ULL * job.qps;
  if (job.workload != Workload::kTcpBulk && messages * job.count > kMostSteps) {
    return fmt::format("more than {} messages: use a smaller --count or larger messages", kMostSteps);
  }
  const std::uint64_t areas = bulk ? 1 : job.workload == Workload::kMixed ? 18ULL * job.qps : 2ULL * job.qps;
  if (job.size * areas > kMostRegion) {
    return fmt::format("{} needs a region of more than 4 GiB: use a smaller --size or fewer --qps",
                       name_of(job.workload));
  }
  if (std::string complaint = complaint_about_workload(job); !complaint.empty()) return complaint;
  return complaint_about_operations(job);
}

Plan make_plan(const Job& job) {
  if (job.fault != Fault::kNone) return workloads::faulty(job);
  switch (job.workload) {
    case Workload::kWriteRead:
      return workloads::write_read(job);
    case Workload::kWriteImm:
      return workloads::write_imm(job);
    case Workload::kParamServer:
      return workloads::param_server(job);
    case Workload::kInferenceBatch:
      return workloads::inference_batch(job);
    case Workload::kMpi:
      return workloads::mpi(job);
    case Workload::kBulk:
      return workloads::bulk(job);
    case Workload::kPingPong:
      return workloads::ping_pong(job);
    case Workload::kMixed:
      return workloads::mixed(job);
    case Workload::kTcpBulk:
      break;
  }
  return {};
}

std::vector<Arrival> arrivals_at(const Plan& plan, Side side, std::uint8_t qp) {
  std::vector<Arrival> arrivals;
  for (const Step& step : plan.of(peer_of(side)).steps) {
    if (step.kind != StepKind::kPost || step.qp != qp || !traits(step.operation).takes_receive) continue;
    arrivals.push_back({step.operation, step.advertises, step.immediate, step.length, step.local_offset});
  }
  return arrivals;
}

}  // namespace rocescope::rdmagen
