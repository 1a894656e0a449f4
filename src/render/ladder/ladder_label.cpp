#include "render/ladder/ladder_label.hpp"

#include <fmt/format.h>

#include <utility>

#include "render/packets/command_notes.hpp"
#include "render/packets/verdict_notes.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "schema/names/cm_names.hpp"

namespace rocescope::render {
namespace {

using Extent = PacketRun::Extent;

std::string bytes_text(std::uint64_t bytes) { return text::count(bytes) + " B"; }

std::string psn_text(Psn first, Psn last) {
  return first == last ? fmt::format("PSN {}", first.value()) : fmt::format("PSN {}-{}", first.value(), last.value());
}

std::string memory_text(std::uint64_t address, std::uint32_t r_key) {
  return fmt::format("VA {:#x} R_Key {:#010x}", address, r_key);
}

LadderLabel label_of(const CmEvent& event) {
  LadderLabel label{.tone = Tone::kConnection, .title = fmt::format("CM {}", schema::cm_message_name(event.message))};
  const auto add = [&](std::string text) {
    if (!text.empty()) label.details.push_back(std::move(text));
  };
  add(std::string(schema::cm_transport(event)));
  if (event.starting_psn) add(fmt::format("PSN {}", event.starting_psn->value()));
  if (event.path_mtu) add(fmt::format("MTU {}", *event.path_mtu));
  add(schema::cm_service(event));
  if (event.message == CmMessage::kRej) {
    label.tone = Tone::kError;
    label.trouble = true;
    add(fmt::format("{} rejected: {}", schema::cm_about(event), schema::cm_reason(event)));
  } else if (event.message == CmMessage::kMra) {
    add(fmt::format("{} received", schema::cm_about(event)));
  }
  if (event.retry_of) {
    label.trouble = true;
    label.notes.push_back({Tone::kWarning, fmt::format("again: first in {}", *event.retry_of)});
  }
  return label;
}

LadderLabel label_of(const ExchangeEvent& event) {
  LadderLabel label{.tone = Tone::kConnection,
                    .title = std::string(name_of(kExchangeTypeNames, static_cast<std::uint64_t>(event.type)))};
  if (event.qpn) label.details.push_back("QP " + to_text(*event.qpn));
  if (event.starting_psn) label.details.push_back(fmt::format("PSN {}", event.starting_psn->value()));
  if (event.path_mtu) label.details.push_back(fmt::format("MTU {}", *event.path_mtu));
  if (event.length) label.details.push_back(bytes_text(*event.length));
  if (event.r_key) label.details.push_back(fmt::format("R_Key {:#010x}", *event.r_key));
  if (event.status.value_or(0) != 0) {
    label.tone = Tone::kError;
    label.trouble = true;
    label.details.push_back(fmt::format("status {}", *event.status));
  }
  return label;
}

std::string operation_text(const PacketRun& run) {
  switch (run.opcode->operation) {
    case Operation::kWrite:
      return "WRITE";
    case Operation::kReadRequest:
      return "READ";
    case Operation::kReadResponse:
      return "READ Response";
    case Operation::kAtomicAcknowledge:
      return "ATOMIC ACK";
    case Operation::kAcknowledge:
      break;
    default:
      return std::string(to_string(run.opcode->operation));
  }
  if (!run.aeth || *run.aeth == AethKind::kAck) return "ACK";
  if (*run.aeth == AethKind::kRnrNak) return "RNR NAK";
  return *run.aeth == AethKind::kNak ? fmt::format("NAK {}", name_of(kNakCodeNames, run.aeth_value))
                                     : "reserved syndrome";
}

/// `WRITE First + 13 Middle`, `14 x WRITE Middle`.
std::string part_text(const PacketRun& run, const std::string& operation) {
  const std::uint64_t middle = run.packets - (run.has_first ? 1U : 0U) - (run.has_last ? 1U : 0U);
  std::string text = operation + (run.has_first ? " First" : "");
  if (middle > 0) {
    if (run.has_first) {
      text += fmt::format(" + {} Middle", text::count(middle));
    } else {
      text = middle == 1 ? operation + " Middle" : fmt::format("{} x {} Middle", text::count(middle), operation);
    }
  }
  if (run.has_last) text += run.packets > 1 ? " + Last" : " Last";
  return text;
}

std::string title_of(const PacketRun& run) {
  std::string operation = operation_text(run);
  if (run.with_immediate) operation += " with Imm";
  if (run.with_invalidate) operation += " with Invalidate";
  switch (run.extent) {
    case Extent::kPart:
      return part_text(run, operation);
    case Extent::kMessages:
      return run.messages == 1 ? operation : fmt::format("{} x {}", text::count(run.messages), operation);
    case Extent::kPackets:
      break;
  }
  if (run.packets > 1) return fmt::format("{} x {}", text::count(run.packets), operation);
  if (run.opcode->position != Position::kOnly) operation += fmt::format(" {}", to_string(run.opcode->position));
  return operation;
}

/// The size of each, if the title has a number. The PSNs show the number of packets, except for READs.
std::string size_text(const PacketRun& run) {
  const std::uint64_t several = run.extent == Extent::kMessages ? run.messages : run.packets;
  if (run.extent == Extent::kPart && (run.has_first || run.has_last)) return bytes_text(run.bytes);
  return run.same_size ? bytes_text(run.bytes / several) : bytes_text(run.bytes) + " in all";
}

bool has_size(const PacketRun& run) {
  switch (run.opcode->operation) {
    case Operation::kSend:
    case Operation::kWrite:
    case Operation::kReadRequest:
    case Operation::kReadResponse:
    case Operation::kFlush:
    case Operation::kAtomicWrite:
      return true;
    default:
      return false;
  }
}

/// `Read took 44.1 ms (43.0 ms target)`; of several that one packet answers, the longest. Empty: it answers none, or their requests
/// were not seen.
std::string time_text(const PacketRun& run) {
  const Command* longest = nullptr;
  std::optional<CommandTimes> times;
  std::uint64_t commands = 0;
  for (const auto& [span, is_response] : run.ends) {
    const auto its = is_response ? span->command.times() : std::nullopt;
    if (!its) continue;
    ++commands;
    if (times && times->total >= its->total) continue;
    longest = &span->command;
    times = its;
  }
  if (!times) return {};
  std::string text = commands > 1 ? fmt::format("{} commands took up to", text::count(commands))
                                  : fmt::format("{} took", longest->operation.empty() ? "it" : longest->operation);
  return text + " " + took_text(*times, longest->resent);
}

Tone tone_of(const PacketRun& run) {
  if (run.opcode->operation == Operation::kCnp) return Tone::kCongestion;
  if (run.bad_icrc || run.verdict.kind == VerdictKind::kRetransmission ||
      run.verdict.kind == VerdictKind::kReadResponseRetransmission || (run.aeth && *run.aeth != AethKind::kAck)) {
    return Tone::kError;
  }
  const bool fine = run.verdict.kind == VerdictKind::kInOrder || run.verdict.kind == VerdictKind::kResponse ||
                    run.verdict.kind == VerdictKind::kNone;
  if (!fine) return Tone::kWarning;
  return run.opcode->request || has_size(run) ? Tone::kPlain : Tone::kDim;
}

void add_notes(const PacketRun& run, LadderLabel& label) {
  std::string verdict;
  Notes notes(false, verdict);
  add_verdict_notes(run.verdict, notes, {.last_related = run.packets > 1 ? run.last_related : 0});
  if (run.bad_icrc) notes.add(Tone::kError, "bad ICRC");
  if (!verdict.empty()) label.notes.push_back({label.tone, std::move(verdict)});
  if (run.ce_packets == 0) return;
  label.notes.push_back(
      {Tone::kCongestion, run.packets == 1 ? "marked CE" : fmt::format("{} marked CE", text::count(run.ce_packets))});
}

LadderLabel label_of(const PacketRun& run, std::int64_t duration_ns, bool details) {
  LadderLabel label{.tone = tone_of(run), .title = title_of(run)};
  label.trouble = label.tone != Tone::kPlain && label.tone != Tone::kDim;
  if (run.aeth == AethKind::kRnrNak) label.details.push_back("wait " + text::duration(rnr_timer_ns(run.aeth_value)));
  if (has_size(run)) label.details.push_back(size_text(run));
  if (run.opcode->operation != Operation::kCnp) label.details.push_back(psn_text(run.first_psn, run.last_psn));
  const bool alone = run.packets == 1 || run.messages == 1;
  if (alone && run.immediate) label.details.push_back(fmt::format("Imm {:#010x}", *run.immediate));
  constexpr std::int64_t kWorthShowing = 1'000'000;
  if (duration_ns >= kWorthShowing) label.details.push_back("in " + text::duration(duration_ns));
  if (run.command) {
    label.details.push_back(command_text(*run.command));
    if (run.command->status != 0) {
      label.tone = Tone::kError;
      label.trouble = true;
    }
  }
  if (details && run.address && run.r_key) label.details.push_back(memory_text(*run.address, *run.r_key));
  if (std::string time = time_text(run); !time.empty()) label.notes.push_back({Tone::kPlain, std::move(time)});
  add_notes(run, label);
  return label;
}

}  // namespace

LadderLabel ladder_label(const LadderEvent& event, bool details) {
  if (const auto* cm = std::get_if<CmEvent>(&event.what)) return label_of(*cm);
  if (const auto* exchange = std::get_if<ExchangeEvent>(&event.what)) return label_of(*exchange);
  return label_of(std::get<PacketRun>(event.what), elapsed(event.time, event.last_time), details);
}

}  // namespace rocescope::render
