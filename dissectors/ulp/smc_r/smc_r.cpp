// Messages of SMC-R.
#include "rocescope/headers/smc_r.hpp"

#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/forms.hpp"

namespace rocescope::dissectors {
namespace {

HeaderKind smc_kind(SmcMessage type) noexcept {
  switch (type) {
    case SmcMessage::kConfirmLink:
      return HeaderKind::kSmcConfirmLink;
    case SmcMessage::kAddLink:
      return HeaderKind::kSmcAddLink;
    case SmcMessage::kDeleteLink:
      return HeaderKind::kSmcDeleteLink;
    case SmcMessage::kConfirmRKey:
      return HeaderKind::kSmcConfirmRKey;
    case SmcMessage::kTestLink:
      return HeaderKind::kSmcTestLink;
    case SmcMessage::kDeleteRKey:
      return HeaderKind::kSmcDeleteRKey;
    case SmcMessage::kDataControl:
      return HeaderKind::kSmcDataControl;
    default:
      return HeaderKind::kSmcLinkMessage;
  }
}

}  // namespace

void dissect_smc_r(Dissection& d) noexcept {
  const Bytes message = d.rest();
  if (message.size() < kSmcMessageSize || message[1] != kSmcMessageSize) return;
  (void)d.take(smc_kind(SmcMessage{message[0]}), kSmcMessageSize);
}

}  // namespace rocescope::dissectors
