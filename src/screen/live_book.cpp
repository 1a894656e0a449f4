#include "screen/live_book.hpp"

#include <algorithm>
#include <utility>

#include "analysis/connection_rank.hpp"
#include "rocescope/text.hpp"
#include "schema/per_second.hpp"

namespace rocescope::screen {
namespace {

double bits_a_second(std::uint64_t bytes, std::int64_t nanoseconds) {
  return 8 * schema::per_second(bytes, nanoseconds);
}

/// The state with the higher weight is shown. A side that only responds never shows more than RTR, which is no trouble.
int weight_of(QpState state) noexcept {
  constexpr int kAboveAll = 100;
  if (state == QpState::kErr) return kAboveAll + 1;
  if (state == QpState::kReset) return kAboveAll;
  return static_cast<int>(state);
}

std::optional<QpState> state_of(const Connection& connection) {
  std::optional<QpState> shown;
  for (const ConnectionSide& side : connection.sides) {
    if (side.states.empty()) continue;
    const QpState state = side.states.back().state;
    if (!shown || weight_of(state) > weight_of(*shown)) shown = state;
  }
  return shown;
}

void fill_in(ConnectionRow& row, const Connection& connection) {
  row.state = state_of(connection);
  row.bytes = wire_bytes(connection);
  row.trouble = trouble_packets(connection);
  row.gave_up = std::ranges::any_of(connection.sides, [](const ConnectionSide& side) {
    return side.fatal_naks() > 0 || side.sightings.find(FindingId::kRetryExhausted) != nullptr;
  });
  row.resent = row.naks = row.cnps = row.ce_packets = row.outstanding = 0;
  Histogram times;
  for (std::size_t i = 0; i < connection.sides.size(); ++i) {
    const ConnectionSide& side = connection.sides[i];
    row.addresses[i] = to_text(side.address);
    row.queue_pairs[i] = side.qpn ? " " + to_text(*side.qpn) : std::string();
    row.resent += side.verdicts(VerdictKind::kRetransmission);
    row.naks += side.naks();
    row.cnps += side.cnp_packets;
    row.ce_packets += side.ce_packets;
    row.outstanding += side.in_flight().messages;
    if (const Histogram* found = side.times.find(TimeKind::kMessageTime)) times.merge(*found);
  }
  if (times.empty()) return;
  row.p50 = times.quantile(500);
  row.p99 = times.quantile(990);
}

/// The height of its place among the findings of a look.
int height_of(const Finding& finding) noexcept {
  if (finding.info->severity == Severity::kNote) return 0;
  return finding.cause != nullptr ? 1 : 2;
}

}  // namespace

void RateHistory::add(std::uint64_t look, double rate) {
  const std::uint64_t oldest = look < kMost ? 0 : look - kMost;
  for (std::uint64_t skipped = std::max(newest_, oldest) + 1; skipped < look; ++skipped) rates_[skipped % kMost] = 0;
  rates_[look % kMost] = static_cast<float>(rate);
  newest_ = look;
}

float RateHistory::at(std::uint64_t look) const noexcept {
  return look > newest_ || look + kMost <= newest_ ? 0 : rates_[look % kMost];
}

std::vector<float> RateHistory::until(std::uint64_t look, std::size_t count) const {
  std::vector<float> rates(std::min(count, kMost));
  for (auto each = rates.rbegin(); each != rates.rend() && look > 0; ++each) *each = at(look--);
  return rates;
}

void LiveBook::add(const LiveUpdate& update) {
  ++look_;
  last_.time = update.time;
  last_.duration = update.duration;
  last_.interval = update.interval;
  last_.total = update.total;
  last_.commands = update.commands;
  last_.total_commands = update.total_commands;
  last_.interfaces = update.interfaces;
  last_.counters = update.counters;
  rates_.add(look_, bits_a_second(update.interval.roce.bytes, update.duration));
  std::vector<std::uint32_t> had_errors;
  for (const GoneConnection& gone : update.gone) {
    const ConnectionRow* row = find(gone.number);
    if (gone.part_of != 0 && row != nullptr && row->has_error) had_errors.push_back(gone.part_of);
    forget(gone.number);
  }
  for (const Connection& connection : update.connections) {
    ConnectionRow& row = row_of(connection.number);
    const std::uint64_t before = row.bytes;
    fill_in(row, connection);
    row.rates.add(look_, bits_a_second(row.bytes - std::min(before, row.bytes), update.duration));
  }
  for (const std::uint32_t number : had_errors) note_error(number);
  for (const Finding& finding : update.findings) {
    if (finding.info->severity == Severity::kError) note_error(finding.connection);
  }
  // The worst comes first and goes to the top. Few lines show them: above are the causes, below are the notes.
  for (const int height : {0, 1, 2}) {
    std::for_each(update.findings.rbegin(), update.findings.rend(), [&](const Finding& finding) {
      if (height_of(finding) == height) findings_.push_front({update.time, finding});
    });
  }
  if (findings_.size() > kMostFindings) findings_.resize(kMostFindings);
}

const ConnectionRow* LiveBook::find(std::uint32_t number) const noexcept {
  const auto place = places_.find(number);
  return place == places_.end() ? nullptr : &rows_[place->second];
}

ConnectionRow& LiveBook::row_of(std::uint32_t number) {
  const auto [place, is_new] = places_.try_emplace(number, rows_.size());
  if (!is_new) return rows_[place->second];
  highest_ = std::max(highest_, number);
  return rows_.emplace_back(ConnectionRow{.number = number});
}

void LiveBook::note_error(std::uint32_t number) {
  if (const auto place = places_.find(number); place != places_.end()) rows_[place->second].has_error = true;
}

void LiveBook::forget(std::uint32_t number) {
  const auto place = places_.find(number);
  if (place == places_.end()) return;
  const std::size_t row = place->second;
  places_.erase(place);
  if (row + 1 != rows_.size()) {
    rows_[row] = std::move(rows_.back());
    places_[rows_[row].number] = row;
  }
  rows_.pop_back();
}

}  // namespace rocescope::screen
