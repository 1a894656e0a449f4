#include "dissectors/ulp/ucx/ucx_message.hpp"

#include <iterator>

#include "dissectors/ulp/forms.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kNumber = 8;  // bytes

/// Nothing: none that a program could have.
std::optional<UcxWireUp> ucx_wire_up(Bytes body) noexcept {
  constexpr std::size_t kSize = 20;  // type, mode of errors, number of the connection, both endpoints
  constexpr std::uint8_t kMostTypes = 6;
  constexpr std::uint8_t kMostModes = 3;
  if (body.size() < kSize || body[0] >= kMostTypes || body[1] >= kMostModes) return std::nullopt;
  const UcxWireUp found{.type = static_cast<UcxWireUp::Type>(body[0]),
                        .source = load_little_endian(body.data() + 4, kNumber),
                        .destination = load_little_endian(body.data() + 4 + kNumber, kNumber)};
  return found.source != 0 && found.source != found.destination ? std::optional(found) : std::nullopt;
}

}  // namespace

std::string_view to_string(UcxKind kind) noexcept {
  constexpr std::string_view kNames[kUcxKinds] = {"wire-up",        "tag", "rendezvous", "stream",
                                                  "active message", "put", "get",        "atomic"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<UcxKind> ucx_kind_of(std::uint8_t id) noexcept {
  using enum UcxKind;
  constexpr std::optional<UcxKind> kNone;
  constexpr std::optional<UcxKind> kKinds[] = {
      kNone,       kWireUp,     kTag,        kTag,        kTag,  kNone,   kTag,    kTag,        kTag,
      kRendezvous, kRendezvous, kRendezvous, kRendezvous, kNone, kTag,    kStream, kRendezvous, kPut,
      kGet,        kGet,        kAtomic,     kAtomic,     kNone, kActive, kActive, kActive,     kActive};
  return id < std::size(kKinds) ? kKinds[id] : kNone;
}

std::optional<UcxMessage> ucx_message_of(Bytes start) noexcept {
  constexpr std::uint8_t kId = 0x1F;
  constexpr std::uint8_t kGrant = 0xE0;  // an ID of 0 with all bits of flow control
  constexpr std::uint8_t kMostIds = 28;
  if (!start.empty() && start[0] == 0) start = start.subspan(1);
  if (start.empty()) return std::nullopt;
  const UcxMessage message{.id = static_cast<std::uint8_t>(start[0] & kId), .body = start.subspan(1)};
  if (start[0] == kGrant) return message.body.empty() ? std::optional(message) : std::nullopt;
  const bool is_id = message.id != 0 && message.id < kMostIds;
  return is_id && message.body.size() >= kNumber ? std::optional(message) : std::nullopt;
}

std::optional<UcxWireUp> ucx_wire_up_of(const UcxMessage& message) noexcept {
  return message.id == static_cast<std::uint8_t>(UcxId::kWireUp) ? ucx_wire_up(message.body) : std::nullopt;
}

std::optional<UcxWireUp> ucx_wire_up_of_datagram(Bytes datagram) noexcept {
  constexpr std::size_t kHeader = 8;
  constexpr std::uint32_t kIsMessage = 1U << 24U;
  if (datagram.size() < kHeader) return std::nullopt;
  const auto word = static_cast<std::uint32_t>(load_little_endian(datagram.data(), 4));
  if ((word & kIsMessage) == 0 || word >> 27U != static_cast<std::uint32_t>(UcxId::kWireUp)) return std::nullopt;
  return ucx_wire_up(datagram.subspan(kHeader));
}

UcxForm ucx_form(Bytes start, std::uint64_t length) noexcept {
  const auto message = ucx_message_of(start);
  if (!message) return UcxForm::kNone;
  const auto number = [&](std::size_t at) { return load_little_endian(message->body.data() + at, kNumber); };
  constexpr std::uint64_t kMostBytes = 1ULL << 40U;
  switch (static_cast<UcxId>(message->id)) {
    case UcxId::kWireUp: {
      const auto wire_up = ucx_wire_up_of(*message);
      return wire_up && wire_up->destination != 0 ? UcxForm::kStrong : UcxForm::kNone;
    }
    case UcxId::kEagerFirst: {
      constexpr std::size_t kHeader = 24;
      if (message->body.size() < kHeader) return UcxForm::kNone;
      const std::uint64_t whole = number(kNumber);
      return whole + kHeader > length && whole < kMostBytes ? UcxForm::kStrong : UcxForm::kNone;
    }
    case UcxId::kReadyToSend: {
      constexpr std::size_t kHeader = 40;
      if (message->body.size() < kHeader) return UcxForm::kNone;
      return number(kHeader - kNumber) < kMostBytes ? UcxForm::kStrong : UcxForm::kNone;
    }
    default:
      return UcxForm::kWeak;
  }
}

}  // namespace rocescope
