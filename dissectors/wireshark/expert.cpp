// Expert information: a packet's verdict, its ICRC, and the findings that name it.
#include <array>

#include "wireshark/field_registry.hpp"
#include "wireshark/plugin.hpp"

namespace rocescope::wireshark {
namespace {

int field_finding = -1;

expert_field expert_icrc = EI_INIT;
expert_field expert_nak = EI_INIT;
std::array<expert_field, 3> expert_findings = {{EI_INIT, EI_INIT, EI_INIT}};  // by Severity
std::array<expert_field, kVerdictKinds> expert_verdicts;                      // by kind

struct VerdictExpert {
  VerdictKind kind;
  int group;
  int severity;
  const char* name;
  const char* text;
};
constexpr VerdictExpert kVerdicts[] = {
    {VerdictKind::kGap, PI_SEQUENCE, PI_WARN, "rocescope.expert.gap", "Packets before it were not seen"},
    {VerdictKind::kOutOfOrder, PI_SEQUENCE, PI_WARN, "rocescope.expert.out_of_order", "Out of order"},
    {VerdictKind::kRetransmission, PI_SEQUENCE, PI_ERROR, "rocescope.expert.retransmission", "Retransmission"},
    {VerdictKind::kCaptureDuplicate, PI_SEQUENCE, PI_WARN, "rocescope.expert.capture_duplicate", "Captured twice"},
    {VerdictKind::kUsedPsn, PI_PROTOCOL, PI_ERROR, "rocescope.expert.used_psn",
     "Another request on a PSN that was used"},
    {VerdictKind::kDuplicateAck, PI_SEQUENCE, PI_WARN, "rocescope.expert.duplicate_ack", "Duplicate ACK"},
    {VerdictKind::kReadResponseGap, PI_SEQUENCE, PI_WARN, "rocescope.expert.read_response_gap",
     "READ responses before it were not seen"},
    {VerdictKind::kReadResponseRetransmission, PI_SEQUENCE, PI_ERROR, "rocescope.expert.read_response_retransmission",
     "READ response sent again"},
    {VerdictKind::kStale, PI_SEQUENCE, PI_WARN, "rocescope.expert.stale", "Of requests that were answered before"},
    {VerdictKind::kAckOfUnseen, PI_SEQUENCE, PI_WARN, "rocescope.expert.ack_of_unseen",
     "Answers a request that was not seen"},
};

/// Without numbers: what differs in its text is not summed up.
const char* text_of(ResendCause cause) noexcept {
  switch (cause) {
    case ResendCause::kNak:
      return "Retransmission that a NAK asked for";
    case ResendCause::kRnr:
      return "Retransmission after an RNR NAK";
    case ResendCause::kTimeout:
      return "Retransmission after a timeout";
    case ResendCause::kImpliedNak:
      return "Retransmission because READ responses were missing";
    case ResendCause::kSpurious:
      return "Retransmission although its ACK was on the way";
    case ResendCause::kAckLost:
      return "Retransmission because its ACK was lost after the capture point";
    case ResendCause::kNone:
    case ResendCause::kUnknown:
      return "Retransmission";
  }
  return "";
}

void add_findings(tvbuff_t* tvb, packet_info* pinfo, proto_tree* top_tree, const VerdictBook& book) {
  if (book.report() == nullptr) return;
  for (const auto& [frame, index] : book.findings_of(pinfo->num)) {
    const Finding& finding = book.report()->findings[index];
    const char* const name = c_string(pinfo->pool, finding.info->name);
    proto_item* item = nullptr;
    if (top_tree != nullptr) {
      item = proto_tree_add_string_format(top_tree, field_finding, tvb, 0, 0, name, "Finding %s: %s", name,
                                          finding.what.c_str());
      proto_item_set_generated(item);
    }
    expert_add_info_format(pinfo, item, &expert_findings[static_cast<std::size_t>(finding.info->severity)], "%s: %s",
                           name, finding.what.c_str());
  }
}

ei_register_info expert_info(expert_field* identifier, const char* name, int group, int severity, const char* text) {
  return {identifier, {name, group, severity, text, EXPFILL}};
}

}  // namespace

void register_expert_information() {
  static hf_register_info infos[] = {field_info(&field_finding, "Finding", "rocescope.finding", FT_STRING, BASE_NONE)};
  proto_register_field_array(proto_rocescope, infos, array_length(infos));
  static std::vector<ei_register_info> experts = {
      expert_info(&expert_icrc, "rocescope.expert.icrc_bad", PI_CHECKSUM, PI_ERROR, "Bad ICRC"),
      expert_info(&expert_nak, "rocescope.expert.nak", PI_RESPONSE_CODE, PI_ERROR, "Asks for packets that were lost"),
      expert_info(&expert_findings[0], "rocescope.expert.finding.note", PI_ASSUMPTION, PI_NOTE, "Finding"),
      expert_info(&expert_findings[1], "rocescope.expert.finding.warning", PI_ASSUMPTION, PI_WARN, "Finding"),
      expert_info(&expert_findings[2], "rocescope.expert.finding.error", PI_ASSUMPTION, PI_ERROR, "Finding")};
  for (const VerdictExpert& verdict : kVerdicts) {
    expert_field& field = expert_verdicts[static_cast<std::size_t>(verdict.kind)];
    field = EI_INIT;
    experts.push_back(expert_info(&field, verdict.name, verdict.group, verdict.severity, verdict.text));
  }
  expert_register_field_array(expert_register_protocol(proto_rocescope), experts.data(),
                              static_cast<int>(experts.size()));
}

void add_expert_information(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, proto_item* top,
                            const Tapped& packet) {
  const Verdict& verdict = packet.record->verdict;
  if (verdict.kind == VerdictKind::kRetransmission) {
    expert_add_info_format(pinfo, top, &expert_verdicts[static_cast<std::size_t>(verdict.kind)], "%s",
                           text_of(verdict.cause));
  } else if (verdict.kind == VerdictKind::kResponse) {
    if (verdict.lost != LostWhere::kNowhere) expert_add_info(pinfo, top, &expert_nak);
  } else {
    for (const VerdictExpert& each : kVerdicts) {
      if (each.kind == verdict.kind) expert_add_info(pinfo, top, &expert_verdicts[static_cast<std::size_t>(each.kind)]);
    }
  }
  if (packet.record->icrc.status == IcrcStatus::kBad) expert_add_info(pinfo, top, &expert_icrc);
  add_findings(tvb, pinfo, tree == nullptr ? nullptr : proto_item_get_subtree(top), *packet.book);
}

}  // namespace rocescope::wireshark
