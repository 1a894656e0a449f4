#include "truth/fact_reader.hpp"

#include "rocescope/text.hpp"

namespace rocescope::truth {

const nlohmann::json* FactReader::find(const char* name) const {
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

void FactReader::fail(std::string_view name, std::string_view why) {
  if (!problem_.empty()) return;
  problem_.append(name);
  problem_ += ' ';
  problem_.append(why);
}

void FactReader::take(const char* name, const nlohmann::json& field, bool& value) {
  if (!field.is_boolean()) return fail(name, "is neither true nor false");
  value = field.get<bool>();
}

void FactReader::take(const char* name, const nlohmann::json& field, std::string& value) {
  if (!field.is_string()) return fail(name, "is no text");
  value = field.get_ref<const std::string&>();
}

void FactReader::take(const char* name, const nlohmann::json& field, std::vector<std::string>& value) {
  if (!field.is_array()) return fail(name, "is no list");
  for (const nlohmann::json& each : field) take(name, each, value.emplace_back());
}

void FactReader::take(const char* name, const nlohmann::json& field, std::vector<nlohmann::json>& value) {
  if (!field.is_array()) return fail(name, "is no list");
  value.assign(field.begin(), field.end());
}

void FactReader::take(const char* name, const nlohmann::json& field, std::map<std::string, std::uint64_t>& value) {
  if (!field.is_object()) return fail(name, "is no object");
  for (const auto& [key, each] : field.items()) take(name, each, value[key]);
}

void FactReader::take(const char* name, const nlohmann::json& field, IpAddress& value) {
  std::string text;
  take(name, field, text);
  const std::optional<IpAddress> address = parse_ip_address(text);
  if (!address) return fail(name, "is no IP address");
  value = *address;
}

bool FactReader::take_24_bits(const char* name, const nlohmann::json& field, std::uint32_t& value) {
  take(name, field, value);
  if (value >= Psn::kModulus) fail(name, "has more than 24 bits");
  return problem_.empty();
}

void FactReader::take(const char* name, const nlohmann::json& field, Qpn& value) {
  std::uint32_t number = 0;
  if (take_24_bits(name, field, number)) value = Qpn(number);
}

void FactReader::take(const char* name, const nlohmann::json& field, Psn& value) {
  std::uint32_t number = 0;
  if (take_24_bits(name, field, number)) value = Psn(number);
}

}  // namespace rocescope::truth
