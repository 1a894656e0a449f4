// Messages of UCX, which MPI libraries and others send through: as far as they show that they are some.
//
// Over RC an active message begins with its ID, in the lower five bits of a byte; through mlx5 a zero stands before it,
// where UCX was built with tag matching in the device. In a datagram a header of 8 bytes has the ID. All is
// little-endian. (UCX 1.13 as captures have it; uct/ib/rc/base/rc_iface.h, uct/ib/rc/accel/rc_mlx5_common.h,
// uct/ib/ud/base/ud_def.h, ucp/core/ucp_types.h, ucp/wireup/wireup.h, ucp/tag/eager.h, ucp/rndv/rndv.h)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rocescope/bytes.hpp"

namespace rocescope {

inline constexpr std::uint32_t kUcxKey = 0x1EE7'A330;  ///< the Q_Key of its datagrams

/// Some of its active messages.
enum class UcxId : std::uint8_t {
  kWireUp = 1,
  kEagerOnly = 2,        ///< tag (8), all bytes
  kEagerFirst = 3,       ///< tag (8), length of the whole (8), ID of the message (8), the first bytes
  kEagerMiddle = 4,      ///< ID of the message (8), offset (8), the next bytes
  kSyncOnly = 6,         ///< tag (8), endpoint (8), request (8), all bytes
  kSyncFirst = 7,        ///< as kEagerFirst, and the request behind it
  kSyncAck = 8,          ///< request (8), status (1)
  kReadyToSend = 9,      ///< a rendezvous: tag or another header (8), endpoint (8), request (8), address (8), length (8), ...
  kAckToSend = 10,       ///< request (8), ..., status (1)
  kReadyToReceive = 11,  ///< request of the sender (8), request of the receiver (8), address (8), length (8), ...
  kAckToPut = 16,        ///< request of the receiver (8), ...
};

/// What an active message is for.
enum class UcxKind : std::uint8_t { kWireUp, kTag, kRendezvous, kStream, kActive, kPut, kGet, kAtomic };
inline constexpr std::size_t kUcxKinds = static_cast<std::size_t>(UcxKind::kAtomic) + 1;
/// "wire-up", "tag", ...
[[nodiscard]] std::string_view to_string(UcxKind kind) noexcept;
/// Nothing: it is no message that was known to UCX 1.13, or it says only that another one is done.
[[nodiscard]] std::optional<UcxKind> ucx_kind_of(std::uint8_t id) noexcept;

/// An active message over RC.
struct UcxMessage {
  std::uint8_t id = 0;  ///< as UcxId has them, and others
  Bytes body;           ///< behind the ID
};
/// Nothing: it has no ID, or is too short for what all messages with an ID have but those that only grant credits.
[[nodiscard]] std::optional<UcxMessage> ucx_message_of(Bytes start) noexcept;

/// Of a message that connects endpoints.
struct UcxWireUp {
  enum class Type : std::uint8_t { kPreRequest, kRequest, kReply, kAck, kCheck, kRemoved };
  Type type = Type::kRequest;
  std::uint64_t source = 0;       ///< the endpoint of who sends it
  std::uint64_t destination = 0;  ///< the other's; 0: it is not known yet
};
/// Nothing: it is none.
[[nodiscard]] std::optional<UcxWireUp> ucx_wire_up_of(const UcxMessage& message) noexcept;
[[nodiscard]] std::optional<UcxWireUp> ucx_wire_up_of_datagram(Bytes datagram) noexcept;

}  // namespace rocescope
