// The ladder in a terminal: two columns for the two sides, arrows between them.
//
//    frame       time     delta  10.0.0.1 0x000011          10.0.0.2 0x000012
//       17   0.000000            |-- WRITE  64 B, PSN 5 -------------------->|
//   !   18   0.001200   1.20 ms  |<- NAK PSN sequence error  PSN 4 ----------|
//
// To their right is a lane for each command that is outstanding at once, from its request (.) to its response (', or x if it failed).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "render/ladder/ladder_label.hpp"
#include "render/ladder/ladder_printer.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "text/append.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kFrameWidth = 7;  // with the mark of trouble
constexpr std::size_t kTimeWidth = 11;
constexpr std::size_t kDeltaWidth = 9;
constexpr std::size_t kMargin = kFrameWidth + kTimeWidth + kDeltaWidth + 1;
constexpr std::size_t kNarrowest = 40;  // between the two sides

/// `title  detail, detail`, and the details that do not fit into `width` columns.
struct Fitted {
  std::string line;
  std::string rest;
};
Fitted fit(const LadderLabel& label, std::size_t width) {
  Fitted fitted{.line = label.title, .rest = {}};
  std::string_view separator = "  ";
  for (const std::string& detail : label.details) {
    const bool fits = fitted.rest.empty() && fitted.line.size() + separator.size() + detail.size() <= width;
    if (fits) {
      fitted.line += separator;
      fitted.line += detail;
      separator = ", ";
    } else {
      if (!fitted.rest.empty()) fitted.rest += ", ";
      fitted.rest += detail;
    }
  }
  return fitted;
}

/// Cut at spaces; a longer word stands alone.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) {
      end = text.rfind(' ', width);
      if (end == std::string_view::npos) end = std::min(text.find(' '), text.size());
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The columns to the right of the ladder. A line of text shows those of them that are not blank.
class CommandLanes {
 public:
  /// `commands` may be null.
  explicit CommandLanes(const CommandSpans* commands)
      : cursor_(commands == nullptr ? std::span<const CommandSpan>() : commands->all()),
        lanes_(commands == nullptr ? 0 : commands->lanes()) {}

  /// With a space before them.
  [[nodiscard]] std::size_t width() const noexcept { return lanes_ == 0 ? 0 : lanes_ + 1; }

  /// Ends the line of an event.
  void end_line(const LadderEvent& event, std::string& out) {
    cursor_.reach(event.frame, [&](const CommandSpan& span) {
      if (span.lane) open_[*span.lane] = &span;
    });
    for (const CommandSpan*& span : open_) {
      if (span != nullptr && span->last_frame() < event.frame) span = nullptr;
    }
    std::string marks = marks_between();
    if (const auto* run = std::get_if<PacketRun>(&event.what)) {
      for (const auto& [span, is_response] : run->ends) {
        if (!span->lane) continue;
        const bool failed = span->command.outcome == CommandOutcome::kFailed;
        marks[*span->lane] = !is_response ? '.' : failed ? 'x' : '\'';
        open_[*span->lane] = is_response ? nullptr : span;
      }
    }
    append(marks, out);
  }
  /// Ends any other line.
  void end_line(std::string& out) const { append(marks_between(), out); }

 private:
  [[nodiscard]] std::string marks_between() const {
    std::string marks(lanes_, ' ');
    for (std::size_t i = 0; i < lanes_; ++i) {
      if (open_[i] != nullptr) marks[i] = '|';
    }
    return marks;
  }
  static void append(std::string_view marks, std::string& out) {
    const std::size_t last = marks.find_last_not_of(' ');
    if (last != std::string_view::npos) {
      out += ' ';
      out += marks.substr(0, last + 1);
    }
    out += '\n';
  }

  SpanCursor cursor_;
  std::size_t lanes_;
  std::array<const CommandSpan*, CommandSpans::kMostLanes> open_{};  // by lane
};

class LadderText final : public LadderPrinter {
 public:
  explicit LadderText(LadderTextOptions options)
      : options_(std::move(options)),
        lanes_(options_.commands),
        inside_(std::max(options_.width, kMargin + 2 + kNarrowest + lanes_.width()) - kMargin - 2 - lanes_.width()) {}

  void begin(const Connection& connection, std::int64_t start, const TruthTimeline* timeline,
             std::string& out) override {
    start_ = start;
    timeline_ = timeline;
    {
      const Toned toned(Tone::kTitle, options_.color, out);
      text::append(out, "connection {}: {}", connection.number, to_string(connection.transport));
      if (connection.path_mtu != 0) text::append(out, ", MTU {}", connection.path_mtu);
      text::append(out, ", paired by {}", paired_text(connection.paired_by));
    }
    out += '\n';
    if (!options_.remark.empty()) text::append(out, "{}\n", options_.remark);
    out += '\n';
    const std::string left = to_text(connection.sides[0].address, connection.sides[0].qpn);
    const std::string right = to_text(connection.sides[1].address, connection.sides[1].qpn);
    text::append(out, "{:>{}}{:>{}}{:>{}} ", "frame", kFrameWidth, "time", kTimeWidth, "delta", kDeltaWidth);
    const std::size_t room = inside_ + 2;
    if (left.size() + right.size() + 2 <= room) {
      text::append(out, "{}{:>{}}\n", left, right, room - left.size());
    } else {
      text::append(out, "{}\n{:>{}}\n", left, right, kMargin + room);
    }
    if (timeline == nullptr) return;
    text::append(out, "{:>{}}{}{:>{}}\n", "", kMargin, to_string(timeline->sides[0]), to_string(timeline->sides[1]),
                 room - to_string(timeline->sides[0]).size());
  }

  void event(const LadderEvent& event, std::string& out) override {
    const LadderLabel label = ladder_label(event, options_.details);
    const bool right = event.sender == 0;
    margin(label.trouble, event.frame, event.time, event.silence, out);
    constexpr std::size_t kHeads = 6;  // `-- ` and ` ->`
    const Fitted fitted = fit(label, inside_ - kHeads);
    out += '|';
    {
      const Toned toned(label.tone, options_.color, out);
      out += right ? "-- " : "<- ";
      out += fitted.line;
      out += ' ';
      const std::size_t used = fitted.line.size() + 4;
      const std::size_t end = right ? 1 : 0;
      out.append(inside_ - std::min(inside_, used + end), '-');
      if (right) out += '>';
    }
    out += '|';
    lanes_.end_line(event, out);
    below(label.tone, fitted.rest, out);
    for (const LadderLabel::Note& note : label.notes) below(note.tone, note.text, out);
  }

  void truth(const TruthEvent& event, std::string& out) override {
    const LadderLabel label = ladder_label(event);
    margin(label.trouble, 0, event.time, std::nullopt, out);
    const Fitted fitted = fit(label, inside_ - 2);
    beside(event.side, label.tone, fitted.line, true, out);
    if (fitted.rest.empty()) return;
    out.append(kMargin, ' ');
    beside(event.side, label.tone, fitted.rest, false, out);
  }

  void phase(const PhaseSpan& phase, std::string& out) override {
    margin(false, 0, phase.begin, std::nullopt, out);
    const std::string bar = fmt::format("== {}, {} ", to_string(phase.phase), text::duration(phase.end - phase.begin));
    {
      const Toned toned(Tone::kTitle, options_.color, out);
      out += bar;
      out.append(inside_ + 2 - std::min(inside_ + 2, bar.size()), '=');
    }
    lanes_.end_line(out);
  }

  void end(std::string& out) override {
    const std::size_t others = options_.commands == nullptr ? 0 : options_.commands->without_lane();
    if (others > 0) {
      text::append(out, "\n{} without a lane: {} others were outstanding when each began\n",
                   text::count(others, "command"), CommandSpans::kMostLanes);
    }
    if (timeline_ == nullptr || timeline_->phases.empty()) return;
    out += "\nPhases\n";
    std::int64_t total = 0;
    for (std::size_t i = 0; i < kPhases; ++i) {
      const auto phase = static_cast<Phase>(i);
      const std::int64_t time = timeline_->duration(phase);
      total += time;
      text::append(out, "  {:<12}{:>10}\n", to_string(phase), text::duration(time));
    }
    text::append(out, "  {:<12}{:>10}\n", "all", text::duration(total));
  }

 private:
  static std::string_view paired_text(PairedBy method) {
    switch (method) {
      case PairedBy::kNothing:
        return "nothing: one direction only";
      case PairedBy::kPsn:
        return "PSN";
      case PairedBy::kCm:
        return "CM";
      default:
        return to_string(method);
    }
  }

  void margin(bool trouble, std::uint64_t frame, std::int64_t time, std::optional<std::int64_t> silence,
              std::string& out) const {
    {
      const Toned toned(trouble ? Tone::kError : Tone::kPlain, options_.color, out);
      out += trouble ? '!' : ' ';
    }
    const Toned toned(Tone::kDim, options_.color, out);
    std::string seconds;
    append_seconds(elapsed(start_, time), 6, seconds);
    text::append(out, "{:>{}}{:>{}}{:>{}} ", frame == 0 ? std::string() : fmt::to_string(frame), kFrameWidth - 1,
                 seconds, kTimeWidth, silence ? text::duration(*silence) : std::string(), kDeltaWidth);
  }

  /// Text between the sides, under an arrow.
  void below(Tone tone, const std::string& text, std::string& out) const {
    constexpr std::size_t kIndent = 5;
    for (const std::string& line : wrapped(text, inside_ - kIndent)) {
      out.append(kMargin, ' ');
      text::append(out, "|{:{}}", "", kIndent);
      {
        const Toned toned(tone, options_.color, out);
        out += line;
      }
      out.append(inside_ - std::min(inside_, line.size() + kIndent), ' ');
      out += '|';
      lanes_.end_line(out);
    }
  }

  /// Text at one side; `marked` where it happened.
  void beside(std::uint8_t side, Tone tone, const std::string& text, bool marked, std::string& out) const {
    const std::string_view mark = marked ? "*" : "|";
    const std::size_t gap = inside_ - std::min(inside_, text.size() + 2);
    out += side == 0 ? mark : "|";
    if (side != 0) out.append(gap + 1, ' ');
    {
      const Toned toned(tone, options_.color, out);
      if (side == 0) out += ' ';
      out += text;
      if (side != 0) out += ' ';
    }
    if (side == 0) out.append(gap + 1, ' ');
    out += side == 0 ? "|" : mark;
    lanes_.end_line(out);
  }

  LadderTextOptions options_;
  CommandLanes lanes_;
  std::size_t inside_;  // columns between the two sides
  std::int64_t start_ = 0;
  const TruthTimeline* timeline_ = nullptr;
};

}  // namespace

std::unique_ptr<LadderPrinter> make_ladder_text(LadderTextOptions options) {
  return std::make_unique<LadderText>(std::move(options));
}

}  // namespace rocescope::render
