// Whether a SEND may have the form of one of a protocol that is known, by its first bytes: most have none.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rocescope/bytes.hpp"

namespace rocescope {

/// False: has_form_of_send() would say no. Of each form it asks for as little as tells it from other messages: a form that asks for
/// less than it does here must say so here too (tests/dissectors/ulp_forms_test.cpp).
[[nodiscard]] inline bool may_have_form_of_send(Bytes start, std::uint64_t length) noexcept {
  constexpr std::size_t kLooked = 8;  // bytes
  if (start.size() < kLooked) return true;
  static_assert(std::endian::native == std::endian::little);
  const auto word_at = [&](std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, start.data() + at, sizeof word);
    return word;
  };
  const std::uint32_t first = word_at(0);
  const std::uint32_t second = word_at(4);
  constexpr std::uint64_t kNvmeCompletion = 16;
  constexpr std::uint32_t kNvmeNotFused = 0x40;
  if (length == kNvmeCompletion || (first >> 8U & 0xFFU) == kNvmeNotFused) return true;
  constexpr std::uint32_t kRpcVersion = 0x0100'0000;  // 1, big-endian
  if (second == kRpcVersion) return true;
  // iSER and SRP have zeros in their third and fourth byte.
  if (first >> 16U == 0) return true;
  constexpr std::uint32_t kSmbVersions = 0x0100'0100;
  constexpr std::uint32_t kSmbFlags = 1;  // and the reserved bytes
  if (second <= kSmbFlags || first == kSmbVersions) return true;
  constexpr std::uint64_t kSmcMessage = 44;
  if (length == kSmcMessage) return true;
  constexpr std::uint32_t kLustreMagic = 0x0BE9'1B91;
  if (first == kLustreMagic || first == __builtin_bswap32(kLustreMagic)) return true;
  constexpr std::size_t kRdsZeros = 26;
  if (start.size() >= kRdsZeros + 4 && word_at(kRdsZeros) == 0) return true;
  constexpr std::uint32_t kMostOfNineP = 1U << 20U;
  if (first <= kMostOfNineP && (length == 0 || length == first)) return true;
  constexpr std::uint32_t kUcxIds = 1U << 1U | 1U << 3U | 1U << 9U;  // of strong forms
  const auto is_ucx = [](std::uint32_t byte) { return (kUcxIds >> (byte & 0x1FU) & 1U) != 0; };
  return is_ucx(first) || ((first & 0xFFU) == 0 && is_ucx(first >> 8U));
}

}  // namespace rocescope
