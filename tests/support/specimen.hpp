// A frame with what is found in it, in words that tests compare.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/dissect.hpp"
#include "rocescope/field_value.hpp"
#include "rocescope/icrc.hpp"

namespace rocescope::testing {

/// Owns the bytes of a frame and the packet found in them.
class Specimen {
 public:
  explicit Specimen(std::vector<std::uint8_t> bytes, std::uint32_t link_type = link_type::kEthernet,
                    std::int64_t seconds = 0, std::uint32_t original_length = 0)
      : bytes_(std::move(bytes)), packet_(std::make_unique<Packet>()) {
    Frame frame;
    frame.data = bytes_;
    frame.original_length = std::max(original_length, static_cast<std::uint32_t>(bytes_.size()));
    frame.link_type = link_type;
    frame.timestamp = seconds * 1'000'000'000;
    frame.number = 1;
    dissect(frame, *packet_);
  }

  [[nodiscard]] const Packet& packet() const { return *packet_; }
  [[nodiscard]] const Packet* operator->() const { return packet_.get(); }

  /// "eth[14] ip[20] udp[8]": names and lengths.
  [[nodiscard]] std::string layers() const {
    std::string text;
    for (const Layer& layer : packet_->layers()) {
      if (!text.empty()) text += ' ';
      text += std::string(header_info(layer.kind).name) + "[" + std::to_string(layer.length) + "]";
    }
    return text;
  }

  /// "truncated": the stop reason.
  [[nodiscard]] std::string stop() const {
    constexpr const char* kNames[] = {"none", "truncated", "malformed", "fragment", "encrypted", "limit"};
    return kNames[static_cast<std::size_t>(packet_->stop.reason)];
  }

  /// "good": the verdict on the ICRC.
  [[nodiscard]] std::string icrc() const {
    constexpr const char* kNames[] = {"none", "good", "bad", "unverifiable"};
    return kNames[static_cast<std::size_t>(check_icrc(*packet_).status)];
  }

  /// All values of the field called `name` as `tshark -T fields -E occurrence=a` prints them.
  [[nodiscard]] std::string values(std::string_view name) const {
    std::string text;
    bool first = true;
    for_each_field(*packet_, [&](const Layer&, const FieldValue& value) {
      if (value.field->name != name) return;
      if (!first) text += ',';
      first = false;
      text += to_text(value);
    });
    return text;
  }

 private:
  template <class... Values>
  static std::string print(const char* format, Values... values) {
    char buffer[64];
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
  }

  static std::string hex_bytes(Bytes bytes, const char* separator) {
    std::string text;
    for (const std::uint8_t byte : bytes) text += (text.empty() ? "" : separator) + print("%02x", unsigned{byte});
    return text;
  }

  /// RFC 5952, as far as the addresses in our tests need it: the longest run of zeros becomes "::".
  static std::string ipv6(Bytes bytes) {
    std::size_t best = 8;
    std::size_t best_length = 1;
    for (std::size_t i = 0; i < 8; ++i) {
      std::size_t length = 0;
      while (i + length < 8 && bytes[2 * (i + length)] == 0 && bytes[2 * (i + length) + 1] == 0) ++length;
      if (length > best_length) {
        best = i;
        best_length = length;
      }
    }
    std::string text;
    for (std::size_t i = 0; i < 8; ++i) {
      if (i == best) {
        text += "::";
        i += best_length - 1;
        continue;
      }
      if (!text.empty() && text.back() != ':') text += ':';
      text += print("%x", static_cast<unsigned>(bytes[2 * i] << 8 | bytes[2 * i + 1]));
    }
    return text;
  }

  static std::string to_text(const FieldValue& value) {
    const Field& field = *value.field;
    switch (field.type) {
      case FieldType::kUnsigned:
        if (field.display == Display::kHex) {
          const unsigned digits = field.hex_digits != 0 ? field.hex_digits : (field.bit_width + 3) / 4;
          return print("0x%0*llx", static_cast<int>(digits), static_cast<unsigned long long>(value.number));
        }
        return std::to_string(value.number);
      case FieldType::kBoolean:
        return value.number != 0 ? "1" : "0";
      case FieldType::kIpv4:
        return print("%u.%u.%u.%u", value.bytes[0], value.bytes[1], value.bytes[2], value.bytes[3]);
      case FieldType::kIpv6:
        return ipv6(value.bytes);
      case FieldType::kMac:
        return hex_bytes(value.bytes, ":");
      case FieldType::kText:
        return {value.bytes.begin(), std::find(value.bytes.begin(), value.bytes.end(), 0)};
      default:
        return hex_bytes(value.bytes, "");
    }
  }

  std::vector<std::uint8_t> bytes_;
  std::unique_ptr<Packet> packet_;
};

}  // namespace rocescope::testing
