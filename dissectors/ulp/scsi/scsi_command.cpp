#include "dissectors/ulp/scsi/scsi_command.hpp"

#include "rocescope/headers/scsi.hpp"

namespace rocescope {
namespace {

constexpr std::uint32_t kCheckCondition = 0x02;

/// Read, Write, and what else is about the medium: a wait for the cache, blocks that are freed or compared.
bool is_about_medium(std::uint8_t operation) noexcept {
  constexpr std::uint8_t kUnmap = 0x42;
  constexpr std::uint8_t kCompareAndWrite = 0x89;
  constexpr std::uint8_t kWriteAtomic = 0x9C;
  return detail::scsi_blocks(operation) != detail::ScsiBlocks::kNone || operation == kUnmap ||
         operation == kCompareAndWrite || operation == kWriteAtomic;
}

bool has_service_action(std::uint8_t operation) noexcept {
  return operation == 0x9E || operation == 0xA3 || operation == 0xA4;
}

/// Where the sense key is in sense data, and the additional sense code, bytes.
struct SenseFields {
  std::size_t key;
  std::size_t code;
};
/// Nothing: their form is not known.
std::optional<SenseFields> sense_fields_of(Bytes sense) noexcept {
  if (sense.empty()) return std::nullopt;
  const unsigned form = sense[0] & 0x7FU;
  if (form == 0x70 || form == 0x71) return SenseFields{2, 12};
  if (form == 0x72 || form == 0x73) return SenseFields{1, 2};
  return std::nullopt;
}

/// Where the blocks are in the command, bytes.
struct BlockFields {
  std::size_t offset;
  std::size_t offset_size;
  std::size_t blocks;
  std::size_t blocks_size;
};
BlockFields fields_of(detail::ScsiBlocks blocks) noexcept {
  switch (blocks) {
    case detail::ScsiBlocks::k6:
      return {1, 3, 4, 1};
    case detail::ScsiBlocks::k12:
      return {2, 4, 6, 4};
    case detail::ScsiBlocks::k16:
      return {2, 8, 10, 4};
    case detail::ScsiBlocks::k10:
    case detail::ScsiBlocks::kNone:
      break;
  }
  return {2, 4, 7, 2};
}

std::uint32_t key_of(std::uint32_t status) noexcept { return status >> 24U & 0xFU; }

}  // namespace

std::optional<ScsiCommandFacts> scsi_command_of(Bytes cdb) {
  std::optional<ScsiCommandFacts> found;
  if (cdb.empty()) return found;
  ScsiCommandFacts& facts = found.emplace();
  facts.opcode = cdb[0];
  facts.operation = name_of(kScsiOperationNames, cdb[0]);
  facts.is_io = is_about_medium(cdb[0]);
  facts.opcode_is_cut = has_service_action(cdb[0]) && cdb.size() < 2;
  if (has_service_action(cdb[0]) && !facts.opcode_is_cut) {
    constexpr unsigned kAction = 0x1F;
    facts.opcode = static_cast<std::uint16_t>((cdb[1] & kAction) << 8U | cdb[0]);
    const std::string_view name = name_of(kScsiServiceActionNames, facts.opcode);
    if (!name.empty()) facts.operation = name;
  }
  const detail::ScsiBlocks blocks = detail::scsi_blocks(cdb[0]);
  if (blocks == detail::ScsiBlocks::kNone) return found;
  const BlockFields fields = fields_of(blocks);
  if (cdb.size() >= fields.offset + fields.offset_size) {
    facts.offset = load_big_endian(cdb.data() + fields.offset, fields.offset_size);
    constexpr std::uint64_t kOf6 = 0x1F'FFFF;
    if (blocks == detail::ScsiBlocks::k6) facts.offset = *facts.offset & kOf6;
  }
  if (cdb.size() >= fields.blocks + fields.blocks_size) {
    facts.blocks = load_big_endian(cdb.data() + fields.blocks, fields.blocks_size);
    if (blocks == detail::ScsiBlocks::k6 && *facts.blocks == 0) facts.blocks = 256;
  }
  return found;
}

std::uint64_t scsi_lun_of(const std::uint8_t* lun) noexcept {
  const std::uint64_t whole = load_big_endian(lun, 8);
  constexpr std::uint64_t kRest = (std::uint64_t{1} << 48U) - 1;
  const unsigned method = lun[0] >> 6U;  // 0: peripheral device addressing, 1: flat space addressing
  if (method > 1 || (whole & kRest) != 0) return whole;
  return whole >> 48U & 0x3FFFU;
}

std::uint32_t scsi_status_of(std::uint8_t status, Bytes sense) noexcept {
  const auto at = sense_fields_of(sense);
  if (!at || status != kCheckCondition || sense.size() <= at->key) return status;
  std::uint32_t all = status | (sense[at->key] & 0xFU) << 24U;
  if (sense.size() >= at->code + 2)
    all |= static_cast<std::uint32_t>(load_big_endian(sense.data() + at->code, 2)) << 8U;
  return all;
}

std::string_view scsi_status_name(std::uint32_t status) noexcept {
  if (status >= kAboveScsiStatus) return {};
  const std::uint32_t code = status >> 8U & 0xFFFFU;
  const std::string_view sense = code == 0 ? std::string_view() : name_of(kScsiSenseNames, code);
  if (!sense.empty()) return sense;
  if (key_of(status) != 0) return name_of(kScsiSenseKeyNames, key_of(status));
  return name_of(kScsiStatusNames, status & 0xFFU);
}

std::string_view scsi_sense_key_name(std::uint32_t status) noexcept {
  return status < kAboveScsiStatus && key_of(status) != 0 ? name_of(kScsiSenseKeyNames, key_of(status))
                                                          : std::string_view();
}

bool is_scsi_sense_cut(Bytes sense, std::uint64_t length) noexcept {
  constexpr std::size_t kUpToKey = 3;
  return sense.size() < kUpToKey && sense.size() < length;
}

bool is_scsi_code_cut(Bytes sense, std::uint64_t length) noexcept {
  const auto at = sense_fields_of(sense);
  return at && sense.size() > at->key && sense.size() < at->code + 2 && length >= at->code + 2;
}

bool is_scsi_answer(std::uint32_t status) noexcept {
  if (status >= kAboveScsiStatus) return false;
  constexpr std::uint32_t kConditionMet = 0x04;
  constexpr std::uint32_t kRecovered = 1;
  constexpr std::uint32_t kUnitAttention = 6;
  const bool has_sense = status >> 8U != 0;
  return status == kConditionMet || (has_sense && key_of(status) <= kRecovered) || key_of(status) == kUnitAttention;
}

}  // namespace rocescope
