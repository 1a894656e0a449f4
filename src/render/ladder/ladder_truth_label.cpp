// The words for the facts of the truth on a ladder.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "render/ladder/ladder_label.hpp"
#include "render/report/report_sections.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

LadderLabel local(std::string title) { return {.tone = Tone::kDim, .title = std::move(title)}; }

LadderLabel label_of(const truth::DeviceOpened& fact) { return local("opened " + safe_text(fact.device)); }
LadderLabel label_of(const truth::Device& fact) {
  LadderLabel label = local("queried " + safe_text(fact.device));
  label.details.push_back(fmt::format("MTU {}", fact.active_mtu));
  return label;
}
LadderLabel label_of(const truth::ProtectionDomain& fact) {
  return local(fmt::format("protection domain {}", fact.pd));
}
LadderLabel label_of(const truth::CompletionQueue& fact) {
  return local(fmt::format("completion queue of {}", text::count(fact.entries)));
}
LadderLabel label_of(const truth::MemoryRegion& fact) {
  return local(fmt::format("memory region of {} B, R_Key {:#010x}", text::count(fact.length), fact.r_key));
}
LadderLabel label_of(const truth::RegionDeregistered& fact) {
  return local(fmt::format("memory region deregistered, R_Key {:#010x}", fact.r_key));
}
LadderLabel label_of(const truth::QueuePair& fact) {
  return local(fmt::format("queue pair {}, {}", to_text(fact.qpn), safe_text(fact.type)));
}
LadderLabel label_of(const truth::QueuePairState& fact) {
  LadderLabel label = local("QP ");
  for (const std::string& via : fact.via) label.title += safe_text(via) + ", ";
  label.title += safe_text(fact.state);
  if (fact.state == "ERR") label.tone = Tone::kWarning;
  return label;
}
LadderLabel label_of(const truth::QueuePairDestroyed&) { return local("queue pair destroyed"); }
LadderLabel label_of(const truth::CmEvent& fact) {
  LadderLabel label = local("CM event " + safe_text(fact.type));
  if (fact.status != 0) label.details.push_back(fmt::format("status {}", fact.status));
  if (fact.type == "REJECTED") label.tone = Tone::kError;
  return label;
}
LadderLabel label_of(const truth::Completion& fact) {
  const std::string_view opcode = to_string(fact.opcode);
  LadderLabel label{.tone = Tone::kError, .trouble = true, .title = safe_text(fact.status)};
  if (!opcode.empty()) label.details.emplace_back(opcode);
  label.details.push_back(fmt::format("wr_id {}", fact.wr_id));
  return label;
}
LadderLabel label_of(const truth::AsyncEvent& fact) {
  return {.tone = Tone::kWarning, .trouble = true, .title = safe_text(fact.type)};
}
LadderLabel label_of(const truth::Kill& fact) {
  return {.tone = Tone::kError, .trouble = true, .title = "killed itself with " + safe_text(fact.signal)};
}

}  // namespace

LadderLabel ladder_label(const TruthEvent& event) {
  LadderLabel label = std::visit([](const auto& fact) { return label_of(fact); }, event.what);
  if (event.time > event.begin) label.details.push_back("took " + text::duration(elapsed(event.begin, event.time)));
  return label;
}

}  // namespace rocescope::render
