// The data of those commands of NVMe over RDMA that are read: of Connect, of authentication, and discovery log pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dissectors/message.hpp"
#include "messages/payload.hpp"
#include "rocescope/bytes.hpp"
#include "ulp/nvme/nvme_capsule.hpp"

namespace rocescope {

/// Of one command, while they come.
struct NvmeDataBuffer {
  static constexpr std::size_t kMost = 16'384;
  std::uint64_t id = 0;  ///< of the command
  std::uint16_t opcode = 0;
  NvmeSgl sgl;
  std::uint64_t from = 0;           ///< of a log page: the offset of the first byte
  std::vector<std::uint8_t> bytes;  ///< from the first on, as far as they are known
  std::size_t shown_from = 0;       ///< of these, the last part with layers
  std::size_t shown_to = 0;

  [[nodiscard]] std::size_t wanted() const noexcept { return std::min<std::uint64_t>(sgl.length, kMost); }
  [[nodiscard]] bool is_whole() const noexcept { return bytes.size() >= wanted(); }
  /// What one packet wrote or read. Returns the layers of what it completes: of a log page the records, of others all.
  [[nodiscard]] MessageProtocol add(const DataPayload& payload);
  /// The bytes that have these layers: a part of that packet, or of `bytes` if several packets have parts.
  [[nodiscard]] Bytes message_in(const DataPayload& payload) const;

 private:
  [[nodiscard]] bool is_log() const noexcept { return (opcode & kNvmeFabricsBit) == 0; }
  [[nodiscard]] MessageProtocol protocol() const noexcept;
};

/// Whether these data are read.
[[nodiscard]] bool nvme_reads_data(const CapsuleReader& capsule, std::uint16_t opcode, bool admin);
/// What a message of authentication is called; empty: it has no name, or is not known.
[[nodiscard]] std::string_view nvme_auth_message_name(Bytes message) noexcept;
/// Why authentication failed, in words; empty: the message does not say that it failed.
[[nodiscard]] std::string_view nvme_auth_failure(Bytes message) noexcept;
/// What the beginning of a discovery log page says of it, such as "Discovery, 2 records"; empty: it is not known.
[[nodiscard]] std::string nvme_discovery_detail(Bytes log);

}  // namespace rocescope
