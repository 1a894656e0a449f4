// `rocescope export`: reports into ClickHouse.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/connection_numbers.hpp"
#include "cli/credentials.hpp"
#include "cli/general_options.hpp"
#include "cli/input_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/packet_input.hpp"
#include "cli/program.hpp"
#include "cli/report_options.hpp"
#include "cli/signals.hpp"
#include "clickhouse/store.hpp"
#include "clickhouse/tables.hpp"
#include "filter/filter.hpp"
#include "partial/partial.hpp"
#include "render/value_text.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kClickHouse{
    .name = "clickhouse",
    .argument = "URL[,URL...]",
    .help = "the servers, such as http://HOST:8123",
    .more =
        R"(The HTTP interface of each server; https where it has TLS. All rows of a capture go to one of them, which its
           name decides, so that captures spread over the servers and a question about one capture is one server's.)"};
constexpr Option kDatabase{
    .name = "database",
    .argument = "NAME",
    .help = "the database (rocescope)",
    .more = "It and its tables are made where they are missing. Letters, digits and underscores."};
constexpr Option kDdl{.name = "ddl", .help = "print the statements that make the tables, and load nothing"};
constexpr Option kCredentials{
    .name = "credentials",
    .argument = "FILE",
    .help = "user and password of the servers are in FILE",
    .more = R"(Two lines, user=NAME and password=SECRET. Nobody but its owner may be able to read the file. Without it
           CLICKHOUSE_USER and CLICKHOUSE_PASSWORD of the environment count, then ~/.netrc.)",
    .completion = Completion::kFiles};
constexpr Option kCaFile{.name = "ca-file",
                         .argument = "FILE",
                         .help = "certificates of who signs those of the servers, in PEM",
                         .more = "Instead of the authorities that the system trusts.",
                         .completion = Completion::kFiles};
constexpr Option kCaptureName{
    .name = "name",
    .argument = "NAME",
    .help = "the name of the capture (default: where its files are)",
    .more =
        R"(Loading a capture of the same name again replaces its rows. Give names where the files of several hosts have the
           same path, and to standard input.)"};
constexpr Option kReplace{
    .name = "replace",
    .help = "also replace a capture of the name that begins at another time",
    .more = "Without it that is an error: most often it is another capture, in a file that had the path before."};
constexpr Option kLeaveMessages{.name = "no-messages",
                                .help = "leave the table of messages empty; faster, smaller",
                                .more = "It is most of the rows."};

constexpr Option kPackets{
    .name = "packets",
    .argument = "FILTER",
    .help = "also load the packets that pass a display filter",
    .more =
        R"(Into the table packets, such as --packets 'rocescope.verdict.retransmission'; all of them: --packets frame.
           Packets that -Y or another condition leaves out are none of them. The captures are read twice, since a
           connection may get another number while they are read.)"};

bool is_name(std::string_view text) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') && std::ranges::all_of(text, is_part);
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::string_view rest = list;
  while (true) {
    const std::size_t comma = rest.find(',');
    parts.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    rest.remove_prefix(comma + 1);
  }
}

/// Where the files are, with a blank between them.
Result<std::string> name_of(const Arguments& arguments, std::span<const std::string> files) {
  if (const GivenOption* const given = arguments.last(kCaptureName)) {
    return given->value.empty() ? Result<std::string>(wrong_value(*given, "a name")) : given->value;
  }
  std::string name;
  for (const std::string& file : files) {
    if (file == "-") return Error{"standard input has no name: give the capture one with --name"};
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(file, error);
    if (error) return Error{fmt::format("cannot tell where {} is: {}", file, error.message())};
    if (!name.empty()) name += ' ';
    name += path.lexically_normal().string();
  }
  return name;
}

Result<clickhouse::Store> open_store(const Arguments& arguments) {
  const GivenOption* const servers = arguments.last(kClickHouse);
  if (servers == nullptr)
    return Error{"export needs --clickhouse URL, the servers that it loads into; --ddl prints the tables"};
  clickhouse::Access access{.interrupted = [] { return interrupted(); }};
  if (std::optional<Error> error = read_credentials(arguments.last(kCredentials), access)) return *std::move(error);
  if (const GivenOption* const given = arguments.last(kCaFile)) {
    if (!std::ifstream(given->value))
      return Error{fmt::format("cannot read {}, which {} names", given->value, given->typed)};
    access.ca_file = given->value;
  }
  const GivenOption* const database = arguments.last(kDatabase);
  return clickhouse::Store::open(split(servers->value), database == nullptr ? "rocescope" : database->value, access);
}

void say_what_is_there(const clickhouse::Load& load, std::string_view name, std::string_view database, Output& output) {
  render::append_lines(name, output.text());
  output.text() += fmt::format(": in database {} of {}\n", database, load.server().url());
  for (std::size_t i = 0; i < clickhouse::kTables; ++i) {
    output.text() += fmt::format("  {:<12} {:>15} rows\n", clickhouse::tables()[i].name, text::count(load.rows(i)));
  }
  output.flush();
}

Result<ExitCode> load_captures(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Result<InputOptions> options = input_options(arguments, "export");
  if (!options) return options.error();
  if (std::optional<Error> error = read_track_options(arguments, options->track)) return *std::move(error);
  options->parts.icrc = !arguments.has(kNoIcrc);
  options->ahead = std::thread::hardware_concurrency() > 1 ? ReadingAhead::kInOwnThread : ReadingAhead::kBatches;
  options->purpose = Purpose::kReport;
  std::optional<filter::Filter> packets;
  if (const GivenOption* const given = arguments.last(kPackets)) {
    if (std::optional<Error> error = check_can_be_read_twice(*options)) return *std::move(error);
    Result<filter::Filter> compiled = filter::compile(given->value);
    if (given->value.find_first_not_of(" \t\n") == std::string::npos)
      return wrong_value(*given, "a display filter; `frame` is one that all packets pass");
    if (!compiled) return Error{fmt::format("{}: {}", given->typed, compiled.error().message)};
    packets = std::move(*compiled);
    options->parts = options->parts | packets->parts() | RecordParts{.verdict = true, .final_number = true};
    options->shows_expected = packets->may_pass_expected();
  }
  const std::size_t most_connections = options->track.max_connections;
  const Result<std::string> name = name_of(arguments, options->files);
  if (!name) return name.error();
  const Result<std::unique_ptr<PacketInput>> opened = PacketInput::open(std::move(*options), invocation.messages);
  if (!opened) return opened.error();
  PacketInput& input = **opened;
  const Result<clickhouse::Store> store = open_store(arguments);
  if (!store) return store.error();
  const bool has_messages = !arguments.has(kLeaveMessages);
  const Result<std::unique_ptr<clickhouse::Load>> begun =
      clickhouse::Load::begin(*store, {.name = *name,
                                       .program = std::string(version()),
                                       .has_messages = has_messages,
                                       .packets_filter = packets ? arguments.last(kPackets)->value : std::string(),
                                       .replaces_others = arguments.has(kReplace)});
  if (!begun) return begun.error();
  clickhouse::Load& load = **begun;
  if (has_messages) {
    input.analysis().on_message([&](const Connection& connection, std::size_t side, const Message& message) {
      load.add(connection, side, message);
      if (load.error()) input.stop();
    });
  }
  std::function<void(const PacketRecord&)> on_packet;
  if (packets) {
    on_packet = [&](const PacketRecord& record) {
      if (!packets->matches(record)) return;
      load.add(record);
      if (load.error()) input.stop();
    };
  }
  invocation.messages.start_progress();
  const Report report = input.report(on_packet);
  if (interrupted()) {
    input.finish(false);
    invocation.messages.warning("nothing is loaded: it would pass for the whole capture");
    return ExitCode::kInterrupted;
  }
  if (load.error()) return *load.error();
  if (input.numbers_error()) return *input.numbers_error();
  if (std::optional<Error> error = load.finish(report)) return *std::move(error);
  input.finish(arguments.has(kVerbose));
  if (report.evicted.crowded > 0) invocation.messages.warning(crowded_text(most_connections));
  say_what_is_there(load, *name, store->database(), invocation.output);
  return ExitCode::kDone;
}

/// A shard has but a part of each table, and the numbers of its connections and messages are its own. Each result is a capture of its own.
std::optional<Error> check_is_whole(const std::string& file) {
  Result<partial::PartialReader> reader = partial::PartialReader::open(file, version());
  if (!reader) return reader.error();
  if (reader->next() != 0)
    return Error{fmt::format("{} has the results of several capture points: export takes each by itself", file)};
  Observations observations;
  if (std::optional<Error> error = reader->read_head(observations)) return error;
  if (observations.shard.count == 0) return std::nullopt;
  return Error{fmt::format("{} is of shards: export takes partial results that were made without --shard", file)};
}

std::optional<Error> load_partial(Invocation& invocation, const clickhouse::Store& store, const std::string& file) {
  const Arguments& arguments = invocation.arguments;
  Result<partial::PartialReader> reader = partial::PartialReader::open(file, version());
  if (!reader) return reader.error();
  const Result<std::string> name = name_of(arguments, {&file, 1});
  if (!name) return name.error();
  const bool has_messages = reader->has_messages() && !arguments.has(kLeaveMessages);
  if (!reader->has_messages() && !arguments.has(kLeaveMessages))
    invocation.messages.warning(fmt::format("{} was made with --no-messages: none are loaded", file));
  const Result<std::unique_ptr<clickhouse::Load>> begun =
      clickhouse::Load::begin(store, {.name = *name,
                                      .program = std::string(version()),
                                      .has_messages = has_messages,
                                      .replaces_others = arguments.has(kReplace)});
  if (!begun) return begun.error();
  clickhouse::Load& load = **begun;
  MessageVisitor on_message;
  if (has_messages) {
    on_message = [&](const Connection& connection, std::size_t side, const Message& message) {
      load.add(connection, side, message);
    };
  }
  Observations observations;
  if (std::optional<Error> error = reader->read(on_message, observations)) return error;
  if (std::optional<Error> error = load.finish(conclude(std::move(observations)))) return error;
  say_what_is_there(load, *name, store.database(), invocation.output);
  return std::nullopt;
}

/// The options that say nothing about a partial result.
const Option* of_captures(const Arguments& arguments);

std::optional<Error> check_ddl_alone(const Arguments& arguments);

Result<ExitCode> run_export(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const GivenOption* const database = arguments.last(kDatabase);
  if (database != nullptr && !is_name(database->value))
    return wrong_value(*database, "a name of letters, digits and underscores");
  if (arguments.has(kDdl)) {
    if (std::optional<Error> error = check_ddl_alone(arguments)) return *std::move(error);
    invocation.output.text() += clickhouse::ddl(database == nullptr ? "rocescope" : database->value);
    return ExitCode::kDone;
  }
  const std::vector<std::string>& files = arguments.operands();
  const auto partials = std::ranges::count_if(files, partial::is_partial_result);
  if (partials == 0) return load_captures(invocation);
  if (static_cast<std::size_t>(partials) != files.size() || arguments.has(kRead)) {
    return Error{"captures and partial results at once: load them one after the other"};
  }
  if (arguments.has(kPackets)) return Error{"--packets is for captures: a partial result has no packets"};
  if (const Option* const option = of_captures(arguments)) {
    return Error{fmt::format("option '{}' is for captures: a partial result was made with it or without",
                             arguments.last(*option)->typed)};
  }
  if (files.size() > 1 && arguments.has(kCaptureName))
    return Error{"--name names one capture: load the partial results one after the other"};
  for (const std::string& file : files) {
    if (std::optional<Error> error = check_is_whole(file)) return *std::move(error);
  }
  const Result<clickhouse::Store> store = open_store(arguments);
  if (!store) return store.error();
  for (const std::string& file : files) {
    if (std::optional<Error> error = load_partial(invocation, *store, file)) return *std::move(error);
  }
  return ExitCode::kDone;
}

constexpr Example kExportExamples[] = {
    {"rocescope export --clickhouse http://db1:8123 lab.pcapng", "a capture"},
    {"rocescope export --clickhouse http://db1:8123,http://db2:8123 *.rsp", "partial results, over two servers"},
    {"rocescope export --ddl", "the tables, with what each column means"},
};

constexpr const Option* kExportStore[] = {&kClickHouse,  &kDatabase, &kDdl,           &kCredentials, &kCaFile,
                                          &kCaptureName, &kReplace,  &kLeaveMessages, &kPackets};
constexpr const Option* kExportReport[] = {&kCnpWindow,      &kLinkSpeed,   &kInterval,
                                           &kMaxConnections, &kIdleTimeout, &kNoIcrc};
constexpr const Option* kExportGeneral[] = {&kQuiet, &kVerbose, &kHelp};
constexpr OptionGroup kExportOptions[] = {
    {"ClickHouse", kExportStore}, kInputOptions, kNarrowOptions, {"Report", kExportReport}, {"Other", kExportGeneral}};

const Option* of_captures(const Arguments& arguments) {
  for (const OptionGroup& group : {kExportOptions[1], kExportOptions[2], kExportOptions[3]}) {
    for (const Option* const option : group.options) {
      if (arguments.has(*option)) return option;
    }
  }
  return nullptr;
}

/// It prints the tables, and reads nothing.
std::optional<Error> check_ddl_alone(const Arguments& arguments) {
  const Option* other = of_captures(arguments);
  for (const Option* const option : kExportStore) {
    if (option != &kDdl && option != &kDatabase && arguments.has(*option)) other = option;
  }
  if (other != nullptr) return Error{fmt::format("--{} and --{} do not go together", kDdl.name, other->name)};
  if (!arguments.operands().empty())
    return Error{fmt::format("--{} prints the tables and reads no file: {}", kDdl.name, arguments.operands().front())};
  return std::nullopt;
}

std::span<const Section> export_sections() {
  static const Section kSections[] = {
      {"TABLES", R"(
The tables hold what analyze reports. --ddl prints them, with what each column means; the names of columns are those of
`analyze --csv`. They are made for ClickHouse from 18.16, which Debian 12 has, to current versions.

  captures      a row a file
  connections   a row a connection: side0_ and side1_ stand before the
                names of what each side sent
  messages      a row a message: a work request as the wire shows it
  rates         what one side of a connection sent in a bucket of time,
                where that is anything
  host_rates    the same of two hosts
  findings      what an engineer should know
  handshakes    who connected to whom, and how it ended
  hosts         what the NIC of each host would have counted
  packets       with --packets: a row a packet that passes its filter
  loads         the ledger: which captures are there, or planned

Times and lengths of time are nanoseconds (Int64), addresses text. What a row does not have is 0 or empty; where 0 may also be a
value, a column with _known behind its name is 1 if there is one. capture_id is a number made of the name of the capture.

A connection that was evicted (--max-connections, --idle-timeout) has no row in connections and rates: evicted_connections in
loads says how many there are of a capture. Its packets are counted in host_rates and hosts, and its messages have rows.

What two captures saw of a connection has rows of both. tools/cluster/README.md of the sources has questions with their SQL, which
count it once.)"},
      {"LOADING", R"(
The files of one command are one capture, as for analyze; a partial result is a capture of its own. Its rows are sent
while packets are read, in blocks of at most 64 MiB, and collected beside the tables. When all are there, and counted, they
replace the rows that each table has of the capture (REPLACE PARTITION): whoever loads a capture twice has it once.

An error ends the command with 2: a server that is down, an INSERT that failed. Then the same command, repeated, puts right what
was begun, whatever was interrupted, also if a server or rocescope was killed. The ledger says `planned` of such a capture until
then, and its tables may have rows of the load before. The same servers must be named, in any order, or more of them; if a capture
belongs to another server then, its rows are removed from the one before. To see only what is complete, ask for captures whose last
row in loads is `done`.

A password is never taken from the command line, which other users of the machine can read.)"},
      kInputSection,
      kSelectionSection,
      kFilterSection,
  };
  return kSections;
}

}  // namespace

const Command& export_command() {
  static const Command kCommand{
      .name = "export",
      .summary = "load reports into ClickHouse",
      .operands = "FILE|PART...",
      .operand_completion = Completion::kFiles,
      .examples = kExportExamples,
      .options = kExportOptions,
      .sections = export_sections(),
      .run = run_export,
  };
  return kCommand;
}

}  // namespace rocescope::cli
