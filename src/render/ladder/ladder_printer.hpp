// A ladder, rendered for a person or a program.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "ladder/command_spans.hpp"
#include "ladder/ladder_event.hpp"
#include "ladder/truth_timeline.hpp"
#include "rocescope/connection.hpp"

namespace rocescope::render {

/// Call begin(), then the events in the order of time, then end(). Each appends to `out`. The commands that it is given outlive it.
class LadderPrinter {
 public:
  virtual ~LadderPrinter() = default;

  /// `start`: the zero of the times for people, nanoseconds since 1970. `timeline`: null without truth.
  virtual void begin(const Connection& connection, std::int64_t start, const TruthTimeline* timeline,
                     std::string& out) = 0;
  virtual void event(const LadderEvent& event, std::string& out) = 0;
  virtual void truth(const TruthEvent& event, std::string& out) = 0;
  /// Call it before the events of the phase.
  virtual void phase(const PhaseSpan& phase, std::string& out) = 0;
  virtual void end(std::string& out) = 0;
};

struct LadderTextOptions {
  bool color = false;
  bool details = false;                    ///< addresses and keys as well
  std::size_t width = 80;                  ///< columns
  std::string remark;                      ///< below the first line; may be empty
  const CommandSpans* commands = nullptr;  ///< whose spans stand beside it; null: none
};
[[nodiscard]] std::unique_ptr<LadderPrinter> make_ladder_text(LadderTextOptions options);

/// One JSON object a line. `commands`: those of them that are outstanding have an object; null: none.
[[nodiscard]] std::unique_ptr<LadderPrinter> make_ladder_json(const CommandSpans* commands = nullptr);
/// The members of the objects, for the man page.
[[nodiscard]] const std::string& ladder_json_documentation();

}  // namespace rocescope::render
