#include "capture/read_ahead.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace rocescope::testing::read_ahead_test {
namespace {

/// Gives pieces of the lengths asked for, whose bytes count on, and then an end with damage.
class Pieces : public ByteSource {
 public:
  explicit Pieces(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)) {}

  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into) override {
    if (next_ == sizes_.size()) {
      damage_ = "it broke";
      return 0;
    }
    const std::size_t size = std::min(sizes_[next_++], into.size());
    for (std::uint8_t& byte : into.first(size)) byte = value_++;
    return size;
  }
  [[nodiscard]] const std::string& damage() const override { return damage_; }
  [[nodiscard]] std::string_view compression() const override { return "gzip"; }

 private:
  std::vector<std::size_t> sizes_;
  std::size_t next_ = 0;
  std::uint8_t value_ = 0;
  std::string damage_;
};

TEST(ReadAhead, GivesAllBytesInOrderAndThenTheDamage) {
  for (const std::size_t block_size : {1U, 3U, 64U}) {
    for (const std::size_t at_once : {1U, 2U, 100U}) {
      const std::vector<std::size_t> sizes(1000, 7);
      ReadAhead ahead(std::make_unique<Pieces>(sizes), block_size);
      EXPECT_EQ(ahead.compression(), "gzip");
      std::vector<std::uint8_t> buffer(at_once);
      std::size_t count = 0;
      while (const std::size_t got = ahead.read(buffer)) {
        for (std::size_t i = 0; i < got; ++i) ASSERT_EQ(buffer[i], static_cast<std::uint8_t>(count + i));
        count += got;
      }
      EXPECT_EQ(count, 1000 * std::min<std::size_t>(block_size, 7));
      EXPECT_EQ(ahead.damage(), "it broke");
      EXPECT_EQ(ahead.read(buffer), 0u);
    }
  }
}

TEST(ReadAhead, MayBeLeftAtAnyTime) {
  for (std::size_t reads = 0; reads < 20; ++reads) {
    ReadAhead ahead(std::make_unique<Pieces>(std::vector<std::size_t>(10, 5)), 4);
    std::uint8_t byte = 0;
    for (std::size_t i = 0; i < reads; ++i) EXPECT_EQ(ahead.read({&byte, 1}), 1u);
  }
}

}  // namespace
}  // namespace rocescope::testing::read_ahead_test
