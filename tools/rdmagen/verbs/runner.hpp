// Executes one side's half of a plan on connected queue pairs.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/tally.hpp"
#include "verbs/connection.hpp"
#include "verbs/peer.hpp"

namespace rocescope::rdmagen {

class Runner {
 public:
  /// `wait_s`: longest silence before giving up.
  Runner(Connection& connection, Peer& peer, std::uint32_t wait_s);

  /// Runs the plan until its end or the first failure. Throws nothing: errors are in the tally.
  Tally run();

 private:
  void take_steps();
  void take(const Step& step);
  void await_peer();
  void judge();

  void post(const Step& step);
  int submit(QueuePair& qp, ibv_send_wr& request, const Step& step);
  void bind_window(const Step& step);
  void describe(const Step& step, ibv_send_wr& request, ibv_sge& place, struct PostFact& fact);
  std::uint32_t remote_key(const Step& step) const;
  void advertise_windows(const Step& step);

  /// Takes completions; waits up to 100 ms for one when there is none. Fails after too long a silence.
  void poll();
  bool take_completions();
  void sleep_until_completion();
  void completed(const ibv_wc& completion);
  void received(Lane& lane, std::uint8_t qp, const ibv_wc& completion);
  void check_arrival(const Arrival& arrival, Lane& lane, std::uint8_t qp, std::uint32_t slot, const ibv_wc& completion);
  void read_advertisement(std::uint64_t offset, std::uint64_t length);
  void meet_datagram_peer(Lane& lane, const ibv_wc& completion, std::uint64_t slot_offset);
  void post_late_receive();
  void verify(const Step& step);
  void drain();

  [[nodiscard]] bool all_complete() const;
  void fail(Outcome outcome, const std::string& what);
  void fail(const std::string& what);
  [[nodiscard]] bool failed() const noexcept { return stopped_; }

  Connection& connection_;
  Peer& peer_;
  std::uint64_t wait_ns_;
  Tally tally_;
  bool stopped_ = false;
  bool closing_ = false;  ///< flushed completions are no failure any more
  std::optional<Outcome> outcome_;
  std::string reason_;
  std::uint32_t received_ = 0;
  std::uint64_t last_progress_ns_ = 0;
  std::uint64_t last_late_receive_ns_ = 0;
  std::uint64_t last_activity_check_ns_ = 0;
  std::optional<std::uint64_t> activity_;
  std::unordered_map<std::uint32_t, std::uint8_t> lane_of_;
};

}  // namespace rocescope::rdmagen
