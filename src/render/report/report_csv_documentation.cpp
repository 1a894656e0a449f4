// What `analyze --csv` writes, for the manual.
#include "render/report/report_csv.hpp"

namespace rocescope::render {

std::string_view report_csv_documentation() noexcept {
  return R"(--csv DIR writes one file a table: a line of column names, then a line a row, with quotes where RFC 4180 asks for them and LF at the end of lines. Numbers are raw, times integer nanoseconds since 1970-01-01 UTC, addresses of memory 0x and 16 hex digits; what does not apply is empty. DIR is made where it does not exist. Files are never overwritten: where one of them is there already, nothing is read or written.

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
  counters.csv      nic_counters, a line a host and counter: address,
                    overlay_id, counter (its name in the JSON document),
                    mlx5 and rxe (what either driver calls it among its
                    hw_counters; empty: it has none), value
  messages.csv      a line a message, in the order of their ends, then
                    those that did not end: number (over the capture),
                    connection, side (0 or 1, who requested it),
                    requester, requester_qpn, responder, responder_qpn,
                    operation, outcome (completed, refused, outstanding,
                    unacknowledged: UC), nak_code (1 invalid request,
                    2 remote access, 3 remote operational), bytes (of a
                    READ those that it asks for), address, r_key,
                    immediate, invalidated_r_key, has_first and has_last
                    (whether its first and last packet were seen), resent
                    (some of it more than once), first_psn, last_psn (of a
                    READ: of its last response), first_packet,
                    last_packet, completion_packet (the ACK, NAK or last
                    response), first_time, last_time, completion_time

Where options leave only some packets, messages.csv has the messages that ended with one of them, and those that did not end of the connections that are told.)";
}

}  // namespace rocescope::render
