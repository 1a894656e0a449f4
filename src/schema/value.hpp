// The value that one row of a report has in one column.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/psn.hpp"

namespace rocescope::schema {

/// Absent, or one plain value. Renderers decide how it looks; the column's type says what it means.
class Value {
 public:
  using Content =
      std::variant<std::monostate, std::uint64_t, std::int64_t, bool, std::string_view, IpAddress, ByteArray<6>, Bytes>;

  [[nodiscard]] const Content& content() const noexcept { return content_; }
  [[nodiscard]] bool absent() const noexcept { return std::holds_alternative<std::monostate>(content_); }
  /// Whether it is the number 0, or empty text.
  [[nodiscard]] bool is_zero() const noexcept {
    if (const auto* const text = std::get_if<std::string_view>(&content_)) return text->empty();
    const auto* const number = std::get_if<std::uint64_t>(&content_);
    return number != nullptr && *number == 0;
  }
  /// The number; 0 where it is another kind of value.
  [[nodiscard]] std::uint64_t number() const noexcept {
    const auto* const number = std::get_if<std::uint64_t>(&content_);
    return number == nullptr ? 0 : *number;
  }
  void clear() noexcept { content_ = std::monostate{}; }

  void set(bool value) noexcept { content_ = value; }
  void set(std::unsigned_integral auto value) noexcept { content_ = static_cast<std::uint64_t>(value); }
  void set(std::signed_integral auto value) noexcept { content_ = static_cast<std::int64_t>(value); }
  void set(Psn value) noexcept { content_ = static_cast<std::uint64_t>(value.value()); }
  void set(Qpn value) noexcept { content_ = static_cast<std::uint64_t>(value.value()); }
  void set(const IpAddress& value) noexcept { content_ = value; }
  void set(const ByteArray<6>& value) noexcept { content_ = value; }
  /// Text that lasts as long as the row.
  void set(std::string_view value) noexcept { content_ = value; }
  void set(const std::string& value) noexcept { content_ = std::string_view(value); }
  /// Text that was made for this value, which keeps it.
  void set(std::string&& value) {
    text_ = std::move(value);
    content_ = std::string_view(text_);
  }
  /// No bytes: absent.
  void set(const std::vector<std::uint8_t>& value) noexcept {
    if (!value.empty()) content_ = Bytes(value);
  }
  template <class T>
  requires std::is_enum_v<T>
  void set(T value) { set(std::string_view(to_string(value))); }
  template <class T>
  void set(const std::optional<T>& value) {
    if (value) set(*value);
  }
  template <class T>
  void set(std::optional<T>&& value) {
    if (value) set(std::move(*value));
  }

 private:
  Content content_;
  std::string text_;
};

}  // namespace rocescope::schema
