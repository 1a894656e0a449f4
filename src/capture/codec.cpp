#include "capture/codec.hpp"

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>

namespace rocescope {
namespace {

/// RFC 1952. ISA-L's inflate is 1.3 to 2.3 times as fast as zlib's, but finds the end of good data less exactly: it
/// keeps back the last bytes of a cut file (10 of 600 cut files lost a frame), and it accepts code tables that zlib
/// reports as damaged, so it returns frames that nobody sent.
class GzipCodec final : public Codec {
 public:
  GzipCodec() { ready_ = inflateInit2(&stream_, kGzipOnly | kLargestWindow) == Z_OK; }
  ~GzipCodec() override {
    if (ready_) inflateEnd(&stream_);
  }
  [[nodiscard]] bool ready() const { return ready_; }

  Step decode(Bytes input, std::span<std::uint8_t> output) override {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const auto available_input = static_cast<uInt>(std::min(input.size(), kMost));
    const auto available_output = static_cast<uInt>(std::min(output.size(), kMost));
    stream_.next_in = const_cast<Bytef*>(input.data());  // zlib reads only
    stream_.avail_in = available_input;
    stream_.next_out = output.data();
    stream_.avail_out = available_output;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    Step step{.consumed = available_input - stream_.avail_in,
              .produced = available_output - stream_.avail_out,
              .frame_ended = result == Z_STREAM_END,
              .damage = {}};
    if (result == Z_STREAM_END) {
      inflateReset(&stream_);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      step.damage = stream_.msg != nullptr ? stream_.msg : zError(result);
    }
    return step;
  }

 private:
  static constexpr int kGzipOnly = 16;
  static constexpr int kLargestWindow = 15;
  z_stream stream_ = {};
  bool ready_ = false;
};

/// RFC 8878. A frame may not want a window above zstd's own default limit of 128 MiB.
///
/// zstd and lz4 lose the output of a call that meets damage. So each call gets only as much input as the last one asked
/// for, which is at most one block.
class ZstdCodec final : public Codec {
 public:
  ~ZstdCodec() override { ZSTD_freeDCtx(context_); }
  [[nodiscard]] bool ready() const { return context_ != nullptr; }

  Step decode(Bytes input, std::span<std::uint8_t> output) override {
    ZSTD_inBuffer in = {input.data(), std::min(input.size(), wanted_), 0};
    ZSTD_outBuffer out = {output.data(), output.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge) {
      return {.damage = "its window is larger than 128 MiB. Unpack it first, with zstd -d --long=31"};
    }
    if (ZSTD_isError(result) != 0) return {.damage = ZSTD_getErrorName(result)};
    wanted_ = result == 0 ? kFrameStart : result;
    return {.consumed = in.pos, .produced = out.pos, .frame_ended = result == 0, .damage = {}};
  }

 private:
  static constexpr std::size_t kFrameStart = 5;  // the shortest frame header with its magic number
  ZSTD_DCtx* context_ = ZSTD_createDCtx();
  std::size_t wanted_ = kFrameStart;
};

/// The LZ4 frame format, version 1.6.
class Lz4Codec final : public Codec {
 public:
  Lz4Codec() { ready_ = LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) == 0; }
  ~Lz4Codec() override { LZ4F_freeDecompressionContext(context_); }
  [[nodiscard]] bool ready() const { return ready_; }

  Step decode(Bytes input, std::span<std::uint8_t> output) override {
    std::size_t consumed = std::min(input.size(), wanted_);
    std::size_t produced = output.size();
    const std::size_t result = LZ4F_decompress(context_, output.data(), &produced, input.data(), &consumed, nullptr);
    if (LZ4F_isError(result) != 0) return {.damage = LZ4F_getErrorName(result)};
    wanted_ = result == 0 ? kFrameStart : result;
    return {.consumed = consumed, .produced = produced, .frame_ended = result == 0, .damage = {}};
  }

 private:
  static constexpr std::size_t kFrameStart = 7;  // the shortest frame header with its magic number
  LZ4F_dctx* context_ = nullptr;
  std::size_t wanted_ = kFrameStart;
  bool ready_ = false;
};

template <class T>
std::unique_ptr<Codec> make_ready() {
  auto codec = std::make_unique<T>();
  if (!codec->ready()) return nullptr;
  return codec;
}

}  // namespace

std::unique_ptr<Codec> make_codec(Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return make_ready<GzipCodec>();
    case Compression::kZstd:
      return make_ready<ZstdCodec>();
    case Compression::kLz4:
      return make_ready<Lz4Codec>();
    case Compression::kNone:
      break;
  }
  return nullptr;
}

}  // namespace rocescope
