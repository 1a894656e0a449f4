// The sections of a page, each a JSON object of its own.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "render/html/html_report.hpp"
#include "render/html/series_grid.hpp"
#include "render/json_writer.hpp"

namespace rocescope::render {

/// What the sections are made of.
struct PageSource {
  const Report& report;
  OverviewRecorder& overview;
  DetailRecorder* details = nullptr;  ///< null where the captures could not be read twice, or are not at hand
  std::int64_t interval = 0;          ///< of the rates of the report, nanoseconds
  bool has_packets = true;            ///< as PageFacts has them
  bool has_messages = true;

  [[nodiscard]] std::int64_t start() const noexcept { return report.start.value_or(0); }
  [[nodiscard]] bool has_all_details() const noexcept { return details != nullptr && details->is_whole(); }
  [[nodiscard]] const TrafficRecorder& traffic() const noexcept {
    return has_all_details() ? details->traffic() : overview.traffic();
  }
  /// Those that the page has.
  [[nodiscard]] TraceRecorder& messages() const noexcept {
    return has_all_details() ? details->messages() : overview.messages();
  }
  /// Of all hosts together.
  [[nodiscard]] const RateSeries& roce() const noexcept {
    return has_all_details() ? traffic().all().roce : report.rates;
  }
  /// That of all series of the whole capture.
  [[nodiscard]] Grid grid() const;
  /// Begun, of all connections.
  [[nodiscard]] std::uint64_t all_messages() const;
};

// Each writes the members of one section.
void write_summary(const PageSource& source, JsonWriter& json);
void write_findings(const Report& report, JsonWriter& json);
void write_explanations(const Report& report, JsonWriter& json);
/// Returns how many pairs of hosts it left out.
std::size_t write_pairs(const PageSource& source, JsonWriter& json);
void write_marks(const PageSource& source, JsonWriter& json);
void write_connection_rates(const PageSource& source, JsonWriter& json);

/// How many rows of a table there are.
struct TableSize {
  std::string_view name;
  std::uint64_t rows = 0;
  std::uint64_t left_out = 0;
};
/// Adds the section of each table.
[[nodiscard]] std::vector<TableSize> write_tables(const PageSource& source, PageDocument& page);

}  // namespace rocescope::render
