#include "wireshark/kept.hpp"

#include "rocescope/detail/elapsed.hpp"

namespace rocescope::wireshark {
namespace {

std::uint32_t narrow(std::uint64_t number) noexcept { return static_cast<std::uint32_t>(number); }

}  // namespace

KeptDetails::KeptDetails(std::uint32_t own_ordinal, const PacketRecord& record) noexcept
    : ordinal(own_ordinal),
      evidence(narrow(record.verdict.evidence)),
      missing(record.verdict.missing),
      lost_responses(record.verdict.lost_responses),
      true_source_port(record.true_source_port) {}

bool KeptDetails::are_in(const PacketRecord& record) noexcept {
  const Verdict& verdict = record.verdict;
  return verdict.evidence != 0 || verdict.missing != 0 || verdict.lost_responses != 0 || record.true_source_port;
}

KeptVerdict::KeptVerdict(std::uint32_t own_ordinal, const PacketRecord& record) noexcept
    : ordinal(own_ordinal),
      connection(record.verdict.connection),
      message(narrow(record.verdict.message)),
      related(narrow(record.verdict.related)),
      capture_point(record.packet->frame.capture_point),
      kind(record.verdict.kind),
      cause(record.verdict.cause),
      lost(record.verdict.lost),
      lost_response(record.verdict.lost_response),
      damaged(record.verdict.damaged),
      acknowledged(record.verdict.acknowledged),
      has_details(KeptDetails::are_in(record)) {}

Verdict KeptVerdict::verdict(const KeptDetails* details) const noexcept {
  Verdict verdict{.kind = kind,
                  .cause = cause,
                  .lost = lost,
                  .lost_response = lost_response,
                  .damaged = damaged,
                  .acknowledged = acknowledged,
                  .connection = connection,
                  .message = message,
                  .related = related};
  if (details != nullptr) {
    verdict.missing = details->missing;
    verdict.lost_responses = details->lost_responses;
    verdict.evidence = details->evidence;
  }
  return verdict;
}

KeptMessage::KeptMessage(const Message& message) noexcept
    : bytes(message.bytes),
      time(time_of(message).value_or(-1)),
      first(narrow(message.first_frame)),
      last(narrow(message.last_frame)),
      completion(narrow(message.completion_frame)),
      operation(message.operation),
      outcome(message.outcome),
      resent(message.resent) {
  const bool acknowledged = time >= 0 && message.has_last && message.completion_time >= message.last_time;
  if (acknowledged) ack_time = elapsed(message.last_time, message.completion_time);
}

}  // namespace rocescope::wireshark
