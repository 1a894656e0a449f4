// How queue pairs are connected: src/tracking/handshakes/.
#pragma once

#include <algorithm>
#include <cstdint>

#include "partial/state_members.hpp"

namespace rocescope {

template <>
struct StateMembers::Of<HandshakeTable> {
  static void visit(HandshakeTable& value, const Visit& f) {
    auto& [handshakes, made, unplaced, most] = value;
    f("handshakes", handshakes);
    f("made", made);
  }
};

template <>
struct StateMembers::Of<CmSessions> {
  static void visit(CmSessions& value, const Visit& f) {
    auto& [table, sessions] = value;
    f("sessions", sessions);
  }
};

template <>
struct StateMembers::Of<ExchangeSessions> {
  static void visit(ExchangeSessions& value, const Visit& f) {
    f("created", value.created_);
    f("regions", value.regions_);
    f("sessions", value.sessions_);
  }
};

template <class Stream>
struct StateMembers::Of<TcpStreams<Stream>> {
  static void visit(TcpStreams<Stream>& value, const Visit& f) {
    auto& [streams, oldest] = value;
    f("streams", streams);
    f("oldest", oldest);
  }

  static bool is_sound(const TcpStreams<Stream>& value) { return value.oldest_.size() == value.streams_.size(); }
};

template <>
struct StateMembers::Of<OobSessions> {
  static void visit(OobSessions& value, const Visit& f) {
    auto& [table, streams] = value;
    f("streams", streams);
  }
};

template <>
struct StateMembers::Of<SmcSessions> {
  static void visit(SmcSessions& value, const Visit& f) {
    auto& [table, streams] = value;
    f("streams", streams);
  }
};

template <>
struct StateMembers::Of<SetupWatcher> {
  static void visit(SetupWatcher& value, const Visit& f) {
    auto& [table, cm, exchange, oob, smc] = value;
    f("table", table);
    f("cm", cm);
    f("exchange", exchange);
    f("oob", oob);
    f("smc", smc);
  }

  static bool is_sound(const SetupWatcher& value) {
    const auto& handshakes = value.table_.handshakes_;
    const auto has = [&](std::uint32_t number) { return handshakes.contains(number); };
    return std::ranges::all_of(handshakes, [](const auto& entry) { return entry.first == entry.second.number; }) &&
           std::ranges::all_of(value.cm_.sessions_, [&](const auto& entry) { return has(entry.second.handshake); }) &&
           std::ranges::all_of(value.exchange_.sessions_, [&](const auto& entry) { return has(entry.second); });
  }
};

template <>
struct StateMembers::Of<CmSessions::Place> {
  static bool is_sound(const CmSessions::Place& value) { return value.side < 2; }
};

template <>
struct StateMembers::Of<OobSessions::Line> {
  static bool is_sound(const OobSessions::Line& value) { return value.sender < 2; }
};

template <>
struct StateMembers::Of<OobSessions::Stream> {
  static bool is_sound(const OobSessions::Stream& value) { return value.client < 2; }
};

}  // namespace rocescope
