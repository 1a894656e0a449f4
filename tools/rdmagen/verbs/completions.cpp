// The part of the runner that takes completions: what is done, what arrived, what failed.
#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/big_endian.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "verbs/runner.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr int kPollSliceMs = 100;
constexpr int kLateSliceMs = 5;
constexpr int kBatch = 32;
constexpr std::uint64_t kActivityCheckNs = 500'000'000;
constexpr std::uint64_t kDrainNs = 1'000'000'000;

std::string_view name_of(ibv_wc_status status) { return ibv_wc_status_str(status); }

/// The names of the enumeration: easier to parse than the sentences of ibv_wc_status_str.
std::string_view enumerator_of(ibv_wc_status status) {
  constexpr std::array<std::string_view, 22> kNames{
      "SUCCESS",          "LOC_LEN_ERR",       "LOC_QP_OP_ERR",     "LOC_EEC_OP_ERR",
      "LOC_PROT_ERR",     "WR_FLUSH_ERR",      "MW_BIND_ERR",       "BAD_RESP_ERR",
      "LOC_ACCESS_ERR",   "REM_INV_REQ_ERR",   "REM_ACCESS_ERR",    "REM_OP_ERR",
      "RETRY_EXC_ERR",    "RNR_RETRY_EXC_ERR", "LOC_RDD_VIOL_ERR",  "REM_INV_RD_REQ_ERR",
      "REM_ABORT_ERR",    "INV_EECN_ERR",      "INV_EEC_STATE_ERR", "FATAL_ERR",
      "RESP_TIMEOUT_ERR", "GENERAL_ERR"};
  const auto index = static_cast<std::size_t>(status);
  return index < kNames.size() ? kNames[index] : "UNKNOWN";
}

}  // namespace

void Runner::poll() {
  if (interrupted) {
    fail("interrupted");
    return;
  }
  if (connection_.half().policy == ReceivePolicy::kLate) post_late_receive();
  if (take_completions()) {
    last_progress_ns_ = now_ns();
    return;
  }
  const PeerState state = peer_.state();
  // A lossy transport's messages may be missing when the peer ends: who waits for them counts them.
  const bool may_end = connection_.job().lossy && state == PeerState::kDone;
  if (state != PeerState::kThere && !may_end) {
    // All that arrived before the end is in the queue by now; what is not will never come.
    if (take_completions()) return;
    fail(Outcome::kPeerGone, "the connection ended before the work did");
    return;
  }
  const std::uint64_t now = now_ns();
  if (now - last_activity_check_ns_ > kActivityCheckNs) {
    last_activity_check_ns_ = now;
    const auto activity = connection_.device().activity();
    if (activity != activity_) last_progress_ns_ = now;
    activity_ = activity;
  }
  if (now - last_progress_ns_ > wait_ns_) {
    connection_.device().tell_async_events();
    fail(
        fmt::format("nothing happened for {} s: is the peer there? See `rdma link`, the route and the firewall "
                    "(UDP port 4791), or wait longer with --wait",
                    wait_ns_ / 1'000'000'000));
    return;
  }
  sleep_until_completion();
}

void Runner::sleep_until_completion() {
  if (ibv_req_notify_cq(connection_.cq(), 0) != 0) return;
  if (take_completions()) {
    last_progress_ns_ = now_ns();
    return;
  }
  pollfd waiting{connection_.channel()->fd, POLLIN, 0};
  const bool late = connection_.half().policy == ReceivePolicy::kLate;
  if (::poll(&waiting, 1, late ? kLateSliceMs : kPollSliceMs) <= 0) return;
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  if (ibv_get_cq_event(connection_.channel(), &cq, &context) == 0) ibv_ack_cq_events(cq, 1);
}

bool Runner::take_completions() {
  std::array<ibv_wc, kBatch> completions{};
  bool any = false;
  for (;;) {
    const int count = ibv_poll_cq(connection_.cq(), kBatch, completions.data());
    if (count < 0) throw Error("the completion queue cannot be polled");
    for (int i = 0; i < count; ++i) completed(completions[static_cast<std::size_t>(i)]);
    any = any || count > 0;
    if (count < kBatch) return any;
  }
}

void Runner::completed(const ibv_wc& completion) {
  const std::uint64_t time = now_ns();
  const auto found = lane_of_.find(completion.qp_num);
  if (found == lane_of_.end()) return;
  Lane& lane = connection_.lanes()[found->second];
  const bool good = completion.status == IBV_WC_SUCCESS;
  const bool receive = (completion.wr_id & kReceiveBit) != 0;

  CompletionFact fact;
  fact.time_ns = time;
  fact.qpn = completion.qp_num;
  fact.wr_id = completion.wr_id;
  fact.status = enumerator_of(completion.status);
  fact.vendor_err = completion.vendor_err;
  std::string_view operation = "RECV";
  if (receive) {
    if (good && completion.opcode == IBV_WC_RECV_RDMA_WITH_IMM) operation = "RECV_RDMA_WITH_IMM";
    if (good) {
      const std::uint64_t grh = lane.qp->datagram() ? kGrhBytes : 0;
      fact.bytes = completion.byte_len - grh;
      if ((completion.wc_flags & IBV_WC_WITH_IMM) != 0) fact.immediate = be32toh(completion.imm_data);
      if ((completion.wc_flags & IBV_WC_WITH_INV) != 0) fact.invalidated_rkey = completion.invalidated_rkey;
      if (lane.qp->datagram()) fact.src_qp = completion.src_qp;
    }
  } else {
    // It also completes the unsignaled ones before it.
    while (!lane.sent.empty() && lane.sent.front().wr_id <= completion.wr_id) {
      const Step& step = *lane.sent.front().step;
      operation = traits(step.operation).name;
      fact.bytes = step.length;
      if (good) {
        ++tally_.operations;
        tally_.payload_bytes += step.length;
      }
      lane.sent.pop_front();
    }
    if (!good) fact.bytes = 0;
  }
  fact.opcode = operation;
  connection_.truth().completion(fact);

  if (good) {
    if (receive) received(lane, found->second, completion);
    return;
  }
  if (receive && !lane.receives.empty()) lane.receives.pop_front();
  if (closing_ || failed()) return;
  (receive ? lane.receiver() : *lane.qp).tell_state("device");
  const bool ended = completion.status == IBV_WC_WR_FLUSH_ERR && peer_.state() != PeerState::kThere;
  if (ended && receive && connection_.job().lossy) return;
  fail(ended ? Outcome::kPeerGone : static_cast<Outcome>(completion.status),
       fmt::format("{} on queue pair {} ended with: {}", operation, completion.qp_num, name_of(completion.status)));
}

void Runner::received(Lane& lane, std::uint8_t qp, const ibv_wc& completion) {
  if (lane.receives.empty()) throw Error("a message arrived that no receive was posted for");
  const std::uint32_t slot = lane.receives.front();
  lane.receives.pop_front();
  ++received_;
  ++tally_.operations;
  tally_.payload_bytes += completion.byte_len - (lane.qp->datagram() ? kGrhBytes : 0);
  if (lane.qp->datagram() && !lane.qp->has_datagram_peer()) {
    meet_datagram_peer(lane, completion, connection_.slot_offset(qp, slot));
  }
  if (lane.arrived < lane.arrivals.size()) {
    check_arrival(lane.arrivals[lane.arrived], lane, qp, slot, completion);
  } else {
    tally_.errors.push_back("more messages arrived than the plan has");
  }
  ++lane.arrived;
  const bool more_wanted = lane.receives_posted < lane.arrivals.size();
  if (connection_.half().policy == ReceivePolicy::kAhead && more_wanted && !failed())
    connection_.post_receive(qp, slot);
}

void Runner::check_arrival(const Arrival& arrival, Lane& lane, std::uint8_t qp, std::uint32_t slot,
                           const ibv_wc& completion) {
  // Where messages may be missing, nobody knows which one this is.
  if (connection_.job().lossy) return;
  const std::uint64_t grh = lane.qp->datagram() ? kGrhBytes : 0;
  const std::uint64_t length = completion.byte_len - grh;
  if (length != arrival.length) {
    tally_.errors.push_back(fmt::format("a message of {} bytes arrived as {}", arrival.length, length));
    return;
  }
  if ((completion.wc_flags & IBV_WC_WITH_IMM) != 0 && be32toh(completion.imm_data) != arrival.immediate) {
    tally_.errors.push_back(fmt::format("immediate {} arrived as {}", arrival.immediate, be32toh(completion.imm_data)));
  }
  const std::uint64_t offset = connection_.slot_offset(qp, slot) + grh;
  if (arrival.advertises) read_advertisement(offset, length);
  if (arrival.advertises || arrival.operation == Operation::kWriteImm || length == 0) return;
  const auto bytes = connection_.region().bytes().subspan(offset, length);
  const auto difference =
      PayloadStream(connection_.job(), peer_of(connection_.side())).first_difference(bytes, arrival.stream_offset);
  nlohmann::ordered_json fact{{"address", connection_.region().address() + offset},
                              {"length", length},
                              {"good", !difference},
                              {"wr_id", completion.wr_id}};
  if (difference) {
    fact["first_difference"] = *difference;
    tally_.errors.push_back(
        fmt::format("a message of {} bytes is not the one sent, from byte {} on", length, *difference));
  } else {
    tally_.verified_bytes += length;
  }
  connection_.truth().fact("verified", fact);
}

void Runner::read_advertisement(std::uint64_t offset, std::uint64_t length) {
  BigEndianReader reader(connection_.region().bytes().subspan(offset, length));
  for (std::uint64_t at = 0; at + kAdvertisedWindowBytes <= length; at += kAdvertisedWindowBytes) {
    reader.skip(8);  // where it is follows from the plan
    connection_.peer_windows.push_back(reader.take<std::uint32_t>());
    reader.skip(4);
  }
}

// A UD server that was connected by the CM learns from the first message whom to answer.
void Runner::meet_datagram_peer(Lane& lane, const ibv_wc& completion, std::uint64_t slot_offset) {
  ibv_wc copy = completion;
  void* grh = connection_.region().bytes().data() + slot_offset;
  ibv_ah* handle =
      ibv_create_ah_from_wc(connection_.device().pd(), &copy, static_cast<ibv_grh*>(grh), connection_.device().port());
  if (handle == nullptr) throw_errno("cannot answer a datagram", errno);
  lane.qp->set_datagram_peer(handle, completion.src_qp, RDMA_UDP_QKEY);
}

void Runner::post_late_receive() {
  const std::uint64_t now = now_ns();
  if (now - last_late_receive_ns_ < kLateReceiveNs) return;
  for (std::size_t qp = 0; qp < connection_.lanes().size(); ++qp) {
    Lane& lane = connection_.lanes()[qp];
    if (lane.receives.empty() && lane.receives_posted < lane.arrivals.size()) {
      connection_.post_receive(static_cast<std::uint8_t>(qp), 0);
      last_late_receive_ns_ = now;
    }
  }
}

/// Takes the flushed completions of a failed queue pair.
void Runner::drain() {
  closing_ = true;
  if (!failed()) return;
  const std::uint64_t since = now_ns();
  while (!all_complete() && now_ns() - since < kDrainNs && !interrupted) {
    if (!take_completions()) sleep_until_completion();
  }
}

}  // namespace rocescope::rdmagen
