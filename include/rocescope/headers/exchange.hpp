// The set-up exchange of rdmagen, the project's traffic generator: how its two sides tell each other their queue pairs
// and memory regions when they do without the communication manager. SENDs on a UD queue pair with Q_Key 0x524C4142,
// 32 or 64 bytes each: this header, then the message (exchange_*.hpp), padded with zeros.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Magic: 0x524C4142, "RLAB"                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |    Version    |      Type     |            Sequence           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

/// The Q_Key of the exchange, and the magic number of its messages: "RLAB".
inline constexpr std::uint32_t kExchangeKey = 0x524C4142;

enum class ExchangeType : std::uint8_t {
  kDeviceDiscoveryReq = 1,
  kDeviceDiscoveryResp = 2,
  kQpCreateReq = 3,
  kQpCreateResp = 4,
  kMrRegisterReq = 5,
  kMrRegisterResp = 6,
  kConnectionReq = 7,
  kConnectionAccept = 8,
  kConnectionConfirm = 9,
  kConnectionReady = 10,
};

inline constexpr ValueName kExchangeTypeNames[] = {{1, 1, "DEVICE_DISCOVERY_REQ"}, {2, 2, "DEVICE_DISCOVERY_RESP"},
                                                   {3, 3, "QP_CREATE_REQ"},        {4, 4, "QP_CREATE_RESP"},
                                                   {5, 5, "MR_REGISTER_REQ"},      {6, 6, "MR_REGISTER_RESP"},
                                                   {7, 7, "CONNECTION_REQ"},       {8, 8, "CONNECTION_ACCEPT"},
                                                   {9, 9, "CONNECTION_CONFIRM"},   {10, 10, "CONNECTION_READY"}};

struct Exchange : HeaderView<Exchange> {
  static constexpr HeaderKind kKind = HeaderKind::kExchange;
  static constexpr std::string_view kName = "rocescope.exchange";
  static constexpr std::string_view kTitle = "Set-up Exchange";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::hex("rocescope.exchange.magic", "Magic", 0, 32),
      field::number("rocescope.exchange.version", "Version", 32, 8),
      field::number("rocescope.exchange.type", "Type", 40, 8).named(kExchangeTypeNames),
      field::number("rocescope.exchange.sequence", "Sequence", 48, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t magic() const noexcept { return get<"rocescope.exchange.magic">(); }
  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"rocescope.exchange.version">(); }
  [[nodiscard]] constexpr ExchangeType type() const noexcept {
    return static_cast<ExchangeType>(get<"rocescope.exchange.type">());
  }
  [[nodiscard]] constexpr std::uint16_t sequence() const noexcept { return get<"rocescope.exchange.sequence">(); }
};

}  // namespace rocescope
