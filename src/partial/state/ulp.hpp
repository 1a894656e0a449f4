// The commands of what connections carry: src/ulp/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "partial/state_members.hpp"
#include "ulp/command_watch.hpp"
#include "ulp/iser/iser_connection.hpp"
#include "ulp/named/named_connection.hpp"
#include "ulp/named/nccl_connection.hpp"
#include "ulp/named/nine_p_connection.hpp"
#include "ulp/named/ucx_connection.hpp"
#include "ulp/nfs/nfs_connection.hpp"
#include "ulp/nvme/nvme_queue.hpp"
#include "ulp/rds/rds_connection.hpp"
#include "ulp/rsockets/rsockets_connection.hpp"
#include "ulp/rtrs/rtrs_connection.hpp"
#include "ulp/smb_direct/smb_connection.hpp"
#include "ulp/srp/srp_connection.hpp"

namespace rocescope {

namespace partial {

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
  Perhaps<NcclConnection> nccl;
};

}  // namespace partial

template <>
struct StateMembers::Of<std::unique_ptr<Carried>> {
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
    parts.nccl.known = dynamic_cast<const NcclConnection*>(value.get());
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
    if (parts.nccl.own) value = std::move(parts.nccl.own);
    return true;
  }
};

template <>
struct StateMembers::Of<NvmeQueue> {
  static std::unique_ptr<NvmeQueue> make() { return std::make_unique<NvmeQueue>(0, NvmeQueue::Known()); }

  static void visit(NvmeQueue& value, const Visit& f) {
    auto& [connection, known, counts, last_id, connect_id, book, connect, host_name, subsystem, keep_alive_ms,
           last_command, last_packet] = value;
    f("connection", connection);
    f("known", known);
    f("counts", counts);
    f("last_id", last_id);
    f("connect_id", connect_id);
    f("book", book);
    f("connect", connect);
    f("host_name", host_name);
    f("subsystem", subsystem);
    f("keep_alive_ms", keep_alive_ms);
    f("last_command", last_command);
    f("last_packet", last_packet);
  }

  static bool is_sound(const NvmeQueue& value) { return value.known_.host.value_or(0) < 2; }
};

template <>
struct StateMembers::Of<NfsConnection> {
  static std::unique_ptr<NfsConnection> make() { return std::make_unique<NfsConnection>(0, std::nullopt); }

  static void visit(NfsConnection& value, const Visit& f) {
    auto& [client, last_xid, books, chunks, late, message] = value;
    f("client", client);
    f("last_xid", last_xid);
    f("books", books);
    f("chunks", chunks);
    f("late", late);
  }

  static bool is_sound(const NfsConnection& value) {
    return value.client_.value_or(0) < 2 && value.late_.size() <= NfsConnection::kMostLate &&
           std::ranges::all_of(value.late_, [](const auto& each) { return each.caller < 2; });
  }
};

template <>
struct StateMembers::Of<IserConnection> {
  static std::unique_ptr<IserConnection> make() { return std::make_unique<IserConnection>(0, std::nullopt); }

  static void visit(IserConnection& value, const Visit& f) {
    auto& [initiator, cut, last_tag, books, initiator_name, target_name] = value;
    f("initiator", initiator);
    f("cut", cut);
    f("last_tag", last_tag);
    f("books", books);
    f("initiator_name", initiator_name);
    f("target_name", target_name);
  }

  static bool is_sound(const IserConnection& value) { return value.initiator_.value_or(0) < 2; }
};

template <>
struct StateMembers::Of<SrpConnection> {
  static std::unique_ptr<SrpConnection> make() { return std::make_unique<SrpConnection>(0, SrpConnection::Known()); }

  static void visit(SrpConnection& value, const Visit& f) {
    auto& [known, last_tag, books, tables] = value;
    f("known", known);
    f("last_tag", last_tag);
    f("books", books);
    f("tables", tables);
  }

  static bool is_sound(const SrpConnection& value) { return value.known_.initiator.value_or(0) < 2; }
};

template <>
struct StateMembers::Of<SmbConnection> {
  static std::unique_ptr<SmbConnection> make() { return std::make_unique<SmbConnection>(0, std::nullopt); }

  static void visit(SmbConnection& value, const Visit& f) {
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

  static bool is_sound(const SmbConnection& value) {
    return value.client_.value_or(0) < 2 && std::ranges::all_of(value.fragments_, [](const auto& each) {
             return each.bytes.size() <= SmbConnection::kMostKept;
           });
  }
};

template <>
struct StateMembers::Of<RdsConnection> {
  static std::unique_ptr<RdsConnection> make() { return std::make_unique<RdsConnection>(0); }

  static void visit(RdsConnection& value, const Visit& f) {
    auto& [connection, books, sides] = value;
    f("connection", connection);
    f("books", books);
    f("sides", sides);
  }
};

template <>
struct StateMembers::Of<RsocketsConnection> {
  static std::unique_ptr<RsocketsConnection> make() { return std::make_unique<RsocketsConnection>(0, std::nullopt); }

  static void visit(RsocketsConnection& value, const Visit& f) {
    auto& [connection, credits, counts, buffers] = value;
    f("connection", connection);
    f("credits", credits);
    f("counts", counts);
    f("buffers", buffers);
  }
};

template <>
struct StateMembers::Of<RtrsConnection> {
  static std::unique_ptr<RtrsConnection> make() { return std::make_unique<RtrsConnection>(0, RtrsConnection::Known{}); }

  static void visit(RtrsConnection& value, const Visit& f) {
    auto& [known, books, writes, asked, likely_bits, votes] = value;
    f("known", known);
    f("books", books);
    f("writes", writes);
    f("asked", asked);
    f("likely_bits", likely_bits);
    f("votes", votes);
  }

  static bool is_sound(const RtrsConnection& value) {
    constexpr unsigned kImmediate = 28;  // bits
    return value.known_.client.value_or(0) < 2 && value.known_.place_bits.value_or(0) < kImmediate &&
           value.likely_bits_ < kImmediate && value.asked_.size() <= RtrsConnection::kMostAsked &&
           std::ranges::all_of(value.asked_, [](const auto& each) { return each.open != nullptr; }) &&
           std::ranges::all_of(value.writes_,
                               [](const auto& each) { return each.bytes.size() <= RtrsConnection::kMostKept; });
  }
};

template <>
struct StateMembers::Of<NamedConnection> {
  static std::unique_ptr<NamedConnection> make() { return std::make_unique<NamedConnection>(); }

  static void visit(NamedConnection& value, const Visit& f) {
    auto& [fit, last, layers] = value;
    f("fit", fit);
    f("last", last);
    f("layers", layers);
  }
};

template <>
struct StateMembers::Of<NinePConnection> {
  static std::unique_ptr<NinePConnection> make() { return std::make_unique<NinePConnection>(); }

  static void visit(NinePConnection& value, const Visit& f) {
    auto& [fit, waiting] = value;
    f("fit", fit);
    f("waiting", waiting);
  }
};

template <>
struct StateMembers::Of<UcxConnection> {
  static std::unique_ptr<UcxConnection> make() { return std::make_unique<UcxConnection>(); }

  static void visit(UcxConnection& value, const Visit& f) {
    auto& [fit, waiting, seen, kinds, tags] = value;
    f("fit", fit);
    f("waiting", waiting);
    f("seen", seen);
    f("kinds", kinds);
    f("tags", tags);
  }
};

template <>
struct StateMembers::Of<NcclConnection> {
  static std::unique_ptr<NcclConnection> make() { return std::make_unique<NcclConnection>(); }

  static void visit(NcclConnection& value, const Visit& f) {
    auto& [fit, numbers, places] = value;
    f("fit", fit);
    f("numbers", numbers);
    f("places", places);
  }

  static bool is_sound(const NcclConnection& value) {
    return std::ranges::all_of(value.places_,
                               [](const auto& places) { return places.size() <= NcclConnection::kMostPlaces; });
  }
};

template <>
struct StateMembers::Of<DepthMeter> {
  static void visit(DepthMeter& value, const Visit& f) {
    auto& [series, time, outstanding, waiting, due, now, latest, is_known] = value;
    f("series", series);
    f("time", time);
    f("outstanding", outstanding);
    f("waiting", waiting);
    f("due", due);
    f("now", now);
    f("latest", latest);
    f("is_known", is_known);
  }

  static bool is_sound(const DepthMeter& value) {
    const DepthSeries& series = value.series_;
    const auto is_time = [](std::int64_t time) { return time >= 0 && time <= DepthMeter::kLatest; };
    if (series.width < 1 || series.width > DepthMeter::kLatest || !is_time(value.time_) || !is_time(value.now_) ||
        !is_time(value.latest_) || value.due_ > 2 * DepthMeter::kMostWaiting ||
        value.outstanding_ < -DepthMeter::kLatest || value.outstanding_ > DepthMeter::kLatest ||
        std::ranges::any_of(value.waiting_, [&](const auto& change) { return !is_time(change.time); }))
      return false;
    return series.empty() || (series.start % series.width == 0 && value.time_ >= value.last_start() &&
                              value.time_ - value.last_start() < series.width);
  }
};

template <>
struct StateMembers::Of<CommandWatch::Waiting> {
  static void visit(CommandWatch::Waiting& value, const Visit& f) {
    f("commands", value.commands_);
    f("events", value.events_);
  }
};

template <>
struct StateMembers::Of<CommandWatch::State> {
  static void visit(CommandWatch::State& value, const Visit& f) {
    auto& [guess, is_sure, is_over, is_denied, is_second, gets_data, carried, waiting, seen, strange, may_wait, named] =
        value;
    f("guess", guess);
    f("is_sure", is_sure);
    f("is_over", is_over);
    f("is_denied", is_denied);
    f("is_second", is_second);
    f("gets_data", gets_data);
    f("carried", carried);
    f("waiting", waiting);
    f("seen", seen);
    f("strange", strange);
    f("may_wait", may_wait);
    f("named", named);
  }

  static bool is_sound(const CommandWatch::State& value) {
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
      case UpperProtocol::kNccl:
        return dynamic_cast<const NcclConnection*>(carried) != nullptr;
      default:
        return dynamic_cast<const NamedConnection*>(carried) != nullptr;
    }
  }
};

template <>
struct StateMembers::Of<CommandRetries> {
  static void visit(CommandRetries& value, const Visit& f) {
    auto& [tries, count, waiting, lost, now, evicts, places] = value;
    static_cast<void>(evicts);  // false between packets
    f("tries", tries);
    f("count", count);
    f("waiting", waiting);
    f("lost", lost);
    f("now", now);
    f("places", places);
  }

  static bool is_sound(const CommandRetries& value) {
    std::size_t count = 0;
    std::unordered_map<std::uint32_t, std::size_t> waiting;
    for (const auto& [wish, tries] : value.tries_) {
      if (tries.empty()) return false;
      count += tries.size();
      for (const CommandRetries::Try& each : tries) {
        if (each.waits) ++waiting[each.connection];
      }
    }
    return value.count_ == count && count <= CommandRetries::kMostTries && value.waiting_ == waiting;
  }
};

template <>
struct StateMembers::Of<CommandLog> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    f("report", value.report_);
    f("rows", value.rows_);
    f("timed", value.timed_);
    f("late", value.late_);
    f("failures", value.failures_);
    f("troubles", value.troubles_);
    f("retries", value.retries_);
    f("joined", value.joined_);
    f("numbered", value.numbered_);
    if constexpr (!std::is_const_v<C>) {
      value.recent_ = {};
      value.last_ = {};
    }
  }

  static bool is_sound(const CommandLog& value) {
    const CommandReport& report = value.report_;
    const auto is_row = [&](std::uint32_t row) { return row < report.totals.size(); };
    return std::ranges::all_of(value.rows_, [&](const auto& entry) { return is_row(entry.second); }) &&
           std::ranges::all_of(value.timed_,
                               [&](const CommandLog::Timed& each) {
                                 return each.place < report.commands.size() &&
                                        (each.row == CommandLog::kNoRow || is_row(each.row));
                               }) &&
           value.late_.size() <= CommandLog::kMostLate &&
           std::ranges::all_of(value.late_, [&](const CommandLog::Late& each) {
             const bool is_place = each.place == CommandLog::kUnlisted || each.place < report.commands.size();
             return is_place && is_row(each.row) && each.responder < 2;
           });
  }
};

template <>
struct StateMembers::Of<CommandWatch> {
  static void visit(CommandWatch& value, const Visit& f) {
    f("states", value.states_);
    f("ucx_wire_ups", value.ucx_wire_ups_);
    f("log", value.log_);
    f("last_waiting", value.last_waiting_);
    f("may_wait", value.may_wait_);
    f("follows_some", value.follows_some_);
    f("has_other_wish", value.has_other_wish_);
  }

  static bool is_sound(const CommandWatch& value) {
    return std::ranges::all_of(value.states_, [](const auto& entry) { return entry.second != nullptr; });
  }
};

template <>
struct StateMembers::Of<CommandBook> {
  static void visit(CommandBook& value, const Visit& f) {
    auto& [last_issued, outstanding, requests, memory, spare, finishing, last_late, round_trip, acks, taken] = value;
    f("last_issued", last_issued);
    f("outstanding", outstanding);
    f("requests", requests);
    f("memory", memory);
    f("finishing", finishing);
    f("last_late", last_late);
    f("round_trip", round_trip);
    f("acks", acks);
    f("taken", taken);
  }

  static bool is_sound(const CommandBook& value) {
    const auto is_command = [](const auto& open) { return open != nullptr; };
    const auto is_each_once = [](const auto& outstanding) {
      const auto is_behind = [](const auto& a, const auto& b) { return a.first >= b.first; };
      return std::ranges::adjacent_find(outstanding, is_behind) == outstanding.end();
    };
    return std::ranges::all_of(value.outstanding_, [&](const auto& entry) { return is_command(entry.second); }) &&
           std::ranges::all_of(value.finishing_, is_command) && is_each_once(value.outstanding_) &&
           std::ranges::is_sorted(value.requests_) && value.taken_.size() <= CommandBook::kMostTaken;
  }
};

template <>
struct StateMembers::Of<CommandBooks> {
  static void visit(CommandBooks& value, const Visit& f) {
    auto& [protocol, connection, counts, books] = value;
    f("connection", connection);
    f("counts", counts);
    f("books", books);
  }
};

template <>
struct StateMembers::Of<SmbCredits> {
  static void visit(SmbCredits& value, const Visit& f) {
    auto& [connection, senders, last] = value;
    f("connection", connection);
    f("senders", senders);
    f("last", last);
  }
};

template <>
struct StateMembers::Of<UcxWireUps> {
  static void visit(UcxWireUps& value, const Visit& f) {
    auto& [endpoints, named] = value;
    f("endpoints", endpoints);
    f("named", named);
  }

  static bool is_sound(const UcxWireUps& value) {
    return value.endpoints_.size() <= UcxWireUps::kMost &&
           std::ranges::all_of(value.endpoints_, [&](const auto& each) { return each.second < value.named_; });
  }
};

template <>
struct StateMembers::Of<NvmeDataBuffer> {
  static bool is_sound(const NvmeDataBuffer& value) {
    return value.bytes.size() <= value.wanted() && value.shown_from <= value.shown_to &&
           value.shown_to <= value.bytes.size();
  }
};

template <>
struct StateMembers::Of<SideEvent> {
  static bool is_sound(const SideEvent& value) {
    return value.side < 2 && static_cast<std::size_t>(value.kind) < CommandTroubles::kEvents;
  }
};

}  // namespace rocescope
