// The ladder as NDJSON.
#include <span>
#include <string>
#include <vector>

#include "render/json_writer.hpp"
#include "render/ladder/ladder_printer.hpp"
#include "render/ladder/ladder_rows.hpp"
#include "render/report/row_documentation.hpp"
#include "render/report/row_json.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

/// Appends one object, whose members after the type `write` writes.
template <class Write>
void write_line(std::string_view type, std::string& out, Write write) {
  JsonWriter json(out, JsonSpace::kCompact);
  json.open_object();
  json.string("type", type);
  write(json);
  json.close_object();
  out += '\n';
}
template <class Row>
void write_line(const schema::Rows<Row>& rows, const Row& row, std::string& out) {
  write_line(rows.name, out, [&](JsonWriter& json) { write_members(rows, row, json); });
}

class LadderJson final : public LadderPrinter {
 public:
  explicit LadderJson(std::span<const CommandSpan> commands)
      : commands_(commands), cursor_(commands), is_written_(commands.size()) {}

  void begin(const Connection& connection, std::int64_t /*start*/, const TruthTimeline* timeline,
             std::string& out) override {
    write_line(schema::kLadderStart, {connection, timeline}, out);
  }

  void event(const LadderEvent& event, std::string& out) override {
    cursor_.reach(event.frame, [&](const CommandSpan& span) { command(span, out); });
    if (const auto* run = std::get_if<PacketRun>(&event.what)) {
      for (const CommandEnd& end : run->ends) command(*end.span, out);
    }
    std::visit(
        [&]<class What>(const What& what) {
          const auto& rows = std::get<schema::Rows<What>>(schema::event_rows());
          write_line(rows.name, out, [&](JsonWriter& json) {
            write_members(schema::kLadderEvent, event, json);
            write_members(rows, what, json);
          });
        },
        event.what);
  }

  void truth(const TruthEvent& event, std::string& out) override {
    write_line(schema::kTruthEvent.name, out, [&](JsonWriter& json) {
      write_members(schema::kTruthEvent, event, json);
      std::visit(
          [&]<class Fact>(const Fact& fact) {
            const auto& rows = std::get<schema::Rows<Fact>>(schema::kFactRows);
            json.string("event", rows.name);
            write_members(rows, fact, json);
          },
          event.what);
    });
  }

  void phase(const PhaseSpan& phase, std::string& out) override { write_line(schema::kPhase, phase, out); }

  void end(std::string& /*out*/) override {}

 private:
  /// Once, before the first line beside which it is outstanding.
  void command(const CommandSpan& span, std::string& out) {
    auto is_written = is_written_.begin() + (&span - commands_.data());
    if (*is_written) return;
    *is_written = true;
    write_line(schema::kCommand, span.command, out);
  }

  std::span<const CommandSpan> commands_;
  SpanCursor cursor_;
  std::vector<bool> is_written_;  // of commands_
};

}  // namespace

std::unique_ptr<LadderPrinter> make_ladder_json(const CommandSpans* commands) {
  return std::make_unique<LadderJson>(commands == nullptr ? std::span<const CommandSpan>() : commands->all());
}

const std::string& ladder_json_documentation() {
  static const std::string kText = [] {
    std::string text = R"(
One object a line, in the order of time. Numbers are raw: bytes, packets, times as integer nanoseconds since
1970-01-01 UTC. IDs and addresses of 64 bits are strings, "0x" and 16 digits. Members that do not apply are absent.
Each has "type", which says what else it has:

  ladder            the first line
  cm, exchange, packets
                    the members of event, then those of the type
  command           a command of a protocol above RoCE, before the first line
                    beside which it is outstanding: the members of a row of
                    commands.csv, see rocescope-analyze(1)
  truth             with --truth: the members of truth, "event", and the
                    members of that event
  phase             with --truth
)";
    const auto append = [&](const auto&... tables) { ((text += '\n', append_documentation(tables, text)), ...); };
    append(schema::kLadderStart, schema::kLadderEvent);
    std::apply(append, schema::event_rows());
    append(schema::kPhase, schema::kTruthEvent);
    std::apply(append, schema::kFactRows);
    return text;
  }();
  return kText;
}

}  // namespace rocescope::render
