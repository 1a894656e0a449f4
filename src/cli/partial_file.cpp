#include "cli/partial_file.hpp"

#include <utility>

#include "cli/program.hpp"
#include "cli/state_files.hpp"

namespace rocescope::cli {

PartialFile::PartialFile(NewFile&& file, bool has_messages)
    : file_(std::move(file)),
      has_messages_(has_messages),
      sink_([this](std::string_view bytes) { file_.write(bytes); }),
      program_(version()) {
  begin_next();
}

Result<std::unique_ptr<PartialFile>> PartialFile::open(const Arguments& arguments, const Option& option) {
  const GivenOption* const given = arguments.last(option);
  if (given == nullptr && arguments.has(kNoMessages) && !arguments.has(kSaveState))
    return Error{"option '--no-messages' does nothing without --partial or --save-state"};
  if (given == nullptr && arguments.has(kMergeNoMessages))
    return Error{"option '--no-messages' does nothing without --partial"};
  if (given == nullptr) return std::unique_ptr<PartialFile>();
  Result<NewFile> file = NewFile::create(*given);
  if (!file) return file.error();
  const bool has_messages = !arguments.has(kNoMessages) && !arguments.has(kMergeNoMessages);
  return std::unique_ptr<PartialFile>(new PartialFile(std::move(*file), has_messages));
}

std::optional<Error> PartialFile::finish(const Observations& observations) {
  writer_->finish(observations);
  return file_.finish();
}

}  // namespace rocescope::cli
