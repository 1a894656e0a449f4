// One function and one file for each workload: its plan, made from the job alone.
#pragma once

#include "core/plan.hpp"

namespace rocescope::rdmagen::workloads {

/// WRITE, then READ it back and compare: the minimal flow.
[[nodiscard]] Plan write_read(const Job& job);
/// Rendezvous: SEND "I have data", SEND "write it there", WRITE with immediate.
[[nodiscard]] Plan write_imm(const Job& job);
/// Every queue pair is a worker: pushes gradients (WRITE), counts its step (fetch-and-add), pulls weights (READ).
[[nodiscard]] Plan param_server(const Job& job);
/// WRITE of a batch, WRITE with immediate of its number; the server answers with the result.
[[nodiscard]] Plan inference_batch(const Job& job);
/// Every queue pair is a rank: WRITEs in bulk, then a barrier made of fetch-and-add and READ.
[[nodiscard]] Plan mpi(const Job& job);
/// `size` bytes in messages of `chunk`, by one operation.
[[nodiscard]] Plan bulk(const Job& job);
/// SENDs back and forth.
[[nodiscard]] Plan ping_pong(const Job& job);
/// Random operations of random sizes from both sides at once.
[[nodiscard]] Plan mixed(const Job& job);
/// What `--fault` asks for, in place of a workload.
[[nodiscard]] Plan faulty(const Job& job);

}  // namespace rocescope::rdmagen::workloads
