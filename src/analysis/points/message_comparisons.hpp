// Compares what several capture points saw of the same messages, where their packets are not at hand.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/points/capture_faults.hpp"
#include "analysis/points/compared_flows.hpp"
#include "analysis/points/seen_message.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/message.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Takes 96 bytes a message, and twice as much of a READ, whose responses are a message of their own; and up to 25 bytes more where all
/// are of one flow. Two points saw the same message if it is of the same flow, operation, PSN and memory, if the ICRC of its first packet
/// does not tell them apart, and if the time between them is about that of most others: the clocks of two hosts may differ by any time.
///
/// Requests are compared, and READ responses; ACKs are not. What a point counts of a message ends when it was answered
/// there, so that a packet which the other point saw later is not compared. Of a message that was completed all packets
/// passed both points once: where one lacks some of these, its capture missed them, and what else it lacks may have
/// passed as well. Where a capture has packets twice, how often it has them says nothing. READ responses are counted
/// between READs whose responses both points saw once each: the last responses of these READs are the same packets.
class MessageComparisons {
 public:
  /// Where more come, flows are left out as their messages come.
  static constexpr std::size_t kMostMessages = std::size_t{1} << 23;

  /// So many will come, about, at most kMostMessages: room is made at once, since growing takes half as much again.
  void expect(std::uint64_t messages) { seen_.reserve(std::min<std::uint64_t>(messages, kMostMessages)); }
  /// Adds a message of a flow that several points saw; other flows need not be added. Messages come in any order, of at
  /// most ComparedFlows::kMost flows and at most kMostPoints points of a flow: messages beyond that are counted, not
  /// compared. `sender`: the queue pair that sends them, as far as the point knows.
  void add(const FlowKey& key, std::uint16_t point, std::uint32_t connection, const Message& message,
           std::optional<Qpn> sender = {});
  /// Adds the responses to a READ; `key` is the key of their flow.
  void add_responses(const FlowKey& key, std::uint16_t point, std::uint32_t connection, const Message& read,
                     std::optional<Qpn> sender = {});
  /// Adds faults of the capture at the point that its messages do not show.
  void note_faults(std::uint16_t point, const CaptureFaults& faults) { faults_[point].add(faults); }
  /// Counts packets instead, whose messages are not compared because there are too many.
  void count_uncompared(std::uint64_t packets) noexcept { uncompared_ += packets; }
  /// Call once, after all were added. Returns a row for each flow and each two points that both saw messages of it.
  [[nodiscard]] std::vector<FlowComparison> take();
  /// Packets of messages that are not compared.
  [[nodiscard]] std::uint64_t uncompared() const noexcept { return uncompared_; }

 private:
  static constexpr std::size_t kMostPoints = 4;
  static constexpr std::size_t kMostSamples = 65'536;
  struct Span {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  struct TwoPoints {
    std::vector<std::int64_t> samples;    // of delays
    std::int64_t delay = 0;               // of most messages, from the lower number to the higher one
    std::array<std::int64_t, 2> first{};  // times of the first and the last message that both saw
    std::array<std::int64_t, 2> last{};
    bool any = false;
    std::optional<Span> delays;  // of all messages that both saw, from the lower number to the higher one
  };

  void add(const FlowKey& key, std::uint16_t point, std::uint32_t connection, SeenMessage seen);
  void measure(ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high);
  /// When each point saw for the first time an answer to a message that both saw; INT64_MAX: none did.
  [[nodiscard]] static std::array<std::int64_t, 2> first_answers(const std::vector<SeenByBoth>& matches) noexcept;
  /// Whether both points name the same sending queue pairs for what they saw in their common time. Without the CM, a
  /// point guesses the sender by PSNs; if the guess is wrong, it counts messages of one queue pair with another.
  [[nodiscard]] bool agree_on_senders(const ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high);
  void settle(ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high);
  void settle(ComparedFlows::Pair& pair, const SeenByBoth& both, const std::array<bool, 2>& has_cut);
  void settle_alone(ComparedFlows::Pair& pair, std::size_t side, SeenMessages messages, SeenMessages others,
                    bool others_cut);
  [[nodiscard]] std::array<CaptureFaults, 2> faults_of(const ComparedFlows::Pair& pair) {
    return {faults_[pair.low], faults_[pair.high]};
  }
  /// ns that a packet of any flow takes from the point of `side` to the other one: if the times differ, perhaps longer
  /// than any known one. All flows are needed: of one flow, a point may have seen only retransmissions.
  [[nodiscard]] Span delays_from(const ComparedFlows::Pair& pair, std::size_t side);
  /// Whether the other point was watched while all of the message passed that the point of `side` saw.
  [[nodiscard]] bool is_covered(const ComparedFlows::Pair& pair, std::size_t side, const SeenMessage& message);
  /// Of each flow and two points.
  template <class Visitor>
  void visit_pairs(Visitor visitor);

  ComparedFlows flows_;
  std::vector<SeenMessage> seen_;
  std::vector<bool> crowded_;  // flows that lack messages here, since there were too many
  std::uint64_t uncompared_ = 0;
  std::map<std::pair<std::uint16_t, std::uint16_t>, TwoPoints> points_;
  std::map<std::uint16_t, CaptureFaults> faults_;  // by point
};

}  // namespace rocescope
