#include "cli/connection_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/packet_input.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

bool can_be_read_again(const std::string& path) {
  struct stat status = {};
  return path != "-" && (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode));
}

/// Follows connections through a capture, evicted ones as well.
class Search {
 public:
  /// `wanted` is sorted.
  Search(const std::vector<std::uint32_t>& wanted, PacketInput& input) : wanted_(wanted), input_(input) {
    input_.analysis().tracker().on_eviction([this](const Eviction& eviction) {
      for (const EvictedConnection& each : eviction.connections) {
        if (has_any_packet(each.connection)) evicted_.push_back(each.connection.number);
        evicted_numbers_.add(each.connection);
        if (is_wanted(each.connection.number) || is_wanted(each.connection.joined)) note(each.connection);
      }
    });
  }

  /// Reads until nothing more can be joined with any of those that are wanted.
  void run() {
    constexpr std::uint64_t kLookEvery = 4096;
    Tracking known;
    bool more = true;
    while (more && !are_paired(known)) {
      for (std::uint64_t i = 0; more && i < kLookEvery; ++i) more = input_.next() != nullptr;
      known = input_.analysis().tracker().snapshot(wanted_);
    }
    note_wanted();
  }
  /// Reads to the end, which shows the numbers of all connections.
  void run_to_end() {
    input_.take_express_lane();
    while (input_.next() != nullptr) {
    }
    note_wanted();
  }

  /// Of all connections, as far as was read.
  [[nodiscard]] FinalNumbers numbers() const {
    FinalNumbers numbers = input_.analysis().tracker().final_numbers();
    numbers.add(evicted_numbers_);
    return numbers;
  }
  /// A number that the capture does not have.
  [[nodiscard]] std::optional<std::uint32_t> missing() const {
    const FinalNumbers final = numbers();
    const auto missing = std::ranges::find_if(
        wanted_, [&](std::uint32_t number) { return std::ranges::find(found_, final.of(number)) == found_.end(); });
    return missing == wanted_.end() ? std::nullopt : std::optional(*missing);
  }
  /// The numbers of all; after run(), if one is missing.
  [[nodiscard]] std::vector<std::uint32_t> all() {
    std::vector<std::uint32_t> all = connection_numbers(input_.analysis().tracker());
    all.insert(all.end(), evicted_.begin(), evicted_.end());
    return all;
  }

 private:
  [[nodiscard]] bool is_wanted(std::uint32_t number) const { return std::ranges::binary_search(wanted_, number); }
  void note_wanted() {
    std::vector<std::uint32_t> final = wanted_;
    const FinalNumbers known = numbers();
    for (std::uint32_t& number : final) number = known.of(number);
    for (const Connection& each : input_.analysis().tracker().snapshot(final).connections) note(each);
  }
  void note(const Connection& connection) {
    if (!has_any_packet(connection)) return;
    found_.push_back(connection.number);
  }

  [[nodiscard]] bool are_paired(const Tracking& known) const {
    return known.connections.size() == wanted_.size() &&
           std::ranges::all_of(known.connections, [](const Connection& each) {
             return each.paired_by != PairedBy::kNothing && has_any_packet(each);
           });
  }

  const std::vector<std::uint32_t>& wanted_;
  PacketInput& input_;
  std::vector<std::uint32_t> found_;
  FinalNumbers evicted_numbers_;
  std::vector<std::uint32_t> evicted_;
};

/// The same packets, all of them.
InputOptions without_narrowing(const InputOptions& options, Purpose purpose = Purpose::kPackets) {
  return {.files = options.files,
          .count = options.count,
          .dissect = options.dissect,
          .track = options.track,
          .parts = {.icrc = options.parts.icrc, .verdict = true},
          .ahead = ReadingAhead::kInOwnThread,
          .purpose = purpose};
}

/// Each once, the lowest first.
void sort_out(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

bool can_be_read_again(const std::vector<std::string>& files) {
  return std::ranges::all_of(files, [](const std::string& file) { return can_be_read_again(file); });
}

}  // namespace

std::optional<Error> check_can_be_read_twice(const InputOptions& options) {
  for (const std::string& file : options.files) {
    std::error_code ignored;
    // Who opens a directory says what is wrong with it.
    if (can_be_read_again(file) || std::filesystem::is_directory(file, ignored)) continue;
    return Error{fmt::format("{} cannot be read twice, which this command needs. Save it to a file first",
                             file == "-" ? "standard input" : file)};
  }
  return std::nullopt;
}

std::optional<Error> look_up_connections(InputOptions& options, Messages& messages) {
  std::vector<std::uint32_t>& wanted = options.narrowing.connections;
  const bool all = (options.parts | options.parts_to_choose()).final_number;
  if ((wanted.empty() && (!all || options.numbers)) || !can_be_read_again(options.files)) return std::nullopt;
  sort_out(wanted);
  const Result<std::unique_ptr<PacketInput>> input =
      PacketInput::open(without_narrowing(options, all ? Purpose::kReport : Purpose::kPackets), messages);
  if (!input) return input.error();
  Search search(wanted, **input);
  all ? search.run_to_end() : search.run();
  if (const auto missing = search.missing()) return no_connection(*missing, search.all());
  options.numbers = search.numbers();
  for (std::uint32_t& number : wanted) number = options.numbers->of(number);
  sort_out(wanted);
  return std::nullopt;
}

std::optional<Error> look_up_points(const InputOptions& options, Messages& messages) {
  const std::vector<std::uint8_t>& wanted = options.narrowing.points;
  if (wanted.empty() || !can_be_read_again(options.files)) return std::nullopt;
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(without_narrowing(options), messages);
  if (!input) return input.error();
  std::set<std::uint8_t> unseen(wanted.begin(), wanted.end());
  while (!unseen.empty()) {
    const PacketRecord* const record = (*input)->next();
    if (record == nullptr) return no_point(*unseen.begin(), (*input)->analysis().capture_points().size());
    unseen.erase(record->packet->frame.capture_point);
  }
  return std::nullopt;
}

bool has_any_packet(const Connection& connection) noexcept {
  return connection.sides[0].first_packet != 0 || connection.sides[1].first_packet != 0;
}

std::vector<std::uint32_t> connection_numbers(const Tracker& tracker) {
  std::vector<std::uint32_t> numbers;
  for (const Connection& each : tracker.snapshot(tracker.numbers()).connections) {
    if (has_any_packet(each)) numbers.push_back(each.number);
  }
  return numbers;
}

Error no_connection(std::uint64_t number, std::vector<std::uint32_t> numbers) {
  if (numbers.empty()) {
    return {"no connection in the capture: no packets of RC, UC or XRC. What there is: rocescope analyze FILE"};
  }
  constexpr std::size_t kNamed = 8;
  std::ranges::sort(numbers);
  const bool has_gaps = numbers.back() != numbers.size();
  const std::string_view verb = text::plural(numbers.size(), "is", "are");
  std::string which;
  if (has_gaps && numbers.size() <= kNamed) {
    which = fmt::format(", {} {}", text::plural(numbers.size(), "number", "numbers"), fmt::join(numbers, ", "));
  } else if (has_gaps) {
    which = fmt::format(", numbers {} to {}", numbers.front(), numbers.back());
  }
  return {fmt::format("no connection {}: there {} {}{}. Their numbers: rocescope analyze FILE", number, verb,
                      numbers.size(), which)};
}

Error no_point(std::uint64_t number, std::size_t points) {
  return {fmt::format("no capture point {}: there {} {}. Their numbers: rocescope analyze FILE", number,
                      text::plural(points, "is", "are"), points)};
}

}  // namespace rocescope::cli
