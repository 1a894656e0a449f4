// The state that a screen keeps between updates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/live_update.hpp"
#include "rocescope/connection.hpp"

namespace rocescope::screen {

/// Rates of the last looks, in bits a second.
class RateHistory {
 public:
  static constexpr std::size_t kMost = 60;

  /// `look` counts looks and grows; those left out had a rate of 0.
  void add(std::uint64_t look, double rate);
  [[nodiscard]] float at(std::uint64_t look) const noexcept;
  /// The rates of `count` looks, at most kMost, up to `look`; oldest first.
  [[nodiscard]] std::vector<float> until(std::uint64_t look, std::size_t count) const;

 private:
  std::array<float, kMost> rates_{};  // by look modulo kMost
  std::uint64_t newest_ = 0;
};

/// A row of the list.
struct ConnectionRow {
  std::uint32_t number = 0;
  std::array<std::string, 2> addresses;
  std::array<std::string, 2> queue_pairs;  ///< ` 0x000011`; empty: not known
  std::optional<QpState> state;            ///< ERR or RESET of either side, else that of the side that is further
  std::uint64_t bytes = 0;
  bool gave_up = false;       ///< a NAK, or retries without success, ended a queue pair
  bool has_error = false;     ///< a finding that is an error is about it
  std::uint64_t trouble = 0;  ///< as trouble_packets() counts
  std::uint64_t resent = 0;
  std::uint64_t naks = 0;
  std::uint64_t cnps = 0;
  std::uint64_t ce_packets = 0;
  std::uint32_t outstanding = 0;     ///< messages, of both sides
  std::optional<std::uint64_t> p50;  ///< of the times of messages, ns
  std::optional<std::uint64_t> p99;
  RateHistory rates;

  /// It ended with an error: worse than any trouble.
  [[nodiscard]] bool failed() const noexcept { return gave_up || (state == QpState::kErr && has_error); }
};

struct TimedFinding {
  std::int64_t time = 0;  ///< of the look that found it
  Finding finding;
};

/// Takes some hundred bytes for each connection.
class LiveBook {
 public:
  static constexpr std::size_t kMostFindings = 200;

  /// `start`: nanoseconds since 1970. `interfaces` are those of the capture, as far as they are known before the first update.
  explicit LiveBook(std::int64_t start, std::vector<std::string> interfaces = {}) : start_(start) {
    last_.time = start;
    last_.interfaces = std::move(interfaces);
  }

  void add(const LiveUpdate& update);

  [[nodiscard]] std::int64_t start() const noexcept { return start_; }
  /// The last update, without its connections and findings.
  [[nodiscard]] const LiveUpdate& last() const noexcept { return last_; }
  /// Looks so far.
  [[nodiscard]] std::uint64_t look() const noexcept { return look_; }
  [[nodiscard]] const RateHistory& rates() const noexcept { return rates_; }
  /// In any order.
  [[nodiscard]] std::span<const ConnectionRow> rows() const noexcept { return rows_; }
  /// Null: no connection has this number.
  [[nodiscard]] const ConnectionRow* find(std::uint32_t number) const noexcept;
  /// Of all so far; 0: there was none.
  [[nodiscard]] std::uint32_t highest_number() const noexcept { return highest_; }
  /// The newest first.
  [[nodiscard]] const std::deque<TimedFinding>& findings() const noexcept { return findings_; }

 private:
  [[nodiscard]] ConnectionRow& row_of(std::uint32_t number);
  void forget(std::uint32_t number);
  void note_error(std::uint32_t number);

  std::int64_t start_;
  LiveUpdate last_;
  std::uint64_t look_ = 0;
  RateHistory rates_;
  std::vector<ConnectionRow> rows_;
  std::uint32_t highest_ = 0;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // by number: index into rows_
  std::deque<TimedFinding> findings_;
};

}  // namespace rocescope::screen
