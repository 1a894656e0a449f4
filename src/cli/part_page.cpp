#include "cli/part_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "cli/html_file.hpp"
#include "cli/program.hpp"
#include "render/html/html_report.hpp"

namespace rocescope::cli {
namespace {

/// Of the rates: what was asked for, unless all of them span too long a time for that.
std::int64_t rate_interval_of(const Report& report) {
  std::int64_t interval = report.rates.empty() ? 0 : report.rates.width();
  for (const HostRates& hosts : report.host_rates) interval = std::min(interval, hosts.rates.width());
  return std::max<std::int64_t>(interval, 1);
}

}  // namespace

PartPage::PartPage(NewFile file, const Report& observed)
    : file_(std::move(file)),
      interval_(rate_interval_of(observed)),
      recorder_(std::make_unique<render::OverviewRecorder>(interval_)) {
  for (const Connection& connection : observed.connections) numbers_.add(connection);
}

Result<std::optional<PartPage>> PartPage::open(const Arguments& arguments, const Report& observed,
                                               std::optional<std::size_t> number) {
  const GivenOption* const given = arguments.last(kMergeHtml);
  if (given == nullptr) return std::optional<PartPage>();
  if (std::optional<Error> error = check_has_page()) return *std::move(error);
  GivenOption page = *given;
  if (number) {
    std::error_code error;
    std::filesystem::create_directories(given->value, error);
    if (error) return Error{fmt::format("cannot make the folder {}: {}", given->value, error.message())};
    page.value += fmt::format("/{}.html", *number);
  }
  Result<NewFile> file = NewFile::create(page);
  if (!file) return file.error();
  return std::optional<PartPage>(PartPage(std::move(*file), observed));
}

void PartPage::add(const Connection& connection, std::size_t side, const Message& message) {
  if (numbers_.of(connection.number) == connection.number) return recorder_->add(connection, side, message);
  Connection last = connection;
  last.number = numbers_.of(connection.number);
  recorder_->add(last, side, message);
}

std::optional<Error> PartPage::finish(const Report& report, bool has_messages) {
  const render::PageFacts facts{.program = fmt::format("rocescope {}", version()),
                                .narrowing = {},
                                .interval = interval_,
                                .has_packets = false,
                                .has_messages = has_messages};
  render::write_html_report(report, *recorder_, nullptr, facts, [&](std::string_view piece) { file_.write(piece); });
  return file_.finish();
}

}  // namespace rocescope::cli
