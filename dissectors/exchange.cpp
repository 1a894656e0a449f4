// The set-up exchange of rdmagen.
#include "rocescope/headers/exchange.hpp"

#include "dissectors/dissectors.hpp"

namespace rocescope::dissectors {
namespace {

/// The header of a message, or kNone for a type that is not known.
HeaderKind message_kind(ExchangeType type) noexcept {
  switch (type) {
    case ExchangeType::kDeviceDiscoveryReq:
      return HeaderKind::kExchangeDiscoveryReq;
    case ExchangeType::kDeviceDiscoveryResp:
      return HeaderKind::kExchangeDiscoveryResp;
    case ExchangeType::kQpCreateReq:
      return HeaderKind::kExchangeQpCreateReq;
    case ExchangeType::kQpCreateResp:
      return HeaderKind::kExchangeQpCreateResp;
    case ExchangeType::kMrRegisterReq:
      return HeaderKind::kExchangeMrRegisterReq;
    case ExchangeType::kMrRegisterResp:
      return HeaderKind::kExchangeMrRegisterResp;
    case ExchangeType::kConnectionReq:
      return HeaderKind::kExchangeConnectionReq;
    case ExchangeType::kConnectionAccept:
      return HeaderKind::kExchangeConnectionAccept;
    case ExchangeType::kConnectionConfirm:
      return HeaderKind::kExchangeConnectionConfirm;
    case ExchangeType::kConnectionReady:
      return HeaderKind::kExchangeConnectionReady;
  }
  return HeaderKind::kNone;
}

}  // namespace

void dissect_exchange(Dissection& d) noexcept {
  constexpr std::uint8_t kVersion = 1;
  // The Q_Key alone proves nothing: without the magic number it is another datagram.
  const auto seen = Exchange::parse(d.rest());
  if (!seen || seen->magic() != kExchangeKey || !d.take<Exchange>()) return;
  const HeaderKind kind = seen->version() == kVersion ? message_kind(seen->type()) : HeaderKind::kNone;
  if (kind != HeaderKind::kNone) static_cast<void>(d.take(kind, header_info(kind).size));
}

}  // namespace rocescope::dissectors
