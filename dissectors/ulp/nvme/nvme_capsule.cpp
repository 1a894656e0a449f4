// Capsules of NVMe over RDMA.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/nvme/commands.hpp"
#include "rocescope/headers/nvme/fabrics.hpp"

namespace rocescope::dissectors {
namespace {

/// The header of a command of the fabrics with the type `fctype`.
HeaderKind fabrics_kind(std::uint8_t fctype) noexcept {
  switch (NvmeFabrics{fctype}) {
    case NvmeFabrics::kConnect:
      return HeaderKind::kNvmeConnect;
    case NvmeFabrics::kPropertyGet:
    case NvmeFabrics::kPropertySet:
      return HeaderKind::kNvmeProperty;
    case NvmeFabrics::kAuthenticationSend:
    case NvmeFabrics::kAuthenticationReceive:
      return HeaderKind::kNvmeAuthentication;
    case NvmeFabrics::kDisconnect:
      break;
  }
  return HeaderKind::kNvmeFabricsCommand;
}

HeaderKind admin_kind(std::uint8_t opcode) noexcept {
  switch (opcode) {
    case 0x02:
      return HeaderKind::kNvmeGetLogPage;
    case 0x06:
      return HeaderKind::kNvmeIdentify;
    case 0x09:
    case 0x0A:
      return HeaderKind::kNvmeFeatures;
    default:
      return HeaderKind::kNvmeAdminCommand;
  }
}

HeaderKind io_kind(std::uint8_t opcode) noexcept {
  switch (opcode) {
    case 0x01:  // Write
    case 0x02:  // Read
    case 0x04:  // Write Uncorrectable
    case 0x05:  // Compare
    case 0x08:  // Write Zeroes
    case 0x0C:  // Verify
    case 0x7D:  // Zone Append
      return HeaderKind::kNvmeReadWrite;
    default:
      return HeaderKind::kNvmeIoCommand;
  }
}

}  // namespace

void dissect_nvme_command(Dissection& d, bool admin) noexcept {
  const Bytes capsule = d.rest();
  HeaderKind kind = admin ? HeaderKind::kNvmeAdminCommand : HeaderKind::kNvmeIoCommand;
  if (!capsule.empty() && capsule[0] != kNvmeFabricsOpcode) kind = admin ? admin_kind(capsule[0]) : io_kind(capsule[0]);
  if (capsule.size() > 4 && capsule[0] == kNvmeFabricsOpcode) kind = fabrics_kind(capsule[4]);
  if (!d.take(kind, header_info(kind).size)) return;
  // Whatever else is in the capsule are data of the user's.
  if (kind == HeaderKind::kNvmeConnect && d.left() == NvmeConnectData::kSize) (void)d.take<NvmeConnectData>();
  if (kind == HeaderKind::kNvmeAuthentication && d.left() > 0) dissect_nvme_auth_message(d);
}

void dissect_nvme_completion(Dissection& d, HeaderKind kind) noexcept { (void)d.take(kind, NvmeCompletion::kSize); }

}  // namespace rocescope::dissectors
