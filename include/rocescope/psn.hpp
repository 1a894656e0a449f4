// Packet sequence numbers: 24-bit serial numbers (IBTA 9.7.2).
#pragma once

#include <compare>
#include <cstdint>

namespace rocescope {

/// A packet sequence number, modulo 2^24. `a < b` means that b comes within the next 2^23 numbers after a; two numbers
/// that are exactly 2^23 apart are neither before nor after each other, so there is no operator<=> to sort by.
class Psn {
 public:
  static constexpr std::uint32_t kModulus = 1U << 24;
  static constexpr std::uint32_t kHalf = kModulus / 2;

  constexpr Psn() noexcept = default;
  /// Takes `value` modulo 2^24.
  constexpr explicit Psn(std::uint32_t value) noexcept : shifted_(value << kUnused) {}

  [[nodiscard]] constexpr std::uint32_t value() const noexcept { return shifted_ >> kUnused; }

  /// How far `other` lies ahead of this: -2^23 to 2^23 - 1; negative when it lies behind.
  [[nodiscard]] constexpr std::int32_t distance_to(Psn other) const noexcept { return ahead(other) >> kUnused; }

  [[nodiscard]] constexpr bool before(Psn other) const noexcept { return ahead(other) > 0; }
  [[nodiscard]] constexpr bool after(Psn other) const noexcept { return other.before(*this); }

  constexpr Psn& operator+=(std::uint32_t n) noexcept {
    shifted_ += n << kUnused;
    return *this;
  }
  constexpr Psn& operator++() noexcept { return *this += 1; }
  friend constexpr Psn operator+(Psn a, std::uint32_t n) noexcept { return a += n; }
  friend constexpr Psn operator-(Psn a, std::uint32_t n) noexcept { return a += 0 - n; }
  friend constexpr bool operator==(Psn, Psn) noexcept = default;

 private:
  static constexpr unsigned kUnused = 8;  // bits, at the low end: so 32-bit arithmetic is modulo 2^24 by itself

  [[nodiscard]] constexpr std::int32_t ahead(Psn other) const noexcept {
    return static_cast<std::int32_t>(other.shifted_ - shifted_);
  }

  std::uint32_t shifted_ = 0;
};

/// A queue pair number: 24 bits, without arithmetic. 0 is SMI, 1 is GSI, 0xFFFFFF is multicast (IBTA 3.5.10).
class Qpn {
 public:
  constexpr Qpn() noexcept = default;
  /// Takes the low 24 bits of `value`.
  constexpr explicit Qpn(std::uint32_t value) noexcept : value_(value & 0xFFFFFFU) {}
  [[nodiscard]] constexpr std::uint32_t value() const noexcept { return value_; }
  friend constexpr auto operator<=>(Qpn, Qpn) noexcept = default;

 private:
  std::uint32_t value_ = 0;
};

inline constexpr Qpn kGsiQp{1};
inline constexpr Qpn kMulticastQp{0xFFFFFF};

}  // namespace rocescope
