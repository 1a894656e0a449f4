#include "core/payload.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/random.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::size_t kWord = 8;
/// Filled and compared at a time, so that comparing is a memcmp.
constexpr std::size_t kBlock = 4096;

}  // namespace

PayloadStream::PayloadStream(const Job& job, Side side) noexcept : kind_(job.payload) {
  const std::uint64_t letter = side == Side::kClient ? 'C' : 'S';
  key_ = letter << 56U | std::uint64_t{job.connection} << 48U;
  if (kind_ == Payload::kRandom) key_ = mixed(key_ ^ job.seed);
}

std::uint64_t PayloadStream::word(std::uint64_t index) const noexcept {
  switch (kind_) {
    case Payload::kRandom:
      return mixed(key_ + index);
    case Payload::kZero:
      return 0;
    case Payload::kPattern:
      break;
  }
  return key_ | (index * kWord);
}

void PayloadStream::fill(std::span<std::uint8_t> bytes, std::uint64_t offset) const noexcept {
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint64_t at = offset + done;
    const std::size_t within = at % kWord;
    const std::size_t count = std::min(kWord - within, bytes.size() - done);
    const std::uint64_t value = word(at / kWord);
    std::array<std::uint8_t, kWord> big_endian{};
    for (std::size_t i = 0; i < kWord; ++i) big_endian[i] = static_cast<std::uint8_t>(value >> (8 * (kWord - 1 - i)));
    std::memcpy(bytes.data() + done, big_endian.data() + within, count);
    done += count;
  }
}

std::optional<std::size_t> PayloadStream::first_difference(std::span<const std::uint8_t> bytes,
                                                           std::uint64_t offset) const noexcept {
  std::array<std::uint8_t, kBlock> block{};
  for (std::size_t done = 0; done < bytes.size();) {
    const std::span<const std::uint8_t> part = bytes.subspan(done, std::min(kBlock, bytes.size() - done));
    const std::span<std::uint8_t> expected(block.data(), part.size());
    fill(expected, offset + done);
    const auto [is, should] = std::mismatch(part.begin(), part.end(), expected.begin());
    if (is != part.end()) return done + static_cast<std::size_t>(is - part.begin());
    done += part.size();
  }
  return std::nullopt;
}

}  // namespace rocescope::rdmagen
