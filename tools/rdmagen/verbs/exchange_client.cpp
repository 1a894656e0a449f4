#include "verbs/exchange_client.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <thread>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "verbs/prepare.hpp"
#include "verbs/runner.hpp"

namespace rocescope::rdmagen {
namespace {

// About a second. The timer of rxe runs on between work requests, so that a shorter one resends what was not lost when
// acknowledgements take some tens of milliseconds, as they do in an emulated machine.
constexpr std::uint8_t kDefaultTimeout = 18;

template <typename Body>
Body expect(ExchangeBody answer) {
  if (Body* body = std::get_if<Body>(&answer)) return *body;
  throw Error(fmt::format("{} came where another message was expected", name_of(answer)));
}

void expect_done(ExchangeStatus status, std::string_view what) {
  if (status != ExchangeStatus::kDone) throw Error(fmt::format("the server cannot {}", what), "see what it says");
}

}  // namespace

std::uint32_t first_psn(const Options& options) {
  if (options.starting_psn) return *options.starting_psn;
  return std::random_device()() & 0xffffffU;
}

QpCreate describe(const QueuePair& qp, std::uint32_t starting_psn, std::uint32_t path_mtu) {
  return {.qpn = qp.qpn(),
          .qp_type = static_cast<std::uint8_t>(qp.needs().type),
          .xrc_srqn = qp.needs().xrc_srqn,
          .starting_psn = starting_psn,
          .max_send_wr = qp.needs().send_wr,
          .max_recv_wr = qp.needs().recv_wr,
          .max_send_sge = 1,
          .max_recv_sge = 1,
          .path_mtu = path_mtu};
}

MrRegister describe(Connection& connection) {
  return {.region_id = connection.job().connection,
          .virtual_address = connection.region().address(),
          .length = connection.region().bytes().size(),
          .access_flags = connection.region().access(),
          .protection_domain = connection.device().pd()->handle};
}

void ExchangeClient::greet(Session& session, std::uint8_t number) {
  if (!device_) {
    device_ = std::make_unique<Device>(options_.device, session.tcp.local_address(), truth_);
    gid_ = device_->gid(session.tcp.local_address(), options_.gid_index);
    if (options_.path_mtu > device_->active_mtu()) {
      throw Error(fmt::format("a path MTU of {} does not fit: the port of {} has {}", options_.path_mtu,
                              device_->name(), device_->active_mtu()),
                  "larger frames on both sides: ip link set IF mtu 4200");
    }
    device_->report_counters("before");
    prepare_job(job_, *device_, options_.path_mtu != 0 ? options_.path_mtu : device_->active_mtu());
  }
  session.link = std::make_unique<ExchangeLink>(*device_, truth_, gid_);
  Job job = job_;
  job.connection = number;
  Greeting hello;
  hello.word = "exchange";
  hello.gid = to_text(gid_.raw);
  hello.qpn = session.link->qpn();
  hello.job = job;
  session.tcp.send(hello, options_.wait_s);
  const Greeting answer = session.tcp.receive_greeting(options_.wait_s);
  if (answer.word != "ok") throw Error(fmt::format("the server says: {}", answer.why));
  if (inet_pton(AF_INET6, answer.gid.c_str(), session.server_gid.raw) != 1) throw Error("the server sent no GID");
  session.link->connect(session.server_gid, answer.qpn);
  session.connection = std::make_unique<Connection>(*device_, truth_, Side::kClient, job);
  report_connection(truth_, job);
}

bool ExchangeClient::connect(Session& session) {
  Connection& connection = *session.connection;
  const auto call = [&](const ExchangeBody& request) { return session.link->call(request, options_.wait_s); };
  const auto found = expect<DeviceDiscoveryResp>(call(DeviceDiscoveryReq{.client_id = job_.run_id, .capabilities = 0}));
  session.server_guid = found.device_guid;

  std::vector<std::pair<QueuePair*, PathParameters>> ends;
  for (std::uint8_t number = 0; number < job_.qps; ++number) {
    connection.add_queue_pair();
    const Lane& lane = connection.lanes().back();
    ends.emplace_back(lane.qp.get(), create_queue_pair(session, *lane.qp));
    if (lane.xrc_target) ends.emplace_back(lane.xrc_target.get(), create_queue_pair(session, *lane.xrc_target));
  }
  const auto registered = expect<MrRegisterResp>(call(MrRegisterReq{describe(connection)}));
  expect_done(registered.status, "register its memory");
  connection.peer_region = RemoteRegion{registered.region.virtual_address, registered.remote_key,
                                        static_cast<std::uint32_t>(registered.region.length)};
  for (std::uint8_t qp = 0; qp < job_.qps; ++qp) connection.post_first_receives(qp);
  return std::all_of(ends.begin(), ends.end(),
                     [&](const auto& end) { return connect_queue_pair(session, *end.first, end.second); });
}

PathParameters ExchangeClient::create_queue_pair(Session& session, QueuePair& qp) {
  PathParameters path;
  path.local = gid_;
  path.remote = session.server_gid;
  path.sq_psn = first_psn(options_);
  path.path_mtu = options_.path_mtu != 0 ? options_.path_mtu : device_->active_mtu();
  path.timeout = options_.ack_timeout.value_or(kDefaultTimeout);
  path.retry_count = options_.retry_count;
  path.rnr_retry = options_.rnr_retry;
  path.min_rnr_timer = options_.min_rnr_timer.value_or(path.min_rnr_timer);
  path.traffic_class = options_.traffic_class;
  path.service_level = options_.service_level;
  qp.to_init(path);
  const auto created =
      expect<QpCreateResp>(session.link->call(QpCreateReq{describe(qp, path.sq_psn, path.path_mtu)}, options_.wait_s));
  expect_done(created.status, "create a queue pair");
  path.dest_qpn = created.qp.qpn;
  path.rq_psn = created.qp.starting_psn;
  path.path_mtu = std::min(path.path_mtu, created.qp.path_mtu);
  if (qp.needs().type == QpType::kXrcSend) qp.set_xrc_srqn(created.qp.xrc_srqn);
  return path;
}

bool ExchangeClient::connect_queue_pair(Session& session, QueuePair& qp, const PathParameters& path) {
  ConnectionParameters parameters;
  parameters.client_qpn = qp.qpn();
  parameters.server_qpn = path.dest_qpn;
  parameters.client_guid = device_->guid();
  parameters.server_guid = session.server_guid;
  parameters.client_rkey = session.connection->region().rkey();
  parameters.server_rkey = session.connection->peer_region->rkey;
  parameters.max_message_size = device_->port_attributes().max_msg_sz;
  parameters.timeout = path.timeout;
  parameters.retry_count = path.retry_count;
  parameters.rnr_retry = path.rnr_retry;
  const auto accepted = expect<ConnectionAccept>(session.link->call(ConnectionReq{parameters}, options_.wait_s));
  if (accepted.status == ExchangeStatus::kRejected) return false;
  expect_done(accepted.status, "connect a queue pair");
  qp.to_rtr(path);
  qp.to_rts(path);
  if (qp.datagram()) {
    ibv_ah_attr address = address_of(path);
    ibv_ah* handle = ibv_create_ah(device_->pd(), &address);
    if (handle == nullptr) throw_errno("cannot make an address handle", errno);
    qp.set_datagram_peer(handle, path.dest_qpn, path.qkey);
  }
  const auto ready = expect<ConnectionReady>(
      session.link->call(ConnectionConfirm{qp.qpn(), path.dest_qpn, ExchangeStatus::kDone}, options_.wait_s));
  if (ready.state != kStateRts) throw Error("the server's queue pair is not ready", "see what it says");
  return true;
}

Tally ExchangeClient::work() {
  std::vector<Tally> tallies(sessions_.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    threads.emplace_back([&, i] {
      Session& session = *sessions_[i];
      tallies[i] = Runner(*session.connection, session.peer, options_.wait_s).run();
      try {
        session.tcp.send(Greeting{.word = "done"}, options_.wait_s);
        // The server may still be comparing bytes: what it says is its own matter, that it ended is ours.
        while (session.peer.state() == PeerState::kThere && !interrupted) session.tcp.receive_greeting(options_.wait_s);
      } catch (const Error&) {
        // It has gone already, which the runner judged.
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Tally all;
  for (const Tally& tally : tallies) all.add(tally);
  return all;
}

Tally ExchangeClient::run() {
  job_ = options_.job;
  const std::uint64_t start = now_ns();
  Tally tally;
  tally.start_ns = start;
  for (std::uint8_t number = 0; number < options_.job.connections; ++number) {
    bool refused = false;
    try {
      sessions_.push_back(std::make_unique<Session>(connect_tcp(options_, refused)));
    } catch (const Error& error) {
      if (!refused || job_.fault != Fault::kDeadService) throw;
      tally.as_asked.emplace_back(error.what());
      tally.end_ns = now_ns();
      return tally;
    }
    Session& session = *sessions_.back();
    greet(session, number);
    const bool connected = connect(session);
    if (!connected && job_.fault == Fault::kReject) {
      tally.as_asked.push_back(
          fmt::format("{} port {}: the server rejects the connection", options_.host, options_.port));
    } else if (!connected) {
      throw Error(fmt::format("{} port {}: the server rejects the connection", options_.host, options_.port));
    } else if (job_.fault == Fault::kReject || job_.fault == Fault::kDeadService) {
      throw Error(fmt::format("connected, though --fault {} asks for the contrary", name_of(job_.fault)));
    }
  }
  if (tally.as_asked.empty()) tally = work();
  if (tally.end_ns == 0) tally.end_ns = now_ns();
  device_->report_counters("after");
  return tally;
}

}  // namespace rocescope::rdmagen
