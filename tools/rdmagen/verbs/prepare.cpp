#include "verbs/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/plan.hpp"
#include "verbs/xrc.hpp"

namespace rocescope::rdmagen {

void prepare_job(Job& job, const Device& device, std::uint32_t path_mtu) {
  if (job.transport == Transport::kXrc) require_xrc(device);
  if (job.workload == Workload::kMixed && job.fault == Fault::kNone && job.operations.empty()) {
    for (std::size_t i = 0; i < kOperationCount; ++i) {
      const auto operation = static_cast<Operation>(i);
      if (operation != Operation::kBindWindow && carries(job.transport, operation) && device.has(operation)) {
        job.operations.add(operation);
      }
    }
  }
  if (job.transport == Transport::kUd && job.fault == Fault::kNone) {
    if (job.workload == Workload::kBulk) {
      job.chunk = std::min(job.chunk, path_mtu);
    } else if (job.workload == Workload::kMixed) {
      job.size = std::min<std::uint64_t>(job.size, path_mtu);
    } else if (job.size > path_mtu) {
      throw Error(
          fmt::format("UD messages fit into one packet: {} bytes do not go into a path MTU of {}", job.size, path_mtu),
          fmt::format("use --size {}", path_mtu));
    }
  }
}

void report_connection(Truth& truth, const Job& job) {
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (job.operations.has(operation)) operations.push_back(traits(operation).name);
  }
  truth.fact("connection", {{"run_id", job.run_id},
                            {"connection", job.connection},
                            {"connections", job.connections},
                            {"qps", job.qps},
                            {"workload", job.fault == Fault::kNone ? nlohmann::ordered_json(name_of(job.workload))
                                                                   : nlohmann::ordered_json(nullptr)},
                            {"fault", name_of(job.fault)},
                            {"transport", name_of(job.transport)},
                            {"size", job.size},
                            {"chunk", job.chunk},
                            {"count", job.count},
                            {"depth", job.depth},
                            {"signal_every", job.signal_every},
                            {"inline", job.inline_bytes},
                            {"payload", name_of(job.payload)},
                            {"seed", job.seed},
                            {"lossy", job.lossy},
                            {"operations", operations}});
}

}  // namespace rocescope::rdmagen
