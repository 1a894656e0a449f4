#include "tracking/handshakes/key_line.hpp"

#include <algorithm>

namespace rocescope {
namespace {

/// Takes numbers and separators off a text; fails once and for all at the first that is not there.
class HexReader {
 public:
  explicit HexReader(Bytes text) : text_(text) {}

  std::uint64_t number(std::size_t digits) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = (value << 4) | digit();
    return value;
  }
  void byte(std::uint8_t expected) noexcept {
    good_ = good_ && at_ < text_.size() && text_[at_] == expected;
    ++at_;
  }
  void colon() noexcept { byte(':'); }
  [[nodiscard]] bool good() const noexcept { return good_; }
  [[nodiscard]] std::size_t taken() const noexcept { return at_; }

 private:
  std::uint64_t digit() noexcept {
    const std::uint8_t c = at_ < text_.size() ? text_[at_] : 0;
    ++at_;
    if (c >= '0' && c <= '9') return c - static_cast<std::uint8_t>('0');
    if (c >= 'a' && c <= 'f') return c - static_cast<std::uint8_t>('a') + 10U;
    good_ = false;
    return 0;
  }

  Bytes text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

std::optional<KeyLine> finished(KeyLine line, HexReader& reader) noexcept {
  reader.byte(0);
  if (!reader.good() || line.qpn.value() == 0 || line.gid.empty()) return std::nullopt;
  line.size = reader.taken();
  return line;
}

std::optional<KeyLine> parse_pingpong(Bytes text) noexcept {
  HexReader reader(text);
  KeyLine line{.form = KeyLineForm::kPingpong};
  reader.number(4);
  reader.colon();
  line.qpn = Qpn(static_cast<std::uint32_t>(reader.number(6)));
  reader.colon();
  line.first_psn = Psn(static_cast<std::uint32_t>(reader.number(6)));
  reader.colon();
  for (auto& byte : line.gid.bytes) byte = static_cast<std::uint8_t>(reader.number(2));
  return finished(line, reader);
}

/// Newer versions have one more address before the GID, that of the data to validate.
std::optional<KeyLine> parse_perftest(Bytes text, bool validates) noexcept {
  HexReader reader(text);
  KeyLine line{.form = KeyLineForm::kPerftest};
  reader.number(4);
  reader.colon();
  reader.number(4);
  reader.colon();
  line.qpn = Qpn(static_cast<std::uint32_t>(reader.number(6)));
  reader.colon();
  line.first_psn = Psn(static_cast<std::uint32_t>(reader.number(6)));
  reader.colon();
  line.r_key = static_cast<std::uint32_t>(reader.number(8));
  reader.colon();
  line.address = reader.number(16);
  reader.colon();
  if (validates) {
    reader.number(16);
    reader.colon();
  }
  for (auto& byte : line.gid.bytes) {
    byte = static_cast<std::uint8_t>(reader.number(2));
    reader.colon();
  }
  reader.number(8);
  reader.colon();
  return finished(line, reader);
}

}  // namespace

std::optional<KeyLine> parse_key_line(Bytes text) noexcept {
  constexpr std::size_t kFirstColon = 4;
  if (text.size() <= kFirstColon || text[kFirstColon] != ':') return std::nullopt;
  if (const auto line = parse_pingpong(text)) return line;
  if (const auto line = parse_perftest(text, false)) return line;
  return parse_perftest(text, true);
}

}  // namespace rocescope
