// Messages of the set-up exchange about memory regions (exchange.hpp has the header before them). A request has padding
// for what the response adds: remote key, local key and status.
//
// MR_REGISTER_REQ, MR_REGISTER_RESP:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Region ID                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Virtual address                        |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Length                            |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Access flags                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                       Protection domain                       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Remote key                          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Local key                           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                             Status                            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   +                                                               +
//   |                            Padding                            |
//   +                                                               +
//   |                                                               |
//   +                                                               +
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

struct ExchangeMrRegisterReq : HeaderView<ExchangeMrRegisterReq> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeMrRegisterReq;
  static constexpr std::string_view kName = "rocescope.exchange.mr_register_req";
  static constexpr std::string_view kTitle = "MR_REGISTER_REQ";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::number("rocescope.exchange.mr_register_req.regionid", "Region ID", 0, 32),
      field::hex("rocescope.exchange.mr_register_req.va", "Virtual address", 32, 64),
      field::number("rocescope.exchange.mr_register_req.length", "Length", 96, 64),
      field::hex("rocescope.exchange.mr_register_req.access", "Access flags", 160, 32),
      field::number("rocescope.exchange.mr_register_req.pd", "Protection domain", 192, 32),
      field::bytes("rocescope.exchange.mr_register_req.padding", "Padding", 224, 224),
  };
  using HeaderView::HeaderView;
};

struct ExchangeMrRegisterResp : HeaderView<ExchangeMrRegisterResp> {
  static constexpr HeaderKind kKind = HeaderKind::kExchangeMrRegisterResp;
  static constexpr std::string_view kName = "rocescope.exchange.mr_register_resp";
  static constexpr std::string_view kTitle = "MR_REGISTER_RESP";
  static constexpr std::string_view kReference = "rdmagen";
  static constexpr std::size_t kSize = 56;
  static constexpr Field kFields[] = {
      field::number("rocescope.exchange.mr_register_resp.regionid", "Region ID", 0, 32),
      field::hex("rocescope.exchange.mr_register_resp.va", "Virtual address", 32, 64),
      field::number("rocescope.exchange.mr_register_resp.length", "Length", 96, 64),
      field::hex("rocescope.exchange.mr_register_resp.access", "Access flags", 160, 32),
      field::number("rocescope.exchange.mr_register_resp.pd", "Protection domain", 192, 32),
      field::hex("rocescope.exchange.mr_register_resp.rkey", "Remote key", 224, 32),
      field::hex("rocescope.exchange.mr_register_resp.lkey", "Local key", 256, 32),
      field::number("rocescope.exchange.mr_register_resp.status", "Status", 288, 32),
      field::bytes("rocescope.exchange.mr_register_resp.padding", "Padding", 320, 128),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
