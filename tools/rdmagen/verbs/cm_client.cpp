#include "verbs/cm_client.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "verbs/addresses.hpp"
#include "verbs/cm_connect.hpp"
#include "verbs/prepare.hpp"
#include "verbs/runner.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr int kResolveMs = 2000;
constexpr int kEventSliceMs = 50;
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr std::uint64_t kDisconnectNs = 5 * kNsPerSecond;
/// REJ reason of IBTA 12.6.7.2 when nobody listens, and when the server's program says no.
constexpr int kInvalidServiceId = 8;
constexpr int kConsumerDefined = 28;

/// Why the CM did not connect.
class Refused : public Error {
 public:
  Refused(const std::string& what, std::string hint, Fault explains)
      : Error(what, std::move(hint)), explains_(explains) {}
  /// The fault that asks for it, or kNone.
  [[nodiscard]] Fault explains() const noexcept { return explains_; }

 private:
  Fault explains_;
};

[[noreturn]] void throw_refused(const CmEvent& event, const Options& options) {
  const std::string where = fmt::format("{} port {}", options.host, options.port);
  if (event.type == RDMA_CM_EVENT_REJECTED && event.status == kInvalidServiceId) {
    throw Refused(fmt::format("{}: nobody listens (REJ, reason 8: invalid service ID)", where),
                  "start it there: rdmagen server", Fault::kDeadService);
  }
  if (event.type == RDMA_CM_EVENT_REJECTED && event.status == kConsumerDefined) {
    throw Refused(fmt::format("{}: the server rejects the connection (REJ, reason 28: consumer defined): {}", where,
                              std::string(event.private_data.begin(),
                                          std::find(event.private_data.begin(), event.private_data.end(), 0))),
                  "", Fault::kReject);
  }
  if (event.type == RDMA_CM_EVENT_REJECTED) {
    throw Error(fmt::format("{}: rejected (REJ, reason {})", where, event.status), "see what the server says");
  }
  throw Error(fmt::format("{}: {}, {}", where, name_of(event.type),
                          std::strerror(event.status < 0 ? -event.status : event.status)),
              fmt::format("is there a way, and rxe at both ends? ping {}; rdma link", options.host));
}

}  // namespace

/// One queue pair's connection.
class CmClient::Link : public Peer {
 public:
  explicit Link(rdma_cm_id* id) : id_(id) {}
  PeerState state() override { return ended_ ? PeerState::kDone : PeerState::kThere; }

  [[nodiscard]] rdma_cm_id* id() const noexcept { return id_.get(); }
  void end() noexcept { ended_ = true; }

  /// The first queue pair's link has the connection; the others' are parts of it.
  std::unique_ptr<Connection> connection;

 private:
  CmId id_;
  std::atomic<bool> ended_ = false;
};

CmClient::CmClient(const Options& options, Truth& truth) : options_(options), truth_(truth), channel_(truth) {}

// Queue pairs before the identifiers that they were made on, and both before the device.
CmClient::~CmClient() {
  for (const auto& link : links_) link->connection.reset();
  links_.clear();
}

CmEvent CmClient::await(rdma_cm_id* id, rdma_cm_event_type wanted) {
  const std::uint64_t until = now_ns() + options_.wait_s * kNsPerSecond;
  while (now_ns() < until && !interrupted) {
    const auto event = channel_.next(kEventSliceMs);
    if (!event) continue;
    note_end(*event);
    if (event->id != id) continue;
    if (event->type == wanted) return *event;
    throw_refused(*event, options_);
  }
  if (interrupted) throw Error("interrupted");
  throw Error(fmt::format("{} port {}: no answer for {} s", options_.host, options_.port, options_.wait_s),
              fmt::format("is UDP port 4791 open on the way, and rxe at both ends? ping {}; rdma link", options_.host));
}

void CmClient::note_end(const CmEvent& event) {
  if (event.type != RDMA_CM_EVENT_DISCONNECTED) return;
  for (const auto& link : links_) {
    if (link->id() == event.id) link->end();
  }
}

void CmClient::resolve(Link& link, const sockaddr_storage& server) {
  rdma_cm_id* id = link.id();
  if (job_.transport != Transport::kUc) {
    sockaddr_storage to = server;
    if (rdma_resolve_addr(id, nullptr, generic(to), kResolveMs) != 0) {
      throw_no_device(fmt::format("no RDMA device leads to {}: {}", options_.host, std::strerror(errno)));
    }
    await(id, RDMA_CM_EVENT_ADDR_RESOLVED);
    if (options_.traffic_class != 0) {
      std::uint8_t tos = options_.traffic_class;
      rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, sizeof tos);
    }
    if (options_.ack_timeout && job_.transport == Transport::kRc) {
      std::uint8_t timeout = *options_.ack_timeout;
      rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, sizeof timeout);
    }
    if (rdma_resolve_route(id, kResolveMs) != 0) throw_errno("cannot find a route", errno);
    await(id, RDMA_CM_EVENT_ROUTE_RESOLVED);
  }
  if (!device_) {
    device_ = std::make_unique<Device>(id->verbs, id->port_num, truth_);
    if (!options_.device.empty() && options_.device != device_->name()) {
      throw Error(
          fmt::format("the way to {} leads through {}, not {}", options_.host, device_->name(), options_.device),
          "give an address on that device's network, or leave out --device");
    }
    device_->report_counters("before");
    prepare_job(job_, *device_, device_->active_mtu());
  }
}

void CmClient::connect(Link& link, const Job& job, const sockaddr_storage& server) {
  resolve(link, server);
  // Of the device's doing only now: the size of UD messages follows from its MTU.
  Job announced = job_;
  announced.connection = job.connection;
  announced.qp = job.qp;
  if (announced.qp == 0) {
    link.connection = std::make_unique<Connection>(*device_, truth_, Side::kClient, announced);
    report_connection(truth_, announced);
  }
  Connection& connection = *links_[links_.size() - 1 - announced.qp]->connection;
  QueuePair& qp = connection.add_queue_pair(link.id());
  connection.post_first_receives(announced.qp);
  const auto private_data = encode_req(announced, connection.region().remote());
  rdma_conn_param parameters = connection_parameters(options_, *device_);
  parameters.private_data = private_data.data();
  parameters.private_data_len = static_cast<std::uint8_t>(private_data.size());
  if (rdma_connect(link.id(), &parameters) != 0) throw_errno("cannot connect", errno);
  const CmEvent event = await(link.id(), RDMA_CM_EVENT_ESTABLISHED);
  if (announced.fault == Fault::kReject || announced.fault == Fault::kDeadService) {
    throw Error(fmt::format("connected, though --fault {} asks for the contrary", name_of(announced.fault)));
  }
  establish(link, event, connection);
  qp.tell_state("librdmacm");
  if (options_.min_rnr_timer && qp.responds_reliably()) qp.set_min_rnr_timer(*options_.min_rnr_timer);
}

void CmClient::establish(Link& link, const CmEvent& event, Connection& connection) {
  connection.peer_region = decode_region(event.private_data);
  if (!connection.peer_region)
    throw Error(fmt::format("{} port {}: what answers is no rdmagen", options_.host, options_.port));
  if (job_.transport != Transport::kUd) return;
  ibv_ah_attr address = event.datagram.ah_attr;
  ibv_ah* handle = ibv_create_ah(device_->pd(), &address);
  if (handle == nullptr) throw_errno("cannot make an address handle", errno);
  for (Lane& lane : connection.lanes()) {
    if (lane.qp->get() == link.id()->qp) lane.qp->set_datagram_peer(handle, event.datagram.qp_num, event.datagram.qkey);
  }
}

void CmClient::connect_all() {
  const sockaddr_storage server = resolve_host(options_.host, options_.port, false);
  Job job = job_;
  for (std::uint8_t connection = 0; connection < job_.connections; ++connection) {
    for (std::uint8_t qp = 0; qp < job_.qps; ++qp) {
      job.connection = connection;
      job.qp = qp;
      links_.push_back(std::make_unique<Link>(new_cm_id(channel_.get(), job_.transport, server, false)));
      connect(*links_.back(), job, server);
    }
  }
}

Tally CmClient::work() {
  std::vector<Tally> tallies(job_.connections);
  std::atomic<unsigned> working = job_.connections;
  std::vector<std::thread> threads;
  for (std::uint8_t connection = 0; connection < job_.connections; ++connection) {
    Link& link = *links_[std::size_t{connection} * job_.qps];
    threads.emplace_back([&, connection] {
      tallies[connection] = Runner(*link.connection, link, options_.wait_s).run();
      --working;
    });
  }
  while (working > 0) {
    if (const auto event = channel_.next(kEventSliceMs)) note_end(*event);
  }
  for (std::thread& thread : threads) thread.join();
  Tally all;
  for (const Tally& tally : tallies) all.add(tally);
  return all;
}

void CmClient::disconnect() {
  if (job_.transport == Transport::kUd) return;
  for (const auto& link : links_) rdma_disconnect(link->id());
  const std::uint64_t until = now_ns() + kDisconnectNs;
  const auto all_ended = [&] {
    return std::all_of(links_.begin(), links_.end(),
                       [](const auto& link) { return link->state() != PeerState::kThere; });
  };
  while (!all_ended() && now_ns() < until && !interrupted) {
    if (const auto event = channel_.next(kEventSliceMs)) note_end(*event);
  }
  for (const auto& link : links_) {
    if (!link->connection) continue;
    for (Lane& lane : link->connection->lanes()) lane.qp->tell_state("librdmacm");
  }
}

Tally CmClient::run() {
  job_ = options_.job;
  Tally tally;
  const std::uint64_t start = now_ns();
  try {
    connect_all();
    connected_ = true;
    tally = work();
  } catch (const Refused& refused) {
    if (job_.fault == Fault::kNone || refused.explains() != job_.fault) throw;
    tally.as_asked.emplace_back(refused.what());
    tally.start_ns = start;
    tally.end_ns = now_ns();
  }
  if (connected_) disconnect();
  if (device_) device_->report_counters("after");
  return tally;
}

}  // namespace rocescope::rdmagen
