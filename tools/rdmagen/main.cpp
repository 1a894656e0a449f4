// The entry point: options, truth, one side.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/options.hpp"
#include "core/tally.hpp"
#include "core/truth.hpp"
#include "verbs/cm_client.hpp"
#include "verbs/exchange_client.hpp"
#include "verbs/peer.hpp"
#include "verbs/run_book.hpp"
#include "verbs/server.hpp"
#include "verbs/tcp_bulk.hpp"

namespace rocescope::rdmagen {

std::atomic<bool> interrupted = false;

namespace {

constexpr int kGood = 0;
constexpr int kBad = 1;
constexpr int kUsage = 2;

void interrupt(int /*signal*/) {
  // A second one ends the program at once.
  interrupted = true;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

Tally run_client(Options& options, Truth& truth) {
  options.job.run_id = std::random_device()();
  if (options.job.workload == Workload::kTcpBulk && options.job.fault == Fault::kNone) return run_tcp_bulk(options);
  if (options.setup == Setup::kExchange) return ExchangeClient(options, truth).run();
  return CmClient(options, truth).run();
}

int run(Options& options, const std::vector<std::string>& words) {
  Truth truth = options.truth.empty() ? Truth(options.role) : Truth(options.role, options.truth);
  truth.fact("start", {{"program", "rdmagen"},
                       {"version", RDMAGEN_VERSION},
                       {"schema", 1},
                       {"host", host_name()},
                       {"pid", getpid()},
                       {"arguments", words}});
  try {
    if (options.role == Side::kServer) return run_server(options, truth) ? kGood : kBad;
    const Tally tally = run_client(options, truth);
    fmt::print("{}", summary(tally));
    tell_result(truth, tally);
    return tally.good() ? kGood : kBad;
  } catch (const std::exception& error) {
    truth.fact("failed", {{"error", error.what()}});
    throw;
  }
}

int main_of(const std::vector<std::string>& words) {
  try {
    Options options = parse_options(words);
    if (options.help) {
      fmt::print("{}", usage());
      return kGood;
    }
    if (options.version) {
      fmt::print("rdmagen {}{}\n", RDMAGEN_VERSION, RDMAGEN_FLUSH);
      return kGood;
    }
    return run(options, words);
  } catch (const UsageError& error) {
    fmt::print(stderr, "rdmagen: {}\nSee rdmagen --help.\n", error.what());
    return kUsage;
  } catch (const Error& error) {
    fmt::print(stderr, "rdmagen: {}\n", error.what());
    if (!error.hint().empty()) fmt::print(stderr, "  {}\n", error.hint());
  } catch (const std::exception& error) {
    fmt::print(stderr, "rdmagen: {}\n", error.what());
  }
  return kBad;
}

}  // namespace
}  // namespace rocescope::rdmagen

int main(int argc, char** argv) {
  signal(SIGINT, rocescope::rdmagen::interrupt);
  signal(SIGTERM, rocescope::rdmagen::interrupt);
  signal(SIGPIPE, SIG_IGN);
  return rocescope::rdmagen::main_of({argv + (argc > 0 ? 1 : 0), argv + argc});
}
