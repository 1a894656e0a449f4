#include "ulp/nvme/nvme_capsule.hpp"

#include <algorithm>

#include "rocescope/headers/nvme/names.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kSgl = 24;
constexpr std::size_t kDword10 = 40;
constexpr std::size_t kDword11 = 44;

std::string numbered(std::string_view name, std::span<const ValueName> names, std::optional<std::uint64_t> value) {
  if (!value) return {};
  const std::string_view known = name_of(names, *value);
  if (!known.empty()) return std::string(known);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(name);
  text += " 0x";
  for (int shift = *value > 0xFF ? 28 : 4; shift >= 0; shift -= 4)
    text += kDigits[*value >> static_cast<unsigned>(shift) & 0xFU];
  return text;
}

}  // namespace

std::string CapsuleReader::text(std::size_t at, std::size_t size) const {
  if (at >= bytes_.size()) return {};
  const Bytes here = bytes_.subspan(at, std::min(size, bytes_.size() - at));
  const std::string_view known(reinterpret_cast<const char*>(here.data()), here.size());
  const std::size_t length = known.find('\0');
  if (length == std::string_view::npos && known.size() < size) return {};
  std::string text(known.substr(0, length));
  for (char& each : text) each = each >= 0x20 && each < 0x7F ? each : '.';
  return text;
}

std::optional<NvmeSgl> nvme_sgl_of(const CapsuleReader& capsule) {
  const auto id = capsule.number(kSgl + 15, 1);
  if (!id) return std::nullopt;
  const std::uint64_t address = capsule.number_or_zero(kSgl, 8);
  switch (*id >> 4U) {
    case 0x0:
      return NvmeSgl{address, capsule.number_or_zero(kSgl + 8, 4), 0, false, (*id & 0xFU) == 1};
    case 0x4:
      return NvmeSgl{address, capsule.number_or_zero(kSgl + 8, 3),
                     static_cast<std::uint32_t>(capsule.number_or_zero(kSgl + 11, 4)), true, false};
    default:
      return std::nullopt;
  }
}

std::optional<std::uint16_t> nvme_opcode_of(const CapsuleReader& capsule) {
  const auto opcode = capsule.number(0, 1);
  if (!opcode) return std::nullopt;
  if (*opcode != kNvmeFabricsOpcode) return static_cast<std::uint16_t>(*opcode);
  const auto type = capsule.number(4, 1);
  return type ? std::optional(static_cast<std::uint16_t>(kNvmeFabricsBit | *type)) : std::nullopt;
}

std::string_view nvme_operation_name(std::uint16_t opcode, bool admin) {
  if ((opcode & kNvmeFabricsBit) != 0) return name_of(kNvmeFabricsNames, opcode & 0xFFU);
  return admin ? name_of(kNvmeAdminOpcodeNames, opcode) : name_of(kNvmeIoOpcodeNames, opcode);
}

std::string nvme_detail(const CapsuleReader& capsule, std::uint16_t opcode, bool admin) {
  if (opcode == kNvmePropertyGet || opcode == kNvmePropertySet)
    return numbered("property", kNvmePropertyNames, capsule.number(kDword11, 4));
  if (!admin) return {};
  switch (opcode) {
    case 0x02:
      return numbered("log page", kNvmeLogPageNames, capsule.number(kDword10, 1));
    case 0x06:
      return numbered("CNS", kNvmeIdentifyNames, capsule.number(kDword10, 1));
    case 0x09:
    case 0x0A:
      return numbered("feature", kNvmeFeatureNames, capsule.number(kDword10, 1));
    default:
      return {};
  }
}

bool nvme_has_blocks(std::uint16_t opcode, bool admin) {
  if (admin) return false;
  return opcode == 0x01 || opcode == 0x02 || opcode == 0x04 || opcode == 0x05 || opcode == 0x08 || opcode == 0x0C ||
         opcode == 0x7D;
}

}  // namespace rocescope
