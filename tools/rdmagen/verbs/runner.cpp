#include "verbs/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::uint64_t kSecondNs = 1'000'000'000;
/// How long a lossy transport may keep silent before what has not come counts as lost.
constexpr std::uint64_t kLossySilenceNs = kSecondNs / 2;

}  // namespace

Runner::Runner(Connection& connection, Peer& peer, std::uint32_t wait_s)
    : connection_(connection), peer_(peer), wait_ns_(wait_s * kSecondNs) {
  for (std::size_t i = 0; i < connection_.lanes().size(); ++i) {
    const Lane& lane = connection_.lanes()[i];
    lane_of_[lane.qp->qpn()] = lane_of_[lane.receiver().qpn()] = static_cast<std::uint8_t>(i);
  }
}

Tally Runner::run() {
  tally_.start_ns = last_progress_ns_ = last_late_receive_ns_ = now_ns();
  try {
    take_steps();
    tally_.end_ns = now_ns();
    if (!failed() && connection_.side() == Side::kServer) await_peer();
    // A side without steps only lends its memory: it ends when the peer ends.
    if (connection_.half().steps.empty()) tally_.end_ns = now_ns();
    if (!failed()) {
      for (const Step& step : connection_.half().final_steps) verify(step);
    }
    drain();
  } catch (const std::exception& error) {
    fail(error.what());
  }
  connection_.device().tell_async_events();
  judge();
  return tally_;
}

void Runner::take_steps() {
  for (const Step& step : connection_.half().steps) {
    if (failed()) return;
    take(step);
  }
}

void Runner::take(const Step& step) {
  switch (step.kind) {
    case StepKind::kPost:
      post(step);
      return;
    case StepKind::kAwaitCompletions:
      while (!failed() && !all_complete()) poll();
      return;
    case StepKind::kAwaitReceives: {
      const std::uint64_t since = now_ns();
      while (!failed() && received_ + tally_.lost < step.count) {
        const bool ended = connection_.job().lossy && peer_.state() != PeerState::kThere;
        poll();
        const std::uint64_t silent_since = std::max(since, last_progress_ns_);
        const bool silent = received_ > 0 && now_ns() - silent_since > kLossySilenceNs;
        if (connection_.job().lossy && (silent || ended) && received_ < step.count) {
          tally_.lost = step.count - received_;
        }
      }
      return;
    }
    case StepKind::kVerifyBytes:
    case StepKind::kVerifyNumber:
      verify(step);
      return;
    case StepKind::kKillSelf:
      connection_.truth().fact("kill", {{"signal", "SIGKILL"}});
      connection_.truth().flush();
      std::raise(SIGKILL);
      return;
  }
}

/// A server's memory may be written to until the client has gone.
void Runner::await_peer() {
  if (!peer_.tells_its_end()) return;
  while (!failed() && peer_.state() == PeerState::kThere) poll();
  if (outcome_ == Outcome::kPeerGone) {
    // Its end is what was waited for.
    stopped_ = false;
    outcome_.reset();
  }
}

bool Runner::all_complete() const {
  const auto& lanes = connection_.lanes();
  return std::all_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.sent.empty(); });
}

void Runner::verify(const Step& step) {
  const auto bytes = connection_.region().bytes().subspan(step.local_offset, step.length);
  nlohmann::ordered_json fact{{"address", connection_.region().address() + step.local_offset}, {"length", step.length}};
  if (step.kind == StepKind::kVerifyNumber) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    fact["good"] = value == step.compare;
    fact["value"] = value;
    fact["expected"] = step.compare;
    if (value == step.compare) {
      tally_.verified_bytes += step.length;
    } else {
      tally_.errors.push_back(fmt::format("a counter is {} where {} was expected", value, step.compare));
    }
  } else {
    const auto difference = PayloadStream(connection_.job(), step.of).first_difference(bytes, step.remote_offset);
    fact["good"] = !difference;
    if (difference) {
      fact["first_difference"] = *difference;
      tally_.errors.push_back(fmt::format("{} bytes are not those sent, from byte {} on", step.length, *difference));
    } else {
      tally_.verified_bytes += step.length;
    }
  }
  connection_.truth().fact("verified", fact);
}

void Runner::fail(Outcome outcome, const std::string& what) {
  if (stopped_) return;
  stopped_ = true;
  outcome_ = outcome;
  reason_ = what;
}

void Runner::fail(const std::string& what) {
  stopped_ = true;
  tally_.errors.push_back(what);
}

void Runner::judge() {
  if (tally_.end_ns == 0) tally_.end_ns = now_ns();
  const auto& accepts = connection_.half().accepts;
  if (outcome_) {
    const bool asked = std::find(accepts.begin(), accepts.end(), *outcome_) != accepts.end();
    (asked ? tally_.as_asked : tally_.errors).push_back(reason_);
  } else if (!accepts.empty() && tally_.errors.empty()) {
    tally_.errors.push_back(
        fmt::format("nothing went wrong, though --fault {} asks for it", name_of(connection_.job().fault)));
  }
}

}  // namespace rocescope::rdmagen
