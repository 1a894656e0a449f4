#include "schema/names/handshake_names.hpp"

#include <fmt/format.h>

#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/smc_clc.hpp"

namespace rocescope::schema {

std::string reject_reason(const Handshake& handshake) {
  if (!handshake.reject) return {};
  const std::uint32_t reason = handshake.reject->reason;
  const bool cm = handshake.kind == HandshakeKind::kCm;
  const bool sidr = handshake.kind == HandshakeKind::kSidr;
  const std::string_view name = cm                                      ? name_of(kRejReasonNames, reason)
                                : sidr                                  ? name_of(kSidrStatusNames, reason)
                                : handshake.kind == HandshakeKind::kOob ? name_of(kSmcDeclineNames, reason)
                                                                        : std::string_view();
  return name.empty() ? fmt::format("{} {}", cm ? "reason" : "status", reason) : std::string(name);
}

std::string_view reject_about(const Handshake& handshake) {
  if (!handshake.reject || handshake.kind != HandshakeKind::kCm) return {};
  return name_of(kRejMessageNames, handshake.reject->about);
}

}  // namespace rocescope::schema
