// The bytes of messages. Each side's source area has contents that follow from the job alone, so that the receiver
// can check every byte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/job.hpp"

namespace rocescope::rdmagen {

enum class Side : std::uint8_t { kClient, kServer };

[[nodiscard]] constexpr Side peer_of(Side side) noexcept {
  return side == Side::kClient ? Side::kServer : Side::kClient;
}

/// "client" or "server".
[[nodiscard]] constexpr std::string_view name_of(Side side) noexcept {
  return side == Side::kClient ? "client" : "server";
}

/// The endless stream of bytes that a side's source area is cut from. As `pattern` each eight bytes are, big-endian, 'C'
/// or 'S', the connection's number and their own offset: readable in a hex dump, and nothing misplaced goes unnoticed.
class PayloadStream {
 public:
  PayloadStream(const Job& job, Side side) noexcept;

  /// Writes the bytes from `offset` on.
  void fill(std::span<std::uint8_t> bytes, std::uint64_t offset) const noexcept;

  /// Index of the first byte that is not the stream's from `offset` on; nothing when all are.
  [[nodiscard]] std::optional<std::size_t> first_difference(std::span<const std::uint8_t> bytes,
                                                            std::uint64_t offset) const noexcept;

 private:
  [[nodiscard]] std::uint64_t word(std::uint64_t index) const noexcept;

  Payload kind_;
  std::uint64_t key_;
};

}  // namespace rocescope::rdmagen
