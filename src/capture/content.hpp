// Recognises formats by their first bytes.
#pragma once

#include <string>
#include <string_view>

#include "capture/byte_stream.hpp"
#include "capture/codec.hpp"
#include "rocescope/bytes.hpp"

namespace rocescope {

enum class Format : std::uint8_t { kUnknown, kPcap, kPcapng };

/// How the next bytes of `stream` are compressed. Reads no more than it must, so that it does not wait for a live pipe.
[[nodiscard]] Compression compression_of(ByteStream& stream);

/// Whether `first` begins a further frame of `compression`. Needs 4 bytes (gzip: 2) to say yes.
[[nodiscard]] bool begins_frame(Compression compression, Bytes first);

/// `gzip`, `zstd`, `lz4`; empty for kNone.
[[nodiscard]] std::string_view name_of(Compression compression);

/// The capture format of the next bytes of `stream`.
[[nodiscard]] Format format_of(ByteStream& stream);

/// What the next bytes of `stream` are if not a capture, and what to do: ` it is text, not a capture. ...`.
/// `path` is how the user named them.
[[nodiscard]] std::string describe_unknown(ByteStream& stream, const std::string& path);

}  // namespace rocescope
