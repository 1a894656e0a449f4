// Takes the fields of one line of truth, and remembers the first wrong one.
#pragma once

#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/psn.hpp"

namespace rocescope::truth {

class FactReader {
 public:
  /// `object` outlives the reader.
  explicit FactReader(const nlohmann::json& object) : object_(object) {}

  /// Fills `value` from a field that must be there.
  template <class T>
  void need(const char* name, T& value) {
    const nlohmann::json* field = find(name);
    if (field == nullptr) return fail(name, "is missing");
    take(name, *field, value);
  }
  /// Leaves `value` as it is when there is no such field, or when it is null.
  template <class T>
  void may(const char* name, T& value) {
    if (const nlohmann::json* field = find(name)) take(name, *field, value);
  }
  template <class T>
  void may(const char* name, std::optional<T>& value) {
    if (const nlohmann::json* field = find(name)) take(name, *field, value.emplace());
  }

  /// The error, as a clause: `qpn is missing`; empty if there is none.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  void fail(std::string_view name, std::string_view why);

 private:
  [[nodiscard]] const nlohmann::json* find(const char* name) const;

  template <std::integral T>
  requires(!std::same_as<T, bool>) void take(const char* name, const nlohmann::json& field, T& value) {
    if (!field.is_number_integer()) return fail(name, "is no whole number");
    const bool fits = field.is_number_unsigned() ? std::in_range<T>(field.get<std::uint64_t>())
                                                 : std::in_range<T>(field.get<std::int64_t>());
    if (!fits) return fail(name, "is out of its range");
    value = field.is_number_unsigned() ? static_cast<T>(field.get<std::uint64_t>())
                                       : static_cast<T>(field.get<std::int64_t>());
  }
  void take(const char* name, const nlohmann::json& field, bool& value);
  void take(const char* name, const nlohmann::json& field, std::string& value);
  void take(const char* name, const nlohmann::json& field, std::vector<std::string>& value);
  void take(const char* name, const nlohmann::json& field, std::vector<nlohmann::json>& value);
  void take(const char* name, const nlohmann::json& field, std::map<std::string, std::uint64_t>& value);
  void take(const char* name, const nlohmann::json& field, IpAddress& value);
  void take(const char* name, const nlohmann::json& field, Qpn& value);
  void take(const char* name, const nlohmann::json& field, Psn& value);
  bool take_24_bits(const char* name, const nlohmann::json& field, std::uint32_t& value);

  const nlohmann::json& object_;
  std::string problem_;
};

}  // namespace rocescope::truth
