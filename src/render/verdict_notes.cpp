#include "verdict_notes.hpp"

#include <iterator>
#include <string>

namespace rocescope::render {
namespace {

/// `retransmission of 1204 after the NAK in 1210, lost before the capture`
void note_retransmission(const Verdict& verdict, Notes& notes) {
  notes.add_with(Tone::kError, [&](std::string& out) {
    const auto to = std::back_inserter(out);
    out += "retransmission";
    if (verdict.related != 0) fmt::format_to(to, " of {}", verdict.related);
    switch (verdict.cause) {
      case ResendCause::kNak:
        fmt::format_to(to, " after the NAK in {}", verdict.evidence);
        break;
      case ResendCause::kRnr:
        fmt::format_to(to, " after the RNR NAK in {}", verdict.evidence);
        break;
      case ResendCause::kTimeout:
        out += " after a timeout";
        break;
      case ResendCause::kImpliedNak:
        out += " for READ responses that were missing";
        break;
      case ResendCause::kSpurious:
        out += ", its ACK was on the way";
        break;
      case ResendCause::kAckLost:
        out += ", its ACK was lost after the capture";
        break;
      case ResendCause::kNone:
      case ResendCause::kUnknown:
        break;
    }
    if (verdict.lost != LostWhere::kNowhere) fmt::format_to(to, ", lost {} the capture", to_string(verdict.lost));
  });
}

}  // namespace

void add_verdict_notes(const Verdict& verdict, Notes& notes) {
  switch (verdict.kind) {
    case VerdictKind::kNone:
    case VerdictKind::kInOrder:
      return;
    case VerdictKind::kResponse:
      if (verdict.lost == LostWhere::kAfter) notes.add(Tone::kError, "{} was lost after the capture", verdict.related);
      if (verdict.lost == LostWhere::kBefore) notes.add(Tone::kError, "lost before the capture");
      return;
    case VerdictKind::kGap:
      return notes.add(Tone::kWarning, "{} before it not seen", verdict.missing);
    case VerdictKind::kOutOfOrder:
      return notes.add(Tone::kWarning, "out of order");
    case VerdictKind::kRetransmission:
      return note_retransmission(verdict, notes);
    case VerdictKind::kCaptureDuplicate:
      return notes.add(Tone::kWarning, "captured twice: {}", verdict.related);
    case VerdictKind::kDuplicateAck:
      return notes.add(Tone::kWarning, "duplicate");
    case VerdictKind::kReadResponseGap:
      return notes.add(Tone::kWarning, "{} responses before it not seen", verdict.missing);
    case VerdictKind::kReadResponseRetransmission:
      return notes.add(Tone::kError, "response sent again");
    case VerdictKind::kStale:
      return notes.add(Tone::kWarning, "stale");
    case VerdictKind::kAckOfUnseen:
      return notes.add(Tone::kWarning, "of a request not seen");
  }
}

}  // namespace rocescope::render
