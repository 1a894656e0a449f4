// What an ICRC is computed of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/icrc.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Checks an ICRC in two steps. take() copies the headers, with ones for what may change on the way, and a short payload. A CRC over bytes
/// that were just copied waits until they are stored: whoever checks many packets takes several before the first check(), which halves the
/// time.
class IcrcSum {
 public:
  /// `frame` has the ICRC and all bytes that it covers, and lasts until check().
  void take(const RocePacket& roce, Bytes frame) noexcept;
  /// Of RoCEv2: as if it had been sent from this UDP port.
  void replace_source_port(std::uint16_t value) noexcept;
  /// Of the packet that was taken last. `with_headers`: fills in IcrcCheck::headers.
  [[nodiscard]] IcrcCheck check(bool with_headers) const noexcept;

 private:
  void add_headers(const RocePacket& roce) noexcept;
  template <std::size_t Size>
  void masked(std::uint32_t offset, const ByteArray<Size>& mask) noexcept;
  void as_sent(std::uint32_t from, std::uint32_t to) noexcept;
  void flush() noexcept;

  const std::uint8_t* frame_ = nullptr;
  std::uint32_t crc_ = 0;       // of what stands before bytes_
  std::uint32_t end_ = 0;       // offset of the ICRC
  std::uint32_t rest_ = 0;      // offset of what stands behind bytes_, up to end_
  std::size_t collected_ = 0;   // of bytes_
  std::size_t behind_bth_ = 0;  // the same: up to the extension headers
  std::size_t headers_ = 0;     // the same: up to the payload
  alignas(64) std::array<std::uint8_t, 320> bytes_;
};

}  // namespace rocescope
