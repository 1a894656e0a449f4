#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "verify/alignment.hpp"
#include "verify/comparison.hpp"
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
    if (!matched.wire) return count_unseen(requests);
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
      bytes_.capture += message.bytes;
    }
  }

  void finish() {
    for (auto& [operation, row] : rows_) comparison_.add(row);
    bytes_.differing = std::max(bytes_.truth, bytes_.capture) - bytes_.agree;
    comparison_.add(bytes_);
    comparison_.add(outcomes_);
    if (not_sent_ > 0) {
      comparison_.note(
          fmt::format("{} work requests were flushed, or their program ended before they did: they were not "
                      "sent, and need not be in the capture",
                      not_sent_));
    }
    if (!unanswered_.empty()) {
      comparison_.note(fmt::format("connections {}: only one direction was captured, so that outcomes are not seen",
                                   fmt::join(unanswered_, ", ")));
    }
  }

 private:
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

  /// Already reported: the queue pair itself is missing.
  void count_unseen(const std::vector<WorkRequest>& requests) {
    for (const WorkRequest& request : requests) {
      if (request.may_be_missing) {
        ++not_sent_;
        continue;
      }
      ComparedFact& row = row_of(operation_of(request.post->opcode));
      ++row.truth;
      ++row.differing;
      bytes_.truth += payload_bytes(*request.post);
    }
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
    const std::uint64_t posted = partial ? message->bytes : payload_bytes(*request->post);
    bytes_.truth += posted;
    bytes_.capture += message->operation == Operation::kFlush ? 0 : message->bytes;
    if ((pair.fields & kBytes) == 0) bytes_.agree += posted;
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
    if (request.may_be_missing) {
      ++not_sent_;
      return;
    }
    ComparedFact& row = row_of(operation_of(request.post->opcode));
    ++row.truth;
    ++row.differing;
    bytes_.truth += payload_bytes(*request.post);
    differs("messages", to_text(request) + " has no message" + next_message(pairs, i), &request, nullptr);
  }

  void count_extra(const std::vector<Pairing>& pairs, std::size_t i, const Message& message) {
    ComparedFact& row = row_of(message.operation);
    ++row.capture;
    ++row.differing;
    bytes_.capture += message.bytes;
    const WorkRequest* next = nullptr;
    for (std::size_t j = i + 1; j < pairs.size() && next == nullptr; ++j) {
      if (pairs[j].request) next = &matched_->truth->requests[*pairs[j].request];
    }
    differs("messages",
            to_text(message) + " was not posted" +
                (next != nullptr ? fmt::format("; {} comes next", to_text(*next)) : "; nothing was posted after it"),
            next, &message);
  }

  void compare_outcome(const WorkRequest& request, const Message& message) {
    if (!answers_seen_) return;
    std::string_view status;
    if (request.completion != nullptr) status = request.completion->status;
    if (request.completion == nullptr && request.succeeded) status = "SUCCESS";
    const std::optional<bool> agreed = agrees(status, message);
    if (!agreed) return;
    ++outcomes_.truth;
    ++outcomes_.capture;
    if (*agreed) {
      ++outcomes_.agree;
      return;
    }
    ++outcomes_.differing;
    comparison_.differs(
        {.fact = outcomes_.name,
         .what = fmt::format("{}: {} ended with {}, and {} is {}", book_.name_of(*matched_->truth), to_text(request),
                             status, to_text(message), outcome_text(message)),
         .truth = request.completion != nullptr ? book_.place_of(*request.completion) : book_.place_of(*request.post),
         .packet = message.completion_frame != 0 ? message.completion_frame : message.last_frame,
         .connection = matched_->wire->connection->number});
  }

  Comparison& comparison_;
  const TruthBook& book_;
  const MatchedQueuePair* matched_ = nullptr;
  std::vector<Message> messages_;  // of the current queue pair
  std::vector<Psn> psns_;          // that its messages should have
  bool answers_seen_ = true;
  std::vector<std::uint32_t> unanswered_;
  std::uint64_t not_sent_ = 0;
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
