#include "render/packets/verdict_notes.hpp"

#include <string>

#include "rocescope/text.hpp"
#include "text/append.hpp"

namespace rocescope::render {
namespace {

/// The packets that the verdict is about: `1204`, `1204-1210`.
std::string related_text(const Verdict& verdict, const VerdictFrames& frames) {
  std::string text = frame_text(verdict.related, frames.renumbered);
  if (frames.last_related > verdict.related) text += fmt::format("-{}", frames.last_related);
  return text;
}

/// `retransmission, asked for by the NAK in 1210; the first copy was not seen at the capture point`. It does not say "lost": the first
/// copy may have been lost, overtaken or missed by the capture, and one packet does not show which.
void note_retransmission(const Verdict& verdict, const VerdictFrames& frames, Notes& notes) {
  notes.add_with(Tone::kError, [&](std::string& out) {
    out += "retransmission";
    if (verdict.related != 0) text::append(out, " of {}", related_text(verdict, frames));
    switch (verdict.cause) {
      case ResendCause::kNak:
        text::append(out, ", asked for by the NAK in {}", frame_text(verdict.evidence, frames.renumbered));
        break;
      case ResendCause::kRnr:
        text::append(out, ", put off by the RNR NAK in {}", frame_text(verdict.evidence, frames.renumbered));
        break;
      case ResendCause::kTimeout:
        out += " after a timeout";
        break;
      case ResendCause::kImpliedNak:
        out += ", because READ responses were missing";
        break;
      case ResendCause::kSpurious:
        out += "; its ACK was on the way";
        break;
      case ResendCause::kAckLost:
        out += "; its ACK was lost after the capture point";
        break;
      case ResendCause::kNone:
      case ResendCause::kUnknown:
        break;
    }
    if (verdict.lost_response != LostWhere::kNowhere) {
      text::append(out, "; {} READ {} lost {} the capture point", verdict.lost_responses,
                   text::plural(verdict.lost_responses, "response was", "responses were"),
                   to_string(verdict.lost_response));
    }
    if (verdict.lost == LostWhere::kNowhere) return;
    const std::string_view copy = frames.last_related > verdict.related ? "the copies before were"
                                  : verdict.related != 0                ? "the copy before was"
                                                                        : "the first copy was";
    const std::string_view what = verdict.lost == LostWhere::kCorrupt  ? "damaged"
                                  : verdict.lost == LostWhere::kBefore ? "not seen at the capture point"
                                                                       : "lost or overtaken after the capture point";
    text::append(out, "; {} {}", copy, what);
  });
}

}  // namespace

void add_verdict_notes(const Verdict& verdict, Notes& notes, const VerdictFrames& frames) {
  switch (verdict.kind) {
    case VerdictKind::kNone:
    case VerdictKind::kInOrder:
      return;
    case VerdictKind::kResponse:
      if (verdict.lost == LostWhere::kAfter) {
        notes.add(Tone::kError, "{} was lost or overtaken after the capture point", related_text(verdict, frames));
      }
      if (verdict.lost == LostWhere::kBefore) {
        notes.add(Tone::kError, "asks for packets that were not seen at the capture point");
      }
      if (verdict.lost == LostWhere::kCorrupt) notes.add(Tone::kError, "asks for a damaged packet");
      return;
    case VerdictKind::kGap:
      return notes.add(Tone::kWarning, "{} {} before it not seen", verdict.missing,
                       text::plural(verdict.missing, "packet", "packets"));
    case VerdictKind::kOutOfOrder:
      return notes.add(Tone::kWarning, "out of order");
    case VerdictKind::kRetransmission:
      return note_retransmission(verdict, frames, notes);
    case VerdictKind::kCaptureDuplicate:
      return notes.add(Tone::kWarning, "seen twice, first as {}", related_text(verdict, frames));
    case VerdictKind::kUsedPsn:
      return notes.add(Tone::kError, "another request than {}, which had the PSN before",
                       related_text(verdict, frames));
    case VerdictKind::kDuplicateAck:
      return notes.add(Tone::kWarning, "duplicate");
    case VerdictKind::kReadResponseGap:
      return notes.add(Tone::kWarning, "{} {} before it not seen", verdict.missing,
                       text::plural(verdict.missing, "response", "responses"));
    case VerdictKind::kReadResponseRetransmission:
      return notes.add(Tone::kError, "response sent again");
    case VerdictKind::kStale:
      return notes.add(Tone::kWarning, "stale");
    case VerdictKind::kAckOfUnseen:
      return notes.add(Tone::kWarning, "answers a request that was not seen");
  }
}

std::string verdict_comment(const PacketRecord& record, const RenumberedFrames& renumbered) {
  std::string text;
  Notes notes(false, text);
  add_verdict_notes(record.verdict, notes, {.renumbered = &renumbered});
  if (record.icrc.status == IcrcStatus::kBad) notes.add(Tone::kError, "bad ICRC");
  const std::uint64_t number = record.packet->frame.number;
  if (!text.empty() && number != renumbered.next()) text.insert(0, fmt::format("frame {}: ", number));
  return text;
}

}  // namespace rocescope::render
