// What commands of NVMe over Fabrics carry: discovery log pages, messages of authentication. Numbers are little-endian.
//
// Discovery log page (NVMe over Fabrics 1.1a, 5.3), whose records follow the first 1024 bytes:
//   /                 Generation counter (8 bytes)                  /
//   /                 Number of records (8 bytes)                   /
//   |         Record format         /     Reserved (1006 bytes)     /
//
// A record:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Transport type| Address family|   Subsystem   | Requirements  |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Port ID            |         Controller ID         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |       Admin max SQ size       /      Reserved (22 bytes)      /
//   /            Transport service identifier (32 bytes)            /
//   /                      Reserved (192 bytes)                     /
//   /                   Subsystem NQN (256 bytes)                   /
//   /                  Transport address (256 bytes)                /
//   |    QP type    |    Provider   |  CM service   /   Reserved    /
//   /     Reserved (8 bytes in all) |            P_Key              |
//   /                      Reserved (246 bytes)                     /
//
// A message of authentication (NVMe Base 2.0, 8.13.5), whose remainder is secret but for that of a failure:
//   |      Type     |   Message ID  |            Reserved           |
//   |        Transaction ID         |  Reason code  |  Explanation  |
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/header.hpp"
#include "rocescope/headers/nvme/names.hpp"

namespace rocescope {
namespace detail {

constexpr bool is_nvme_rdma(const std::uint8_t* record) { return record[0] == 1; }

/// With which every message of authentication begins.
inline constexpr std::array kNvmeAuthFields{
    field::hex("rocescope.nvme.auth.message", "Message", 0, 16).named(kNvmeAuthMessageNames),
    field::hex("rocescope.nvme.auth.rsvd", "Reserved", 16, 16),
    field::hex("rocescope.nvme.auth.t_id", "Transaction ID", 32, 16).little_endian()};

}  // namespace detail

/// The beginning of a discovery log page, which some hosts ask for by itself.
struct NvmeDiscoveryLog : HeaderView<NvmeDiscoveryLog> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeDiscoveryLog;
  static constexpr std::string_view kName = "nvme.cmd.get_logpage.identify";
  static constexpr std::string_view kTitle = "NVMe discovery log page";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 5.3";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      field::number("nvme.cmd.get_logpage.identify.genctr", "Generation counter", 0, 64).little_endian(),
      field::number("nvme.cmd.get_logpage.identify.numrec", "Number of records", 64, 64).little_endian(),
  };
  using HeaderView::HeaderView;
  [[nodiscard]] std::uint64_t records() const noexcept { return get<"nvme.cmd.get_logpage.identify.numrec">(); }
};

/// What follows that, up to the first record.
struct NvmeDiscoveryFormat : HeaderView<NvmeDiscoveryFormat> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeDiscoveryFormat;
  static constexpr std::string_view kName = "rocescope.nvme.discovery.format";
  static constexpr std::string_view kTitle = "NVMe discovery log page format";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 5.3";
  static constexpr std::size_t kSize = 1008;
  static constexpr Field kFields[] = {
      field::number("nvme.cmd.get_logpage.identify.recfmt", "Record format", 0, 16).little_endian(),
      field::bytes("nvme.cmd.get_logpage.identify.rsvd", "Reserved", 16, 8048),
  };
  using HeaderView::HeaderView;
};

/// A subsystem that the discovery service knows, and where it is.
struct NvmeDiscoveryRecord : HeaderView<NvmeDiscoveryRecord> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeDiscoveryRecord;
  static constexpr std::string_view kName = "nvme.cmd.get_logpage.identify.rcrd";
  static constexpr std::string_view kTitle = "NVMe discovery log page record";
  static constexpr std::string_view kReference = "NVMe over Fabrics 1.1a, 5.3";
  static constexpr std::size_t kSize = 1024;
  static constexpr Field kFields[] = {
      field::hex("nvme.cmd.get_logpage.identify.rcrd.trtype", "Transport type", 0, 8).named(kNvmeTransportNames),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.adrfam", "Address family", 8, 8).named(kNvmeAddressFamilyNames),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.subtype", "Subsystem type", 16, 8).named(kNvmeSubsystemNames),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.treq", "Transport requirements", 24, 8),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.portid", "Port ID", 32, 16).little_endian(),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.cntlid", "Controller ID", 48, 16).little_endian(),
      field::number("nvme.cmd.get_logpage.identify.rcrd.asqsz", "Admin max SQ size", 64, 16).little_endian(),
      field::bytes("nvme.cmd.get_logpage.identify.rcrd.rsvd0", "Reserved", 80, 176),
      field::text("nvme.cmd.get_logpage.identify.rcrd.trsvcid", "Transport service identifier", 256, 256),
      field::bytes("nvme.cmd.get_logpage.identify.rcrd.rsvd1", "Reserved", 512, 1536),
      field::text("nvme.cmd.get_logpage.identify.rcrd.subnqn", "Subsystem NQN", 2048, 2048),
      field::text("nvme.cmd.get_logpage.identify.rcrd.traddr", "Transport address", 4096, 2048),
      field::bytes("nvme.cmd.get_logpage.identify.rcrd.tsas", "Transport specific address subtype", 6144, 2048),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.tsas.rdma_qptype", "QP type", 6144, 8)
          .named(kNvmeRdmaQpNames)
          .when(detail::is_nvme_rdma)
          .part(),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.tsas.rdma_prtype", "Provider", 6152, 8)
          .named(kNvmeRdmaProviderNames)
          .when(detail::is_nvme_rdma)
          .part(),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.tsas.rdma_cms", "CM service", 6160, 8)
          .named(kNvmeRdmaCmNames)
          .when(detail::is_nvme_rdma)
          .part(),
      field::bytes("nvme.cmd.get_logpage.identify.rcrd.tsas.rdma_rsvd0", "Reserved", 6168, 40)
          .when(detail::is_nvme_rdma)
          .part(),
      field::hex("nvme.cmd.get_logpage.identify.rcrd.tsas.rdma_pkey", "P_Key", 6208, 16)
          .little_endian()
          .when(detail::is_nvme_rdma)
          .part(),
      field::bytes("nvme.cmd.get_logpage.identify.rcrd.tsas.rdma_rsvd1", "Reserved", 6224, 1968)
          .when(detail::is_nvme_rdma)
          .part(),
  };
  using HeaderView::HeaderView;
};

/// A message of authentication. Only its beginning is shown. (If it has several packets, each packet shows its payload
/// as bytes.)
struct NvmeAuthMessage : HeaderView<NvmeAuthMessage> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeAuthMessage;
  static constexpr std::string_view kName = "rocescope.nvme.auth";
  static constexpr std::string_view kTitle = "NVMe authentication message";
  static constexpr std::string_view kReference = "NVMe Base 2.0, 8.13.5";
  static constexpr std::size_t kSize = 6;
  static constexpr auto kFields = detail::kNvmeAuthFields;
  using HeaderView::HeaderView;
};

/// AUTH_Failure1, which the controller sends, and AUTH_Failure2 of the host.
struct NvmeAuthFailure : HeaderView<NvmeAuthFailure> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeAuthFailure;
  static constexpr std::string_view kName = "rocescope.nvme.auth_failure";
  static constexpr std::string_view kTitle = "NVMe authentication failure";
  static constexpr std::string_view kReference = "NVMe Base 2.0, 8.13.5.6 and 8.13.5.7";
  static constexpr std::size_t kSize = 8;
  static constexpr auto kFields = detail::join(
      detail::kNvmeAuthFields,
      std::array{field::hex("rocescope.nvme.auth.reason", "Reason code", 48, 8).named(kNvmeAuthReasonNames),
                 field::hex("rocescope.nvme.auth.explanation", "Explanation", 56, 8).named(kNvmeAuthExplanationNames)});
  using HeaderView::HeaderView;
  /// Whether the message is one.
  [[nodiscard]] static constexpr bool is_it(Bytes message) noexcept {
    return message.size() >= 2 && message[0] == 0 && (message[1] == 0xF0 || message[1] == 0xF1);
  }
};

}  // namespace rocescope
