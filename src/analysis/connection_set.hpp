// Some of the connections of a capture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rocescope {

/// A set of connection numbers. There may be any number of these over time: memory is taken for those in the set, and a
/// bit each for their neighbours.
class ConnectionSet {
 public:
  /// Whether it was not in it.
  bool add(std::uint32_t number) {
    const std::size_t place = number / kPage;
    if (place >= pages_.size()) pages_.resize(place + 1);
    if (!pages_[place]) pages_[place] = std::make_unique<Page>();
    Page& page = *pages_[place];
    std::uint64_t& word = page.words[number % kPage / kWord];
    const std::uint64_t bit = std::uint64_t{1} << number % kWord;
    if ((word & bit) != 0) return false;
    word |= bit;
    ++page.numbers;
    return true;
  }
  void erase(std::uint32_t number) {
    if (!contains(number)) return;
    Page& page = *pages_[number / kPage];
    page.words[number % kPage / kWord] &= ~(std::uint64_t{1} << number % kWord);
    if (--page.numbers == 0) pages_[number / kPage].reset();
  }
  [[nodiscard]] bool contains(std::uint32_t number) const noexcept {
    const std::size_t place = number / kPage;
    if (place >= pages_.size() || !pages_[place]) return false;
    return (pages_[place]->words[number % kPage / kWord] >> number % kWord & 1U) != 0;
  }

 private:
  friend struct StateMembers;
  static constexpr std::uint32_t kPage = 4096;
  static constexpr std::uint32_t kWord = 64;

  struct Page {
    std::array<std::uint64_t, kPage / kWord> words{};
    std::uint32_t numbers = 0;  ///< that are in it
  };
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace rocescope
