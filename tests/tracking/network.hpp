// Short sequences for the whole tracker: packets of several hosts and queue pairs, mixed, each with its verdict.
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "rocescope/dissect.hpp"
#include "rocescope/tracker.hpp"
#include "stream.hpp"
#include "support/rc_packet.hpp"

namespace rocescope::testing {

/// Hosts 10.0.0.1 to 10.0.0.9 and their RC packets. A line of a recipe is `TIME_US FROM>TO:DEST_QP WHAT PSN [LENGTH]`, then
/// `=`, the number of the connection and the verdict; frames are numbered from 1. LENGTH is that of the payload, of a READ
/// that of its responses, of an ACK or NAK the MSN, which is 1 without it. All have the same UDP source port, so that one answer is enough to pair two hosts' queue pairs.
class Network {
 public:
  /// Plays the recipe and compares connections and verdicts.
  void play(const std::string& recipe) {
    std::istringstream lines(recipe);
    for (std::string line; std::getline(lines, line);) {
      if (line.find_first_not_of(' ') == std::string::npos) continue;
      const std::size_t equals = line.find('=');
      std::istringstream words(line.substr(equals + 1));
      std::string expected;
      for (std::string word; words >> word;) expected += (expected.empty() ? "" : " ") + word;
      const Verdict verdict = packet(line.substr(0, equals));
      const std::string text = text_of(verdict);
      EXPECT_EQ(std::to_string(verdict.connection) + (text.empty() ? "" : " " + text), expected)
          << "frame " << frame << ": " << line;
    }
  }

  /// The connection with this number. Nothing can be played after it.
  const Connection& connection(std::uint32_t number) {
    if (tracking_.connections.empty()) tracking_ = std::move(tracker).finish();
    for (const Connection& each : tracking_.connections) {
      if (each.number == number) return each;
    }
    throw std::out_of_range("no such connection");
  }

  Tracker tracker;
  std::uint64_t frame = 0;

 private:
  Verdict packet(const std::string& line) {
    std::istringstream words(line);
    double microseconds = 0;
    char from = 0;
    char to = 0;
    char mark = 0;
    std::string what;
    RcPacket made;
    std::uint32_t length = 0;
    words >> microseconds >> from >> mark >> to >> mark >> made.dest_qp >> what >> made.psn >> length;
    made.from = static_cast<std::uint8_t>(from - '0');
    made.to = static_cast<std::uint8_t>(to - '0');
    static const std::map<std::string, std::uint8_t> kOpcodes = {
        {"send", 0x04}, {"w_first", 0x06}, {"w_middle", 0x07}, {"w_last", 0x08}, {"write", 0x0A},
        {"read", 0x0C}, {"r_only", 0x10},  {"ack", 0x11},      {"nak", 0x11},    {"cnp", 0x81}};
    made.opcode = kOpcodes.at(what);
    if (what == "read" || what == "write" || what == "w_first") {
      made.after_bth = reth(length, what == "read" ? 0 : length);
    } else if (what == "ack" || what == "nak" || what == "r_only") {
      made.after_bth = aeth(what == "nak" ? 0x60 : 0x1F, what == "r_only" || length == 0 ? 1 : length);
      if (what == "r_only") made.after_bth.resize(made.after_bth.size() + length, 0xA5);
    } else {
      made.after_bth.resize(what == "cnp" ? 16 : length, 0xA5);
    }
    const Buffer bytes = rc_packet(made);
    Packet dissected;
    dissect({.data = bytes,
             .original_length = static_cast<std::uint32_t>(bytes.size()),
             .timestamp = static_cast<std::int64_t>(microseconds * 1000),
             .number = ++frame},
            dissected);
    PacketRecord record;
    record.packet = &dissected;
    record.icrc = check_icrc(dissected);
    return tracker.track(record);
  }

  Tracking tracking_;
};

}  // namespace rocescope::testing
