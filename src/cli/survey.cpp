#include "survey.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <utility>

#include "packet_input.hpp"
#include "report_builder.hpp"

namespace rocescope::cli {
namespace {

bool can_be_read_again(const std::string& path) {
  struct stat status = {};
  return path != "-" && (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode));
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

}  // namespace rocescope::cli
