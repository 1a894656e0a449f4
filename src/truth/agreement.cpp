#include "truth/agreement.hpp"

#include <algorithm>

namespace rocescope {

void ComparedFact::explain(PartOf part, std::uint64_t count, std::string_view why) {
  if (count == 0) return;
  const auto same = [&](const Explained& each) { return each.part == part && each.why == why; };
  const auto known = std::find_if(explained.begin(), explained.end(), same);
  if (known != explained.end()) {
    known->count += count;
  } else {
    explained.push_back({part, count, std::string(why)});
  }
}

std::uint64_t ComparedFact::explained_of(PartOf number) const noexcept {
  std::uint64_t sum = 0;
  for (const Explained& each : explained) {
    if (each.part == number || each.part == PartOf::kBoth) sum += each.count;
  }
  return sum;
}

void settle(ComparedFact& fact, const std::vector<Reason>& reasons) {
  const PartOf more = fact.truth > fact.capture ? PartOf::kTruth : PartOf::kCapture;
  fact.agree = std::min(fact.truth, fact.capture);
  fact.differing = std::max(fact.truth, fact.capture) - fact.agree;
  for (const Reason& reason : reasons) {
    if (reason.part != more) continue;
    const std::uint64_t count = std::min(fact.differing, reason.at_most);
    fact.explain(more, count, reason.why);
    fact.differing -= count;
  }
}

}  // namespace rocescope
