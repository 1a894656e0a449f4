#include "render/report/report_json.hpp"

#include "render/json_writer.hpp"
#include "render/report/row_json.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {

void append_report_json(const Report& report, std::string& out, JsonSpace space) {
  JsonWriter json(out, space);
  json.open_object();
  write_members(schema::kReport, report, json);
  json.close_object();
  out += '\n';
}

}  // namespace rocescope::render
