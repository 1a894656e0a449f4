// Short sequences for the PSN engine: each line of a recipe is a packet and the verdict on it.
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tracking/requests/requester.hpp"

namespace rocescope::testing {

inline constexpr std::int64_t kAckTimeout = 67'108'864;  ///< nanoseconds: 4.096 us x 2^14

/// `retransmission nak before of 3 by 5`: kind, cause, where it was lost, related frame, evidence, missing PSNs.
inline std::string text_of(const Verdict& verdict) {
  std::ostringstream out;
  out << to_string(verdict.kind);
  if (verdict.cause != ResendCause::kNone) out << ' ' << to_string(verdict.cause);
  if (verdict.lost != LostWhere::kNowhere) out << ' ' << to_string(verdict.lost);
  if (verdict.missing != 0) out << " missing " << verdict.missing;
  if (verdict.related != 0) out << " of " << verdict.related;
  if (verdict.evidence != 0) out << " by " << verdict.evidence;
  return out.str();
}

/// A stream of RC packets with a path MTU of 1024. A line of a recipe is `TIME_US WHAT PSN [LENGTH]`, then `=` and the
/// verdict; frames are numbered from 1. LENGTH of an RNR NAK is its timer code, of
/// an ACK its MSN, and `ack0` is one without credits; `corrupt` is a request with a wrong ICRC, `cut_read` a READ without RETH. `#NUMBER` at the end is the
/// IPv4 identification, 0 without it.
class Stream {
 public:
  explicit Stream(std::uint32_t mtu = 1024) { requester.set_mtu(mtu); }

  /// Plays the recipe and compares verdicts.
  void play(const std::string& recipe) {
    std::istringstream lines(recipe);
    for (std::string line; std::getline(lines, line);) {
      if (line.find_first_not_of(' ') == std::string::npos) continue;
      const std::size_t equals = line.find('=');
      std::string expected = line.substr(equals + 1);
      expected.erase(0, expected.find_first_not_of(' '));
      EXPECT_EQ(text_of(packet(line.substr(0, equals))), expected) << "frame " << frame << ": " << line;
      if (requester.ended_recovery() != nullptr) recoveries.push_back(*requester.ended_recovery());
      for (const Measure& measure : news.measures) {
        std::ostringstream out;
        out << frame << ": " << to_string(measure.kind) << ' ';
        measure.withdrawn ? out << "withdrawn" : out << static_cast<double>(measure.ns) / 1000;
        if (measure.asked_ns != 0) out << " of " << static_cast<double>(measure.asked_ns) / 1000;
        measured.push_back(out.str());
      }
    }
  }

  Requester requester;
  std::uint64_t frame = 0;
  StreamNews news;              ///< ended: all that did so far
  std::uint32_t icrc_salt = 0;  ///< changes the ICRC of what is sent from now on, as another IP identification does
  bool asks_for_acks = false;   ///< with the end of each message; and each response is another packet
  /// The address of the next READs, in path MTUs from some region's beginning; without it they have none.
  std::optional<std::uint32_t> read_offset;
  TrackOptions options;
  std::int64_t watched_since = RequestPacket{}.watched_since;  ///< of the next requests
  std::vector<Recovery> recoveries;                            ///< that ended
  /// The message times, us, of the READs that completed last: they count once their requester does not ask for them again.
  [[nodiscard]] std::vector<std::int64_t> read_times() const {
    std::vector<std::int64_t> times;
    for (const Message& read : requester.answered_reads()) {
      times.push_back((read.completion_time - read.first_time) / 1000);
    }
    return times;
  }

  std::vector<std::string> measured;  ///< `FRAME: KIND US [of US]`

 private:
  Verdict packet(const std::string& line) {
    std::istringstream words(line);
    double microseconds = 0;
    std::string what;
    std::uint32_t psn = 0;
    std::uint32_t length = 0;
    std::uint16_t identification = 0;
    const std::size_t hash = line.find('#');
    if (hash != std::string::npos) identification = static_cast<std::uint16_t>(std::stoul(line.substr(hash + 1)));
    words >> microseconds >> what >> psn >> length;
    ++frame;
    const auto time = static_cast<std::int64_t>(microseconds * 1000);
    using Kind = ResponsePacket::Kind;
    static const std::map<std::string, std::pair<Kind, Position>> kResponses = {
        {"ack", {Kind::kAck, Position::kOnly}},         {"ack0", {Kind::kAck, Position::kOnly}},
        {"rnr", {Kind::kRnrNak, Position::kOnly}},      {"nak", {Kind::kSequenceNak, Position::kOnly}},
        {"refuse", {Kind::kFatalNak, Position::kOnly}}, {"atomic_ack", {Kind::kAtomicAck, Position::kOnly}},
        {"r_first", {Kind::kRead, Position::kFirst}},   {"r_middle", {Kind::kRead, Position::kMiddle}},
        {"r_last", {Kind::kRead, Position::kLast}},     {"r_only", {Kind::kRead, Position::kOnly}}};
    if (const auto response = kResponses.find(what); response != kResponses.end()) {
      return requester.response({.kind = response->second.first,
                                 .position = response->second.second,
                                 .psn = Psn(psn),
                                 .frame = frame,
                                 .time = time,
                                 .icrc = asks_for_acks ? static_cast<std::uint32_t>(frame) + icrc_salt : 0,
                                 .payload = length,
                                 .value = static_cast<std::uint8_t>(what == "rnr"    ? length
                                                                    : what == "ack0" ? 0
                                                                                     : 31),
                                 .msn = what.starts_with("ack") && length != 0 ? std::optional(length) : std::nullopt},
                                options, news);
    }
    if (what == "corrupt") {
      requester.corrupt({.opcode = &opcode_info(0x04), .psn = Psn(psn), .frame = frame, .time = time}, news);
      return {};
    }
    if (what == "r_corrupt") {
      requester.corrupt_response(news);
      return {};
    }
    static const std::map<std::string, std::uint8_t> kRequests = {
        {"send", 0x04},    {"s_first", 0x00},  {"s_middle", 0x01},     {"s_last", 0x02},  {"write", 0x0A},
        {"w_first", 0x06}, {"w_middle", 0x07}, {"w_last", 0x08},       {"read", 0x0C},    {"fadd", 0x14},
        {"cswap", 0x13},   {"flush", 0x1C},    {"atomic_write", 0x1D}, {"cut_read", 0x0C}};
    const OpcodeInfo& opcode = opcode_info(kRequests.at(what));
    RequestPacket request{.opcode = &opcode,
                          .psn = Psn(psn),
                          .frame = frame,
                          .time = time,
                          .icrc = psn * 7 + length + icrc_salt + identification * 1'000'003U,
                          .identification = identification,
                          .watched_since = watched_since};
    request.asks_for_ack = asks_for_acks && (opcode.position == Position::kOnly || opcode.position == Position::kLast);
    if (what == "read") {
      request.dma_length = length;
      if (read_offset) request.address = 0x1000 + std::uint64_t{*read_offset} * 1024;
    } else if (what != "cut_read") {
      request.payload = length;
    }
    return requester.request(request, options, news);
  }
};

}  // namespace rocescope::testing
