#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "verify/alignment.hpp"
#include "verify/comparison.hpp"
#include "verify/lost_packets.hpp"
#include "verify/outcome.hpp"
#include "verify/work_request.hpp"

namespace rocescope::verify {
namespace {

/// Compares the messages of the queue pairs, one queue pair after the other.
class MessageComparer {
 public:
  explicit MessageComparer(Comparison& comparison) : comparison_(comparison), book_(comparison.truth()) {}

  void compare(const MatchedQueuePair& matched) {
    matched_ = &matched;
    const std::vector<WorkRequest>& requests = matched.truth->requests;
    if (!matched.wire) {  // compare_queue_pairs() reports it
      for (const WorkRequest& request : requests) count_unsent(request);
      return;
    }
    const WireSide& wire = *matched.wire;
    messages_ = comparison_.messages().of(wire.connection->number, wire.side);
    answers_seen_ = wire.peer().traffic.packets > 0 || wire.connection->transport == Transport::kUc;
    if (!answers_seen_ && !requests.empty()) unanswered_.push_back(wire.connection->number);
    std::vector<Pairing> pairs = align(requests, messages_);
    check_psns(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) count(pairs, i);
  }

  /// Counts messages of queue pairs that the truth does not know. compare_queue_pairs() reports the queue pair.
  void count_unknown(const WireSide& wire) {
    for (const Message& message : comparison_.messages().of(wire.connection->number, wire.side)) {
      ComparedFact& row = row_of(message.operation);
      ++row.capture;
      ++row.differing;
      bytes_.capture += bytes_of(message);
    }
  }

  void finish() {
    for (auto& [operation, row] : rows_) comparison_.add(row);
    bytes_.differing = std::max(bytes_.truth - bytes_.explained_of(PartOf::kTruth), bytes_.capture) - bytes_.agree;
    comparison_.add(bytes_);
    comparison_.add(outcomes_);
    if (!unanswered_.empty()) {
      comparison_.note(fmt::format("connections {}: only one direction was captured, so that outcomes are not seen",
                                   fmt::join(unanswered_, ", ")));
    }
  }

 private:
  static std::uint64_t bytes_of(const Message& message) {
    return message.operation == Operation::kFlush ? 0 : message.bytes;
  }

  ComparedFact& row_of(Operation operation) {
    ComparedFact& row = rows_[operation];
    row.name = "messages";
    row.detail = to_string(operation);
    return row;
  }

  void differs(std::string_view fact, std::string what, const WorkRequest* request, const Message* message) {
    const std::uint32_t connection = matched_->wire ? matched_->wire->connection->number : 0;
    comparison_.differs({.fact = fact,
                         .what = fmt::format("{}: {}", book_.name_of(*matched_->truth), what),
                         .truth = request != nullptr ? book_.place_of(*request->post) : std::string(),
                         .packet = message != nullptr ? message->first_frame : 0,
                         .connection = connection});
  }

  /// Of a work request without a message. Whether that differs.
  bool count_unsent(const WorkRequest& request) {
    const Operation operation = operation_of(request.post->opcode);
    ComparedFact& row = row_of(operation);
    const std::uint64_t bytes = payload_bytes(*request.post);
    ++row.truth;
    bytes_.truth += bytes;
    if (request.completion != nullptr) ++outcomes_.truth;
    if (const std::string why = why_unseen(request); !why.empty()) {
      row.explain(PartOf::kTruth, 1, why);
      bytes_.explain(PartOf::kTruth, bytes, why);
      outcomes_.explain(PartOf::kTruth, 1, why);
      return false;
    }
    if (!request.may_be_missing) {
      ++row.differing;
      if (request.completion != nullptr) ++outcomes_.differing;
      return true;
    }
    row.explain(PartOf::kTruth, 1, kNotSent);
    bytes_.explain(PartOf::kTruth, bytes, kNotSent);
    if (request.completion != nullptr) outcomes_.explain(PartOf::kTruth, 1, kNotSent);
    return false;
  }

  /// Why nothing of a work request is in the capture although all of it was sent; empty: nothing says why. Each try takes as many
  /// packets as it has PSNs, and explains no more than were lost.
  std::string why_unseen(const WorkRequest& request) {
    if (!was_given_up(request) || !matched_->wire || !matched_->truth->path_mtu) return {};
    const std::uint64_t lost = lost_before_capture(comparison_, *matched_->truth);
    std::uint64_t& explained = given_up_packets_[matched_->truth->party];
    const std::uint64_t packets = psns_of(*request.post, *matched_->truth->path_mtu);
    if (explained + packets > lost) return {};
    explained += packets;
    return why_given_up_unseen(lost);
  }

  /// PSNs follow from the first one and from the posted work requests while no message is missing.
  void check_psns(std::vector<Pairing>& pairs) {
    psns_.assign(pairs.size(), Psn());
    const TruthQueuePair& truth = *matched_->truth;
    if (messages_.empty() || !truth.path_mtu || !messages_.front().has_first) return;
    Psn expected = messages_.front().first_psn;  // compare_queue_pairs() compares it
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      Pairing& pair = pairs[i];
      if (!pair.request || !pair.message || (pair.fields & (kBytes | kOpcode)) != 0) return;
      psns_[i] = expected;
      const Message& message = messages_[*pair.message];
      if (message.first_psn != expected && message.has_first) {
        pair.fields |= kPsn;
        return;
      }
      expected = expected + psns_of(*truth.requests[*pair.request].post, *truth.path_mtu);
    }
  }

  void count(const std::vector<Pairing>& pairs, std::size_t i) {
    const Pairing& pair = pairs[i];
    const WorkRequest* request = pair.request ? &matched_->truth->requests[*pair.request] : nullptr;
    const Message* message = pair.message ? &messages_[*pair.message] : nullptr;
    if (request == nullptr) return count_extra(pairs, i, *message);
    if (message == nullptr) return count_missing(pairs, i, *request);
    ComparedFact& row = row_of(operation_of(request->post->opcode));
    ++row.truth;
    ++row_of(message->operation).capture;
    const bool partial = request->may_be_missing && !message->has_last;
    const std::uint64_t posted = payload_bytes(*request->post);
    bytes_.truth += posted;
    bytes_.capture += bytes_of(*message);
    if ((pair.fields & kBytes) == 0) {
      const std::uint64_t sent = partial ? bytes_of(*message) : posted;
      bytes_.agree += sent;
      bytes_.explain(PartOf::kTruth, posted - sent, "the rest of messages that were not sent whole");
    }
    if (pair.fields == 0) {
      ++row.agree;
    } else {
      ++row.differing;
      if ((pair.fields & kOpcode) != 0) ++row_of(message->operation).differing;  // it is extra there
      differs("messages",
              fmt::format("{} and {}: {}", to_text(*request), to_text(*message),
                          difference_text(*request, *message, pair.fields, psns_[i])),
              request, message);
    }
    compare_outcome(*request, *message);
  }

  /// `; message 15 in packet 83 (...) comes next`
  std::string next_message(const std::vector<Pairing>& pairs, std::size_t i) const {
    for (std::size_t j = i + 1; j < pairs.size(); ++j) {
      if (pairs[j].message) return fmt::format("; {} comes next", to_text(messages_[*pairs[j].message]));
    }
    return "; none comes after it";
  }

  void count_missing(const std::vector<Pairing>& pairs, std::size_t i, const WorkRequest& request) {
    if (!count_unsent(request)) return;
    differs("messages", to_text(request) + " has no message" + next_message(pairs, i), &request, nullptr);
  }

  void count_extra(const std::vector<Pairing>& pairs, std::size_t i, const Message& message) {
    ComparedFact& row = row_of(message.operation);
    ++row.capture;
    ++row.differing;
    bytes_.capture += bytes_of(message);
    if (answers_seen_) {
      ++outcomes_.capture;
      ++outcomes_.differing;
    }
    const WorkRequest* next = nullptr;
    for (std::size_t j = i + 1; j < pairs.size() && next == nullptr; ++j) {
      if (pairs[j].request) next = &matched_->truth->requests[*pairs[j].request];
    }
    differs("messages",
            to_text(message) + " was not posted" +
                (next != nullptr ? fmt::format("; {} comes next", to_text(*next)) : "; nothing was posted after it"),
            next, &message);
  }

  /// The truth's outcomes are completions, the capture's are those of messages whose answers it can have.
  void compare_outcome(const WorkRequest& request, const Message& message) {
    const truth::Completion* completion = request.completion;
    if (completion != nullptr) ++outcomes_.truth;
    if (answers_seen_) ++outcomes_.capture;
    if (!answers_seen_ && completion == nullptr) return;
    if (!answers_seen_)
      return outcomes_.explain(PartOf::kTruth, 1, "only the direction of their requests was captured");
    if (completion == nullptr) return compare_without_completion(request, message);
    const std::optional<bool> agreed = agrees(completion->status, message);
    if (!agreed) return outcomes_.explain(PartOf::kBoth, 1, "flushed, or failed locally: no packet shows that");
    if (!*agreed) return outcome_differs(request, message, "ended with " + completion->status);
    ++outcomes_.agree;
  }

  void compare_without_completion(const WorkRequest& request, const Message& message) {
    const bool ended = request.succeeded || book_.parties()[matched_->truth->party].finished;
    if (ended && request.post->is_signaled)
      return outcome_differs(request, message, "is signaled and has no completion");
    if (request.succeeded && agrees("SUCCESS", message) == false) {
      return outcome_differs(request, message, "succeeded, as a later one did");
    }
    outcomes_.explain(PartOf::kCapture, 1,
                      ended ? "not signaled: the truth has no completion of these"
                            : "the truth has no completion of these: their program ended first");
  }

  void outcome_differs(const WorkRequest& request, const Message& message, std::string_view end) {
    ++outcomes_.differing;
    const truth::Fact& fact = request.completion != nullptr ? static_cast<const truth::Fact&>(*request.completion)
                                                            : static_cast<const truth::Fact&>(*request.post);
    comparison_.differs({.fact = outcomes_.name,
                         .what = fmt::format("{}: {} {}, and {} is {}", book_.name_of(*matched_->truth),
                                             to_text(request), end, to_text(message), outcome_text(message)),
                         .truth = book_.place_of(fact),
                         .packet = message.completion_frame != 0 ? message.completion_frame : message.last_frame,
                         .connection = matched_->wire->connection->number});
  }

  Comparison& comparison_;
  const TruthBook& book_;
  const MatchedQueuePair* matched_ = nullptr;
  std::vector<Message> messages_;  // of the current queue pair
  std::vector<Psn> psns_;          // that its messages should have
  bool answers_seen_ = true;
  std::map<std::size_t, std::uint64_t> given_up_packets_;  // that explain why work requests were not seen, by party
  std::vector<std::uint32_t> unanswered_;
  std::map<Operation, ComparedFact> rows_;
  ComparedFact bytes_{.name = "bytes"};
  ComparedFact outcomes_{.name = "outcomes"};
};

}  // namespace

void compare_messages(Comparison& comparison) {
  MessageComparer comparer(comparison);
  for (const MatchedQueuePair& matched : comparison.matcher().matched()) {
    if (!matched.truth->is_datagram()) comparer.compare(matched);
  }
  for (const WireSide& wire : comparison.matcher().unknown()) comparer.count_unknown(wire);
  comparer.finish();
}

}  // namespace rocescope::verify
