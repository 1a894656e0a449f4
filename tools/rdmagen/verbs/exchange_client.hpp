// The client's way without the communication manager: TCP to find the server, ten messages over UD, then ibv_modify_qp.
#pragma once

#include <memory>
#include <vector>

#include "core/options.hpp"
#include "core/tally.hpp"
#include "verbs/connection.hpp"
#include "verbs/exchange_peer.hpp"

namespace rocescope::rdmagen {

class ExchangeClient {
 public:
  ExchangeClient(const Options& options, Truth& truth) : options_(options), truth_(truth) {}

  /// Connects, does the job, ends. Throws Error when it cannot connect.
  Tally run();

 private:
  /// One connection and what it was made with.
  struct Session {
    explicit Session(TcpSocket socket) : tcp(std::move(socket)), peer(tcp, nullptr) {}
    TcpSocket tcp;
    ExchangePeer peer;
    ibv_gid server_gid{};
    std::uint64_t server_guid = 0;
    std::unique_ptr<ExchangeLink> link;
    std::unique_ptr<Connection> connection;
  };

  void greet(Session& session, std::uint8_t number);
  /// False when the server rejected it.
  bool connect(Session& session);
  /// Creates the server's queue pair that `qp` will be connected to; returns what it will be connected with.
  PathParameters create_queue_pair(Session& session, QueuePair& qp);
  bool connect_queue_pair(Session& session, QueuePair& qp, const PathParameters& path);
  Tally work();

  const Options& options_;
  Truth& truth_;
  Job job_;
  std::unique_ptr<Device> device_;
  Gid gid_;
  std::vector<std::unique_ptr<Session>> sessions_;
};

/// The first PSN of a queue pair: of --psn, or random.
[[nodiscard]] std::uint32_t first_psn(const Options& options);

/// QP_CREATE's fields of a queue pair.
[[nodiscard]] QpCreate describe(const QueuePair& qp, std::uint32_t starting_psn, std::uint32_t path_mtu);

/// MR_REGISTER's fields of a connection's region.
[[nodiscard]] MrRegister describe(Connection& connection);

}  // namespace rocescope::rdmagen
