// What the JSON of a report holds, for the manual.
#include <string>

#include "render/report/report_json.hpp"
#include "render/report/row_documentation.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {

const std::string& report_json_documentation() {
  static const std::string kText = [] {
    std::string text =
        R"(One object. Numbers are raw: bytes, packets, and times as integer nanoseconds since 1970-01-01 UTC. Members that do not apply are absent.

)";
    append_documentation(schema::kReport, text);
    return text;
  }();
  return kText;
}

}  // namespace rocescope::render
