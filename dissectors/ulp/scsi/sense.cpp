#include "dissectors/dissectors.hpp"
#include "rocescope/headers/scsi.hpp"

namespace rocescope::dissectors {

void dissect_scsi_sense(Dissection& d) noexcept {
  const Bytes sense = d.rest();
  if (sense.empty()) return;
  const unsigned form = sense[0] & 0x7FU;
  if (form == 0x70 || form == 0x71) (void)d.take<ScsiFixedSense>();
  if (form == 0x72 || form == 0x73) (void)d.take<ScsiDescriptorSense>();
}

}  // namespace rocescope::dissectors
