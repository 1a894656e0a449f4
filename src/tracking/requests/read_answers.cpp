#include "tracking/requests/read_answers.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace rocescope {
namespace {

Psn end_of(const MissingRun& run) noexcept { return run.first + run.count; }
Psn earlier(Psn one, Psn other) noexcept { return one.before(other) ? one : other; }
Psn later(Psn one, Psn other) noexcept { return one.before(other) ? other : one; }
std::uint32_t count_of(Psn first, Psn end) noexcept { return static_cast<std::uint32_t>(first.distance_to(end)); }

/// Takes the PSNs from `first` to before `end` out of the runs. Returns how many there were. If there are too many
/// parts, the first is dropped.
std::uint32_t take(std::vector<MissingRun>& runs, Psn first, Psn end) {
  std::uint32_t taken = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Psn from = later(first, runs[i].first);
    const Psn to = earlier(end, end_of(runs[i]));
    if (!from.before(to)) continue;
    taken += count_of(from, to);
    MissingRun rest = runs[i];
    rest.first = to;
    rest.count = count_of(to, end_of(runs[i]));
    runs[i].count = count_of(runs[i].first, from);
    if (rest.count > 0) runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
  }
  std::erase_if(runs, [](const MissingRun& run) { return run.count == 0; });
  if (runs.size() > ReadAnswers::kMost) runs.erase(runs.begin(), runs.end() - ReadAnswers::kMost);
  return taken;
}

}  // namespace

void ReadAnswers::ask(const Attempt& attempt) {
  if (attempts_.size() >= kMost) attempts_.erase(attempts_.begin());
  attempts_.push_back(attempt);
}

std::uint32_t ReadAnswers::ask_again(Psn first, Psn end) {
  const std::uint32_t missed = take(missed_, first, end);
  return missed == 0 ? 0 : missed + std::exchange(missed_before_, 0);
}

/// `damaged` of them were seen with a wrong ICRC: they were not lost before the capture point.
void ReadAnswers::miss(Psn first, Psn end, std::uint32_t& damaged, std::int64_t time) {
  if (!first.before(end)) return;
  const std::uint32_t spared = std::min(damaged, count_of(first, end));
  damaged -= spared;
  missed_before_ += take(missed_, first, end);
  const MissingRun run{first + spared, count_of(first, end) - spared, time};
  if (run.count == 0) return;
  const auto place = std::find_if(missed_.begin(), missed_.end(),
                                  [&](const MissingRun& other) { return !other.first.before(run.first); });
  missed_.insert(place, run);
  if (missed_.size() > kMost) missed_.erase(missed_.begin());
}

/// Ends an attempt: its remaining answers do not come any more.
void ReadAnswers::close(const Attempt& attempt, std::uint32_t& damaged, std::int64_t time) {
  // Where no answer was seen, the request may not have come to the responder, unless the READ must have been carried out.
  if (attempt.started() || attempt.fresh) miss(attempt.next, attempt.end, damaged, time);
}

bool ReadAnswers::answer(Psn psn, std::uint32_t damaged, std::int64_t time) {
  const auto at = std::find_if(attempts_.begin(), attempts_.end(), [=](const Attempt& attempt) {
    return !psn.before(attempt.next) && psn.before(attempt.end);
  });
  if (at == attempts_.end()) {  // overtaken on its way
    take(missed_, psn, psn + 1);
    return false;
  }
  Attempt current = *at;
  for (auto before = attempts_.begin(); before != at; ++before) {
    if (before->fresh && !before->started() && psn.before(before->end)) continue;
    close(*before, damaged, time);
  }
  attempts_.erase(attempts_.begin(), at + 1);
  miss(current.next, psn, damaged, time);
  current.next = psn + 1;
  current.fresh = false;
  for (Attempt& other : attempts_) {
    if (other.first.before(current.end) && current.first.before(other.end)) other.fresh = false;
  }
  if (current.next != current.end) attempts_.insert(attempts_.begin(), current);
  return true;
}

void ReadAnswers::answer_before(Psn psn, std::uint32_t damaged, std::int64_t time) {
  const auto is_over = [=](const Attempt& attempt) { return !attempt.again && !psn.before(attempt.end); };
  for (const Attempt& attempt : attempts_) {
    if (is_over(attempt)) close(attempt, damaged, time);
  }
  std::erase_if(attempts_, is_over);
}

void ReadAnswers::stop(std::int64_t time) {
  std::uint32_t damaged = 0;
  for (const Attempt& attempt : attempts_) {
    if (attempt.started()) close(attempt, damaged, time);
  }
  std::erase_if(attempts_, [](const Attempt& attempt) { return attempt.started(); });
}

void ReadAnswers::skip(Psn first, std::uint32_t count) {
  constexpr std::int32_t kFar = 1 << 20;  // a PSN that far back may soon be another one
  std::erase_if(skipped_, [=](const MissingRun& run) { return std::abs(run.first.distance_to(first)) > kFar; });
  if (skipped_.size() == kMost) skipped_.erase(skipped_.begin());
  skipped_.push_back({.first = first, .count = count});
}

bool ReadAnswers::take_skipped(Psn psn) { return take(skipped_, psn, psn + 1) > 0; }

void ReadAnswers::drop(Psn psn) {
  std::erase_if(attempts_, [=](const Attempt& attempt) { return !attempt.started() && !attempt.first.before(psn); });
}

std::uint32_t ReadAnswers::take_before(Psn psn) {
  missed_before_ = 0;
  return missed_.empty() ? 0 : take(missed_, earlier(missed_.front().first, psn), psn);
}

std::uint32_t ReadAnswers::pass_hole(Psn end, std::int64_t time) {
  const std::uint32_t taken = missed_.empty() ? 0 : take_before(end_of(missed_.front()));
  if (!missed_.empty()) {
    want(missed_.front().first, missed_.front().opened);
  } else {
    want(attempts_.empty() ? end : attempts_.front().next, time);
  }
  return taken;
}

bool ReadAnswers::misses(Psn first, Psn end, std::int64_t since) const noexcept {
  return std::any_of(missed_.begin(), missed_.end(), [&](const MissingRun& run) {
    return run.opened >= since && run.first.before(end) && first.before(end_of(run));
  });
}

bool ReadAnswers::is_usual() const noexcept {
  if (!missed_.empty()) return false;
  for (std::size_t i = 0; i < attempts_.size(); ++i) {
    const Attempt& attempt = attempts_[i];
    const bool is_wanted = i == 0 && attempt.next == wanted_;
    if (attempt.again || (attempt.started() && !is_wanted)) return false;
  }
  return attempts_.empty() || !attempts_.front().next.before(wanted_);
}

}  // namespace rocescope
