// A report as one page of HTML that opens without a network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/html/detail_recorder.hpp"
#include "render/html/overview_recorder.hpp"
#include "render/html/page_document.hpp"
#include "rocescope/report.hpp"

namespace rocescope::render {

/// What the page says of itself.
struct PageFacts {
  std::string program;                 ///< `rocescope 0.1.0`
  std::vector<std::string> narrowing;  ///< options that leave packets out
  std::int64_t interval = 0;           ///< of the rates of the report, nanoseconds
  bool has_packets = true;             ///< false: of partial results, so that the overview has messages at most
  bool has_messages = true;            ///< false: nor these
};

/// Writes all of the page. `details`: null where the captures could not be read twice, or are not at hand.
void write_html_report(const Report& report, OverviewRecorder& overview, DetailRecorder* details,
                       const PageFacts& facts, const PageDocument::Sink& sink);

/// For the manual.
[[nodiscard]] std::string_view html_report_documentation() noexcept;

}  // namespace rocescope::render
