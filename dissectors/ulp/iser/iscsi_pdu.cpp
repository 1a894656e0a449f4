// The header of iSER, and PDUs of iSCSI behind it.
#include <algorithm>
#include <string_view>

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/iscsi.hpp"
#include "rocescope/headers/scsi.hpp"

namespace rocescope::dissectors {
namespace {

HeaderKind kind_of(IscsiOpcode opcode) noexcept {
  switch (opcode) {
    case IscsiOpcode::kNopOut:
    case IscsiOpcode::kNopIn:
      return HeaderKind::kIscsiNop;
    case IscsiOpcode::kScsiCommand:
      return HeaderKind::kIscsiScsiCommand;
    case IscsiOpcode::kTaskManagement:
    case IscsiOpcode::kTaskManagementResponse:
      return HeaderKind::kIscsiTask;
    case IscsiOpcode::kLogin:
    case IscsiOpcode::kLoginResponse:
      return HeaderKind::kIscsiLogin;
    case IscsiOpcode::kText:
    case IscsiOpcode::kTextResponse:
      return HeaderKind::kIscsiText;
    case IscsiOpcode::kDataOut:
      return HeaderKind::kIscsiDataOut;
    case IscsiOpcode::kLogout:
    case IscsiOpcode::kLogoutResponse:
      return HeaderKind::kIscsiLogout;
    case IscsiOpcode::kScsiResponse:
      return HeaderKind::kIscsiScsiResponse;
    case IscsiOpcode::kAsyncMessage:
      return HeaderKind::kIscsiAsync;
    case IscsiOpcode::kReject:
      return HeaderKind::kIscsiReject;
    case IscsiOpcode::kSnack:
    case IscsiOpcode::kDataIn:
    case IscsiOpcode::kReadyToTransfer:
      break;
  }
  return HeaderKind::kIscsiPdu;
}

constexpr std::size_t kMostKeys = 40;  // of one PDU: a packet has room for so many layers

/// Keys and their values, each with a NUL behind it, up to the first that is a secret.
void take_keys(Dissection& d, std::size_t length) noexcept {
  constexpr std::string_view kSecret = "CHAP_";
  const std::uint64_t end = d.offset + length;
  for (std::size_t i = 0; i < kMostKeys && d.offset < end; ++i) {
    const Bytes rest = d.rest();
    const Bytes text = rest.first(std::min<std::uint64_t>(rest.size(), end - d.offset));
    const auto nul = std::find(text.begin(), text.end(), std::uint8_t{0});
    if (nul == text.end()) return;
    if (std::equal(kSecret.begin(), kSecret.end(), text.begin(),
                   text.begin() + static_cast<std::ptrdiff_t>(std::min(kSecret.size(), text.size())))) {
      return;
    }
    if (!d.take(IscsiKeyValue::kKind, static_cast<std::size_t>(nul - text.begin()) + 1)) return;
  }
}

void take_sense(Dissection& d) noexcept {
  const auto length = d.take<IscsiSenseLength>();
  if (length && length->get<"iscsi.scsiresponse.senselength">() > 0) dissect_scsi_sense(d);
}

}  // namespace

void dissect_iser(Dissection& d) noexcept {
  constexpr unsigned kControl = 1;
  const Bytes message = d.rest();
  if (!message.empty() && message[0] >> 4U != kControl) return static_cast<void>(d.take<IserHello>());
  if (!d.take<IserHeader>()) return;
  const Bytes pdu = d.rest();
  const IscsiOpcode opcode{static_cast<std::uint8_t>(pdu.empty() ? 0x3FU : pdu[0] & 0x3FU)};
  const HeaderKind kind = kind_of(opcode);
  if (!d.take(kind, header_info(kind).size)) return;
  if (kind == HeaderKind::kIscsiScsiCommand && !d.take<ScsiCdb>()) return;
  const std::size_t more_headers = std::size_t{pdu[4]} * 4;
  if (more_headers > 0 && !d.extend_last(more_headers)) return;
  const std::size_t length = load_big_endian(pdu.data() + 5, 3);
  if (kind == HeaderKind::kIscsiLogin || kind == HeaderKind::kIscsiText) take_keys(d, length);
  if (kind == HeaderKind::kIscsiScsiResponse && length > 0) take_sense(d);
}

}  // namespace rocescope::dissectors
