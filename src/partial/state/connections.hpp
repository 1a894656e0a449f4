// Connections, and how they are found: src/tracking/connections/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "partial/state_members.hpp"
#include "tracking/connections/doubt.hpp"

namespace rocescope {

namespace partial {

struct PayloadMarks {
  PayloadInterest interest = PayloadInterest::kUnasked;
  bool has_handshake = false;
  bool is_like_some = false;
};

struct ConnectionStateMarks {
  bool shares_mtu = false;
  bool stray = false;
};

}  // namespace partial

template <>
struct StateMembers::Of<ConnectionState::Payload> {
  static partial::PayloadMarks parts_of(const ConnectionState::Payload& value) {
    return {value.interest, value.has_handshake, value.is_like_some};
  }

  static bool assemble(partial::PayloadMarks&& parts, ConnectionState::Payload& value) {
    value.interest = parts.interest;
    value.has_handshake = parts.has_handshake;
    value.is_like_some = parts.is_like_some;
    return true;
  }
};

template <>
struct StateMembers::Of<CongestionState> {
  static void visit(CongestionState& value, const Visit& f) {
    f("facts", static_cast<Congestion&>(value));
    f("running", value.running);
  }
};

template <>
struct StateMembers::Of<RateMeter> {
  static void visit(RateMeter& value, const Visit& f) {
    auto& [bytes, newest, since, started] = value;
    f("bytes", bytes);
    f("newest", newest);
    f("since", since);
    f("started", started);
  }
};

template <>
struct StateMembers::Of<ReadDepth::Side> {
  static void visit(ReadDepth::Side& value, const Visit& f) {
    auto& [ends] = value;
    f("ends", ends);
  }
};

template <>
struct StateMembers::Of<ConnectionState> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    auto& [facts, requesters, conformance, reads, wrong_icrcs, reached, shares_mtu, on_express_lane, stray, refusal,
           slots_later, life, progress, payload, slot, uncounted, captures] = value;
    f("facts", facts);
    f("requesters", requesters);
    f("conformance", conformance);
    f("reads", reads);
    f("wrong_icrcs", wrong_icrcs);
    f("reached", reached);
    partial::ConnectionStateMarks marks{shares_mtu, stray};
    f("marks", marks);
    if constexpr (!std::is_const_v<C>) {
      shares_mtu = marks.shares_mtu;
      stray = marks.stray;
      refusal = ExpressReason::kUnready;
    }
    f("slots_later", slots_later);
    f("life", life);
    f("progress", progress);
    f("payload", payload);
    f("slot", slot);
    f("uncounted", uncounted);
    f("captures", captures);
  }
};

template <>
struct StateMembers::Of<CaptureEnds::Span> {
  static void visit(CaptureEnds::Span& value, const Visit& f) {
    auto& [first, last, next, final] = value;
    f("first", first);
    f("last", last);
  }
};

template <>
struct StateMembers::Of<CaptureEnds> {
  static void visit(CaptureEnds& value, const Visit& f) {
    auto& [names, spans, is_chained] = value;
    f("spans", spans);
  }
};

template <>
struct StateMembers::Of<Lifetime> {
  static void visit(Lifetime& value, const Visit& f) {
    auto& [closed, closed_at, other, waits, source_port, doubt] = value;
    f("closed", closed);
    f("closed_at", closed_at);
    f("other", other);
    f("waits", waits);
    f("source_port", source_port);
    f("doubt", doubt);
  }
};

template <>
struct StateMembers::Of<ConnectionTable> {
  static void visit(ConnectionTable& value, const Visit& f) {
    auto& [max_connections, reuses, settler, connections, vacant, size, made, frame, last_made, notes_order, order,
           numbers, flows, version, announced, unpaired] = value;
    f("connections", connections);
    f("vacant", vacant);
    f("size", size);
    f("made", made);
    f("frame", frame);
    f("last_made", last_made);
    f("numbers", numbers);
    f("flows", flows);
    f("announced", announced);
    f("unpaired", unpaired);
  }

  static bool is_sound(const ConnectionTable& value) {
    const auto& all = value.connections_;
    const auto has = [&](std::uint32_t slot) { return slot < all.size() && all[slot] != nullptr; };
    std::size_t here = 0;
    for (std::size_t slot = 0; slot < all.size(); ++slot) {
      if (all[slot] == nullptr) continue;
      ++here;
      const Connection& facts = all[slot]->facts;
      if (all[slot]->slot != slot || facts.number == 0 || facts.number > value.made_) return false;
    }
    std::vector<bool> free(all.size());
    for (const std::uint32_t slot : value.vacant_) {
      if (slot >= all.size() || has(slot) || free[slot]) return false;
      free[slot] = true;
    }
    return here == value.size_ && has_all(value.numbers_, has) &&
           has_all(value.flows_, [&](std::uint32_t packed) { return has(packed >> 1U); });
  }
};

template <>
struct StateMembers::Of<UnpairedFlows> {
  static void visit(UnpairedFlows& value, const Visit& f) {
    auto& [flows, noted, votes] = value;
    f("flows", flows);
    f("noted", noted);
    f("votes", votes);
  }
};

template <>
struct StateMembers::Of<EvictionPlan> {
  static void visit(EvictionPlan& value, const Visit& f) {
    auto& [idle_timeout, most, now, astray, quiet, next_look] = value;
    f("now", now);
    f("astray", astray);
    f("quiet", quiet);
    f("next_look", next_look);
  }
};

template <>
struct StateMembers::Of<IcrcSenders> {
  static void visit(IcrcSenders& value, const Visit& f) {
    auto& [hosts, good, last_good] = value;
    f("hosts", hosts);
    f("good", good);
    f("last_good", last_good);
  }
};

template <>
struct StateMembers::Of<Strays> {
  static void visit(Strays& value, const Visit& f) {
    auto& [strays] = value;
    f("strays", strays);
  }
};

template <>
struct StateMembers::Of<Doubt> {
  static bool is_sound(const Doubt& value) { return value.first_sender < 2; }
};

}  // namespace rocescope
