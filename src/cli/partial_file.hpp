// The file of `analyze --partial`.
#pragma once

#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/new_file.hpp"
#include "cli/option.hpp"
#include "partial/partial.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Option kPartial{
    .name = "partial",
    .argument = "FILE",
    .help = "also write what `merge` makes reports of to FILE",
    .more = R"(All that was counted, and all messages, before anything is concluded; no packets. An existing
           file is never overwritten. FILE has its name once it is complete.)",
    .completion = Completion::kFiles};

inline constexpr Option kNoMessages{
    .name = "no-messages",
    .help = "leave the messages out of --partial and --save-state; smaller",
    .more =
        R"(In captures with many small messages they are most of the file, and writing them takes time. `merge` and --resume
           give the same report, but no CSV, which needs the messages.)"};

/// --no-messages of `merge`, which saves no state.
inline constexpr Option kMergeNoMessages{
    .name = kNoMessages.name,
    .help = "leave the messages out of --partial; smaller",
    .more =
        R"(In captures with many small messages they are most of the file, and writing them takes time. The result still gives
           the same report, but no CSV, which needs the messages.)"};

/// Writes messages as they come, and all else at the end.
class PartialFile {
 public:
  /// `option`: that of this command. Null: --partial is not given. Fails if the file exists or cannot be made.
  [[nodiscard]] static Result<std::unique_ptr<PartialFile>> open(const Arguments& arguments,
                                                                 const Option& option = kPartial);
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() = default;

  [[nodiscard]] partial::PartialWriter& writer() noexcept { return *writer_; }
  /// The writer was finished: another result follows.
  void begin_next() { writer_ = std::make_unique<partial::PartialWriter>(program_, has_messages_, sink_); }
  /// Whether the writer is to be given the messages.
  [[nodiscard]] bool has_messages() const noexcept { return has_messages_; }
  /// Writes the rest; the error, if there is one.
  [[nodiscard]] std::optional<Error> finish(const Observations& observations);

 private:
  PartialFile(NewFile&& file, bool has_messages);

  NewFile file_;
  bool has_messages_;
  partial::Sink sink_;
  std::string_view program_;
  std::unique_ptr<partial::PartialWriter> writer_;
};

}  // namespace rocescope::cli
