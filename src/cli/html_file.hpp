// The file of `analyze --html`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/messages.hpp"
#include "cli/new_file.hpp"
#include "cli/option.hpp"
#include "render/html/overview_recorder.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::cli {

inline constexpr Option kHtml{.name = "html",
                              .argument = "FILE",
                              .help = "also write the report as a page for a browser to FILE",
                              .more = "An existing file is never overwritten. See HTML.",
                              .completion = Completion::kFiles};

/// An error, if this build has no page.
[[nodiscard]] std::optional<Error> check_has_page();

/// Reads the captures again and writes the page at the end; until then it keeps what the page shows beside the report.
class HtmlFile {
 public:
  /// The file that --html names, if given. Fails if it exists or cannot be made, or if this build has no page. `arguments` outlive
  /// it. `interval`: of rates, nanoseconds.
  [[nodiscard]] static Result<std::optional<HtmlFile>> open(const Arguments& arguments, std::int64_t interval);

  [[nodiscard]] render::OverviewRecorder& recorder() noexcept { return *recorder_; }
  /// The messages that recorder() wants to be shown: a second reading has the others.
  [[nodiscard]] MessageChoice wanted() const noexcept {
    return reads_twice_ ? MessageChoice::kTroubled : MessageChoice::kAll;
  }
  /// Writes all; the error, if there is one.
  [[nodiscard]] std::optional<Error> finish(const Report& report, const FinalNumbers& numbers, Messages& messages);

 private:
  HtmlFile(const Arguments& arguments, NewFile file, std::int64_t interval);

  const Arguments* arguments_;
  NewFile file_;
  std::int64_t interval_;
  bool reads_twice_ = false;
  std::unique_ptr<render::OverviewRecorder> recorder_;
};

}  // namespace rocescope::cli
