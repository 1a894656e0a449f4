#include "render/trace/protobuf.hpp"

#include <bit>

namespace rocescope::render {

void ProtobufWriter::varint(std::uint64_t value) {
  constexpr std::uint64_t kMore = 0x80;
  for (; value >= kMore; value >>= 7) out_ += static_cast<char>(value | kMore);
  out_ += static_cast<char>(value);
}

void ProtobufWriter::number(unsigned field, std::uint64_t value) {
  tag(field, kVarint);
  varint(value);
}

void ProtobufWriter::real(unsigned field, double value) {
  tag(field, kFixed64);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8) out_ += static_cast<char>(bits >> shift);
}

void ProtobufWriter::text(unsigned field, std::string_view value) {
  tag(field, kLength);
  varint(value.size());
  out_ += value;
}

void ProtobufWriter::insert_length(std::size_t start) {
  std::string length;
  ProtobufWriter(length).varint(out_.size() - start);
  out_.insert(start, length);
}

}  // namespace rocescope::render
