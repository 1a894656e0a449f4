// The commands of a capture that goes on.
#include <map>
#include <tuple>
#include <utility>

#include "ulp/command_book.hpp"
#include "ulp/command_watch.hpp"

namespace rocescope {

LiveCommands LiveCommands::since(const LiveCommands& before) const {
  LiveCommands since = *this;
  since.over -= before.over;
  since.failed -= before.failed;
  since.bytes -= before.bytes;
  since.unsized -= before.unsized;
  since.latency = latency.since(before.latency);
  return since;
}

CommandWatch::Outstanding CommandWatch::outstanding() const {
  Outstanding outstanding;
  for (const auto& entry : states_) {
    const State& state = *entry.second;
    if (!state.is_sure || state.is_over || state.carried == nullptr) continue;
    for (const CommandBook& book : state.carried->books()) {
      book.visit_outstanding([&](const OpenCommand& open) {
        if (open.counts) ++outstanding[{state.guess.protocol, state.carried->operation_of(open.command)}];
      });
    }
  }
  return outstanding;
}

std::vector<LiveCommands> CommandWatch::counts(const Outstanding& outstanding) const {
  std::map<Outstanding::key_type, LiveCommands> rows;
  for (const auto& [key, count] : outstanding) rows[key].outstanding = count;
  for (const CommandTotals& totals : log_.totals()) {
    LiveCommands& row = rows[{totals.protocol, totals.operation}];
    row.over += totals.over();
    row.failed += totals.failed;
    row.bytes += totals.bytes;
    row.unsized += totals.at_least ? 0 : totals.succeeded;
    row.latency.merge(totals.latency);
  }
  std::vector<LiveCommands> counts;
  for (auto& [key, row] : rows) {
    std::tie(row.protocol, row.operation) = key;
    counts.push_back(std::move(row));
  }
  return counts;
}

}  // namespace rocescope
