// What a compressed ByteStream holds.
#pragma once

#include <memory>
#include <string>

#include "capture/byte_stream.hpp"
#include "capture/codec.hpp"

namespace rocescope {

class Decompressor final : public ByteSource {
 public:
  /// `codec` is make_codec(compression), not null.
  Decompressor(std::unique_ptr<ByteStream> input, Compression compression, std::unique_ptr<Codec> codec);

  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into) override;
  [[nodiscard]] const std::string& damage() const override { return damage_; }
  [[nodiscard]] std::string_view compression() const override;

 private:
  bool begin_frame();
  void end(const std::string& damage);

  std::unique_ptr<ByteStream> input_;
  Compression compression_;
  std::unique_ptr<Codec> codec_;
  bool in_frame_ = false;
  bool holds_output_ = false;  ///< the codec may have more to give without more input
  bool ended_ = false;
  std::string damage_;
};

}  // namespace rocescope
