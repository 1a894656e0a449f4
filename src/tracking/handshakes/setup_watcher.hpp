// Which queue pairs are connected, from the messages that set connections up.
#pragma once

#include <vector>

#include "messages/messages.hpp"
#include "rocescope/packet.hpp"
#include "tracking/handshakes/cm_sessions.hpp"
#include "tracking/handshakes/exchange_sessions.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/handshakes/oob_sessions.hpp"
#include "tracking/handshakes/smc_sessions.hpp"

namespace rocescope {

/// Shows each packet to the readers of the kinds of handshake that it may belong to.
class SetupWatcher {
 public:
  /// The set-up exchange of rdmagen is payload: it comes through `messages`.
  SetupWatcher(Unplaced& unplaced, Messages& messages) : table_(unplaced) { messages.subscribe(exchange_); }

  /// The handshakes that the packet changes: none as a rule. `messages` has seen it.
  [[nodiscard]] std::vector<HandshakeNews> observe(const Packet& packet);

  /// After handshakes were taken from the table.
  void forget_taken() {
    cm_.forget_taken();
    exchange_.forget_taken();
  }

  [[nodiscard]] HandshakeTable& table() noexcept { return table_; }
  [[nodiscard]] const HandshakeTable& table() const noexcept { return table_; }

 private:
  friend struct StateMembers;
  HandshakeTable table_;
  CmSessions cm_{table_};
  ExchangeSessions exchange_{table_};
  OobSessions oob_{table_};
  SmcSessions smc_{table_};
};

}  // namespace rocescope
