#include "render/json_writer.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "render/value_text.hpp"
#include "text/number_text.hpp"

namespace rocescope::render {

void JsonWriter::string(std::string_view key, std::string_view value) {
  start(key);
  append_json_string(value, out_);
}

void JsonWriter::hex_id(std::string_view key, std::uint64_t value) {
  constexpr std::size_t kDigits = 16;
  start(key);
  out_ += '"';
  append_hex_number(value, kDigits, out_);
  out_ += '"';
}

void JsonWriter::boolean(std::string_view key, bool value) {
  start(key);
  out_ += value ? "true" : "false";
}

void JsonWriter::null(std::string_view key) {
  start(key);
  out_ += "null";
}

void JsonWriter::raw(std::string_view key, std::string_view value) {
  start(key);
  out_ += value;
}

void JsonWriter::signed_number(std::string_view key, std::int64_t value) {
  start(key);
  const fmt::format_int digits(value);
  out_.append(digits.data(), digits.size());
}

void JsonWriter::unsigned_number(std::string_view key, std::uint64_t value) {
  start(key);
  append_number(value, out_);
}

void JsonWriter::open(std::string_view key, char bracket) {
  start(key);
  out_ += bracket;
  ++level_;
  empty_ = true;
}

void JsonWriter::close(char bracket) {
  --level_;
  if (!empty_) new_line();
  out_ += bracket;
  empty_ = false;
}

void JsonWriter::start(std::string_view key) {
  if (!empty_) out_ += ',';
  if (level_ > 0) new_line();
  empty_ = false;
  if (key.empty()) return;
  append_json_string(key, out_);
  out_ += space_ == JsonSpace::kCompact ? ":" : ": ";
}

void JsonWriter::new_line() {
  if (space_ != JsonSpace::kIndented) return;
  out_ += '\n';
  out_.append(static_cast<std::size_t>(level_) * 2, ' ');
}

}  // namespace rocescope::render
