#include "schema/names/cm_names.hpp"

#include <fmt/format.h>

#include "rocescope/headers/cm/names.hpp"
#include "schema/names/service_text.hpp"

namespace rocescope::schema {
namespace {

/// The name, or the kind of number and the number.
std::string name_or_number(std::span<const ValueName> names, std::uint64_t value, std::string_view kind) {
  const std::string_view name = name_of(names, value);
  return name.empty() ? fmt::format("{} {}", kind, value) : std::string(name);
}

}  // namespace

std::string_view cm_message_name(CmMessage message) {
  static_assert(static_cast<unsigned>(HandshakeMessage::kSpr) ==
                static_cast<unsigned>(CmMessage::kSpr) - static_cast<unsigned>(CmMessage::kReq));
  return to_string(
      static_cast<HandshakeMessage>(static_cast<unsigned>(message) - static_cast<unsigned>(CmMessage::kReq)));
}

std::string_view cm_about(const CmEvent& event) {
  if (!event.about) return {};
  return event.message == CmMessage::kRej ? name_of(kRejMessageNames, *event.about)
                                          : name_of(kMraMessageNames, *event.about);
}

std::string cm_reason(const CmEvent& event) {
  return event.reason ? name_or_number(kRejReasonNames, *event.reason, "reason") : std::string();
}

std::string cm_status(const CmEvent& event) {
  if (!event.status) return {};
  return event.message == CmMessage::kApr ? name_or_number(kAprStatusNames, *event.status, "status")
                                          : name_or_number(kSidrStatusNames, *event.status, "status");
}

std::string_view cm_transport(const CmEvent& event) {
  if (!event.transport) return {};
  return event.xrc ? "XRC" : name_of(kCmTransportNames, *event.transport);
}

std::string cm_service(const CmEvent& event) {
  return event.service_id ? service_text(*event.service_id) : std::string();
}

}  // namespace rocescope::schema
