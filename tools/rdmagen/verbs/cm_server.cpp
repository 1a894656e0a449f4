#include "verbs/cm_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

constexpr int kCmBacklog = 128;
constexpr std::uint64_t kHandshakeNs = 10'000'000'000;

}  // namespace

/// The queue pairs of one connection.
struct CmServer::Session : Peer {
  Job job;
  std::vector<CmId> ids;
  std::unique_ptr<Connection> connection;  ///< after ids: gone before them
  std::thread thread;
  std::uint64_t since_ns = now_ns();
  unsigned established = 0;
  std::atomic<bool> ended = false;
  std::atomic<bool> over = false;

  ~Session() override {
    if (thread.joinable()) thread.join();
  }
  PeerState state() override { return ended ? PeerState::kDone : PeerState::kThere; }
  bool tells_its_end() const override { return job.transport != Transport::kUd; }
};

CmServer::CmServer(const Options& options, Truth& truth, RunBook& book)
    : options_(options), truth_(truth), book_(book), channel_(truth) {
  if (DeviceList().all().empty()) throw_no_device("there is no RDMA device");
  sockaddr_storage address = resolve_host(options.host, options.port, true);
  for (const Transport transport : {Transport::kRc, Transport::kUd, Transport::kUc}) {
    rdma_cm_id* id = nullptr;
    try {
      id = new_cm_id(channel_.get(), transport, address, true);
    } catch (const Error&) {
      // Without UC there is still the rest, and UC by the exchange.
      if (transport == Transport::kUc) continue;
      throw;
    }
    listening_.emplace_back(id);
    const bool bound = transport == Transport::kUc || rdma_bind_addr(id, generic(address)) == 0;
    if (!bound || rdma_listen(id, kCmBacklog) != 0) {
      throw Error(
          fmt::format("cannot listen on port {} of the communication manager: {}", options.port, std::strerror(errno)),
          "another server may run already; or use --port on both sides");
    }
  }
}

CmServer::~CmServer() {
  interrupted = interrupted || !sessions_.empty();
  sessions_.clear();
  rejected_.clear();
  listening_.clear();
}

void CmServer::serve() {
  while (const auto event = channel_.next(0)) handle(*event);
  clear_away();
}

CmServer::Session* CmServer::session_of(const rdma_cm_id* id) {
  for (const auto& session : sessions_) {
    for (const CmId& own : session->ids) {
      if (own.get() == id) return session.get();
    }
  }
  return nullptr;
}

void CmServer::handle(const CmEvent& event) {
  if (event.type == RDMA_CM_EVENT_CONNECT_REQUEST) {
    connect_request(event);
    return;
  }
  Session* session = session_of(event.id);
  if (session == nullptr) return;
  switch (event.type) {
    case RDMA_CM_EVENT_ESTABLISHED:
      established(*session);
      return;
    case RDMA_CM_EVENT_DISCONNECTED:
      // Marked first: rdma_disconnect flushes the queue pair, which must not look like a failure.
      session->ended = true;
      rdma_disconnect(event.id);
      return;
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
      session->ended = true;
      if (!session->thread.joinable() && !session->over) {
        Tally tally;
        tally.start_ns = session->since_ns;
        tally.end_ns = now_ns();
        tally.errors.push_back(fmt::format("the client did not finish connecting: {}", name_of(event.type)));
        book_.ended(session->job, tally);
        session->over = true;
      }
      return;
    default:
      return;
  }
}

void CmServer::refuse(rdma_cm_id* id, const std::string& why) {
  rdma_reject(id, why.c_str(), static_cast<std::uint8_t>(std::min<std::size_t>(why.size(), 100)));
  rejected_.emplace_back(id);
}

void CmServer::reject(const Job& job, rdma_cm_id* id) {
  truth_.fact("reject", {{"run_id", job.run_id}, {"reason", 28}});
  refuse(id, "rejected on purpose");
  Tally tally;
  tally.start_ns = tally.end_ns = now_ns();
  tally.as_asked.emplace_back("the connection was rejected");
  book_.ended(job, tally);
}

void CmServer::connect_request(const CmEvent& event) {
  const auto announced = decode_req(event.private_data);
  if (!announced) {
    refuse(event.id, "this is rdmagen, of another version");
    return;
  }
  if (announced->first.fault == Fault::kReject) {
    reject(announced->first, event.id);
    return;
  }
  try {
    if (const std::string complaint = complaint_about(announced->first); !complaint.empty()) throw Error(complaint);
    Session& session = session_for(announced->first, announced->second, event.id);
    session.ids.emplace_back(event.id);
    accept(session, announced->first, event);
  } catch (const Error& error) {
    if (session_of(event.id) == nullptr) {
      refuse(event.id, error.what());
    } else {
      rdma_reject(event.id, error.what(),
                  static_cast<std::uint8_t>(std::min<std::size_t>(std::strlen(error.what()), 100)));
    }
    Tally tally;
    tally.start_ns = tally.end_ns = now_ns();
    tally.errors.push_back(error.hint().empty() ? error.what() : fmt::format("{} ({})", error.what(), error.hint()));
    book_.ended(announced->first, tally);
    if (Session* session = session_of(event.id)) session->over = true;
  }
}

Device& CmServer::device_of(rdma_cm_id* id) {
  std::unique_ptr<Device>& device = devices_[id->verbs];
  if (!device) device = std::make_unique<Device>(id->verbs, id->port_num, truth_);
  return *device;
}

CmServer::Session& CmServer::session_for(const Job& job, const RemoteRegion& client, rdma_cm_id* id) {
  for (const auto& session : sessions_) {
    if (session->job.run_id == job.run_id && session->job.connection == job.connection) return *session;
  }
  auto session = std::make_unique<Session>();
  session->job = job;
  Device& device = device_of(id);
  const bool first = std::none_of(sessions_.begin(), sessions_.end(),
                                  [&](const auto& other) { return other->job.run_id == job.run_id; });
  if (first) device.report_counters("before");
  session->connection = std::make_unique<Connection>(device, truth_, Side::kServer, job);
  session->connection->peer_region = client;
  report_connection(truth_, job);
  sessions_.push_back(std::move(session));
  return *sessions_.back();
}

void CmServer::accept(Session& session, const Job& job, const CmEvent& event) {
  rdma_cm_id* id = event.id;
  Connection& connection = *session.connection;
  if (job.qp != connection.lanes().size()) throw Error("the queue pairs of a connection came out of order");
  QueuePair& qp = connection.add_queue_pair(id);
  connection.post_first_receives(job.qp);
  const auto region = encode(connection.region().remote());
  rdma_conn_param parameters = connection_parameters(options_, connection.device());
  parameters.private_data = region.data();
  parameters.private_data_len = static_cast<std::uint8_t>(region.size());
  // The client's requests obey the count in the REP: send back the one that it requested.
  parameters.rnr_retry_count = event.rnr_retry_count;
  if (rdma_accept(id, &parameters) != 0) throw_errno("cannot accept a connection", errno);
  qp.tell_state("librdmacm");
  if (options_.min_rnr_timer && qp.responds_reliably()) qp.set_min_rnr_timer(*options_.min_rnr_timer);
  // Of UD nothing more is heard from the CM.
  if (qp.datagram()) established(session);
}

void CmServer::established(Session& session) {
  if (++session.established < session.job.qps) return;
  session.thread = std::thread([this, &session] {
    const Tally tally = Runner(*session.connection, session, options_.wait_s).run();
    session.connection->device().report_counters("after");
    for (Lane& lane : session.connection->lanes()) lane.qp->tell_state("librdmacm");
    book_.ended(session.job, tally);
    session.over = true;
  });
}

void CmServer::clear_away() {
  const std::uint64_t now = now_ns();
  for (const auto& session : sessions_) {
    const bool stuck = !session->thread.joinable() && !session->over && now - session->since_ns > kHandshakeNs;
    if (!stuck) continue;
    Tally tally;
    tally.start_ns = session->since_ns;
    tally.end_ns = now;
    tally.errors.emplace_back("the client did not finish connecting");
    book_.ended(session->job, tally);
    session->over = true;
  }
  sessions_.remove_if([](const auto& session) { return session->over.load(); });
}

}  // namespace rocescope::rdmagen
