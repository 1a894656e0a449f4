// What a state (state.hpp) has beside what a report has: the members of the classes that follow a capture. Most lists have all members of
// their class, which the compiler checks, and pass on those that packets change; those of Analysis, PacketReader, Tracker, CommandLog and
// ExchangeSessions have only the latter, and nothing checks that none is missing. Not those that options or other objects give, caches, and
// what lasts no longer than a packet.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "analysis/icrc_flows.hpp"
#include "capture/continued_capture.hpp"
#include "commands/iser/iser_connection.hpp"
#include "commands/named/named_connection.hpp"
#include "commands/named/nine_p_connection.hpp"
#include "commands/named/ucx_connection.hpp"
#include "commands/nfs/nfs_connection.hpp"
#include "commands/nvme/nvme_queue.hpp"
#include "commands/rds/rds_connection.hpp"
#include "commands/rsockets/rsockets_connection.hpp"
#include "commands/rtrs/rtrs_connection.hpp"
#include "commands/smb_direct/smb_connection.hpp"
#include "commands/srp/srp_connection.hpp"
#include "partial/carry.hpp"
#include "partial/private_members.hpp"
#include "tracking/connections/doubt.hpp"
#include "tracking/tracker_implementation.hpp"

namespace rocescope {

namespace partial {

/// T, or T that cannot be changed. Of this many are asked for each type: std::same_as takes the compiler longer.
template <class T, class Of>
concept A = __is_same(const T, const Of);

struct IndexEntry {
  std::uint32_t hash = 0;
  std::uint32_t number = 0;
};
template <class Entry>
struct RecentParts {
  std::uint32_t most = 0;
  std::uint32_t next = 0;
  std::vector<Entry> ring;
};
struct RateSeriesState {
  RateSeriesParts parts;
  bool expects_other_limit = false;
};
/// Bit-fields, of which there are no references.
struct SentPacketParts {
  Psn psn;
  std::uint32_t span = 1;
  std::uint32_t icrc = 0;
  std::uint32_t hole_us = 0;
  std::uint64_t first_frame = 0;
  std::int64_t last_time = 0;
  std::uint64_t message = 0;
  std::uint16_t lost = 0;
  std::uint16_t content = 0;
  std::uint16_t identification = 0;
  std::uint8_t opcode = 0;
  bool missed = false;
  bool late = false;
  bool read = false;
  bool depth = false;
  bool seen_long_ago = false;
};
struct PayloadMarks {
  PayloadInterest interest = PayloadInterest::kUnasked;
  bool has_handshake = false;
  bool is_like_some = false;
};
struct ConnectionStateMarks {
  bool shares_mtu = false;
  bool stray = false;
};
/// Of a KeptFrame.
struct FrameParts {
  std::uint32_t original_length = 0;
  std::uint32_t link_type = 0;
  std::int64_t timestamp = 0;
  std::uint64_t number = 0;
  std::uint32_t interface_id = 0;
  std::uint32_t capture_id = 0;
  std::vector<std::uint8_t> bytes;
};
struct CarriedParts {
  Perhaps<NvmeQueue> nvme;
  Perhaps<NfsConnection> nfs;
  Perhaps<IserConnection> iser;
  Perhaps<SrpConnection> srp;
  Perhaps<SmbConnection> smb;
  Perhaps<RdsConnection> rds;
  Perhaps<RsocketsConnection> rsockets;
  Perhaps<RtrsConnection> rtrs;
  Perhaps<NamedConnection> named;
  Perhaps<NinePConnection> nine_p;
  Perhaps<UcxConnection> ucx;
};

}  // namespace partial

/// A friend of these classes.
struct StateMembers {
  // Parts.

  static std::vector<partial::IndexEntry> parts_of(const IndexTable& value) {
    std::vector<partial::IndexEntry> parts;
    for (const auto& entry : value.entries_) {
      if (entry.number != IndexTable::kNone) parts.push_back({entry.hash, entry.number});
    }
    return parts;
  }
  static bool assemble(std::vector<partial::IndexEntry>&& parts, IndexTable& value) {
    value = {};
    for (const partial::IndexEntry& entry : parts) {
      if (entry.number == IndexTable::kNone) return false;
      if ((value.taken_ + 1) * 4 > value.entries_.size() * 3) value.grow();
      value.put({entry.hash, entry.number});
      ++value.taken_;
    }
    return true;
  }
  /// Whether `is_there(number)` is true of all.
  template <class IsThere>
  static bool has_all(const IndexTable& value, IsThere is_there) {
    return std::ranges::all_of(
        value.entries_, [&](const auto& entry) { return entry.number == IndexTable::kNone || is_there(entry.number); });
  }

  template <class Entry>
  static partial::RecentParts<Entry> parts_of(const Recent<Entry>& value) {
    return {value.most_, value.next_, value.ring_};
  }
  template <class Entry>
  static bool assemble(partial::RecentParts<Entry>&& parts, Recent<Entry>& value) {
    constexpr std::uint32_t kMost = 262'144;  // of all that there are
    if (parts.most == 0 || parts.most > kMost || parts.ring.size() > parts.most) return false;
    if (parts.next != 0 && (parts.ring.size() < parts.most || parts.next >= parts.most)) return false;
    value.most_ = parts.most;
    value.next_ = parts.next;
    value.ring_ = std::move(parts.ring);
    value.index_ = {};
    const auto size = static_cast<std::uint32_t>(value.ring_.size());
    for (std::uint32_t i = 0; i < size; ++i) {  // of those with the same hash the last counts
      const std::uint32_t slot = (value.next_ + i) % size;
      const std::uint64_t hash = value.ring_[slot].hash;
      value.index_.set(hash, slot, [&](std::uint32_t other) { return value.ring_[other].hash == hash; });
    }
    return true;
  }

  static partial::RateSeriesState parts_of(const RateSeries& value) {
    return {PrivateMembers::parts_of(value), value.last_width_ == 0};
  }
  static bool assemble(partial::RateSeriesState&& parts, RateSeries& value) {
    value = {};
    if (!PrivateMembers::assemble(std::move(parts.parts), value)) return false;
    if (parts.expects_other_limit) value.last_width_ = 0;
    return true;
  }

  template <class T>
  static std::vector<T> parts_of(const Window<T>& value) {
    return {value.begin(), value.end()};
  }
  template <class T>
  static bool assemble(std::vector<T>&& parts, Window<T>& value) {
    value = {};
    value.adopt(std::move(parts));
    return true;
  }

  static std::vector<partial::SentPacketParts> parts_of(const SentPackets& value) {
    std::vector<partial::SentPacketParts> parts;
    for (std::uint32_t place = static_cast<std::uint32_t>(value.size()); place > 0; --place) {
      const SentPacket& packet = value.from_last(place);
      parts.push_back({packet.psn, packet.span, packet.icrc, packet.hole_us, packet.first_frame, packet.last_time,
                       packet.message, packet.lost, packet.content, packet.identification, packet.opcode, packet.missed,
                       packet.late, packet.read, packet.depth, packet.seen_long_ago});
    }
    return parts;
  }
  static bool assemble(std::vector<partial::SentPacketParts>&& parts, SentPackets& value) {
    value = {};
    if (parts.size() > SentPackets::kMost) return false;
    for (const partial::SentPacketParts& each : parts) {
      SentPacket& packet = value.append();
      packet.psn = each.psn;
      packet.span = each.span;
      packet.icrc = each.icrc;
      packet.hole_us = each.hole_us;
      packet.first_frame = each.first_frame;
      packet.last_time = each.last_time;
      packet.message = each.message;
      packet.lost = each.lost;
      packet.content = each.content;
      packet.identification = each.identification;
      packet.opcode = each.opcode;
      packet.missed = each.missed;
      packet.late = each.late;
      packet.read = each.read;
      packet.depth = each.depth;
      packet.seen_long_ago = each.seen_long_ago;
    }
    return true;
  }

  static partial::PayloadMarks parts_of(const ConnectionState::Payload& value) {
    return {value.interest, value.has_handshake, value.is_like_some};
  }
  static bool assemble(partial::PayloadMarks&& parts, ConnectionState::Payload& value) {
    value.interest = parts.interest;
    value.has_handshake = parts.has_handshake;
    value.is_like_some = parts.is_like_some;
    return true;
  }

  template <std::size_t bits>
  static std::uint64_t parts_of(const std::bitset<bits>& value) {
    return value.to_ullong();
  }
  template <std::size_t bits>
  static bool assemble(std::uint64_t parts, std::bitset<bits>& value) {
    value = parts;
    return true;
  }

  static partial::CarriedParts parts_of(const std::unique_ptr<Carried>& value) {
    partial::CarriedParts parts;
    parts.nvme.known = dynamic_cast<const NvmeQueue*>(value.get());
    parts.nfs.known = dynamic_cast<const NfsConnection*>(value.get());
    parts.iser.known = dynamic_cast<const IserConnection*>(value.get());
    parts.srp.known = dynamic_cast<const SrpConnection*>(value.get());
    parts.smb.known = dynamic_cast<const SmbConnection*>(value.get());
    parts.rds.known = dynamic_cast<const RdsConnection*>(value.get());
    parts.rsockets.known = dynamic_cast<const RsocketsConnection*>(value.get());
    parts.rtrs.known = dynamic_cast<const RtrsConnection*>(value.get());
    parts.named.known = dynamic_cast<const NamedConnection*>(value.get());
    parts.nine_p.known = dynamic_cast<const NinePConnection*>(value.get());
    parts.ucx.known = dynamic_cast<const UcxConnection*>(value.get());
    return parts;
  }
  static bool assemble(partial::CarriedParts&& parts, std::unique_ptr<Carried>& value) {
    value = std::move(parts.nvme.own);
    if (parts.nfs.own) value = std::move(parts.nfs.own);
    if (parts.iser.own) value = std::move(parts.iser.own);
    if (parts.srp.own) value = std::move(parts.srp.own);
    if (parts.smb.own) value = std::move(parts.smb.own);
    if (parts.rds.own) value = std::move(parts.rds.own);
    if (parts.rsockets.own) value = std::move(parts.rsockets.own);
    if (parts.rtrs.own) value = std::move(parts.rtrs.own);
    if (parts.named.own) value = std::move(parts.named.own);
    if (parts.nine_p.own) value = std::move(parts.nine_p.own);
    if (parts.ucx.own) value = std::move(parts.ucx.own);
    return true;
  }

  static std::vector<OperationCount> parts_of(const OperationCounter& value) { return value.counts(); }
  static bool assemble(std::vector<OperationCount>&& parts, OperationCounter& value) {
    value = {};
    for (const OperationCount& count : parts) value.by_code_[count.opcode->code] = count;
    return true;
  }

  static partial::FrameParts parts_of(const Frame& frame) {
    return {frame.original_length,
            frame.link_type,
            frame.timestamp,
            frame.number,
            frame.interface_id,
            frame.capture_id,
            {frame.data.begin(), frame.data.end()}};
  }
  template <class Kept>
  static void keep(partial::FrameParts&& parts, Kept& kept) {
    kept.bytes = std::move(parts.bytes);
    kept.frame.data = kept.bytes;
    kept.frame.original_length = parts.original_length;
    kept.frame.link_type = parts.link_type;
    kept.frame.timestamp = parts.timestamp;
    kept.frame.number = parts.number;
    kept.frame.interface_id = parts.interface_id;
    kept.frame.capture_id = parts.capture_id;
  }
  static partial::FrameParts parts_of(const KeptFrame& value) { return parts_of(value.frame); }
  static bool assemble(partial::FrameParts&& parts, KeptFrame& value) {
    keep(std::move(parts), value);
    return true;
  }

  // What has no empty value.

  static std::unique_ptr<ReadAnswers> make(std::type_identity<ReadAnswers> /*type*/) {
    return std::make_unique<ReadAnswers>(Psn(), 0);
  }
  static std::unique_ptr<NvmeQueue> make(std::type_identity<NvmeQueue> /*type*/) {
    return std::make_unique<NvmeQueue>(0, NvmeQueue::Known());
  }
  static std::unique_ptr<NfsConnection> make(std::type_identity<NfsConnection> /*type*/) {
    return std::make_unique<NfsConnection>(0, std::nullopt);
  }
  static std::unique_ptr<IserConnection> make(std::type_identity<IserConnection> /*type*/) {
    return std::make_unique<IserConnection>(0, std::nullopt);
  }
  static std::unique_ptr<SrpConnection> make(std::type_identity<SrpConnection> /*type*/) {
    return std::make_unique<SrpConnection>(0, SrpConnection::Known());
  }
  static std::unique_ptr<SmbConnection> make(std::type_identity<SmbConnection> /*type*/) {
    return std::make_unique<SmbConnection>(0, std::nullopt);
  }
  static std::unique_ptr<RdsConnection> make(std::type_identity<RdsConnection> /*type*/) {
    return std::make_unique<RdsConnection>(0);
  }
  static std::unique_ptr<RsocketsConnection> make(std::type_identity<RsocketsConnection> /*type*/) {
    return std::make_unique<RsocketsConnection>(0, std::nullopt);
  }
  static std::unique_ptr<RtrsConnection> make(std::type_identity<RtrsConnection> /*type*/) {
    return std::make_unique<RtrsConnection>(0, RtrsConnection::Known{});
  }
  static std::unique_ptr<NamedConnection> make(std::type_identity<NamedConnection> /*type*/) {
    return std::make_unique<NamedConnection>();
  }
  static std::unique_ptr<NinePConnection> make(std::type_identity<NinePConnection> /*type*/) {
    return std::make_unique<NinePConnection>();
  }
  static std::unique_ptr<UcxConnection> make(std::type_identity<UcxConnection> /*type*/) {
    return std::make_unique<UcxConnection>();
  }

  // Requests.

  template <partial::A<Copies> C, class F>
  static void visit(C& value, F&& f) {
    auto& [waiting, next] = value;
    f("waiting", waiting);
    f("next", next);
  }
  template <partial::A<LostAcks> C, class F>
  static void visit(C& value, F&& f) {
    auto& [current, tries, silent_since, lost_after_at] = value;
    f("try", current);
    f("tries", tries);
    f("silent_since", silent_since);
    f("lost_after_at", lost_after_at);
  }
  template <partial::A<MissingPsns> C, class F>
  static void visit(C& value, F&& f) {
    auto& [state] = value;
    f("state", state);
  }
  template <partial::A<AnsweredReads> C, class F>
  static void visit(C& value, F&& f) {
    auto& [reads, oldest] = value;
    f("reads", reads);
    f("oldest", oldest);
  }
  template <partial::A<OpenMessages> C, class F>
  static void visit(C& value, F&& f) {
    auto& [open, reads, ended_bytes] = value;
    f("open", open);
    f("reads", reads);
    f("ended_bytes", ended_bytes);
  }
  template <partial::A<ReadAnswers> C, class F>
  static void visit(C& value, F&& f) {
    auto& [attempts, missed, missed_before, wanted, since] = value;
    f("attempts", attempts);
    f("missed", missed);
    f("missed_before", missed_before);
    f("wanted", wanted);
    f("since", since);
  }
  template <partial::A<Recoveries> C, class F>
  static void visit(C& value, F&& f) {
    auto& [evidence, recovery, ended, corrupt] = value;
    f("evidence", evidence);
    f("recovery", recovery);
    f("ended", ended);
    f("corrupt", corrupt);
  }
  template <partial::A<RequestOrder> C, class F>
  static void visit(C& value, F&& f) {
    auto& [started, reliable, covered, beyond, mtu, likely_mtu, times_likely, has_cut_reads, next, expected,
           unacknowledged, loose_end, send_order, beyond_at, last_request, lateness, late_at, missing, sent] = value;
    f("started", started);
    f("reliable", reliable);
    f("covered", covered);
    f("beyond", beyond);
    f("mtu", mtu);
    f("likely_mtu", likely_mtu);
    f("times_likely", times_likely);
    f("has_cut_reads", has_cut_reads);
    f("next", next);
    f("expected", expected);
    f("unacknowledged", unacknowledged);
    f("loose_end", loose_end);
    f("send_order", send_order);
    f("beyond_at", beyond_at);
    f("last_request", last_request);
    f("lateness", lateness);
    f("late_at", late_at);
    f("missing", missing);
    f("sent", sent);
  }
  template <partial::A<SendOrder> C, class F>
  static void visit(C& value, F&& f) {
    auto& [ns, count, last, newest, steps, has_counted] = value;
    f("ns", ns);
    f("count", count);
    f("last", last);
    f("newest", newest);
    f("steps", steps);
    f("has_counted", has_counted);
  }
  template <partial::A<ResponseWatch> C, class F>
  static void visit(C& value, F&& f) {
    auto& [ack_timeout, course, hole, out_of_credits, damaged, has_msn, by_ack, heard, has_unasked_answers] = value;
    f("ack_timeout", ack_timeout);
    f("course", course);
    f("hole", hole);
    f("out_of_credits", out_of_credits);
    f("damaged", damaged);
    f("has_msn", has_msn);
    f("by_ack", by_ack);
    f("heard", heard);
    f("has_unasked_answers", has_unasked_answers);
  }
  template <partial::A<Requester> C, class F>
  static void visit(C& value, F&& f) {
    auto& [order, responses, recoveries, messages, reads, lost_acks, totals, captured_twice, copies] = value;
    f("order", order);
    f("responses", responses);
    f("recoveries", recoveries);
    f("messages", messages);
    f("reads", reads);
    f("lost_acks", lost_acks);
    f("totals", totals);
    f("captured_twice", captured_twice);
    f("copies", copies);
  }
  template <partial::A<StreamNews> C, class F>
  static void visit(C& value, F&& f) {
    auto& [ended, measures, lost_ack, messages, moment, begun, doubt, spare] = value;
    f("messages", messages);
    f("moment", moment);
    f("doubt", doubt);
  }

  // Connections.

  template <partial::A<CongestionState> C, class F>
  static void visit(C& value, F&& f) {
    using Base = std::conditional_t<std::is_const_v<C>, const Congestion, Congestion>;
    f("facts", static_cast<Base&>(value));
    f("running", value.running);
  }
  template <partial::A<RateMeter> C, class F>
  static void visit(C& value, F&& f) {
    auto& [bytes, newest, since, started] = value;
    f("bytes", bytes);
    f("newest", newest);
    f("since", since);
    f("started", started);
  }
  template <partial::A<ReadDepth::Side> C, class F>
  static void visit(C& value, F&& f) {
    auto& [ends] = value;
    f("ends", ends);
  }
  template <partial::A<ConnectionState> C, class F>
  static void visit(C& value, F&& f) {
    auto& [facts, requesters, conformance, reads, wrong_icrcs, reached, shares_mtu, on_express_lane, stray, refusal,
           slots_later, life, progress, payload, slot, uncounted] = value;
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
  }
  template <partial::A<Lifetime> C, class F>
  static void visit(C& value, F&& f) {
    auto& [closed, closed_at, other, waits, source_port, doubt] = value;
    f("closed", closed);
    f("closed_at", closed_at);
    f("other", other);
    f("waits", waits);
    f("source_port", source_port);
    f("doubt", doubt);
  }
  template <partial::A<ConnectionTable> C, class F>
  static void visit(C& value, F&& f) {
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
  template <partial::A<UnpairedFlows> C, class F>
  static void visit(C& value, F&& f) {
    auto& [flows, votes] = value;
    f("flows", flows);
    f("votes", votes);
  }
  template <partial::A<EvictionPlan> C, class F>
  static void visit(C& value, F&& f) {
    auto& [idle_timeout, most, now, astray, quiet, next_look] = value;
    f("now", now);
    f("astray", astray);
    f("quiet", quiet);
    f("next_look", next_look);
  }
  template <partial::A<IcrcSenders> C, class F>
  static void visit(C& value, F&& f) {
    auto& [hosts, last_good] = value;
    f("hosts", hosts);
    f("last_good", last_good);
  }
  template <partial::A<Strays> C, class F>
  static void visit(C& value, F&& f) {
    auto& [strays] = value;
    f("strays", strays);
  }

  // Watchers.

  template <partial::A<HostTable> C, class F>
  static void visit(C& value, F&& f) {
    auto& [interval, frame, last_order, all, pairs, by_connection, strays, untracked] = value;
    f("frame", frame);
    f("last_order", last_order);
    f("all", all);
    f("pairs", pairs);
    f("strays", strays);
    f("untracked", untracked);
  }
  template <partial::A<CongestionWatch> C, class F>
  static void visit(C& value, F&& f) {
    auto& [window, others, ecn, classes, cnps, untracked_cnps] = value;
    f("ecn", ecn);
    f("classes", classes);
    f("cnps", cnps);
    f("untracked_cnps", untracked_cnps);
  }
  template <partial::A<PauseTable> C, class F>
  static void visit(C& value, F&& f) {
    auto& [states, link_speed, sightings, untracked] = value;
    f("states", states);
    f("untracked", untracked);
  }
  template <partial::A<RegionTable> C, class F>
  static void visit(C& value, F&& f) {
    auto& [regions, last, max_regions, untracked] = value;
    f("regions", regions);
    f("untracked", untracked);
  }
  template <partial::A<PayloadWatch> C, class F>
  static void visit(C& value, F&& f) {
    auto& [parts] = value;
    f("parts", parts);
  }
  template <partial::A<StateWatcher> C, class F>
  static void visit(C& value, F&& f) {
    auto& [table, handshakes, strays, runs] = value;
    f("runs", runs);
  }
  template <partial::A<MessageVisits> C, class F>
  static void visit(C& value, F&& f) {
    auto& [visitor, choice, reads] = value;
    f("reads", reads);
  }
  template <partial::A<Observers> C, class F>
  static void visit(C& value, F&& f) {
    f("hosts", value.template get<HostTable>());
    f("congestion", value.template get<CongestionWatch>());
    f("pauses", value.template get<PauseTable>());
    f("regions", value.template get<RegionTable>());
    f("payloads", value.template get<PayloadWatch>());
    f("states", value.template get<StateWatcher>());
    f("messages", value.template get<MessageVisits>());
  }

  // Handshakes.

  template <partial::A<HandshakeTable> C, class F>
  static void visit(C& value, F&& f) {
    auto& [handshakes, made, unplaced, most] = value;
    f("handshakes", handshakes);
    f("made", made);
  }
  template <partial::A<CmSessions> C, class F>
  static void visit(C& value, F&& f) {
    auto& [table, sessions] = value;
    f("sessions", sessions);
  }
  template <partial::A<ExchangeSessions> C, class F>
  static void visit(C& value, F&& f) {
    f("created", value.created_);
    f("regions", value.regions_);
    f("sessions", value.sessions_);
  }
  template <partial::A<OobSessions> C, class F>
  static void visit(C& value, F&& f) {
    auto& [table, streams, oldest] = value;
    f("streams", streams);
    f("oldest", oldest);
  }
  template <partial::A<SetupWatcher> C, class F>
  static void visit(C& value, F&& f) {
    auto& [table, cm, exchange, oob] = value;
    f("table", table);
    f("cm", cm);
    f("exchange", exchange);
    f("oob", oob);
  }

  // Payload.

  template <partial::A<SendAssembly> C, class F>
  static void visit(C& value, F&& f) {
    auto& [runs] = value;
    f("runs", runs);
  }
  template <partial::A<Transfers> C, class F>
  static void visit(C& value, F&& f) {
    auto& [transfers] = value;
    f("transfers", transfers);
  }
  template <partial::A<Messages> C, class F>
  static void visit(C& value, F&& f) {
    auto& [subscribers, streams, kept, given, gave] = value;
    f("streams", streams);
    f("kept", kept);
  }

  // Commands.

  template <partial::A<CommandWatch::Waiting> C, class F>
  static void visit(C& value, F&& f) {
    f("commands", value.commands_);
    f("events", value.events_);
  }
  template <partial::A<CommandWatch::State> C, class F>
  static void visit(C& value, F&& f) {
    auto& [guess, is_sure, is_over, gets_data, carried, waiting, seen, strange] = value;
    f("guess", guess);
    f("is_sure", is_sure);
    f("is_over", is_over);
    f("gets_data", gets_data);
    f("carried", carried);
    f("waiting", waiting);
    f("seen", seen);
    f("strange", strange);
  }
  template <partial::A<CommandLog> C, class F>
  static void visit(C& value, F&& f) {
    f("report", value.report_);
    f("totals", value.totals_);
    f("failures", value.failures_);
    f("troubles", value.troubles_);
    f("joined", value.joined_);
    f("numbered", value.numbered_);
    if constexpr (!std::is_const_v<C>) value.recent_ = {};
  }
  template <partial::A<CommandWatch> C, class F>
  static void visit(C& value, F&& f) {
    f("states", value.states_);
    f("ucx_wire_ups", value.ucx_wire_ups_);
    f("log", value.log_);
    f("follows_some", value.follows_some_);
    f("has_other_wish", value.has_other_wish_);
  }
  template <partial::A<CommandBook> C, class F>
  static void visit(C& value, F&& f) {
    auto& [outstanding, requests, memory, finishing] = value;
    f("outstanding", outstanding);
    f("requests", requests);
    f("memory", memory);
    f("finishing", finishing);
  }
  template <partial::A<CommandBooks> C, class F>
  static void visit(C& value, F&& f) {
    auto& [protocol, connection, counts, books] = value;
    f("connection", connection);
    f("counts", counts);
    f("books", books);
  }
  template <partial::A<NvmeQueue> C, class F>
  static void visit(C& value, F&& f) {
    auto& [connection, known, counts, last_id, book, connect, host_name, subsystem, keep_alive_ms, last_command] =
        value;
    f("connection", connection);
    f("known", known);
    f("counts", counts);
    f("last_id", last_id);
    f("book", book);
    f("connect", connect);
    f("host_name", host_name);
    f("subsystem", subsystem);
    f("keep_alive_ms", keep_alive_ms);
    f("last_command", last_command);
  }
  template <partial::A<NfsConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [client, last_xid, books, chunks, layers] = value;
    f("client", client);
    f("last_xid", last_xid);
    f("books", books);
    f("chunks", chunks);
  }
  template <partial::A<IserConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [initiator, cut, last_tag, books, initiator_name, target_name] = value;
    f("initiator", initiator);
    f("cut", cut);
    f("last_tag", last_tag);
    f("books", books);
    f("initiator_name", initiator_name);
    f("target_name", target_name);
  }
  template <partial::A<SrpConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [known, last_tag, books, tables] = value;
    f("known", known);
    f("last_tag", last_tag);
    f("books", books);
    f("tables", tables);
  }
  template <partial::A<SmbConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [client, credits, books, fragments, last_hash, encrypted, cut, share] = value;
    f("client", client);
    f("credits", credits);
    f("books", books);
    f("fragments", fragments);
    f("last_hash", last_hash);
    f("encrypted", encrypted);
    f("cut", cut);
    f("share", share);
  }
  template <partial::A<SmbCredits> C, class F>
  static void visit(C& value, F&& f) {
    auto& [connection, senders, last] = value;
    f("connection", connection);
    f("senders", senders);
    f("last", last);
  }
  template <partial::A<RdsConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [connection, books, sides] = value;
    f("connection", connection);
    f("books", books);
    f("sides", sides);
  }
  template <partial::A<RsocketsConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [connection, credits, counts] = value;
    f("connection", connection);
    f("credits", credits);
    f("counts", counts);
  }
  template <partial::A<RtrsConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [known, books, writes] = value;
    f("known", known);
    f("books", books);
    f("writes", writes);
  }
  template <partial::A<NamedConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [fit, last, layers] = value;
    f("fit", fit);
    f("last", last);
    f("layers", layers);
  }
  template <partial::A<NinePConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [fit, waiting] = value;
    f("fit", fit);
    f("waiting", waiting);
  }
  template <partial::A<UcxConnection> C, class F>
  static void visit(C& value, F&& f) {
    auto& [fit, waiting] = value;
    f("fit", fit);
    f("waiting", waiting);
  }
  template <partial::A<UcxWireUps> C, class F>
  static void visit(C& value, F&& f) {
    auto& [endpoints, named] = value;
    f("endpoints", endpoints);
    f("named", named);
  }

  // The tracker.

  /// All connections are settled.
  template <partial::A<Tracker::Implementation> C, class F>
  static void visit(C& value, F&& f) {
    f("plan", value.plan_);
    f("table", value.table_);
    f("senders", value.senders_);
    f("strays", value.strays_);
    f("unplaced", value.unplaced_);
    f("uncounted", value.uncounted_);
    f("messages", value.messages_);
    f("setups", value.setups_);
    f("news", value.news_);
    f("doubts", value.doubts_);
    f("observers", value.observers_);
    std::int64_t last_time = value.last_time();
    f("last_time", last_time);
    if constexpr (!std::is_const_v<C>) value.last_time_ = last_time;
  }
  template <partial::A<Tracker> C, class F>
  static void visit(C& value, F&& f) {
    if constexpr (std::is_const_v<C>) {
      const Tracker::Implementation* const implementation = value.implementation_.get();
      f("tracker", implementation == nullptr ? partial::zeros<Tracker::Implementation>() : *implementation);
    } else {
      f("tracker", *value.implementation_);
    }
  }

  // Points.

  template <partial::A<PlaceTable> C, class F>
  static void visit(C& value, F&& f) {
    auto& [places, last] = value;
    f("places", places);
    f("last", last);
  }
  template <partial::A<CopyDelays> C, class F>
  static void visit(C& value, F&& f) {
    auto& [least, most, times, answered_count, answered] = value;
    f("least", least);
    f("most", most);
    f("times", times);
    f("answered_count", answered_count);
    f("answered", answered);
  }
  template <partial::A<AnswerTimes> C, class F>
  static void visit(C& value, F&& f) {
    auto& [count, shortest] = value;
    f("count", count);
    f("shortest", shortest);
  }
  template <partial::A<CopyWatch> C, class F>
  static void visit(C& value, F&& f) {
    auto& [places, shared, pairs, hosts, seen, requests, returns, last_hosts, has_repetitions, has_copies] = value;
    f("places", places);
    f("shared", shared);
    f("pairs", pairs);
    f("hosts", hosts);
    f("seen", seen);
    f("requests", requests);
    f("returns", returns);
    f("last_hosts", last_hosts);
    f("has_repetitions", has_repetitions);
    f("has_copies", has_copies);
  }
  template <partial::A<CapturePoints> C, class F>
  static void visit(C& value, F&& f) {
    auto& [places, watch, interfaces, learned, points, numbers, ranks, sendings, parted, first_points] = value;
    f("places", places);
    f("watch", watch);
    f("interfaces", interfaces);
    f("learned", learned);
    f("points", points);
    f("numbers", numbers);
    f("ranks", ranks);
    f("parted", parted);
    f("first_points", first_points);
    // Each of these points to an entry of `parted`.
    std::vector<HostsAtPlace> hosts;
    if constexpr (std::is_const_v<C>) {
      std::unordered_map<const CapturePoints::Parted*, const HostsAtPlace*> keys;
      for (const auto& [key, each] : parted) keys.emplace(&each, &key);
      for (const auto& each : sendings.ring_) hosts.push_back(*keys.at(each.hosts));
    }
    f("sendings", sendings);
    f("hosts", hosts);
    if constexpr (!std::is_const_v<C>) {
      for (std::size_t i = 0; i < sendings.ring_.size(); ++i) {
        const auto found = i < hosts.size() ? parted.find(hosts[i]) : parted.end();
        sendings.ring_[i].hosts = found == parted.end() ? nullptr : &found->second;
      }
    }
  }
  template <partial::A<CapturePoints::Sendings> C, class F>
  static void visit(C& value, F&& f) {
    auto& [hash, hosts, sent, count, last] = value;
    f("hash", hash);
    f("sent", sent);
    f("count", count);
    f("last", last);
  }
  template <partial::A<FlowComparisons> C, class F>
  static void visit(C& value, F&& f) {
    auto& [flows, seen, names, outside, uncompared] = value;
    f("flows", flows);
    f("seen", seen);
    f("names", names);
    f("outside", outside);
    f("uncompared", uncompared);
  }
  template <partial::A<ComparedFlows> C, class F>
  static void visit(C& value, F&& f) {
    auto& [flows, numbers, windows, answers] = value;  // packets have no answers
    f("flows", flows);
    f("numbers", numbers);
    f("windows", windows);
    if constexpr (!std::is_const_v<C>) {  // each pair has its window by the end
      for (const auto& flow : flows) {
        for (const auto& pair : flow.pairs) static_cast<void>(windows[{pair.low, pair.high}]);
      }
    }
  }

  // Counters.

  template <partial::A<CaptureCounter> C, class F>
  static void visit(C& value, F&& f) {
    auto& [totals, previous_time] = value;
    f("totals", totals);
    f("previous_time", previous_time);
  }
  template <partial::A<CmLog> C, class F>
  static void visit(C& value, F&& f) {
    auto& [events, first_packets, max_events, unlisted] = value;
    f("events", events);
    f("first_packets", first_packets);
    f("unlisted", unlisted);
  }
  template <partial::A<ConnectionSet> C, class F>
  static void visit(C& value, F&& f) {
    auto& [pages] = value;
    f("pages", pages);
  }
  template <partial::A<FlowTable> C, class F>
  static void visit(C& value, F&& f) {
    auto& [states, vacant, index, by_connection, max_flows, untracked, evicted] = value;
    f("states", states);
    f("vacant", vacant);
    f("index", index);
    f("untracked", untracked);
    f("evicted", evicted);
  }
  template <partial::A<IcrcCounter> C, class F>
  static void visit(C& value, F&& f) {
    auto& [totals] = value;
    f("totals", totals);
  }
  template <partial::A<StopCounter> C, class F>
  static void visit(C& value, F&& f) {
    auto& [counts] = value;
    f("counts", counts);
  }
  template <partial::A<ProtocolTree> C, class F>
  static void visit(C& value, F&& f) {
    auto& [nodes, known, max_nodes, untracked] = value;
    f("nodes", nodes);
    f("known", known);
    f("untracked", untracked);
  }
  template <partial::A<UdFlows> C, class F>
  static void visit(C& value, F&& f) {
    auto& [flows, max_flows, untracked, evicted] = value;
    f("flows", flows);
    f("untracked", untracked);
    f("evicted", evicted);
  }
  template <partial::A<FinalNumbers> C, class F>
  static void visit(C& value, F&& f) {
    auto& [after] = value;
    f("after", after);
  }
  /// What took the express lane is counted in the tables.
  template <partial::A<PacketCounters> C, class F>
  static void visit(C& value, F&& f) {
    auto& [all, start, by_capture, by_point, protocols, operations, flows, other_flows, ud_flows, cm, icrc, stops,
           express] = value;
    f("all", all);
    f("start", start);
    f("by_capture", by_capture);
    f("by_point", by_point);
    f("protocols", protocols);
    f("operations", operations);
    f("flows", flows);
    f("other_flows", other_flows);
    f("ud_flows", ud_flows);
    f("cm", cm);
    f("icrc", icrc);
    f("stops", stops);
  }

  // Reading.

  template <partial::A<IcrcVerifier> C, class F>
  static void visit(C& value, F&& f) {
    if constexpr (std::is_const_v<C>) {
      const IcrcVerifier::Flows* const flows = value.flows_.get();
      f("flows", flows == nullptr ? partial::zeros<IcrcVerifier::Flows>().states : flows->states);
    } else {
      f("flows", value.flows_->states);
    }
    f("doubtful", value.doubtful_);
  }
  template <partial::A<PacketPreparer> C, class F>
  static void visit(C& value, F&& f) {
    f("packets", value.packets_);
    f("latest", value.latest_);
    f("verifier", value.verifier_);
    f("points", value.points_);
    std::vector<partial::FrameParts> ahead;
    if constexpr (std::is_const_v<C>) {
      for (const auto& kept : value.ahead_) ahead.push_back(parts_of(kept.frame));
    }
    f("ahead", ahead);
    f("waits", value.waits_);
    if constexpr (!std::is_const_v<C>) {
      value.ahead_.clear();
      for (partial::FrameParts& each : ahead) keep(std::move(each), value.ahead_.emplace_back());
    }
  }
  template <partial::A<PacketReader> C, class F>
  static void visit(C& value, F&& f) {
    f("preparer", value.preparer_);
    f("commands", value.commands_);
    f("tracker", value.tracker_);
    f("first_points", value.first_points_);
    f("first", value.first_);
    f("previous", value.previous_);
    if constexpr (!std::is_const_v<C>) value.preparer_.first_ = value.first_;
  }
  template <partial::A<Analysis> C, class F>
  static void visit(C& value, F&& f) {
    std::uint64_t packets_read = value.packets_read();
    f("packets_read", packets_read);
    if constexpr (!std::is_const_v<C>) value.packets_read_ = packets_read;
    f("counters", value.counters_);
    f("connections", value.connections_);
    f("evicted", value.evicted_);
    f("evicted_numbers", value.evicted_numbers_);
    f("comparisons", value.comparisons_);
    f("evicted_findings", value.evicted_findings_);
    f("reader", value.reader_);
  }

  // What the code takes for granted of values that a file may have otherwise.

  template <partial::A<CapturesBefore> C>
  static bool is_sound(const C& value) {
    return std::ranges::all_of(value.rest,
                               [&](const KeptFrame& kept) { return kept.frame.capture_id < value.captures.size(); });
  }
  template <partial::A<Copies> C>
  static bool is_sound(const C& value) {
    return value.next_ < value.waiting_.size();
  }
  template <partial::A<LostAcks::Try> C>
  static bool is_sound(const C& value) {
    return value.answers <= value.icrcs.size();
  }
  template <partial::A<AnsweredReads> C>
  static bool is_sound(const C& value) {
    return value.reads_.size() <= AnsweredReads::kMost && value.oldest_ < AnsweredReads::kMost &&
           (value.oldest_ == 0 || value.reads_.size() == AnsweredReads::kMost);
  }
  template <partial::A<OpenMessages> C>
  static bool is_sound(const C& value) {
    return value.reads_->presumed <= value.open_.size();
  }
  template <partial::A<Conformance::Stray> C>
  static bool is_sound(const C& value) {
    return value.sender < 2;
  }
  template <partial::A<Doubt> C>
  static bool is_sound(const C& value) {
    return value.first_sender < 2;
  }
  template <partial::A<Strays::Stray> C>
  static bool is_sound(const C& value) {
    return value.request.opcode != nullptr;
  }
  template <partial::A<ConnectionTable> C>
  static bool is_sound(const C& value) {
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
  template <partial::A<HostPair> C>
  static bool is_sound(const C& value) {
    return value.most_buckets > 0 && value.most_buckets <= RateSeries::kMostBuckets;
  }
  template <partial::A<MemoryRegion> C>
  static bool is_sound(const C& value) {
    return value.users.size() == value.user_packets.size();
  }
  template <partial::A<PayloadWatch> C>
  static bool is_sound(const C& value) {
    return std::ranges::all_of(value.parts_, [](const auto& part) {
      return part.empty() || (std::has_single_bit(part.size()) && part.size() >= PayloadWatch::kFewest &&
                              part.size() <= PayloadWatch::kMost);
    });
  }
  template <partial::A<MessageVisits> C>
  static bool is_sound(const C& value) {
    return std::ranges::all_of(value.reads_, [](const auto& entry) { return entry.first.second < 2; });
  }
  template <partial::A<CmSessions::Place> C>
  static bool is_sound(const C& value) {
    return value.side < 2;
  }
  template <partial::A<OobSessions::Line> C>
  static bool is_sound(const C& value) {
    return value.sender < 2;
  }
  template <partial::A<OobSessions::Stream> C>
  static bool is_sound(const C& value) {
    return value.client < 2;
  }
  template <partial::A<SetupWatcher> C>
  static bool is_sound(const C& value) {
    const auto& handshakes = value.table_.handshakes_;
    const auto has = [&](std::uint32_t number) { return handshakes.contains(number); };
    return std::ranges::all_of(handshakes, [](const auto& entry) { return entry.first == entry.second.number; }) &&
           std::ranges::all_of(value.cm_.sessions_, [&](const auto& entry) { return has(entry.second.handshake); }) &&
           std::ranges::all_of(value.exchange_.sessions_, [&](const auto& entry) { return has(entry.second); }) &&
           value.oob_.oldest_.size() == value.oob_.streams_.size();
  }
  template <partial::A<Messages> C>
  static bool is_sound(const C& value) {
    return std::ranges::all_of(
        value.streams_, [&](const auto& entry) { return entry.second.wishes.size() == value.subscribers_.size(); });
  }
  template <partial::A<NvmeConnectBuffer> C>
  static bool is_sound(const C& value) {
    return value.bytes.size() == NvmeConnectBuffer::kSize;
  }
  template <partial::A<NvmeQueue> C>
  static bool is_sound(const C& value) {
    return value.known_.host.value_or(0) < 2;
  }
  template <partial::A<NfsConnection> C>
  static bool is_sound(const C& value) {
    return value.client_.value_or(0) < 2;
  }
  template <partial::A<IserConnection> C>
  static bool is_sound(const C& value) {
    return value.initiator_.value_or(0) < 2;
  }
  template <partial::A<SrpConnection> C>
  static bool is_sound(const C& value) {
    return value.known_.initiator.value_or(0) < 2;
  }
  template <partial::A<SmbConnection> C>
  static bool is_sound(const C& value) {
    return value.client_.value_or(0) < 2 && std::ranges::all_of(value.fragments_, [](const auto& each) {
             return each.bytes.size() <= SmbConnection::kMostKept;
           });
  }
  template <partial::A<RtrsConnection> C>
  static bool is_sound(const C& value) {
    constexpr unsigned kImmediate = 28;  // bits
    return value.known_.client.value_or(0) < 2 && value.known_.place_bits.value_or(0) < kImmediate &&
           std::ranges::all_of(value.writes_,
                               [](const auto& each) { return each.bytes.size() <= RtrsConnection::kMostKept; });
  }
  template <partial::A<SideEvent> C>
  static bool is_sound(const C& value) {
    return value.side < 2 && static_cast<std::size_t>(value.kind) < CommandTroubles::kEvents;
  }
  template <partial::A<CommandBook> C>
  static bool is_sound(const C& value) {
    const auto is_command = [](const auto& open) { return open != nullptr; };
    return std::ranges::all_of(value.outstanding_, [&](const auto& entry) { return is_command(entry.second); }) &&
           std::ranges::all_of(value.finishing_, is_command) &&
           std::ranges::is_sorted(value.outstanding_, {}, &CommandBook::Outstanding::first) &&
           std::ranges::is_sorted(value.requests_);
  }
  template <partial::A<CommandWatch::State> C>
  static bool is_sound(const C& value) {
    if (value.carried == nullptr) return true;
    const Carried* const carried = value.carried.get();
    switch (value.guess.protocol) {
      case UpperProtocol::kNvme:
        return dynamic_cast<const NvmeQueue*>(carried) != nullptr;
      case UpperProtocol::kNfs:
        return dynamic_cast<const NfsConnection*>(carried) != nullptr;
      case UpperProtocol::kIser:
        return dynamic_cast<const IserConnection*>(carried) != nullptr;
      case UpperProtocol::kSrp:
        return dynamic_cast<const SrpConnection*>(carried) != nullptr;
      case UpperProtocol::kSmbDirect:
        return dynamic_cast<const SmbConnection*>(carried) != nullptr;
      case UpperProtocol::kRds:
        return dynamic_cast<const RdsConnection*>(carried) != nullptr;
      case UpperProtocol::kRsockets:
        return dynamic_cast<const RsocketsConnection*>(carried) != nullptr;
      case UpperProtocol::kRtrs:
        return dynamic_cast<const RtrsConnection*>(carried) != nullptr;
      case UpperProtocol::kNineP:
        return dynamic_cast<const NinePConnection*>(carried) != nullptr;
      case UpperProtocol::kUcx:
        return dynamic_cast<const UcxConnection*>(carried) != nullptr;
      default:
        return dynamic_cast<const NamedConnection*>(carried) != nullptr;
    }
  }
  template <partial::A<UcxWireUps> C>
  static bool is_sound(const C& value) {
    return value.endpoints_.size() <= UcxWireUps::kMost &&
           std::ranges::all_of(value.endpoints_, [&](const auto& each) { return each.second < value.named_; });
  }
  template <partial::A<CommandWatch> C>
  static bool is_sound(const C& value) {
    return std::ranges::all_of(value.states_, [](const auto& entry) { return entry.second != nullptr; });
  }
  template <partial::A<Tracker::Implementation> C>
  static bool is_sound(const C& value) {
    return std::ranges::all_of(value.table_.connections_, [&](const auto& connection) {
      return connection == nullptr || connection->facts.handshake == 0 ||
             value.setups_.table().has(connection->facts.handshake);
    });
  }
  static bool is_times(std::uint8_t times) { return times >= 1 && times <= CopyWatch::kMostTimes; }
  template <partial::A<CopyDelays> C>
  static bool is_sound(const C& value) {
    return is_times(value.times_);
  }
  template <partial::A<CopyCounts> C>
  static bool is_sound(const C& value) {
    return is_times(value.times);
  }
  template <partial::A<CopyWatch::Earlier> C>
  static bool is_sound(const C& value) {
    return value.count <= value.times.size();
  }
  template <partial::A<CopyWatch::SeenAt> C>
  static bool is_sound(const C& value) {
    return value.place < PlaceTable::kMost;
  }
  template <partial::A<CopyWatch::Seen> C>
  static bool is_sound(const C& value) {
    return value.places <= value.at.size();
  }
  template <partial::A<CopyWatch::Return> C>
  static bool is_sound(const C& value) {
    return value.place < PlaceTable::kMost && value.direction < 2;
  }
  template <partial::A<CopyWatch> C>
  static bool is_sound(const C& value) {
    const std::size_t places = value.places_.size();
    const auto is_place = [&](const auto& at) { return at.place < places; };
    return places <= PlaceTable::kMost &&
           std::ranges::all_of(value.pairs_,
                               [](const auto& pair) { return pair.first < PlaceTable::kMost * PlaceTable::kMost; }) &&
           std::ranges::all_of(value.hosts_, [&](const auto& entry) { return is_place(entry.first); }) &&
           std::ranges::all_of(value.returns_.ring_, is_place) &&
           std::ranges::all_of(value.seen_.ring_, [&](const auto& seen) {
             return std::ranges::all_of(std::span(seen.at).first(seen.places), is_place);
           });
  }
  template <partial::A<CapturePoints::Parted> C>
  static bool is_sound(const C& value) {
    return is_times(value.times);
  }
  template <partial::A<CapturePoints::Sendings> C>
  static bool is_sound(const C& value) {
    return value.count >= 1 && value.count <= value.last.size();
  }
  template <partial::A<CapturePoints::Stand> C>
  static bool is_sound(const C& value) {
    return value.place < PlaceTable::kMost && value.copy < CopyWatch::kMostTimes;
  }
  template <partial::A<CapturePoints> C>
  static bool is_sound(const C& value) {
    const std::size_t places = value.places_.size();
    return places <= PlaceTable::kMost && value.interfaces_.size() <= PlaceTable::kMost &&
           value.points_.size() <= CapturePoints::kMostPoints && value.watch_.places_.size() <= places &&
           std::ranges::all_of(value.numbers_,
                               [&](const auto& numbers) {
                                 return std::ranges::all_of(
                                     numbers, [&](std::uint8_t number) { return number <= value.points_.size(); });
                               }) &&
           std::ranges::all_of(value.points_,
                               [&](const auto& point) {
                                 return !point.stands.empty() &&
                                        std::ranges::all_of(point.stands,
                                                            [&](const auto& stand) { return stand.place < places; });
                               }) &&
           std::ranges::all_of(value.sendings_.ring_, [](const auto& each) { return each.hosts != nullptr; });
  }
  template <partial::A<FlowComparisons::Seen> C>
  static bool is_sound(const C& value) {
    return value.points <= value.at.size();
  }
  template <partial::A<ComparedFlows> C>
  static bool is_sound(const C& value) {
    return std::ranges::all_of(value.numbers_, [&](const auto& entry) { return entry.second < value.flows_.size(); });
  }
  template <partial::A<FlowComparisons> C>
  static bool is_sound(const C& value) {
    const auto& flows = value.flows_.flows_;
    return std::ranges::all_of(value.seen_.ring_, [&](const auto& seen) { return seen.flow < flows.size(); }) &&
           std::ranges::all_of(value.outside_, [&](const auto& each) {
             return each.flow < flows.size() && each.pair < flows[each.flow].pairs.size() && each.side < 2;
           });
  }
  template <partial::A<FlowTable> C>
  static bool is_sound(const C& value) {
    std::vector<bool> free(value.states_.size());
    for (const std::uint32_t slot : value.vacant_) {
      if (slot >= free.size() || free[slot]) return false;
      free[slot] = true;
    }
    return has_all(value.index_, [&](std::uint32_t slot) { return slot < free.size() && !free[slot]; });
  }
  /// Each node but the first has its parent before it, and is listed once at most: the tree ends.
  template <partial::A<ProtocolTree> C>
  static bool is_sound(const C& value) {
    const auto& nodes = value.nodes_;
    if (nodes.empty() || nodes.size() > value.max_nodes_ || nodes[0].next_sibling != 0) return false;
    std::vector<bool> listed(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0 && nodes[i].parent >= i) return false;
      for (const std::uint32_t next : {nodes[i].first_child, nodes[i].next_sibling}) {
        if (next >= nodes.size()) return false;
        if (next == ProtocolTree::kNothing) continue;
        if (listed[next]) return false;
        listed[next] = true;
      }
    }
    return std::ranges::all_of(value.known_, [&](const auto& known) { return known.leaf < nodes.size(); });
  }
  template <partial::A<PacketPreparer> C>
  static bool is_sound(const C& value) {
    return value.waits_ != value.ahead_.empty();
  }
  template <partial::A<Analysis> C>
  static bool is_sound(const C& value) {
    const std::size_t captures = value.captures().size();
    const PacketPreparer& preparer = value.reader_.preparer_;
    const auto has = [&](std::uint32_t capture) { return capture < captures; };
    return value.counters_.by_capture_.size() <= captures &&
           std::ranges::all_of(preparer.points_.places_.places_,
                               [&](const Place& place) { return has(place.capture); }) &&
           std::ranges::all_of(preparer.ahead_, [&](const auto& kept) { return has(kept.frame.capture_id); });
  }
};

}  // namespace rocescope
