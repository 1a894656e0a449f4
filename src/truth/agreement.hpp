// The result of comparing a capture with what the programs at its ends recorded: plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope {

/// Which number a part of a difference belongs to.
enum class PartOf : std::uint8_t {
  kTruth,    ///< the truth alone has it
  kCapture,  ///< the capture alone has it
  kBoth,     ///< both have it, and it cannot be compared
};

/// "truth", "capture", "both".
[[nodiscard]] constexpr std::string_view to_string(PartOf part) noexcept {
  constexpr std::string_view kNames[] = {"truth", "capture", "both"};
  return kNames[static_cast<std::size_t>(part)];
}

/// A part of a difference that says nothing against the capture.
struct Explained {
  PartOf part = PartOf::kTruth;
  std::uint64_t count = 0;
  std::string why;
};

/// One kind of fact, counted on both sides. What both have is the same, explained, or differing.
struct ComparedFact {
  std::string_view name;      ///< stable: `queue_pairs`, `messages`, `bytes`, ...
  std::string detail;         ///< of several rows of a name: the operation
  std::uint64_t truth = 0;    ///< what the truth says; the capture has no part in it
  std::uint64_t capture = 0;  ///< what the capture shows; the truth only names the hosts and queue pairs
  std::uint64_t agree = 0;
  std::uint64_t differing = 0;  ///< in one and not in the other, or not the same there, and not explained
  std::vector<Explained> explained;

  /// Adds to what is explained; one entry for each reason.
  void explain(PartOf part, std::uint64_t count, std::string_view why);
  /// How much of the truth's number is explained, or of the capture's.
  [[nodiscard]] std::uint64_t explained_of(PartOf number) const noexcept;
};

/// A reason why one side has more.
struct Reason {
  PartOf part = PartOf::kTruth;
  std::uint64_t at_most = 0;  ///< it can explain no more
  std::string why;
};

/// Settles a fact of two plain numbers: the smaller one agrees, the rest is explained in the order of `reasons`, none of them for
/// more than it can, and what is left differs.
void settle(ComparedFact& fact, const std::vector<Reason>& reasons = {});

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

  /// Whether there was something to compare.
  [[nodiscard]] bool compares() const noexcept { return !facts.empty(); }
  /// Whether there was, and nothing differs.
  [[nodiscard]] bool agrees() const noexcept {
    if (!compares()) return false;
    for (const ComparedFact& fact : facts) {
      if (fact.differing > 0) return false;
    }
    return differences.empty();
  }
};

}  // namespace rocescope
