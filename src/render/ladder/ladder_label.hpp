// The words for the events of a ladder.
#pragma once

#include <string>
#include <vector>

#include "ladder/ladder_event.hpp"
#include "ladder/truth_timeline.hpp"
#include "render/style.hpp"

namespace rocescope::render {

struct LadderLabel {
  Tone tone = Tone::kPlain;
  bool trouble = false;              ///< something went wrong
  std::string title;                 ///< `16 x WRITE`
  std::vector<std::string> details;  ///< `4,096 B each`, `PSN 5-68`
  struct Note {
    Tone tone = Tone::kPlain;
    std::string text;
  };
  std::vector<Note> notes;  ///< the verdict, congestion marks
};

/// `details`: also addresses, keys and operands.
[[nodiscard]] LadderLabel ladder_label(const LadderEvent& event, bool details);
[[nodiscard]] LadderLabel ladder_label(const TruthEvent& event);

}  // namespace rocescope::render
