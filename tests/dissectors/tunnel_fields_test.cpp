// Every field of a tunnel's header that tshark has, against what tshark 4.0.17 prints.
#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <sstream>

#include "rocescope/field_value.hpp"
#include "rocescope/header.hpp"
#include "tunnel/tunnel_packets.hpp"

namespace rocescope {
namespace {

/// Values by field, as `tshark -T fields` prints them, several separated by '|'.
using Fields = std::map<std::string, std::string, std::less<>>;

std::string join_hex(Bytes bytes) {
  std::string text;
  std::array<char, 3> digits;
  for (const std::uint8_t byte : bytes) {
    std::snprintf(digits.data(), digits.size(), "%02x", byte);
    text += digits.data();
  }
  return text;
}

std::string print(const FieldValue& value) {
  const Field& field = *value.field;
  std::array<char, 64> text;
  switch (field.type) {
    case FieldType::kIpv4:
      return inet_ntop(AF_INET, value.bytes.data(), text.data(), text.size());
    case FieldType::kIpv6:
      return inet_ntop(AF_INET6, value.bytes.data(), text.data(), text.size());
    case FieldType::kBytes:
      return join_hex(value.bytes);
    default:
      break;
  }
  if (field.display == Display::kDecimal) return std::to_string(value.number);
  const int digits = field.hex_digits != 0 ? field.hex_digits : static_cast<int>((field.bit_width + 3) / 4);
  std::snprintf(text.data(), text.size(), "0x%0*llx", digits, static_cast<unsigned long long>(value.number));
  return text.data();
}

Fields fields_by_us(const Packet& packet) {
  Fields fields;
  for_each_field(packet, [&](const Layer&, const FieldValue& value) {
    std::string& text = fields[std::string(value.field->name)];
    if (!text.empty()) text += '|';
    text += print(value);
  });
  return fields;
}

bool is_ours(std::string_view name) {
  for (const HeaderInfo& header : all_headers()) {
    for (const Field& field : header.fields) {
      if (field.name == name) return true;
    }
  }
  return false;
}

std::map<std::string, Fields> fields_by_tshark(std::set<std::string>& names) {
  std::map<std::string, Fields> packets;
  std::ifstream file = testing::open_tunnel_file("fields.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string packet;
    std::string name;
    std::string value;
    words >> packet >> name;
    std::getline(words >> std::ws, value);
    packets[packet][name] = value;
    names.insert(name);
  }
  return packets;
}

/// Where tshark 4.0.17 is wrong, or shows more packets than the one that a frame gives here.
const std::set<std::pair<std::string, std::string>>& known_differences() {
  static const std::set<std::pair<std::string, std::string>> kKnown = {
      // It knows VXLAN at port 4789 only.
      {"vxlan_linux", "vxlan."},
      // An option without data has `<MISSING>` data.
      {"geneve_options", "geneve.option.unknown.data"},
      // It reads every sample of a datagram.
      {"sflow_three_samples_cut", "sflow"},
  };
  return kKnown;
}

bool differs_knowingly(const std::string& packet, const std::string& name) {
  return std::any_of(known_differences().begin(), known_differences().end(),
                     [&](const auto& known) { return known.first == packet && name.starts_with(known.second); });
}

TEST(TunnelFields, EqualThoseOfTshark) {
  std::set<std::string> names;
  auto expected = fields_by_tshark(names);
  unsigned compared = 0;
  for (const auto& [packet, bytes] : testing::tunnel_packets()) {
    Fields ours = fields_by_us(testing::dissect_tunnel(bytes));
    if (packet.ends_with("_deep")) continue;  // tshark goes deeper
    for (const std::string& name : names) {
      if (differs_knowingly(packet, name) || !is_ours(name)) continue;
      EXPECT_EQ(ours[name], expected[packet][name]) << packet << ' ' << name;
      if (!ours[name].empty()) ++compared;
    }
  }
  EXPECT_GT(compared, 800u);
}

}  // namespace
}  // namespace rocescope
