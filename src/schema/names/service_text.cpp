#include "schema/names/service_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "rocescope/field_value.hpp"
#include "rocescope/headers/cm/names.hpp"

namespace rocescope::schema {

std::string service_text(std::uint64_t service_id) {
  const bool ip_cm = (service_id >> 24) == 1;  // then 8 bits of port space and 16 of port
  if (!ip_cm) return fmt::format("service 0x{:016x}", service_id);
  constexpr std::uint64_t kTcp = 0x06;
  const std::uint64_t space = (service_id >> 16) & 0xFFU;
  const std::uint64_t port = service_id & 0xFFFFU;
  const std::string_view space_name = name_of(kRdmaPortSpaceNames, space);
  const std::string_view listener = space == kTcp ? name_of(kRdmaTcpPortNames, port) : std::string_view();
  std::string text = fmt::format("{} port {}", space_name.empty() ? "RDMA IP CM" : space_name, port);
  if (!listener.empty()) text += fmt::format(" ({})", listener);
  return text;
}

}  // namespace rocescope::schema
