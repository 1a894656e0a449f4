// JSON documents written as they are made, so that a long table needs no memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocescope::render {

enum class JsonSpace : std::uint8_t {
  kIndented,  ///< two spaces a level, one value a line
  kLine,      ///< one line, as in NDJSON, with a space after each colon
  kCompact,   ///< one line without any space
};

/// Appends one JSON value to a string. Inside an object every value and every opening
/// bracket has a key; the caller closes what it opens.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out, JsonSpace space = JsonSpace::kIndented) : out_(out), space_(space) {}

  void open_object(std::string_view key = {}) { open(key, '{'); }
  void close_object() { close('}'); }
  void open_array(std::string_view key = {}) { open(key, '['); }
  void close_array() { close(']'); }

  void string(std::string_view key, std::string_view value);
  template <std::integral Number>
  void number(std::string_view key, Number value) {
    if constexpr (std::signed_integral<Number>) {
      signed_number(key, value);
    } else {
      unsigned_number(key, value);
    }
  }
  /// Nothing where there is no number.
  template <std::integral Number>
  void number(std::string_view key, const std::optional<Number>& value) {
    if (value) number(key, *value);
  }
  /// 64 bits that are no quantity, such as an address: `"0x000000000000002a"`. Readers that take numbers for doubles
  /// would round them.
  void hex_id(std::string_view key, std::uint64_t value);
  void hex_id(std::string_view key, const std::optional<std::uint64_t>& value) {
    if (value) hex_id(key, *value);
  }
  void boolean(std::string_view key, bool value);
  void null(std::string_view key);
  /// A value that is JSON already.
  void raw(std::string_view key, std::string_view value);
  /// An element of an array.
  void string(std::string_view value) { string({}, value); }

  /// Bytes of the document so far.
  [[nodiscard]] std::size_t size() const noexcept { return out_.size(); }

 private:
  void open(std::string_view key, char bracket);
  void close(char bracket);
  void start(std::string_view key);
  void new_line();
  void signed_number(std::string_view key, std::int64_t value);
  void unsigned_number(std::string_view key, std::uint64_t value);

  std::string& out_;
  JsonSpace space_;
  int level_ = 0;
  bool empty_ = true;  // nothing stands in the innermost object or array yet
};

}  // namespace rocescope::render
