// Messages of the communication manager.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/mad.hpp"

namespace rocescope::dissectors {

HeaderKind cm_message_kind(std::uint16_t attribute) noexcept {
  if (attribute > UINT8_MAX) return HeaderKind::kMadData;
  switch (static_cast<CmMessage>(attribute)) {
    case CmMessage::kReq:
      return HeaderKind::kCmReq;
    case CmMessage::kMra:
      return HeaderKind::kCmMra;
    case CmMessage::kRej:
      return HeaderKind::kCmRej;
    case CmMessage::kRep:
      return HeaderKind::kCmRep;
    case CmMessage::kRtu:
      return HeaderKind::kCmRtu;
    case CmMessage::kDreq:
      return HeaderKind::kCmDreq;
    case CmMessage::kDrep:
      return HeaderKind::kCmDrep;
    case CmMessage::kSidrReq:
      return HeaderKind::kCmSidrReq;
    case CmMessage::kSidrRep:
      return HeaderKind::kCmSidrRep;
    case CmMessage::kLap:
      return HeaderKind::kCmLap;
    case CmMessage::kApr:
      return HeaderKind::kCmApr;
    case CmMessage::kSap:
      return HeaderKind::kCmSap;
    case CmMessage::kSpr:
      return HeaderKind::kCmSpr;
  }
  return HeaderKind::kMadData;
}

}  // namespace rocescope::dissectors
