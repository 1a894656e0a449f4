#include "verbs/exchange_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "verbs/exchange_client.hpp"
#include "verbs/prepare.hpp"
#include "verbs/runner.hpp"
#include "verbs/tcp_bulk.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::uint32_t kTransportBits = 0x7;  // RC, UC, UD
constexpr std::uint32_t kXrcBit = 0x8;

class ExchangeSession {
 public:
  ExchangeSession(TcpSocket& tcp, const Greeting& hello, const Options& options, Truth& truth)
      : tcp_(tcp),
        options_(options),
        truth_(truth),
        job_(*hello.job),
        device_(options.device, tcp.local_address(), truth),
        gid_(device_.gid(tcp.local_address(), options.gid_index)),
        link_(device_, truth, gid_),
        peer_(tcp, &link_) {
    if (inet_pton(AF_INET6, hello.gid.c_str(), client_gid_.raw) != 1) throw Error("the client sent no GID");
    device_.report_counters("before");
    link_.connect(client_gid_, hello.qpn);
    connection_ = std::make_unique<Connection>(device_, truth_, Side::kServer, job_);
    report_connection(truth_, job_);
  }

  Tally run() {
    Greeting ok;
    ok.word = "ok";
    ok.gid = to_text(gid_.raw);
    ok.qpn = link_.qpn();
    tcp_.send(ok, options_.wait_s);
    Tally tally;
    tally.start_ns = now_ns();
    const unsigned wanted = job_.qps * (job_.transport == Transport::kXrc ? 2U : 1U);
    while (ready_ < wanted && !rejected_) serve_request();
    if (!rejected_) {
      tally = Runner(*connection_, peer_, options_.wait_s).run();
    } else {
      // Its answer may get lost: until the client goes it may ask again.
      tally.as_asked.emplace_back("the connection was rejected");
      const std::uint64_t until = now_ns() + options_.wait_s * std::uint64_t{1'000'000'000};
      while (peer_.state() == PeerState::kThere && now_ns() < until && !interrupted) link_.next_request(10);
    }
    if (tally.end_ns == 0) tally.end_ns = now_ns();
    device_.report_counters("after");
    return tally;
  }

 private:
  void serve_request() {
    const std::uint64_t until = now_ns() + options_.wait_s * std::uint64_t{1'000'000'000};
    for (;;) {
      if (const auto request = link_.next_request(50)) {
        link_.answer(std::visit([this](const auto& body) { return answer_to(body); }, request->body));
        return;
      }
      if (peer_.state() != PeerState::kThere) throw Error("the client went away in mid-exchange");
      if (now_ns() > until || interrupted) throw Error("the client says nothing more");
    }
  }

  ExchangeBody answer_to(const DeviceDiscoveryReq& /*request*/) {
    const ibv_device_attr& device = device_.attributes().orig_attr;
    return DeviceDiscoveryResp{.server_id = job_.run_id,
                               .device_guid = device_.guid(),
                               .max_qps = static_cast<std::uint32_t>(device.max_qp),
                               .max_mrs = static_cast<std::uint32_t>(device.max_mr),
                               .max_message_size = device_.port_attributes().max_msg_sz,
                               .transports = kTransportBits | (device_.has_xrc() ? kXrcBit : 0)};
  }

  ExchangeBody answer_to(const QpCreateReq& request) {
    QueuePair& qp = queue_pair_for(request.qp);
    PathParameters path;
    path.local = gid_;
    path.remote = client_gid_;
    path.dest_qpn = request.qp.qpn;
    path.rq_psn = request.qp.starting_psn;
    path.sq_psn = first_psn(options_);
    path.path_mtu = std::clamp(request.qp.path_mtu, 256U, device_.active_mtu());
    path.min_rnr_timer = options_.min_rnr_timer.value_or(path.min_rnr_timer);
    qp.to_init(path);
    const std::size_t lane = connection_->lanes().size() - 1;
    if (&qp == &connection_->lanes()[lane].receiver())
      connection_->post_first_receives(static_cast<std::uint8_t>(lane));
    ends_.emplace_back(&qp, path);
    return QpCreateResp{describe(qp, path.sq_psn, path.path_mtu)};
  }

  /// Ours, that the client's is to be connected to.
  QueuePair& queue_pair_for(const QpCreate& theirs) {
    const bool xrc = job_.transport == Transport::kXrc;
    // Of each lane with XRC the client creates its initiator first, for which we have a target, then the contrary.
    if (xrc && ends_.size() % 2 == 1) {
      require_type(theirs, QpType::kXrcRecv);
      QueuePair& initiator = *connection_->lanes().back().qp;
      initiator.set_xrc_srqn(theirs.xrc_srqn);
      return initiator;
    }
    require_type(theirs, xrc ? QpType::kXrcSend : static_cast<QpType>(job_.transport));
    connection_->add_queue_pair();
    return connection_->lanes().back().receiver();
  }

  static void require_type(const QpCreate& theirs, QpType wanted) {
    if (theirs.qp_type == static_cast<std::uint8_t>(wanted)) return;
    throw Error(fmt::format("QP_CREATE_REQ has QP type {} where {} was expected", theirs.qp_type, name_of(wanted)));
  }

  ExchangeBody answer_to(const MrRegisterReq& request) {
    client_address_ = request.region.virtual_address;
    client_length_ = static_cast<std::uint32_t>(request.region.length);
    const Region& region = connection_->region();
    return MrRegisterResp{describe(*connection_), region.rkey(), region.lkey(), ExchangeStatus::kDone};
  }

  ExchangeBody answer_to(const ConnectionReq& request) {
    ConnectionAccept accept{request.connection, ExchangeStatus::kDone};
    End* end = find(request.connection.server_qpn);
    if (job_.fault == Fault::kReject) {
      accept.status = ExchangeStatus::kRejected;
      rejected_ = true;
    } else if (end == nullptr) {
      accept.status = ExchangeStatus::kFailed;
    } else {
      connection_->peer_region = RemoteRegion{client_address_, request.connection.client_rkey, client_length_};
      auto& [pair, path] = *end;
      path.timeout = request.connection.timeout;
      path.retry_count = request.connection.retry_count;
      path.rnr_retry = request.connection.rnr_retry;
      pair->to_rtr(path);
      if (pair->datagram()) {
        ibv_ah_attr address = address_of(path);
        ibv_ah* handle = ibv_create_ah(device_.pd(), &address);
        if (handle == nullptr) throw_errno("cannot make an address handle", errno);
        pair->set_datagram_peer(handle, path.dest_qpn, path.qkey);
      }
    }
    return accept;
  }

  ExchangeBody answer_to(const ConnectionConfirm& request) {
    ConnectionReady ready{request.client_qpn, request.server_qpn, 0};
    if (End* end = find(request.server_qpn)) {
      end->first->to_rts(end->second);
      ready.state = kStateRts;
      ++ready_;
    }
    return ready;
  }

  template <typename Body>
  ExchangeBody answer_to(const Body& body) {
    throw Error(fmt::format("{} came where a request was expected", name_of(ExchangeBody(body))));
  }

  /// A queue pair and what it is connected with.
  using End = std::pair<QueuePair*, PathParameters>;

  End* find(std::uint32_t qpn) {
    const auto end = std::find_if(ends_.begin(), ends_.end(), [&](const End& one) { return one.first->qpn() == qpn; });
    return end == ends_.end() ? nullptr : &*end;
  }

  TcpSocket& tcp_;
  const Options& options_;
  Truth& truth_;
  Job job_;
  Device device_;
  Gid gid_;
  ibv_gid client_gid_{};
  ExchangeLink link_;
  ExchangePeer peer_;
  std::unique_ptr<Connection> connection_;
  std::vector<End> ends_;
  std::uint64_t client_address_ = 0;
  std::uint32_t client_length_ = 0;
  unsigned ready_ = 0;
  bool rejected_ = false;
};

}  // namespace

void serve_tcp_client(TcpSocket tcp, const Options& options, Truth& truth, RunBook& book) {
  const Greeting hello = tcp.receive_greeting(options.wait_s);
  if (!hello.job) throw Error("a client that says neither exchange nor tcp");
  Tally tally;
  try {
    if (hello.word == "tcp") {
      tally = serve_tcp_bulk(tcp, *hello.job, options.wait_s);
    } else if (options.tcp_only) {
      throw Error("this server is for tcp-bulk only");
    } else {
      tally = ExchangeSession(tcp, hello, options, truth).run();
    }
  } catch (const Error& error) {
    tally.errors.emplace_back(error.what());
    try {
      tcp.send(Greeting{.word = "error", .why = error.what()}, options.wait_s);
    } catch (const Error&) {
      // The client cannot be informed.
    }
  }
  try {
    if (tally.good()) tcp.send(Greeting{.word = "done"}, options.wait_s);
  } catch (const Error&) {
    // The client went first.
  }
  book.ended(*hello.job, tally);
}

}  // namespace rocescope::rdmagen
