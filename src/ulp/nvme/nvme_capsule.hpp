// Reads capsules of NVMe over RDMA. Only a part of a capsule may have been captured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "messages/payload.hpp"
#include "rocescope/bytes.hpp"

namespace rocescope {

/// Little-endian numbers of a message, as far as its bytes are there.
class CapsuleReader {
 public:
  explicit CapsuleReader(const SendPayload& payload) : bytes_(payload.start()) {}
  explicit CapsuleReader(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] std::optional<std::uint64_t> number(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) return std::nullopt;
    return load_little_endian(bytes_.data() + at, size);
  }
  /// 0: not there.
  [[nodiscard]] std::uint64_t number_or_zero(std::size_t at, std::size_t size) const {
    return number(at, size).value_or(0);
  }
  /// Up to the first NUL; control characters become dots. Empty where not all of it is there.
  [[nodiscard]] std::string text(std::size_t at, std::size_t size) const;
  [[nodiscard]] Bytes bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

/// SGL descriptor 1 of a command.
struct NvmeSgl {
  std::uint64_t address = 0;
  std::uint64_t length = 0;
  std::uint32_t key = 0;
  bool is_keyed = false;
  bool is_in_capsule = false;  ///< `address` counts from the end of the command
};
/// Nothing: it was not captured, or is of another type.
[[nodiscard]] std::optional<NvmeSgl> nvme_sgl_of(const CapsuleReader& capsule);

/// Of a command: its opcode; of the fabrics 0x100 and the type. Nothing: not captured.
[[nodiscard]] std::optional<std::uint16_t> nvme_opcode_of(const CapsuleReader& capsule);
inline constexpr std::uint16_t kNvmeFabricsBit = 0x100;
inline constexpr std::uint16_t kNvmePropertySet = 0x100;
inline constexpr std::uint16_t kNvmeConnect = 0x101;
inline constexpr std::uint16_t kNvmePropertyGet = 0x104;
inline constexpr std::uint16_t kNvmeAuthSend = 0x105;
inline constexpr std::uint16_t kNvmeAuthReceive = 0x106;
/// Whether the host asks for access with it.
[[nodiscard]] constexpr bool nvme_connects(std::uint16_t opcode) noexcept {
  return opcode == kNvmeConnect || opcode == kNvmeAuthSend || opcode == kNvmeAuthReceive;
}

/// Whether only the response to a Connect has this status, of all responses on an admin queue (NVMe over Fabrics 1.1a,
/// figure 15).
[[nodiscard]] constexpr bool nvme_refuses_connect(std::uint32_t status) noexcept {
  return status >= 0x180 && status <= 0x184;
}

/// In words; empty: it has no name.
[[nodiscard]] std::string_view nvme_operation_name(std::uint16_t opcode, bool admin);
/// What the command is about: a log page, a feature, a property. Often empty.
[[nodiscard]] std::string nvme_detail(const CapsuleReader& capsule, std::uint16_t opcode, bool admin);
/// Whether the command has a first block and a number of blocks.
[[nodiscard]] bool nvme_has_blocks(std::uint16_t opcode, bool admin);

}  // namespace rocescope
