#include "render/report/report_json.hpp"

#include "render/json_writer.hpp"
#include "render/report/row_json.hpp"
#include "rocescope/render.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {

void append_report_json(const Report& report, std::string& out, const ReportJsonOptions& options) {
  JsonWriter json(out, options.indented ? JsonSpace::kIndented : JsonSpace::kLine);
  write_report(report, json);
  out += '\n';
}

void write_report(const Report& report, JsonWriter& json) {
  json.open_object();
  write_members(schema::kReport, report, json);
  json.close_object();
}

}  // namespace rocescope::render
