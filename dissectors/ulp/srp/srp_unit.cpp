// Information units of SRP.
#include <algorithm>

#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/srp/srp_message.hpp"
#include "rocescope/headers/scsi.hpp"
#include "rocescope/headers/srp.hpp"

namespace rocescope::dissectors {
namespace {

/// The descriptors of data-out or data-in, as many as are there.
bool take_srp_buffers(Dissection& d, const SrpBuffers& buffers) noexcept {
  switch (buffers.format) {
    case SrpFormat::kNone:
      return true;
    case SrpFormat::kImmediate:
      return d.take(SrpImmediate::kKind, SrpImmediate::kSize);
    case SrpFormat::kIndirect:
      if (!d.take(SrpTable::kKind, SrpTable::kSize)) return false;
      break;
    case SrpFormat::kDirect:
      break;
  }
  for (std::size_t i = 0; i < buffers.entries; ++i) {
    if (!d.take_run(SrpDescriptor::kKind, SrpDescriptor::kSize)) return false;
  }
  return true;
}

void take_srp_command(Dissection& d) noexcept {
  const auto buffers = srp_buffers_of(d.rest());
  const auto command = d.take<SrpCommand>();
  if (!command || !d.take<ScsiCdb>()) return;
  const std::size_t more = std::size_t{command->get<"rocescope.srp.cmd.more_cdb">()} * 4;  // it counts words
  if (more > 0 && !d.extend_last(more)) return;
  if (buffers && take_srp_buffers(d, (*buffers)[0])) (void)take_srp_buffers(d, (*buffers)[1]);
}

void take_srp_response(Dissection& d) noexcept {
  const auto response = d.take<SrpResponse>();
  if (!response) return;
  const std::size_t length = response->get<"rocescope.srp.rsp.rsp_len">();
  if (response->get<"rocescope.srp.rsp.rspvalid">() != 0 && length >= SrpResponseData::kSize) {
    if (!d.take<SrpResponseData>()) return;
    const std::size_t more = length - SrpResponseData::kSize;
    if (more > 0 && !d.extend_last(more)) return;
  }
  const bool has_sense = response->get<"rocescope.srp.rsp.snsvalid">() != 0;
  if (has_sense && response->get<"rocescope.srp.rsp.sense_len">() > 0) dissect_scsi_sense(d);
}

}  // namespace

void dissect_srp(Dissection& d) noexcept {
  const Bytes message = d.rest();
  if (message.empty()) return;
  switch (SrpOpcode{message[0]}) {
    case SrpOpcode::kCommand:
      return take_srp_command(d);
    case SrpOpcode::kResponse:
      return take_srp_response(d);
    case SrpOpcode::kTaskManagement:
      return static_cast<void>(d.take<SrpTask>());
    case SrpOpcode::kInitiatorLogout:
    case SrpOpcode::kTargetLogout:
    case SrpOpcode::kCreditRequest:
    case SrpOpcode::kCreditResponse:
    case SrpOpcode::kEventResponse:
      return static_cast<void>(d.take<SrpUnit>());
    case SrpOpcode::kEventRequest: {
      const auto event = d.take<SrpEvent>();
      if (event && event->get<"rocescope.srp.aer.sense_len">() > 0) dissect_scsi_sense(d);
      return;
    }
    case SrpOpcode::kLoginRequest:
    case SrpOpcode::kLoginResponse:
    case SrpOpcode::kLoginReject:
      break;
  }
}

}  // namespace rocescope::dissectors
