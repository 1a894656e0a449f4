#include "render/report/live_json.hpp"

#include "render/json_writer.hpp"
#include "render/report/row_json.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

void write_totals(const LiveTotals& totals, JsonWriter& json) {
  json.number("packets", totals.traffic.packets);
  json.number("bytes", totals.traffic.bytes);
  json.number("roce_packets", totals.roce.packets);
  json.number("roce_bytes", totals.roce.bytes);
  json.number("retransmitted_packets", totals.retransmitted_packets);
  json.number("naks", totals.naks);
  json.number("cnps", totals.cnps);
  json.number("ce_packets", totals.ce_packets);
  json.number("evicted_idle", totals.evicted_idle);
  json.number("evicted_crowded", totals.evicted_crowded);
}

void write_interval(const LiveUpdate& update, JsonWriter& json) {
  json.number("schema", kLiveSchema);
  json.number("duration", update.duration);
  write_totals(update.interval, json);
  json.number("connections", update.connections.size());
  json.number("findings", update.findings.size());
  json.number("followed", update.followed);
  json.open_array("gone");
  for (const GoneConnection& gone : update.gone) {
    json.open_object();
    json.number("number", gone.number);
    if (gone.part_of != 0) json.number("part_of", gone.part_of);
    json.close_object();
  }
  json.close_array();
  json.open_object("total");
  write_totals(update.total, json);
  json.close_object();
  json.open_array("interfaces");
  for (std::size_t i = 0; i < update.interfaces.size(); ++i) {
    json.open_object();
    json.string("name", update.interfaces[i]);
    json.number("received_packets", update.counters[i].received);
    json.number("dropped_by_kernel", update.counters[i].dropped_by_kernel);
    json.number("dropped_by_interface", update.counters[i].dropped_by_interface);
    json.number("not_analysed", update.counters[i].not_analysed);
    json.close_object();
  }
  json.close_array();
}

/// A line, whose members beside type and time `write` writes.
template <class Write>
void append_line(std::string_view type, const LiveUpdate& update, std::string& out, Write write) {
  JsonWriter json(out, JsonSpace::kLine);
  json.open_object();
  json.string("type", type);
  json.number("time", update.time);
  write(json);
  json.close_object();
  out += '\n';
}

/// Without the rates over time, which are long: a reader of every interval has them already.
Connection without_series(const Connection& connection) {
  Connection copy = connection;
  for (ConnectionSide& side : copy.sides) side.rates = {};
  return copy;
}

}  // namespace

void append_live_json(const LiveUpdate& update, std::string& out) {
  append_line("interval", update, out, [&](JsonWriter& json) { write_interval(update, json); });
  for (const Connection& connection : update.connections) {
    append_line("connection", update, out,
                [&](JsonWriter& json) { write_members(schema::kConnection, without_series(connection), json); });
  }
  for (const Finding& finding : update.findings) {
    append_line("finding", update, out, [&](JsonWriter& json) { write_members(schema::kFinding, finding, json); });
  }
}

std::string_view live_json_documentation() noexcept {
  return R"(
One object a line, written once every --every and at the end. Each has "type" and "time", nanoseconds since 1970-01-01
UTC: the time of writing, by the clock as it was at the start, even if it is set later.

  "interval"        what passed since the line of this type before, first of
                    those of one time:
    schema                  1; as "schema" of the report
    duration                of the interval, in nanoseconds
    packets, bytes, roce_packets, roce_bytes
                            that the report is about
    retransmitted_packets   requests and READ responses sent again
    naks, cnps, ce_packets  NAKs and RNR NAKs, CNPs, packets marked CE
    evicted_idle, evicted_crowded
                            connections that were evicted: idle, and
                            because of --max-connections
    connections, findings   how many lines of them follow
    followed                connections that are followed now
    gone                    array: connections of earlier lines that no later
                            line has: number, and part_of (the connection
                            that they are a direction of) if they were not
                            evicted. A later packet of an evicted one begins
                            another connection
    total                   object: packets to evicted_crowded, since the
                            start
    interfaces              array: name, received_packets,
                            dropped_by_kernel, dropped_by_interface,
                            not_analysed (written only): since the start
  "connection"      one that had packets in the interval, as it is by now: the
                    members of "connections" of the report, rates empty
  "finding"         a new one: the members of "findings" of the report. Later
                    packets may add to it or disprove it: the report is final.
                    A finding that rests on silence (cm_incomplete, cm_timeout,
                    one_sided) comes after a minute of silence, or at the end.
  "report"          the last line: the report of the whole capture, as
                    `analyze --json` writes it; see rocescope-analyze(1))";
}

}  // namespace rocescope::render
