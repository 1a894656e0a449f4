// The pages of `merge --html`.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/new_file.hpp"
#include "cli/option.hpp"
#include "render/html/overview_recorder.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Option kMergeHtml{
    .name = "html",
    .argument = "FILE",
    .help = "also write the report as a page for a browser to FILE",
    .more =
        R"(An existing file is never overwritten. The page has no graphs of packets, which partial results lack: it says
           what it leaves out. Of several capture points FILE is a folder, and each report a page in it, named after the
           number of its first point: FILE/1.html.)",
    .completion = Completion::kFiles};

/// The page of a report on partial results.
class PartPage {
 public:
  /// The page that --html names, if given, of the report on `observed`, which is not concluded; `number`: of several.
  /// Fails if it exists or cannot be made, or if this build has no page.
  [[nodiscard]] static Result<std::optional<PartPage>> open(const Arguments& arguments, const Report& observed,
                                                            std::optional<std::size_t> number = std::nullopt);

  /// As MessageVisitor; of the connection its number, and address and queue pair of each side.
  void add(const Connection& connection, std::size_t side, const Message& message);
  /// Writes all; the error, if there is one.
  [[nodiscard]] std::optional<Error> finish(const Report& report, bool has_messages);

 private:
  PartPage(NewFile file, const Report& observed);

  NewFile file_;
  FinalNumbers numbers_;
  std::int64_t interval_;
  std::unique_ptr<render::OverviewRecorder> recorder_;
};

}  // namespace rocescope::cli
