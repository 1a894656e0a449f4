// CLC messages of SMC-R, in segments of TCP.
#include "rocescope/headers/smc_clc.hpp"

#include "dissectors/dissectors.hpp"

namespace rocescope::dissectors {
namespace {

std::uint64_t clc_word(Bytes message, std::size_t at, std::size_t size) noexcept {
  return load_big_endian(message.data() + at, size);
}

/// The whole message that the segment begins with; empty: there is none.
Bytes clc_message(Bytes segment) noexcept {
  if (segment.size() < SmcDecline::kSize || clc_word(segment, 0, 4) != kSmcEyeCatcher) return {};
  const auto length = static_cast<std::size_t>(clc_word(segment, 5, 2));
  if (length < SmcDecline::kSize || length > segment.size()) return {};
  if (clc_word(segment, length - kSmcEyeCatcherSize, kSmcEyeCatcherSize) != kSmcEyeCatcher) return {};
  return segment.first(length);
}

/// The prefixes stand where the offset says, which is 0 in version 1; what is before them in others is not known here.
void take_proposal(Dissection& d, Bytes message) noexcept {
  if (message.size() < SmcProposal::kSize + SmcSubnet::kSize + kSmcEyeCatcherSize) return;
  const auto proposal = d.take<SmcProposal>();
  if (!proposal || proposal->get<"smc.proposal.smcv1_subnet_ext_offset">() != 0) return;
  const std::size_t prefixes = message[SmcProposal::kSize + SmcSubnet::kSize - 1];
  const std::size_t length = SmcProposal::kSize + SmcSubnet::kSize + prefixes * SmcPrefix::kSize + kSmcEyeCatcherSize;
  if (message.size() != length || !d.take<SmcSubnet>()) return;
  for (std::size_t i = 0; i < prefixes; ++i) {
    if (!d.take_run(SmcPrefix::kKind, SmcPrefix::kSize)) return;
  }
}

}  // namespace

/// Of Accept and Confirm those of SMC-R version 1: others have another length.
void dissect_smc_clc(Dissection& d) noexcept {
  const Bytes message = clc_message(d.rest());
  if (message.empty()) return;
  switch (SmcClcMessage{message[kSmcEyeCatcherSize]}) {
    case SmcClcMessage::kProposal:
      return take_proposal(d, message);
    case SmcClcMessage::kAccept:
      if (message.size() == SmcAccept::kSize) (void)d.take<SmcAccept>();
      return;
    case SmcClcMessage::kConfirm:
      if (message.size() == SmcConfirm::kSize) (void)d.take<SmcConfirm>();
      return;
    case SmcClcMessage::kDecline:
      if (message.size() == SmcDecline::kSize) (void)d.take<SmcDecline>();
      return;
  }
}

}  // namespace rocescope::dissectors
