#include "cli/survey.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report_builder.hpp"
#include "cli/packet_input.hpp"

namespace rocescope::cli {
namespace {

bool can_be_read_again(const std::string& path) {
  struct stat status = {};
  return path != "-" && (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode));
}

/// Whether nothing more will be joined with one of these.
bool are_paired(const Tracking& known, std::size_t wanted) {
  return known.connections.size() == wanted && std::ranges::none_of(known.connections, [](const Connection& each) {
           return each.paired_by == PairedBy::kNothing;
         });
}

}  // namespace

Result<Report> survey(const InputOptions& options, Messages& messages) {
  for (const std::string& file : options.files) {
    if (can_be_read_again(file)) continue;
    return Error{fmt::format("{} cannot be read twice, as this needs. Keep it in a file first",
                             file == "-" ? "standard input" : file)};
  }
  InputOptions all{
      .files = options.files, .count = options.count, .dissect = options.dissect, .ahead = ReadingAhead::kInOwnThread};
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(std::move(all), messages);
  if (!input) return input.error();
  messages.start_progress();
  ReportBuilder builder;
  while (const PacketRecord* record = (*input)->next()) builder.add(*record);
  return std::move(builder).finish({.captures = (*input)->source().info(),
                                    .packets_read = (*input)->counts().packets,
                                    .icrc_unsearched = (*input)->reader().icrc_verifier().unsearched_packets(),
                                    .tracker = &(*input)->reader().tracker()});
}

void add_numbers_of_connections(InputOptions& options, Messages& messages) {
  std::vector<std::uint32_t>& wanted = options.narrowing.connections;
  if (wanted.empty() || !std::ranges::all_of(options.files, can_be_read_again)) return;
  InputOptions all{.files = options.files,
                   .count = options.count,
                   .dissect = options.dissect,
                   .track = options.track,
                   .parts = options.parts,
                   .ahead = ReadingAhead::kBatches};
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(std::move(all), messages);
  if (!input) return;  // reported where it is read again
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<std::uint32_t> joined;
  const auto note = [&joined](const Connection& each) {
    if (each.joined != 0) joined.push_back(each.joined);
  };
  (*input)->reader().tracker().on_eviction([&](const Eviction& eviction) {
    for (const EvictedConnection& each : eviction.connections) {
      if (std::ranges::binary_search(wanted, each.connection.number)) note(each.connection);
    }
  });
  constexpr std::uint64_t kLookEvery = 4096;
  Tracking known;
  bool more = true;
  while (more && !are_paired(known, wanted.size())) {
    for (std::uint64_t i = 0; more && i < kLookEvery; ++i) more = (*input)->next() != nullptr;
    known = (*input)->reader().tracker().snapshot(wanted);
  }
  std::ranges::for_each(known.connections, note);
  wanted.insert(wanted.end(), joined.begin(), joined.end());
}

}  // namespace rocescope::cli
