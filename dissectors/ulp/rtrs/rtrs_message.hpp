// What a request of RTRS is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/bytes.hpp"

namespace rocescope {

/// Memory of the client that the server WRITEs to.
struct RtrsMemory {
  std::uint64_t address = 0;
  std::uint32_t key = 0;
  std::uint32_t length = 0;
};

/// A request: the message of RTRS at its end, and the header of RNBD before it.
struct RtrsRequest {
  std::uint32_t data_length = 0;  ///< of what stands before both in the buffer; of a read there is room for it
  std::uint32_t user_length = 0;  ///< of the header of RNBD
  std::uint32_t size = 0;         ///< of both
  bool is_read = false;
  std::uint16_t number = 0;    ///< of RNBD: the operation of an IO, 0x100 + the type of another message
  std::string_view operation;  ///< in words; empty: not known
  std::string detail;          ///< the path of an Open
  std::optional<std::uint32_t> device;
  std::optional<std::uint64_t> sector;
  std::uint32_t bytes = 0;
  bool is_io = false;
  std::vector<RtrsMemory> memory;
};

/// `end`: the last bytes of the WRITE, all of them or many; `length`: of the whole. `place`: where the message of RTRS
/// stands in the buffer, as the immediate data have it. A write fills the buffer from its start, a read what is behind
/// the room for its data. Nothing: there is none.
[[nodiscard]] std::optional<RtrsRequest> rtrs_request_of(Bytes end, std::uint64_t length, std::uint64_t place);

/// Where the message of RTRS stands in a header of RNBD with such a message behind it. Nothing: they are none.
[[nodiscard]] std::optional<std::size_t> rtrs_place_of(Bytes both) noexcept;

/// Where the message of a request stands in its buffer, as far as the request itself says it.
struct RtrsPlace {
  std::uint64_t place = 0;
  std::uint64_t known = 0;  ///< the bits of it that are known

  static constexpr std::uint64_t kAll = ~std::uint64_t{0};
  /// Whether it can be what `bits` of the immediate data say.
  [[nodiscard]] bool fits(std::uint64_t value, unsigned bits) const noexcept {
    const std::uint64_t said = value & ((std::uint64_t{1} << bits) - 1);
    return ((said ^ place) & known) == 0;
  }
};
/// Of an IO of RNBD that is one WRITE of one packet, or of a write whose last bytes are `payload`; nothing: it has not that form, or too
/// little of it was captured. `length`: of the whole. Random bytes have it once in 2^80.
[[nodiscard]] std::optional<RtrsPlace> rtrs_place_by_form(Bytes payload, std::uint64_t length,
                                                          std::uint32_t immediate) noexcept;
/// What the start of a read of RNBD says, where its end was not captured; nothing: it is no such read.
[[nodiscard]] std::optional<RtrsRequest> rtrs_read_of_start(Bytes start, std::uint64_t length);

/// A number of Linux' errno.h: "EIO".
[[nodiscard]] std::string_view errno_name(std::uint32_t number) noexcept;

}  // namespace rocescope
