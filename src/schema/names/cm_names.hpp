// What the numbers in CM messages are called. Each is empty where the message does not have the number.
#pragma once

#include <string>
#include <string_view>

#include "rocescope/handshake.hpp"

namespace rocescope::schema {

/// `REQ`, `SIDR_REP`
[[nodiscard]] std::string_view cm_message_name(CmMessage message);
/// The message that a REJ or MRA is about: `REQ`.
[[nodiscard]] std::string_view cm_about(const CmEvent& event);
/// Of a REJ: `stale connection`, `reason 99`.
[[nodiscard]] std::string cm_reason(const CmEvent& event);
/// Of a SIDR_REP or APR: `service ID not supported`, `status 99`.
[[nodiscard]] std::string cm_status(const CmEvent& event);
/// Of a REQ: `RC`, `XRC`.
[[nodiscard]] std::string_view cm_transport(const CmEvent& event);
/// `TCP port 7174 (rping)` of the RDMA IP CM service, `service 0x0000000000000001` of any other.
[[nodiscard]] std::string cm_service(const CmEvent& event);

}  // namespace rocescope::schema
