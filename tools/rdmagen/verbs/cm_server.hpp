// The server's side of the communication manager: listens, accepts, and runs each client's connections in threads.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "core/options.hpp"
#include "verbs/cm_channel.hpp"
#include "verbs/connection.hpp"
#include "verbs/peer.hpp"
#include "verbs/run_book.hpp"

namespace rocescope::rdmagen {

class CmServer {
 public:
  /// Listens for RC, UC and UD. Throws Error.
  CmServer(const Options& options, Truth& truth, RunBook& book);
  ~CmServer();
  CmServer(const CmServer&) = delete;
  CmServer& operator=(const CmServer&) = delete;

  /// Becomes readable when serve() has something to do.
  [[nodiscard]] int fd() const noexcept { return channel_.fd(); }
  /// Handles the events that are there, and clears away sessions that are over.
  void serve();
  [[nodiscard]] bool idle() const noexcept { return sessions_.empty(); }

 private:
  struct Session;

  void handle(const CmEvent& event);
  void connect_request(const CmEvent& event);
  void accept(Session& session, const Job& job, const CmEvent& event);
  void reject(const Job& job, rdma_cm_id* id);
  void refuse(rdma_cm_id* id, const std::string& why);
  void established(Session& session);
  void clear_away();
  Session* session_of(const rdma_cm_id* id);
  Session& session_for(const Job& job, const RemoteRegion& client, rdma_cm_id* id);
  Device& device_of(rdma_cm_id* id);

  const Options& options_;
  Truth& truth_;
  RunBook& book_;
  CmChannel channel_;
  std::vector<CmId> listening_;
  std::vector<CmId> rejected_;
  std::map<ibv_context*, std::unique_ptr<Device>> devices_;
  std::list<std::unique_ptr<Session>> sessions_;
};

}  // namespace rocescope::rdmagen
