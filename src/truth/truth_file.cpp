#include "truth/truth_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "sorting/sort.hpp"
#include "truth/facts.hpp"
#include "truth/result_folder.hpp"

namespace rocescope::truth {
namespace {

std::optional<Side> side_of(std::string_view name) {
  for (const Side side : {Side::kServer, Side::kClient, Side::kLab}) {
    if (to_string(side) == name) return side;
  }
  return std::nullopt;
}

/// Reads one line into the list of its event.
class LineReader {
 public:
  LineReader(const nlohmann::json& object, std::uint32_t file, std::uint64_t line, Truth& truth)
      : fields_(object), truth_(truth) {
    fact_.file = file;
    fact_.line = line;
  }

  /// What is wrong with the line; empty when nothing is.
  std::string read_line() {
    std::string side;
    fields_.need("event", event_);
    fields_.need("side", side);
    fields_.need("time_ns", fact_.time);
    if (fact_.time < 0) fields_.fail("time_ns", "is before 1970");
    const std::optional<Side> known = side_of(side);
    if (!known) fields_.fail("side", "is neither server nor client nor lab");
    if (!fields_.problem().empty()) return fields_.problem();
    fact_.side = *known;
    const bool found = fact_.side == Side::kLab ? lab_event() : side_event();
    if (!found || fields_.problem().empty()) return {};
    return "event " + event_ + ": " + fields_.problem();
  }

 private:
  bool lab_event() { return is("host", truth_.hosts) || is("counters", truth_.counters); }

  bool side_event() {
    return is("post", truth_.posts) || is("completion", truth_.completions) || is("verified", truth_.verified) ||
           is("start", truth_.starts) || is("device_opened", truth_.devices_opened) || is("device", truth_.devices) ||
           is("pd", truth_.protection_domains) || is("cq", truth_.completion_queues) || is("mr", truth_.regions) ||
           is("mr_deregistered", truth_.regions_deregistered) || is("mw", truth_.windows) ||
           is("connection", truth_.jobs) || is("qp", truth_.queue_pairs) || is("qp_state", truth_.queue_pair_states) ||
           is("qp_destroyed", truth_.queue_pairs_destroyed) || is("cm_event", truth_.cm_events) ||
           is("reject", truth_.rejects) || is("exchange", truth_.exchanges) || is("async_event", truth_.async_events) ||
           is("kill", truth_.kills) || is("counters", truth_.counters) || is("result", truth_.results) ||
           is("failed", truth_.failures);
  }

  template <class Event>
  bool is(std::string_view name, std::vector<Event>& list) {
    if (event_ != name) return false;
    Event& event = list.emplace_back();
    static_cast<Fact&>(event) = fact_;
    read(fields_, event);
    return true;
  }

  FactReader fields_;
  Truth& truth_;
  Fact fact_;
  std::string event_;
};

std::optional<Error> read_file(const std::string& path, std::uint32_t number, Truth& truth) {
  std::ifstream file(path);
  if (!file) return Error{"cannot open " + path + ": " + std::strerror(errno)};
  std::uint64_t line_number = 0;
  for (std::string line; std::getline(file, line);) {
    ++line_number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    std::string problem;
    if (object.is_discarded() || !object.is_object()) {
      problem = "not a JSON object";
    } else {
      problem = LineReader(object, number, line_number, truth).read_line();
    }
    if (!problem.empty()) return Error{path + ":" + std::to_string(line_number) + ": " + problem};
  }
  if (file.bad()) return Error{"cannot read " + path + ": " + std::strerror(errno)};
  return std::nullopt;
}

template <class... Events>
void sort_by_time(std::vector<Events>&... lists) {
  const auto sort = [](auto& list) {
    sorting::stable_sort(list, [](const Fact& a, const Fact& b) { return a.time < b.time; });
  };
  (sort(lists), ...);
}

}  // namespace

Result<Truth> read_truth(std::span<const std::string> paths) {
  Truth truth;
  for (const std::string& path : paths) {
    Result<std::vector<std::string>> files = is_folder(path) ? truths_in(path) : std::vector{path};
    if (!files) return files.error();
    truth.files.insert(truth.files.end(), files->begin(), files->end());
  }
  for (std::uint32_t number = 0; number < truth.files.size(); ++number) {
    if (std::optional<Error> error = read_file(truth.files[number], number, truth)) return *error;
  }
  Truth& t = truth;
  sort_by_time(t.starts, t.devices_opened, t.devices, t.protection_domains, t.completion_queues, t.regions,
               t.regions_deregistered, t.windows, t.jobs, t.queue_pairs, t.queue_pair_states, t.queue_pairs_destroyed,
               t.cm_events, t.rejects, t.exchanges, t.posts, t.completions, t.verified, t.async_events, t.kills,
               t.counters, t.results, t.failures, t.hosts);
  return truth;
}

}  // namespace rocescope::truth
