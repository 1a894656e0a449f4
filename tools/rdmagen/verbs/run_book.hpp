// The server's book of clients: their connections and results.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "core/job.hpp"
#include "core/tally.hpp"
#include "core/truth.hpp"

namespace rocescope::rdmagen {

class RunBook {
 public:
  explicit RunBook(Truth& truth) : truth_(truth) {}

  /// A connection of `job`'s run is over. Prints the summary of the run with its last.
  void ended(const Job& job, const Tally& tally);

  /// A client went away before it sent its job.
  void never_began();

  /// Runs that are over; whether any went wrong.
  [[nodiscard]] unsigned runs() const;
  [[nodiscard]] bool all_good() const;

 private:
  struct Run {
    unsigned ended = 0;
    Tally tally;
  };
  Truth& truth_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, Run> open_;
  unsigned runs_ = 0;
  bool all_good_ = true;
};

/// The fact of a run that is over.
void tell_result(Truth& truth, const Tally& tally);

}  // namespace rocescope::rdmagen
