// Bytes of a section: what carry() writes to and reads from. Numbers have seven bits a byte, the lowest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partial/block.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/opcode.hpp"

namespace rocescope {
struct StateMembers;
}

namespace rocescope::partial {

inline constexpr std::uint64_t kGoesOn = 0x80;  ///< in a byte of a number: another one follows

/// Of archives that know no members but those of reports.
struct NoMembers {
  template <class T>
  struct Of {};
};

class WritingArchive {
 public:
  using Members = NoMembers;

  explicit WritingArchive(SectionWriter& section) : WritingArchive(section, false) {}
  void number(std::uint64_t value) {
    if (value < kGoesOn) return section_.write(static_cast<char>(value));
    long_number(value);
  }
  void bytes(std::span<const std::uint8_t> value);  ///< as many bytes as the reader expects
  void text(std::string_view value);
  void text(const std::vector<std::uint8_t>& value);
  void entry(const OpcodeInfo* value);
  void entry(const FindingInfo* value);

  /// Whether there may be no opcode where one is.
  [[nodiscard]] bool may_lack_opcodes() const noexcept { return may_lack_opcodes_; }

 protected:
  WritingArchive(SectionWriter& section, bool may_lack_opcodes)
      : section_(section), may_lack_opcodes_(may_lack_opcodes) {}

 private:
  void long_number(std::uint64_t value);

  SectionWriter& section_;
  bool may_lack_opcodes_;
};

/// Reads one section. After an error in it, all values are empty.
class ReadingArchive {
 public:
  using Members = NoMembers;
  /// Rows in rows, no deeper than in a report, so that reading and rendering need no deep stack.
  class Level {
   public:
    explicit Level(ReadingArchive& archive) : archive_(archive) {
      if (++archive_.level_ > kMostLevels) archive_.fail();
    }
    ~Level() { --archive_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    static constexpr int kMostLevels = 100;
    ReadingArchive& archive_;
  };

  /// `section`: the next one. Both arguments outlive it.
  ReadingArchive(BlockReader& blocks, std::string_view section) : ReadingArchive(blocks, section, false) {}
  void number(std::uint64_t& value) {
    value = place_ < raw_.size() ? static_cast<std::uint8_t>(raw_[place_]) : kGoesOn;
    if (value >= kGoesOn) return long_number(value);
    ++place_;
  }
  void bytes(std::span<std::uint8_t> value);
  void text(std::string& value);
  void text(std::string_view& value);  ///< lasts until the program ends
  void text(std::vector<std::uint8_t>& value);
  void entry(const OpcodeInfo*& value);
  void entry(const FindingInfo*& value);

  [[nodiscard]] bool is_good() const noexcept { return !error_; }
  /// There is no value like this.
  void fail() { fail("a value that cannot be"); }
  /// Whether all of the section was read. Looks at the next block for that.
  [[nodiscard]] bool is_at_end();
  /// The error, if there was one; else if not all was read.
  [[nodiscard]] std::optional<Error> finish();

  /// Whether there may be no opcode where one is.
  [[nodiscard]] bool may_lack_opcodes() const noexcept { return may_lack_opcodes_; }

 protected:
  ReadingArchive(BlockReader& blocks, std::string_view section, bool may_lack_opcodes);

 private:
  void long_number(std::uint64_t& value);
  void fail(std::string_view what);
  [[nodiscard]] bool refill();
  [[nodiscard]] std::uint8_t byte();

  BlockReader& blocks_;
  std::string section_;
  std::string raw_;
  std::size_t place_ = 0;
  int level_ = 0;
  bool may_lack_opcodes_;
  std::optional<Error> error_;
};

/// Of a state (state.hpp), which has the members of classes that are no part of a report.
class StateWritingArchive : public WritingArchive {
 public:
  using Members = StateMembers;
  explicit StateWritingArchive(SectionWriter& section) : WritingArchive(section, true) {}
};
class StateReadingArchive : public ReadingArchive {
 public:
  using Members = StateMembers;
  StateReadingArchive(BlockReader& blocks, std::string_view section) : ReadingArchive(blocks, section, true) {}
};

}  // namespace rocescope::partial
