// NVMe over Fabrics: capsules of opcode 0x7F, which connect queues (NVMe over Fabrics 1.1a, 3). All numbers are little-endian.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Opcode 0x7F  |    Reserved   |           Command ID          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     FCTYPE    |                    Reserved                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /            Reserved, or SGL descriptor 1 (32 bytes)           /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
// Connect:
//   |         Record format         |           Queue ID            |
//   |            SQ size            |   Attributes  |    Reserved   |
//   |                       Keep Alive Timeout                      |
//   /                      Reserved (12 bytes)                      /
// Property Get, Property Set:
//   |   Attributes  |                    Reserved                   |
//   |                             Offset                            |
//   /            Value (8 bytes) of Property Set, reserved          /
//   /                       Reserved (8 bytes)                      /
// Authentication Send, Authentication Receive:
//   |    Reserved   |     SPSP0     |     SPSP1     |      SECP     |
//   |                             Length                            |
//   /                      Reserved (16 bytes)                      /
#pragma once

#include "rocescope/headers/nvme/commands.hpp"

namespace rocescope {
namespace detail {

/// Bytes 0 to 4.
inline constexpr std::array kNvmeFabricsFields{
    field::bytes("nvme.fabrics.cmd.opc", "Opcode", 0, 8), field::hex("nvme.fabrics.cmd.rsvd", "Reserved", 8, 8),
    field::hex("nvme.fabrics.cmd.cid", "Command ID", 16, 16).little_endian(),
    field::hex("nvme.fabrics.cmd.fctype", "Command type", 32, 8).named(kNvmeFabricsNames)};

constexpr bool is_nvme_property_set(const std::uint8_t* header) { return header[4] == 0; }
constexpr bool is_nvme_property_get(const std::uint8_t* header) { return header[4] != 0; }
constexpr bool is_nvme_success(const std::uint8_t* completion) {
  return (completion[14] & 0xFEU) == 0 && (completion[15] & 0x0FU) == 0;
}
constexpr bool is_nvme_failure(const std::uint8_t* completion) { return !is_nvme_success(completion); }
inline constexpr ValueName kNvmePlacesOfParameters[] = {{0, 0, "in the command"}, {1, 1, "in its data"}};

}  // namespace detail

struct NvmeConnect : HeaderView<NvmeConnect> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeConnect;
  static constexpr std::string_view kName = "nvme.fabrics.cmd.connect";
  static constexpr std::string_view kTitle = "NVMe Connect";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3.3";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields = detail::join(
      detail::kNvmeFabricsFields, std::array{field::bytes("nvme.fabrics.cmd.connect.rsvd1", "Reserved", 40, 152)},
      detail::kNvmeSglFields,
      std::array{field::number("nvme.fabrics.cmd.connect.recfmt", "Record format", 320, 16).little_endian(),
                 field::number("nvme.fabrics.cmd.connect.qid", "Queue ID", 336, 16).little_endian(),
                 field::number("nvme.fabrics.cmd.connect.sqsize", "SQ size less 1", 352, 16).little_endian(),
                 field::hex("nvme.fabrics.cmd.connect.cattr", "Attributes", 368, 8),
                 field::bytes("nvme.fabrics.cmd.connect.rsvd2", "Reserved", 376, 8),
                 field::number("nvme.fabrics.cmd.connect.kato", "Keep Alive Timeout (ms)", 384, 32).little_endian(),
                 field::bytes("nvme.fabrics.cmd.connect.rsvd3", "Reserved", 416, 96)});
  using HeaderView::HeaderView;
};

/// Who connects to whom, 1024 bytes: in the capsule, or what the controller READs.
struct NvmeConnectData : HeaderView<NvmeConnectData> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeConnectData;
  static constexpr std::string_view kName = "nvme.fabrics.cmd.connect.data";
  static constexpr std::string_view kTitle = "NVMe Connect data";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3.3";
  static constexpr std::size_t kSize = 1024;
  static constexpr Field kFields[] = {
      field::bytes("nvme.fabrics.cmd.connect.data.hostid", "Host identifier", 0, 128),
      field::hex("nvme.fabrics.cmd.connect.data.cntrlid", "Controller ID", 128, 16).little_endian(),
      field::bytes("nvme.fabrics.cmd.connect.data.rsvd0", "Reserved", 144, 1904),
      field::text("nvme.fabrics.cmd.connect.data.subnqn", "Subsystem NQN", 2048, 2048),
      field::text("nvme.fabrics.cmd.connect.data.hostnqn", "Host NQN", 4096, 2048),
      field::bytes("nvme.fabrics.cmd.connect.data.rsvd1", "Reserved", 6144, 2048),
  };
  using HeaderView::HeaderView;
};

/// Property Get and Property Set.
struct NvmeProperty : HeaderView<NvmeProperty> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeProperty;
  static constexpr std::string_view kName = "nvme.fabrics.cmd.prop_get_set";
  static constexpr std::string_view kTitle = "NVMe Property Get or Set";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3.4 and 3.5";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields = detail::join(
      detail::kNvmeFabricsFields,
      std::array{
          field::bytes("nvme.fabrics.cmd.prop_get_set.rsvd0", "Reserved", 40, 280),
          field::hex("nvme.fabrics.cmd.prop_get_set.attrib.rsvd", "Reserved", 320, 5).digits(2),
          field::hex("nvme.fabrics.cmd.prop_get_set.attrib.size", "Property size", 325, 3).digits(2),
          field::bytes("nvme.fabrics.cmd.prop_get_set.rsvd1", "Reserved", 328, 24),
          field::hex("nvme.fabrics.cmd.prop_get_set.offset", "Property", 352, 32)
              .little_endian()
              .named(kNvmePropertyNames),
          field::bytes("nvme.fabrics.prop_get_set.data", "Value", 384, 64).when(detail::is_nvme_property_set),
          field::bytes("nvme.fabrics.cmd.prop_set.rsvd", "Reserved", 448, 64).when(detail::is_nvme_property_set),
          field::bytes("nvme.fabrics.cmd.prop_get.rsvd2", "Reserved", 384, 128).when(detail::is_nvme_property_get)});
  using HeaderView::HeaderView;
};

/// Authentication Send and Receive. Their data are never shown.
struct NvmeAuthentication : HeaderView<NvmeAuthentication> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeAuthentication;
  static constexpr std::string_view kName = "nvme.fabrics.cmd.auth";
  static constexpr std::string_view kTitle = "NVMe Authentication";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3.1 and 3.2";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields =
      detail::join(detail::kNvmeFabricsFields,
                   std::array{field::bytes("nvme.fabrics.cmd.auth.rsvd1", "Reserved", 40, 152)}, detail::kNvmeSglFields,
                   std::array{field::hex("nvme.fabrics.cmd.auth.rsvd2", "Reserved", 320, 8),
                              field::hex("nvme.fabrics.cmd.auth.spsp0", "SPSP0", 328, 8),
                              field::hex("nvme.fabrics.cmd.auth.spsp1", "SPSP1", 336, 8),
                              field::hex("nvme.fabrics.cmd.auth.secp", "Security protocol", 344, 8),
                              field::number("nvme.fabrics.cmd.auth.al", "Length", 352, 32).little_endian(),
                              field::bytes("nvme.fabrics.cmd.auth.rsvd3", "Reserved", 384, 128)});
  using HeaderView::HeaderView;
};

/// Another command of the fabrics.
struct NvmeFabricsCommand : HeaderView<NvmeFabricsCommand> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeFabricsCommand;
  static constexpr std::string_view kName = "nvme.fabrics.cmd.generic";
  static constexpr std::string_view kTitle = "NVMe fabrics command";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields = detail::join(
      detail::kNvmeFabricsFields, std::array{field::bytes("nvme.fabrics.cmd.generic.rsvd1", "Reserved", 40, 280),
                                             field::bytes("nvme.fabrics.cmd.generic.field", "Fields", 320, 192)});
  using HeaderView::HeaderView;
};

/// The response capsule to a Connect.
struct NvmeConnectCompletion : HeaderView<NvmeConnectCompletion> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeConnectCompletion;
  static constexpr std::string_view kName = "nvme.fabrics.cqe.connect";
  static constexpr std::string_view kTitle = "NVMe completion of Connect";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3.3";
  static constexpr std::size_t kSize = 16;
  static constexpr auto kFields = detail::join(
      std::array{field::hex("nvme.fabrics.cqe.connect.cntrlid", "Controller ID", 0, 16)
                     .little_endian()
                     .when(detail::is_nvme_success),
                 field::hex("nvme.fabrics.cqe.connect.authreq", "Authentication required", 16, 16)
                     .little_endian()
                     .when(detail::is_nvme_success),
                 field::number("rocescope.nvme.connect.ipo", "Offset of the invalid parameter", 0, 16)
                     .little_endian()
                     .when(detail::is_nvme_failure),
                 field::number("rocescope.nvme.connect.iattr", "Where it is", 16, 8)
                     .named(detail::kNvmePlacesOfParameters)
                     .when(detail::is_nvme_failure),
                 field::hex("rocescope.nvme.connect.rsvd", "Reserved", 24, 8).when(detail::is_nvme_failure),
                 field::bytes("nvme.fabrics.cqe.connect.rsvd", "Reserved", 32, 32)},
      detail::nvme_completion_fields("nvme.cqe.status.rsvd", kNvmeFabricsStatusNames));
  using HeaderView::HeaderView;
};

/// The response capsule to a Property Get.
struct NvmePropertyCompletion : HeaderView<NvmePropertyCompletion> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmePropertyCompletion;
  static constexpr std::string_view kName = "nvme.fabrics.cqe.prop_get";
  static constexpr std::string_view kTitle = "NVMe completion of Property Get";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3.4";
  static constexpr std::size_t kSize = 16;
  static constexpr auto kFields =
      detail::join(std::array{field::bytes("nvme.fabrics.prop_get_set.data", "Value", 0, 64)},
                   detail::nvme_completion_fields("nvme.cqe.status.rsvd", kNvmeFabricsStatusNames));
  using HeaderView::HeaderView;
};

/// The response capsule to a Property Set.
struct NvmePropertySetCompletion : HeaderView<NvmePropertySetCompletion> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmePropertySetCompletion;
  static constexpr std::string_view kName = "nvme.fabrics.cqe.prop_set";
  static constexpr std::string_view kTitle = "NVMe completion of Property Set";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 3.5";
  static constexpr std::size_t kSize = 16;
  static constexpr auto kFields =
      detail::join(std::array{field::bytes("nvme.fabrics.cqe.prop_set.rsvd", "Reserved", 0, 64)},
                   detail::nvme_completion_fields("nvme.cqe.status.rsvd", kNvmeFabricsStatusNames));
  using HeaderView::HeaderView;
};

/// The response capsule to another command of the fabrics, such as one of authentication.
struct NvmeFabricsCompletion : HeaderView<NvmeFabricsCompletion> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeFabricsCompletion;
  static constexpr std::string_view kName = "nvme.fabrics.cqe.generic";
  static constexpr std::string_view kTitle = "NVMe completion of a fabrics command";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 2.2";
  static constexpr std::size_t kSize = 16;
  static constexpr auto kFields =
      detail::join(std::array{field::hex("nvme.fabrics.cqe.sts", "Result", 0, 64).little_endian()},
                   detail::nvme_completion_fields("nvme.cqe.status.rsvd", kNvmeFabricsStatusNames));
  using HeaderView::HeaderView;
};

}  // namespace rocescope
