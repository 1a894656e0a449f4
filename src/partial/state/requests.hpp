// What follows the requests of one side: src/tracking/requests/.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "partial/state_members.hpp"

namespace rocescope {

namespace partial {

/// Bit-fields: nothing can refer to these.
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

}  // namespace partial

template <>
struct StateMembers::Of<SentPackets> {
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
};

template <>
struct StateMembers::Of<ReadAnswers> {
  static std::unique_ptr<ReadAnswers> make() { return std::make_unique<ReadAnswers>(Psn(), 0); }

  static void visit(ReadAnswers& value, const Visit& f) {
    auto& [attempts, missed, missed_before, skipped, wanted, since] = value;
    f("attempts", attempts);
    f("missed", missed);
    f("missed_before", missed_before);
    f("skipped", skipped);
    f("wanted", wanted);
    f("since", since);
  }
};

template <>
struct StateMembers::Of<Copies> {
  static void visit(Copies& value, const Visit& f) {
    auto& [waiting, next] = value;
    f("waiting", waiting);
    f("next", next);
  }

  static bool is_sound(const Copies& value) { return value.next_ < value.waiting_.size(); }
};

template <>
struct StateMembers::Of<LostAcks> {
  static void visit(LostAcks& value, const Visit& f) {
    auto& [current, tries, silent_since, lost_after_at] = value;
    f("try", current);
    f("tries", tries);
    f("silent_since", silent_since);
    f("lost_after_at", lost_after_at);
  }
};

template <>
struct StateMembers::Of<MissingPsns> {
  static void visit(MissingPsns& value, const Visit& f) {
    auto& [state] = value;
    f("state", state);
  }
};

template <>
struct StateMembers::Of<AnsweredReads> {
  static void visit(AnsweredReads& value, const Visit& f) {
    auto& [reads, oldest] = value;
    f("reads", reads);
    f("oldest", oldest);
  }

  static bool is_sound(const AnsweredReads& value) {
    return value.reads_.size() <= AnsweredReads::kMost && value.oldest_ < AnsweredReads::kMost &&
           (value.oldest_ == 0 || value.reads_.size() == AnsweredReads::kMost);
  }
};

template <>
struct StateMembers::Of<OpenMessages> {
  static void visit(OpenMessages& value, const Visit& f) {
    auto& [open, reads, ended_bytes] = value;
    f("open", open);
    f("reads", reads);
    f("ended_bytes", ended_bytes);
  }

  static bool is_sound(const OpenMessages& value) { return value.reads_->presumed <= value.open_.size(); }
};

template <>
struct StateMembers::Of<Recoveries> {
  static void visit(Recoveries& value, const Visit& f) {
    auto& [evidence, recovery, ended, corrupt] = value;
    f("evidence", evidence);
    f("recovery", recovery);
    f("ended", ended);
    f("corrupt", corrupt);
  }
};

template <>
struct StateMembers::Of<RequestOrder> {
  static void visit(RequestOrder& value, const Visit& f) {
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
};

template <>
struct StateMembers::Of<SendOrder> {
  static void visit(SendOrder& value, const Visit& f) {
    auto& [ns, count, last, newest, steps, has_counted] = value;
    f("ns", ns);
    f("count", count);
    f("last", last);
    f("newest", newest);
    f("steps", steps);
    f("has_counted", has_counted);
  }
};

template <>
struct StateMembers::Of<ResponseWatch> {
  static void visit(ResponseWatch& value, const Visit& f) {
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
};

template <>
struct StateMembers::Of<Requester> {
  static void visit(Requester& value, const Visit& f) {
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
};

template <>
struct StateMembers::Of<StreamNews> {
  static void visit(StreamNews& value, const Visit& f) {
    auto& [ended, measures, lost_ack, needless, is_nak_copy, messages, moment, begun, doubt, spare] = value;
    f("messages", messages);
    f("moment", moment);
    f("doubt", doubt);
  }
};

template <>
struct StateMembers::Of<LostAcks::Try> {
  static bool is_sound(const LostAcks::Try& value) { return value.answers <= value.icrcs.size(); }
};

}  // namespace rocescope
