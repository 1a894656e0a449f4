// --resume and --save-state: captures one file at a time.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/input_options.hpp"
#include "cli/new_file.hpp"
#include "cli/option.hpp"
#include "partial/state.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Option kResume{
    .name = "resume",
    .argument = "STATE",
    .help = "go on where the run that wrote STATE ended",
    .more =
        R"(As if this run had read the captures of that one too, and before its own: the report is about all. ONE FILE AT A TIME
           below says more.)",
    .completion = Completion::kFiles};

inline constexpr Option kSaveState{
    .name = "save-state",
    .argument = "STATE",
    .help = "also write what --resume goes on with to STATE",
    .more =
        R"(An existing file is never overwritten. STATE has its name once it is complete. It has all messages so far, unless
           --no-messages is given.)",
    .completion = Completion::kFiles};

/// The state that --resume names; null: it is not given. Fails where a run with these options cannot go on with it. To be called before
/// anything is read.
[[nodiscard]] Result<std::unique_ptr<partial::StateReader>> open_state(const Arguments& arguments);

/// The error that options do not go together with --resume and --save-state, where one of them is given.
[[nodiscard]] std::optional<Error> check_state_options(const Arguments& arguments, const InputOptions& options);

/// The file of --save-state.
class StateFile {
 public:
  /// Null: --save-state is not given. Fails if the file exists or cannot be made.
  [[nodiscard]] static Result<std::unique_ptr<StateFile>> open(const Arguments& arguments);
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;
  ~StateFile() = default;

  [[nodiscard]] partial::StateWriter& writer() noexcept { return writer_; }
  /// Writes the rest; the error, if there is one.
  [[nodiscard]] std::optional<Error> finish(Analysis& analysis, const std::deque<KeptFrame>& rest);

 private:
  StateFile(NewFile&& file, const partial::StateFacts& facts);

  NewFile file_;
  partial::Sink sink_;
  partial::StateWriter writer_;
};

}  // namespace rocescope::cli
