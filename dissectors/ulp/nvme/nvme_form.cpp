#include "dissectors/ulp/forms.hpp"
#include "rocescope/field.hpp"
#include "rocescope/headers/nvme/commands.hpp"

namespace rocescope {
namespace {

/// Commands over RDMA have an SGL (NVMe over RDMA 1.0, 3.2.2), and neither metadata pointer nor anything in the reserved bytes.
bool is_command(Bytes start, std::uint64_t length) noexcept {
  constexpr std::size_t kUpToSgl = 40;  // bytes that a cut capture must have
  const bool is_whole = length == 0 || length >= NvmeAdminCommand::kSize;
  if (!is_whole || start.size() < kUpToSgl) return false;
  constexpr std::uint8_t kNotFused = 0x40;
  if (start[1] != kNotFused) return false;
  const std::uint8_t opcode = start[0];
  if (opcode == kNvmeFabricsOpcode) return !name_of(kNvmeFabricsNames, start[4]).empty();
  if (name_of(kNvmeAdminOpcodeNames, opcode).empty() && name_of(kNvmeIoOpcodeNames, opcode).empty()) return false;
  if (load_little_endian(start.data() + 8, 8) != 0 || load_little_endian(start.data() + 16, 8) != 0) return false;
  const std::uint8_t sgl = start[39];  // keyed, keyed with invalidation, in the capsule; 0: without data
  return sgl == 0x40 || sgl == 0x4F || sgl == 0x01 || sgl == 0x00;
}

/// Of one that succeeded; a status says little.
bool is_completion(Bytes start, std::uint64_t length) noexcept {
  constexpr std::uint64_t kMostQueues = 1024;
  if (length != NvmeCompletion::kSize || start.size() < NvmeCompletion::kSize) return false;
  return load_little_endian(start.data() + 14, 2) == 0 && load_little_endian(start.data() + 10, 2) < kMostQueues &&
         load_little_endian(start.data() + 4, 4) == 0;
}

}  // namespace

NvmeForm nvme_form(Bytes start, std::uint64_t length) noexcept {
  if (is_completion(start, length)) return NvmeForm::kCompletion;
  return is_command(start, length) ? NvmeForm::kCommand : NvmeForm::kNone;
}

}  // namespace rocescope
