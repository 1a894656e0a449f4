#include "verbs/run_book.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace rocescope::rdmagen {

void tell_result(Truth& truth, const Tally& tally) {
  truth.fact("result", {{"good", tally.good()},
                        {"elapsed_ns", tally.end_ns - tally.start_ns},
                        {"operations", tally.operations},
                        {"payload_bytes", tally.payload_bytes},
                        {"verified_bytes", tally.verified_bytes},
                        {"lost", tally.lost},
                        {"as_asked", tally.as_asked},
                        {"errors", tally.errors}});
  truth.flush();
}

void RunBook::ended(const Job& job, const Tally& tally) {
  const std::lock_guard lock(mutex_);
  Run& run = open_[job.run_id];
  run.tally.add(tally);
  // A rejected client makes no further connection.
  if (++run.ended < job.connections && job.fault != Fault::kReject) return;
  fmt::print("{}: {}", job.fault == Fault::kNone ? name_of(job.workload) : name_of(job.fault), summary(run.tally));
  std::fflush(stdout);
  tell_result(truth_, run.tally);
  all_good_ = all_good_ && run.tally.good();
  ++runs_;
  open_.erase(job.run_id);
}

void RunBook::never_began() {
  const std::lock_guard lock(mutex_);
  ++runs_;
  all_good_ = false;
}

unsigned RunBook::runs() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}

bool RunBook::all_good() const {
  const std::lock_guard lock(mutex_);
  return all_good_;
}

}  // namespace rocescope::rdmagen
