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
    if (inet_pton(AF_INET6, hello.gid.c_str(), client_gid_.raw) != 1) throw Error("the client told no GID");
    device_.tell_counters("before");
    link_.connect(client_gid_, hello.qpn);
    connection_ = std::make_unique<Connection>(device_, truth_, Side::kServer, job_);
    tell_connection(truth_, job_);
  }

  Tally run() {
    Greeting ok;
    ok.word = "ok";
    ok.gid = to_text(gid_.raw);
    ok.qpn = link_.qpn();
    tcp_.send(ok, options_.wait_s);
    Tally tally;
    tally.start_ns = now_ns();
    while (ready_ < job_.qps && !rejected_) serve_request();
    if (!rejected_) {
      tally = Runner(*connection_, peer_, options_.wait_s).run();
    } else {
      // Its answer may get lost: until the client goes it may ask again.
      tally.as_asked.emplace_back("the connection was rejected");
      const std::uint64_t until = now_ns() + options_.wait_s * std::uint64_t{1'000'000'000};
      while (peer_.state() == PeerState::kThere && now_ns() < until && !interrupted) link_.next_request(10);
    }
    if (tally.end_ns == 0) tally.end_ns = now_ns();
    device_.tell_counters("after");
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
                               .transports = kTransportBits};
  }

  ExchangeBody answer_to(const QpCreateReq& request) {
    QueuePair& qp = connection_->add_queue_pair();
    PathParameters path;
    path.local = gid_;
    path.remote = client_gid_;
    path.dest_qpn = request.qp.qpn;
    path.rq_psn = request.qp.starting_psn;
    path.sq_psn = first_psn(options_);
    path.path_mtu = std::clamp(request.qp.path_mtu, 256U, device_.active_mtu());
    path.min_rnr_timer = options_.min_rnr_timer.value_or(path.min_rnr_timer);
    qp.to_init(path);
    connection_->post_first_receives(static_cast<std::uint8_t>(paths_.size()));
    paths_.push_back(path);
    return QpCreateResp{describe(qp, path.sq_psn, path.path_mtu)};
  }

  ExchangeBody answer_to(const MrRegisterReq& request) {
    client_address_ = request.region.virtual_address;
    client_length_ = static_cast<std::uint32_t>(request.region.length);
    const Region& region = connection_->region();
    return MrRegisterResp{describe(*connection_), region.rkey(), region.lkey(), ExchangeStatus::kDone};
  }

  ExchangeBody answer_to(const ConnectionReq& request) {
    ConnectionAccept accept{request.connection, ExchangeStatus::kDone};
    const auto qp = find(request.connection.server_qpn);
    if (job_.fault == Fault::kReject) {
      accept.status = ExchangeStatus::kRejected;
      rejected_ = true;
    } else if (!qp) {
      accept.status = ExchangeStatus::kFailed;
    } else {
      connection_->peer_region = RemoteRegion{client_address_, request.connection.client_rkey, client_length_};
      PathParameters& path = paths_[*qp];
      path.timeout = request.connection.timeout;
      path.retry_count = request.connection.retry_count;
      path.rnr_retry = request.connection.rnr_retry;
      QueuePair& pair = *connection_->lanes()[*qp].qp;
      pair.to_rtr(path);
      if (pair.datagram()) {
        ibv_ah_attr address = address_of(path);
        ibv_ah* handle = ibv_create_ah(device_.pd(), &address);
        if (handle == nullptr) throw_errno("cannot make an address handle", errno);
        pair.set_datagram_peer(handle, path.dest_qpn, path.qkey);
      }
    }
    return accept;
  }

  ExchangeBody answer_to(const ConnectionConfirm& request) {
    ConnectionReady ready{request.client_qpn, request.server_qpn, 0};
    if (const auto qp = find(request.server_qpn)) {
      connection_->lanes()[*qp].qp->to_rts(paths_[*qp]);
      ready.state = kStateRts;
      ++ready_;
    }
    return ready;
  }

  template <typename Body>
  ExchangeBody answer_to(const Body& body) {
    throw Error(fmt::format("{} came where a request was expected", name_of(ExchangeBody(body))));
  }

  std::optional<std::size_t> find(std::uint32_t qpn) const {
    for (std::size_t i = 0; i < connection_->lanes().size(); ++i) {
      if (connection_->lanes()[i].qp->qpn() == qpn) return i;
    }
    return std::nullopt;
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
  std::vector<PathParameters> paths_;
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
      // Then it cannot be told.
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
