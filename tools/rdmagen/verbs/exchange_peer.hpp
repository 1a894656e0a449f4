// The other side of a connection made by the exchange: its end comes over TCP.
#pragma once

#include "verbs/exchange_link.hpp"
#include "verbs/peer.hpp"
#include "verbs/tcp_socket.hpp"

namespace rocescope::rdmagen {

class ExchangePeer : public Peer {
 public:
  /// `answering`: the server's link, whose last answer may have to be sent again; null for the client.
  ExchangePeer(TcpSocket& tcp, ExchangeLink* answering) : tcp_(tcp), answering_(answering) {}

  PeerState state() override {
    if (state_ != PeerState::kThere) return state_;
    if (answering_ != nullptr) answering_->next_request(0);
    bool closed = false;
    const auto greeting = tcp_.peek_greeting(closed);
    if (greeting) {
      state_ = greeting->word == "done" ? PeerState::kDone : PeerState::kGone;
    } else if (closed) {
      state_ = PeerState::kGone;
    }
    return state_;
  }

 private:
  TcpSocket& tcp_;
  ExchangeLink* answering_;
  PeerState state_ = PeerState::kThere;
};

}  // namespace rocescope::rdmagen
