// The result of comparing a capture with what the programs at its ends recorded: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope {

/// One kind of fact, counted on both sides.
struct ComparedFact {
  std::string_view name;    ///< stable: `queue_pairs`, `messages`, `bytes`, ...
  std::string detail;       ///< of several rows of a name: the operation
  std::uint64_t truth = 0;  ///< in the truth, of what this capture can show
  std::uint64_t capture = 0;
  std::uint64_t agree = 0;
  std::uint64_t differing = 0;  ///< in one only, or different
};

/// A difference between the two.
struct Difference {
  std::string_view fact;         ///< ComparedFact::name
  std::string what;              ///< one sentence without its full stop
  std::string truth;             ///< the place in the truth, `client.ndjson:17`; empty: none
  std::uint64_t packet = 0;      ///< the number of the frame to look at; 0: none
  std::uint32_t connection = 0;  ///< 0: none
};

/// The result of `verify`.
struct Agreement {
  static constexpr std::size_t kMostDifferences = 10'000;

  std::vector<std::string> truth_files;
  std::vector<ComparedFact> facts;
  std::vector<Difference> differences;  ///< by fact, in the order of the truth
  std::uint64_t unlisted = 0;           ///< differences that the full list has no room for
  /// Packets that the capture is known to lack, which may cause differences.
  std::uint64_t capture_lost = 0;
  std::vector<std::string> notes;  ///< what was not compared, and why; sentences

  /// Whether nothing differs.
  [[nodiscard]] bool agrees() const noexcept {
    for (const ComparedFact& fact : facts) {
      if (fact.differing > 0) return false;
    }
    return differences.empty();
  }
};

}  // namespace rocescope
