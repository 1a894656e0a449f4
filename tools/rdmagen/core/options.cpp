#include "core/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <iterator>
#include <limits>
#include <span>
#include <sstream>

#include "core/error.hpp"
#include "core/plan.hpp"

namespace rocescope::rdmagen {
namespace {

namespace po = boost::program_options;

constexpr std::string_view kSetupNames[] = {"cm", "exchange"};
constexpr std::string_view kTransportNames[] = {"rc", "uc", "ud", "xrc"};

/// Which of `names` is meant; throws UsageError that lists them.
std::size_t one_of(std::string_view option, const std::string& value, std::span<const std::string_view> names) {
  const auto at = std::find(names.begin(), names.end(), value);
  if (at == names.end()) {
    throw UsageError(fmt::format("--{} {}: there is {}", option, value, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(at - names.begin());
}

template <typename T>
T number(std::string_view option, const std::string& text, std::uint64_t least = 0,
         std::uint64_t most = std::numeric_limits<T>::max()) {
  const bool hex = text.starts_with("0x");
  const char* begin = text.data() + (hex ? 2 : 0);
  const char* end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
  if (error != std::errc() || stop != end || value < least || value > most) {
    throw UsageError(fmt::format("--{} {}: it is a number from {} to {}", option, text, least, most));
  }
  return static_cast<T>(value);
}

std::uint64_t size(std::string_view option, const std::string& text) {
  const auto value = parse_size(text);
  if (!value) throw UsageError(fmt::format("--{} {}: it is a size as 64, 4K, 1M or 1G", option, text));
  return *value;
}

/// Typed access to what was given.
class Given {
 public:
  explicit Given(const po::variables_map& values) : values_(values) {}

  [[nodiscard]] bool has(const char* name) const { return values_.count(name) != 0; }
  [[nodiscard]] std::string text(const char* name) const {
    return has(name) ? values_[name].as<std::string>() : std::string();
  }
  template <typename T>
  void into(T& target, const char* name, std::uint64_t least = 0,
            std::uint64_t most = std::numeric_limits<T>::max()) const {
    if (has(name)) target = number<T>(name, text(name), least, most);
  }
  template <typename T>
  void into(std::optional<T>& target, const char* name, std::uint64_t least, std::uint64_t most) const {
    if (has(name)) target = number<T>(name, text(name), least, most);
  }

 private:
  const po::variables_map& values_;
};

po::value_semantic* word(const char* name) { return po::value<std::string>()->value_name(name); }

po::options_description common_options() {
  po::options_description options("Both");
  options.add_options()("port", word("N"), "port of the CM service and of the TCP greeting (18520)")(
      "device", word("NAME"), "RDMA device (the one whose address is used)")(
      "gid-index", word("N"), "index in its GID table, for --setup exchange (the RoCE v2 GID of the address)")(
      "truth", word("FILE"), "write what happens, a line of JSON for each fact; - is standard output")(
      "wait", word("SECONDS"), "longest silence before giving up (10)")(
      "min-rnr-timer", word("CODE"), "how long an RNR NAK of this side makes the peer wait, 0..31")(
      "psn", word("PSN"), "first PSN of this side, with --setup exchange; 0xfffff0 soon wraps (random)")(
      "help,h", "this text")("version", "version");
  return options;
}

po::options_description server_options() {
  po::options_description options("Server");
  options.add_options()("bind", word("ADDRESS"), "address to listen on (all)")("once", "end after one client")(
      "tcp-only", "serve tcp-bulk only, without an RDMA device");
  return options;
}

po::options_description client_options() {
  po::options_description options("Client");
  options.add_options()("workload,w", word("NAME"), "what to do (below)")(
      "fault", word("NAME"), "what goes wrong, in place of a workload (below)")(
      "setup", word("HOW"), "cm: communication manager; exchange: own messages over UD (cm)")("transport", word("NAME"),
                                                                                              "rc, uc, ud or xrc (rc)")(
      "operations", word("LIST"),
      "bulk: one, mixed: any of send, send-imm, send-inv, write, write-imm, read, cas, fadd, "
      "atomic-write, flush; separated by commas")("size", word("BYTES"), "of a message; of all of bulk and tcp-bulk")(
      "chunk", word("BYTES"), "of a message of bulk")("count", word("N"), "repetitions")(
      "connections", word("N"), "at once, 1..64 (1)")("qps", word("N"), "queue pairs of each connection, 1..64 (1)")(
      "depth", word("N"), "most send work requests outstanding on a queue pair (16)")(
      "signal-every", word("N"), "every n-th work request makes a completion (1)")(
      "inline", word("BYTES"), "messages up to this size go inline (0)")(
      "payload", word("KIND"), "pattern, random or zero (pattern)")("seed", word("N"), "of random and mixed (1)")(
      "lossy", "UC, UD: lost messages are counted and no error")("retry-count", word("N"), "0..7 (7)")(
      "rnr-retry", word("N"), "0..7, 7 is without end (7; 3 with --fault rnr)")(
      "ack-timeout", word("CODE"), "0..31, 4.096 us * 2^n (18; with the CM its own choice)")(
      "traffic-class", word("N"), "0..255: DSCP and ECN of the packets (0)")("service-level", word("N"),
                                                                             "0..7, with --setup exchange (0)")(
      "path-mtu", word("BYTES"), "256, 512, 1024, 2048 or 4096, with --setup exchange (the port's)");
  return options;
}

struct Defaults {
  const char* size;
  const char* chunk;
  const char* count;
};

Defaults defaults_of(const Job& job) {
  if (job.fault == Fault::kSlowReceiver) return {"4K", "4K", "10"};
  if (job.fault == Fault::kKillServer || job.fault == Fault::kKillClient) return {"64K", "4K", "100"};
  // One packet each, so that a refused message is one packet as well.
  if (job.fault != Fault::kNone) return {"256", "4K", "1"};
  switch (job.workload) {
    case Workload::kBulk:
      return {"16M", "64K", "1"};
    case Workload::kTcpBulk:
      return {"16M", "64K", "1"};
    case Workload::kPingPong:
      return {"64", "4K", "100"};
    case Workload::kMixed:
      return {"8K", "4K", "200"};
    case Workload::kWriteRead:
      return {"4K", "4K", "1"};
    default:
      return {"64K", "4K", "10"};
  }
}

void read_operations(Options& options, const std::string& list) {
  std::istringstream words(list);
  for (std::string name; std::getline(words, name, ',');) {
    const auto operation = operation_named(name);
    if (!operation) throw UsageError(fmt::format("--operations {}: there is no operation {}", list, name));
    options.job.operations.add(*operation);
  }
}

void read_job(Options& options, const Given& given) {
  Job& job = options.job;
  if (given.has("workload") == given.has("fault")) {
    throw UsageError(given.has("fault") ? "--fault comes in place of --workload"
                                        : "what to do? Give --workload NAME or --fault NAME");
  }
  if (given.has("workload")) {
    job.workload = static_cast<Workload>(one_of("workload", given.text("workload"), kWorkloadNames));
  } else {
    job.fault = static_cast<Fault>(one_of("fault", given.text("fault"), std::span(kFaultNames).subspan(1)) + 1);
  }
  if (given.has("setup")) options.setup = static_cast<Setup>(one_of("setup", given.text("setup"), kSetupNames));
  if (given.has("transport")) {
    job.transport = static_cast<Transport>(one_of("transport", given.text("transport"), kTransportNames) + 1);
  }
  if (given.has("payload")) {
    job.payload = static_cast<Payload>(one_of("payload", given.text("payload"), kPayloadNames));
  }
  if (given.has("operations")) read_operations(options, given.text("operations"));
  const Defaults defaults = defaults_of(job);
  job.size = size("size", given.has("size") ? given.text("size") : defaults.size);
  const std::uint64_t chunk = size("chunk", given.has("chunk") ? given.text("chunk") : defaults.chunk);
  job.chunk = static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk, std::numeric_limits<std::uint32_t>::max()));
  job.count = number<std::uint32_t>("count", given.has("count") ? given.text("count") : defaults.count, 1);
  given.into(job.connections, "connections", 1, 64);
  given.into(job.qps, "qps", 1, 64);
  given.into(job.depth, "depth", 1, 8192);
  given.into(job.signal_every, "signal-every", 1);
  given.into(job.inline_bytes, "inline");
  given.into(job.seed, "seed");
  job.lossy = given.has("lossy");
}

void read_connection(Options& options, const Given& given) {
  if (options.job.fault == Fault::kRnr) options.rnr_retry = 3;
  given.into(options.retry_count, "retry-count", 0, 7);
  given.into(options.rnr_retry, "rnr-retry", 0, 7);
  given.into(options.ack_timeout, "ack-timeout", 0, 31);
  given.into(options.traffic_class, "traffic-class");
  given.into(options.service_level, "service-level", 0, 7);
  given.into(options.path_mtu, "path-mtu");
  if (options.setup == Setup::kCm) {
    if (options.job.transport == Transport::kXrc) {
      throw UsageError("--transport xrc: the communication manager is not used for it; use --setup exchange");
    }
    for (const char* name : {"psn", "path-mtu", "service-level", "gid-index"}) {
      if (given.has(name)) {
        throw UsageError(
            fmt::format("--{}: the communication manager decides this itself; use --setup exchange", name));
      }
    }
  }
  const std::uint32_t mtu = options.path_mtu;
  if (mtu != 0 && (mtu < 256 || mtu > 4096 || (mtu & (mtu - 1)) != 0)) {
    throw UsageError(fmt::format("--path-mtu {}: there is 256, 512, 1024, 2048 and 4096", mtu));
  }
  if (options.job.fault == Fault::kRnr && options.rnr_retry == 7) {
    throw UsageError("--rnr-retry 7 tries without end: --fault rnr needs 0 to 6");
  }
}

void refuse_others(const Given& given, const po::options_description& others, std::string_view role) {
  for (const auto& option : others.options()) {
    if (given.has(option->long_name().c_str())) {
      throw UsageError(fmt::format("--{} is not for the {}", option->long_name(), role));
    }
  }
}

po::variables_map parse_words(const std::vector<std::string>& words) {
  po::options_description all;
  all.add(common_options()).add(server_options()).add(client_options());
  all.add_options()("words", po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add("words", -1);
  po::variables_map values;
  try {
    po::store(po::command_line_parser(words)
                  .options(all)
                  .positional(positions)
                  .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                  .run(),
              values);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  return values;
}

}  // namespace

Options parse_options(const std::vector<std::string>& words) {
  const po::variables_map values = parse_words(words);
  const Given given(values);
  Options options;
  options.help = given.has("help");
  options.version = given.has("version");
  if (options.help || options.version) return options;

  const auto positional =
      given.has("words") ? values["words"].as<std::vector<std::string>>() : std::vector<std::string>();
  const std::string role = positional.empty() ? std::string() : positional[0];
  if (role == "server") {
    options.role = Side::kServer;
    if (positional.size() > 1)
      throw UsageError(fmt::format("{}: the server takes no address here; use --bind", positional[1]));
    refuse_others(given, client_options(), role);
    options.host = given.text("bind");
    options.once = given.has("once");
    options.tcp_only = given.has("tcp-only");
  } else if (role == "client") {
    if (positional.size() != 2) throw UsageError("which server? rdmagen client HOST --workload NAME");
    refuse_others(given, server_options(), role);
    options.host = positional[1];
    read_job(options, given);
    read_connection(options, given);
    if (const std::string complaint = complaint_about(options.job); !complaint.empty()) throw UsageError(complaint);
  } else {
    throw UsageError(role.empty() ? "which side? rdmagen server, or rdmagen client HOST --workload NAME"
                                  : fmt::format("{}: it is server or client", role));
  }
  given.into(options.port, "port", 1);
  options.device = given.text("device");
  given.into(options.gid_index, "gid-index", 0, 255);
  options.truth = given.text("truth");
  given.into(options.wait_s, "wait", 1, 3600);
  given.into(options.min_rnr_timer, "min-rnr-timer", 0, 31);
  given.into(options.starting_psn, "psn", 0, 0xffffff);
  return options;
}

std::string usage() {
  std::ostringstream text;
  text << "rdmagen server [options]\n"
          "rdmagen client HOST --workload NAME | --fault NAME [options]\n\n"
          "Traffic over real RDMA verbs, with the truth about it written beside.\n\n";
  text << fmt::format("Workloads: {}\nFaults:    {}\n\n", fmt::join(kWorkloadNames, ", "),
                      fmt::join(std::span(kFaultNames).subspan(1), ", "));
  text << client_options() << '\n' << server_options() << '\n' << common_options();
  return text.str();
}

}  // namespace rocescope::rdmagen
