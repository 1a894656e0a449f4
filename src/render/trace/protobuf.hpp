// The wire format of Protocol Buffers, as far as traces need it: https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rocescope::render {

/// Appends the fields of a message to `out`, which must outlive it.
class ProtobufWriter {
 public:
  explicit ProtobufWriter(std::string& out) : out_(out) {}

  /// uint32, uint64, bool, an enumeration; int32 and int64 as two's complement of 64 bits.
  void number(unsigned field, std::uint64_t value);
  void real(unsigned field, double value);
  void text(unsigned field, std::string_view value);
  /// A message in the message: `write(ProtobufWriter&)` appends its fields.
  template <class Write>
  void message(unsigned field, Write write) {
    tag(field, kLength);
    const std::size_t start = out_.size();
    write(*this);
    insert_length(start);
  }

 private:
  enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kLength = 2 };

  void tag(unsigned field, WireType type) { varint(std::uint64_t{field} << 3 | type); }
  void varint(std::uint64_t value);
  void insert_length(std::size_t start);

  std::string& out_;
};

}  // namespace rocescope::render
