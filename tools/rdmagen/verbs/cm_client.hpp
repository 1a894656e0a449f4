// The client's way through the communication manager.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "core/options.hpp"
#include "core/tally.hpp"
#include "verbs/cm_channel.hpp"
#include "verbs/connection.hpp"
#include "verbs/peer.hpp"

namespace rocescope::rdmagen {

class CmClient {
 public:
  CmClient(const Options& options, Truth& truth);
  ~CmClient();
  CmClient(const CmClient&) = delete;
  CmClient& operator=(const CmClient&) = delete;

  /// Connects, does the job, disconnects. Throws Error when it cannot connect.
  Tally run();

 private:
  class Link;

  void resolve(Link& link, const sockaddr_storage& server);
  void connect_all();
  void connect(Link& link, const Job& job, const sockaddr_storage& server);
  void establish(Link& link, const CmEvent& event, Connection& connection);
  CmEvent await(rdma_cm_id* id, rdma_cm_event_type wanted);
  void note_end(const CmEvent& event);
  Tally work();
  void disconnect();

  const Options& options_;
  Truth& truth_;
  CmChannel channel_;
  std::unique_ptr<Device> device_;
  Job job_;
  bool connected_ = false;
  std::vector<std::unique_ptr<Link>> links_;
};

}  // namespace rocescope::rdmagen
