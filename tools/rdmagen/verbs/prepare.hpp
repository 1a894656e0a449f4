// Fits a job to the device.
#pragma once

#include "core/job.hpp"
#include "core/truth.hpp"
#include "verbs/device.hpp"

namespace rocescope::rdmagen {

/// Chooses what the user left open: mixed's operations are all that transport and device have; UD's messages fit into
/// `path_mtu` (bytes). Throws Error if the job is impossible.
void prepare_job(Job& job, const Device& device, std::uint32_t path_mtu);

/// The fact of a connection beginning, with its job.
void report_connection(Truth& truth, const Job& job);

}  // namespace rocescope::rdmagen
