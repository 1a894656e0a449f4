#include "verbs/exchange_link.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/plan.hpp"
#include "verbs/connection.hpp"
#include "verbs/peer.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::uint32_t kSlots = 32;
constexpr std::uint64_t kSlotBytes = 128;  // GRH and the largest message
constexpr std::uint32_t kResendMs = 500;
constexpr useconds_t kPollUs = 200;

}  // namespace

ExchangeLink::ExchangeLink(Device& device, Truth& truth, const Gid& local)
    : device_(device), truth_(truth), local_(local) {
  region_ = std::make_unique<Region>(device_, truth_, 2 * kSlots * kSlotBytes, IBV_ACCESS_LOCAL_WRITE);
  cq_ = ibv_create_cq(device_.context(), 2 * kSlots, nullptr, nullptr, 0);
  if (cq_ == nullptr) throw_errno("cannot create a completion queue", errno);
  QueuePairNeeds needs;
  needs.type = QpType::kUd;
  needs.send_wr = kSlots;
  needs.recv_wr = kSlots;
  needs.cq = cq_;
  qp_ = std::make_unique<QueuePair>(device_, truth_, needs);
  PathParameters path;
  path.local = local_;
  path.qkey = kExchangeKey;
  qp_->to_init(path);
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) post_receive(slot);
  qp_->to_rtr(path);
  qp_->to_rts(path);
}

ExchangeLink::~ExchangeLink() {
  qp_.reset();
  if (cq_ != nullptr) ibv_destroy_cq(cq_);
}

void ExchangeLink::connect(const ibv_gid& remote, std::uint32_t qpn) {
  PathParameters path;
  path.local = local_;
  path.remote = remote;
  ibv_ah_attr address = address_of(path);
  ibv_ah* handle = ibv_create_ah(device_.pd(), &address);
  if (handle == nullptr) throw_errno(fmt::format("cannot reach {}", to_text(remote)), errno);
  qp_->set_datagram_peer(handle, qpn, kExchangeKey);
}

void ExchangeLink::post_receive(std::uint32_t slot) {
  ibv_sge place{region_->address() + slot * kSlotBytes, kSlotBytes, region_->lkey()};
  ibv_recv_wr request{};
  request.wr_id = kReceiveBit | slot;
  request.sg_list = &place;
  request.num_sge = 1;
  ibv_recv_wr* bad = nullptr;
  if (const int error = ibv_post_recv(qp_->get(), &request, &bad)) throw_errno("cannot post a receive", error);
}

void ExchangeLink::send(const ExchangeMessage& message) {
  const auto bytes = encode(message);
  const std::uint64_t offset = (kSlots + sent_ % kSlots) * kSlotBytes;
  std::copy(bytes.begin(), bytes.end(), region_->bytes().begin() + static_cast<std::ptrdiff_t>(offset));
  ibv_sge place{region_->address() + offset, static_cast<std::uint32_t>(bytes.size()), region_->lkey()};
  ibv_send_wr request{};
  request.wr_id = ++sent_;
  request.sg_list = &place;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  qp_->address(request);
  PostFact fact;
  fact.time_ns = now_ns();
  fact.qpn = qpn();
  fact.wr_id = request.wr_id;
  fact.opcode = traits(Operation::kSend).name;
  fact.bytes = bytes.size();
  fact.local_address = place.addr;
  fact.lkey = place.lkey;
  fact.signaled = true;
  fact.dest_qpn = qp_->datagram_qpn();
  ibv_send_wr* bad = nullptr;
  if (const int error = ibv_post_send(qp_->get(), &request, &bad))
    throw_errno("cannot send a message of the exchange", error);
  truth_.post(fact);
  truth_.fact("exchange", {{"direction", "sent"},
                           {"qpn", qpn()},
                           {"type", name_of(message.body)},
                           {"sequence", message.sequence},
                           {"bytes", bytes.size()}});
}

std::optional<ExchangeMessage> ExchangeLink::receive(std::uint32_t wait_ms) {
  const std::uint64_t until = now_ns() + wait_ms * std::uint64_t{1'000'000};
  do {
    ibv_wc completion{};
    while (ibv_poll_cq(cq_, 1, &completion) > 0) {
      if (const auto message = take(completion)) return message;
    }
    if (wait_ms > 0) usleep(kPollUs);
  } while (now_ns() < until && !interrupted);
  return std::nullopt;
}

std::optional<ExchangeMessage> ExchangeLink::take(const ibv_wc& completion) {
  const bool received = (completion.wr_id & kReceiveBit) != 0;
  const bool good = completion.status == IBV_WC_SUCCESS;
  CompletionFact fact;
  fact.time_ns = now_ns();
  fact.qpn = qpn();
  fact.wr_id = completion.wr_id;
  fact.status = good ? "SUCCESS" : ibv_wc_status_str(completion.status);
  fact.opcode = received ? "RECV" : "SEND";
  if (received && good) {
    fact.bytes = completion.byte_len - kGrhBytes;
    fact.src_qp = completion.src_qp;
  }
  truth_.completion(fact);
  if (!good) throw Error(fmt::format("the set-up exchange failed: {}", ibv_wc_status_str(completion.status)));
  if (!received) return std::nullopt;
  const auto slot = static_cast<std::uint32_t>(completion.wr_id & ~kReceiveBit);
  const auto bytes = region_->bytes().subspan(slot * kSlotBytes + kGrhBytes, completion.byte_len - kGrhBytes);
  const auto message = decode_exchange(bytes);
  post_receive(slot);
  if (message) {
    truth_.fact("exchange", {{"direction", "received"},
                             {"qpn", qpn()},
                             {"type", name_of(message->body)},
                             {"sequence", message->sequence},
                             {"bytes", completion.byte_len - kGrhBytes}});
  }
  return message;
}

ExchangeBody ExchangeLink::call(const ExchangeBody& request, std::uint32_t wait_s) {
  const ExchangeMessage message{++sequence_, request};
  const std::uint64_t until = now_ns() + wait_s * std::uint64_t{1'000'000'000};
  while (now_ns() < until && !interrupted) {
    send(message);
    // Answers to what was sent twice come twice: only the one to this request counts.
    while (const auto answer = receive(kResendMs)) {
      if (answer->sequence == message.sequence) return answer->body;
    }
  }
  if (interrupted) throw Error("interrupted");
  throw Error(fmt::format("no answer to {} for {} s", name_of(request), wait_s),
              "is UDP port 4791 open on the way, and the GID right? rdma link; --gid-index");
}

std::optional<ExchangeMessage> ExchangeLink::next_request(std::uint32_t wait_ms) {
  while (const auto request = receive(wait_ms)) {
    if (last_answer_ && request->sequence == last_answer_->sequence) {
      send(*last_answer_);
      continue;
    }
    sequence_ = request->sequence;
    return request;
  }
  return std::nullopt;
}

void ExchangeLink::answer(const ExchangeBody& body) {
  last_answer_ = ExchangeMessage{sequence_, body};
  send(*last_answer_);
}

}  // namespace rocescope::rdmagen
