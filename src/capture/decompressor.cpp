#include "capture/decompressor.hpp"

#include <fmt/format.h>

#include <utility>

#include "capture/content.hpp"

namespace rocescope {

Decompressor::Decompressor(std::unique_ptr<ByteStream> input, Compression compression, std::unique_ptr<Codec> codec)
    : input_(std::move(input)), compression_(compression), codec_(std::move(codec)) {}

std::string_view Decompressor::compression() const { return name_of(compression_); }

std::size_t Decompressor::read(std::span<std::uint8_t> into) {
  while (!ended_) {
    if (!in_frame_ && !begin_frame()) break;
    const bool was_holding = holds_output_;
    const Bytes input = was_holding ? Bytes() : input_->peek(1);
    const Codec::Step step = codec_->decode(input, into);
    input_->consume(step.consumed);
    in_frame_ = !step.frame_ended;
    holds_output_ = in_frame_ && step.produced == into.size();
    if (!step.damage.empty()) {
      end(fmt::format("the {} data cannot be decompressed from its byte {} on: {}", compression(), input_->offset(),
                      step.damage));
    } else if (step.consumed == 0 && step.produced == 0 && in_frame_ && !was_holding) {
      end(fmt::format("the {} data ends early, after {} bytes", compression(), input_->offset()));
    }
    if (step.produced > 0) return step.produced;
  }
  return 0;
}

/// False if the input ends with the last frame, as it should.
bool Decompressor::begin_frame() {
  const Bytes first = input_->peek(4);
  in_frame_ = begins_frame(compression_, first);
  if (in_frame_) return true;
  std::string damage;
  if (!first.empty() && first[0] != 0) {  // tapes and block devices pad with zeros
    damage = fmt::format("what follows the {} data at byte {} is not {} and was ignored", compression(),
                         input_->offset(), compression());
  }
  end(damage);
  return false;
}

/// If the file itself ended early, its message is nearer to the cause.
void Decompressor::end(const std::string& damage) {
  ended_ = true;
  damage_ = input_->damage().empty() ? damage : input_->damage();
}

}  // namespace rocescope
