// Addresses as people read them.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "rocescope/text.hpp"
#include "text/append.hpp"
#include "text/number_text.hpp"

namespace rocescope {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

void append_byte(std::uint8_t byte, std::string& out) {
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15U];
}

struct Run {
  std::size_t first = 8;
  std::size_t length = 0;
};

/// The groups that `::` stands for.
Run longest_zero_run(const std::array<std::uint16_t, 8>& groups) {
  Run best;
  Run run;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i] != 0) {
      run = {};
      continue;
    }
    if (run.length == 0) run.first = i;
    if (++run.length > best.length) best = run;
  }
  return best.length >= 2 ? best : Run{};
}

}  // namespace

void append_ipv4(std::span<const std::uint8_t, 4> address, std::string& out) {
  for (std::size_t i = 0; i < address.size(); ++i) {
    if (i > 0) out += '.';
    append_number(address[i], out);
  }
}

void append_ipv6(std::span<const std::uint8_t, 16> address, std::string& out) {
  std::array<std::uint16_t, 8> groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i] = static_cast<std::uint16_t>((address[2 * i] << 8) | address[2 * i + 1]);
  }
  const Run zeros = longest_zero_run(groups);
  const bool embeds_v4 = zeros.first == 0 && (zeros.length == 6 || (zeros.length == 5 && groups[5] == 0xFFFF));
  const std::size_t last = embeds_v4 ? 6 : groups.size();
  bool separate = false;
  for (std::size_t i = 0; i < last; ++i) {
    if (i == zeros.first) {
      out += "::";
      i += zeros.length - 1;
      separate = false;
      continue;
    }
    if (separate) out += ':';
    text::append(out, "{:x}", groups[i]);
    separate = true;
  }
  if (!embeds_v4) return;
  if (separate) out += ':';
  append_ipv4(address.subspan<12, 4>(), out);
}

void append_mac(std::span<const std::uint8_t, 6> address, std::string& out) {
  for (std::size_t i = 0; i < address.size(); ++i) {
    if (i > 0) out += ':';
    append_byte(address[i], out);
  }
}

void append_hex(Bytes bytes, std::string& out) {
  std::size_t at = out.size();
  out.resize(at + 2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    out[at++] = kDigits[byte >> 4];
    out[at++] = kDigits[byte & 15U];
  }
}

void append_address(const IpAddress& address, std::string& out) {
  const std::span<const std::uint8_t, 16> bytes(address.bytes);
  if (address.is_v4()) {
    append_ipv4(bytes.subspan<12, 4>(), out);
  } else if (address.is_lid()) {
    text::append(out, "LID {}", address.to_lid());
  } else {
    append_ipv6(bytes, out);
  }
}

std::string to_text(const IpAddress& address) {
  std::string text;
  append_address(address, text);
  return text;
}

std::string to_text(const IpAddress& source, const IpAddress& destination) {
  return to_text(source) + " > " + to_text(destination);
}

std::optional<IpAddress> parse_ip_address(std::string_view text) {
  const std::string address(text);
  ByteArray<16> bytes{};
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return IpAddress::v6(bytes);
  ByteArray<4> v4{};
  if (::inet_pton(AF_INET, address.c_str(), v4.data()) == 1) return IpAddress::v4(v4);
  return std::nullopt;
}

std::string to_text(Qpn qpn) {
  constexpr std::size_t kQpnDigits = 6;
  std::string text;
  append_hex_number(qpn.value(), kQpnDigits, text);
  return text;
}

std::string to_text(const IpAddress& address, std::optional<Qpn> qpn) {
  return qpn ? to_text(address) + ' ' + to_text(*qpn) : to_text(address);
}

}  // namespace rocescope
