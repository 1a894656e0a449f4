// What `analyze --csv` writes, for the manual.
#include <string>

#include "render/report/report_csv.hpp"
#include "render/report/row_documentation.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {

const std::string& report_csv_documentation() {
  static const std::string kText = [] {
    std::string text =
        R"(--csv DIR writes one file a table: a line of column names, then a line a row, with quotes where RFC 4180 asks for them and LF at the end of lines. Numbers are raw, times integer nanoseconds since 1970-01-01 UTC, addresses of memory 0x and 16 hex digits; what does not apply is empty. DIR is made where it does not exist. Files are never overwritten: where one of them is there already, nothing is read or written.

  connections.csv   the connections of the JSON document; the members of
                    both sides as side0_ and side1_, those of `requests`
                    among them, with verdict_ and retransmission_ before
                    the names of verdicts and causes
  flows.csv         flows, with requests_ and responses_ before the names
                    of the PSNs
  findings.csv      findings; packets are separated by blanks
  datagrams.csv     ud_flows
  cm.csv            cm_messages
  regions.csv       memory_regions; connections are separated by blanks
  counters.csv      nic_counters, a line a host and counter
  carried.csv       carried: what connections carry
  outstanding.csv   a line a bucket of `outstanding` in carried: how many
                    commands were outstanding over time
  commands.csv      commands of protocols above RoCE, in the order in
                    which they were over, then those that were not;
                    65,536 at most
  messages.csv      a line a message, in the order of their ends, then
                    those that did not end

Where options leave only some packets, messages.csv has the messages that ended with one of them, and those that did not end of the connections in the report.

)";
    append_documentation(schema::kHostCounter, text);
    text += '\n';
    append_documentation(schema::kDepthBucket, text);
    text += '\n';
    append_documentation(schema::kCommand, text);
    text += '\n';
    append_documentation(schema::kMessage, text);
    return text;
  }();
  return kText;
}

}  // namespace rocescope::render
