// Decompression as one step over two buffers, for every format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "rocescope/bytes.hpp"

namespace rocescope {

enum class Compression : std::uint8_t { kNone, kGzip, kZstd, kLz4 };

/// A decompressor of one format. Frames (gzip: members) may follow each other.
class Codec {
 public:
  struct Step {
    std::size_t consumed = 0;  ///< bytes of the input
    std::size_t produced = 0;  ///< bytes of the output
    bool frame_ended = false;  ///< the input after `consumed`, if there is any, starts a frame
    std::string damage;        ///< why nothing can follow; the output before it is good
  };

  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  /// Decompresses some of `input` into `output`. Without input it returns what it still holds.
  [[nodiscard]] virtual Step decode(Bytes input, std::span<std::uint8_t> output) = 0;
};

/// The decompressor of `compression`, which is not kNone; null where memory is short.
[[nodiscard]] std::unique_ptr<Codec> make_codec(Compression compression);

}  // namespace rocescope
