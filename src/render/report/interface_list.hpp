// The interfaces of this machine, for people and as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rocescope/live.hpp"

namespace rocescope::render {

/// Version of the JSON document, as kReportSchema.
inline constexpr int kInterfacesSchema = 1;

void append_interfaces_text(std::span<const LiveDevice> devices, std::string& out);
void append_interfaces_json(std::span<const LiveDevice> devices, std::string& out);
/// As report_json_documentation().
[[nodiscard]] std::string_view interfaces_json_documentation() noexcept;

}  // namespace rocescope::render
