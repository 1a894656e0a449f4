// Messages of Lustre over o2iblnd.
#include "rocescope/headers/lustre.hpp"

#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/forms.hpp"

namespace rocescope::dissectors {
namespace {

/// A descriptor, and its fragments.
void take_lustre_rdma(Dissection& d) noexcept {
  const auto memory = d.take<LustreRdma>();
  if (!memory) return;
  constexpr std::uint32_t kMost = 256;  // of one message
  std::uint32_t left = memory->get<"lnet.rdma.nfrags">();
  for (left = left > kMost ? 0 : left; left > 0 && d.rest().size() >= LustreFragment::kSize; --left) {
    if (!d.take_run(LustreFragment::kKind, LustreFragment::kSize)) return;
  }
}

}  // namespace

/// Of a big-endian sender nothing is shown.
void dissect_lustre(Dissection& d) noexcept {
  const Bytes message = d.rest();
  if (!has_form_of_lustre(message, 0) || message.size() < LustreHeader::kSize) return;
  if (load_little_endian(message.data(), 4) != LustrePrivateData::kMagic) return;
  const auto type = LustreMessage{message[6]};
  if (!d.take<LustreHeader>()) return;
  switch (type) {
    case LustreMessage::kImmediate:
      return (void)d.take<LnetHeader>();
    case LustreMessage::kPutRequest:
      if (d.take<LnetHeader>()) (void)d.take<LustreCookie>();
      return;
    case LustreMessage::kGetRequest:
      if (d.take<LnetHeader>() && d.take<LustreCookie>()) take_lustre_rdma(d);
      return;
    case LustreMessage::kPutAck:
      if (d.take<LustreCookies>()) take_lustre_rdma(d);
      return;
    case LustreMessage::kPutNak:
    case LustreMessage::kPutDone:
    case LustreMessage::kGetDone:
      return (void)d.take<LustreCompletion>();
    case LustreMessage::kConnectRequest:
    case LustreMessage::kConnectAck:
    case LustreMessage::kNoop:
      return;
  }
}

}  // namespace rocescope::dissectors
