// Puts the messages of shards in the order, and gives them the numbers, that one analysis gives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "partial/merging.hpp"
#include "partial/partial.hpp"

namespace rocescope::partial {

/// Reads the messages of several partial results side by side. Takes 8 bytes a message.
class MessageMerging {
 public:
  /// `is_whole`: no shard is missing, so that the numbers are final; else records say which messages began.
  explicit MessageMerging(bool is_whole) : is_whole_(is_whole) {}

  /// `part` went through merge(), and outlives this. `reader` has read nothing yet. `renumbers`: it has the numbers of
  /// a part.
  void add(PartialReader&& reader, const Part& part, bool renumbers);
  /// Shows all messages to `show`. The error names the file.
  [[nodiscard]] std::optional<Error> run(const std::function<void(const MessageRecord&)>& show);

 private:
  struct Source {
    PartialReader reader;
    const Part* part;
    bool renumbers;
    const MessageRecord* record = nullptr;  ///< null: there are no more
    std::size_t next = 0;                   ///< of its BegunMessages
    std::vector<std::uint64_t> numbers{};   ///< by number less 1, of messages of no doubt
    struct Doubt {
      std::uint32_t number = 0;  ///< in the merged result
      std::uint64_t begun = 0;
      std::uint64_t last = 0;  ///< number that a message took
    };
    std::unordered_map<std::uint32_t, Doubt> doubts{};
    std::unordered_map<std::uint64_t, std::uint64_t> doubtful{};  ///< the same of messages of doubts

    /// The key of the next message: its moment, and its connection if no more packets come (kMomentOpen), else 0.
    [[nodiscard]] std::pair<std::uint64_t, std::uint32_t> key() const;
    [[nodiscard]] bool begins() const { return next < record->begun.size(); }
    [[nodiscard]] std::uint32_t connection() const;
  };

  void begin(Source& source, const BegunMessage& begun);
  [[nodiscard]] bool show(Source& source, const std::function<void(const MessageRecord&)>& show);

  static constexpr unsigned kDoubtShift = 32;

  bool is_whole_;
  std::vector<Source> sources_;
  std::uint64_t messages_ = 0;
  std::uint32_t doubts_ = 0;
  BegunMessages begun_;  // since the last record
};

}  // namespace rocescope::partial
