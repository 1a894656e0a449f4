// JSON documents written as they are made, so that a long table needs no memory.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace rocescope::render {

enum class JsonSpace : bool {
  kIndented,  ///< by two spaces a level
  kLine,      ///< all in one line, as NDJSON wants it
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
  void boolean(std::string_view key, bool value);
  /// An element of an array.
  void string(std::string_view value) { string({}, value); }

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
