// The ten messages of the set-up exchange: SENDs on a UD queue pair with Q_Key 0x524C4142, 32 or 64 bytes each,
// big-endian, padded with zeros. Each begins with magic u32, version u8, type u8, sequence u16.
//
//   type  message                bytes  fields after the first eight bytes
//   1     DEVICE_DISCOVERY_REQ   32     client ID u32, capabilities u32
//   2     DEVICE_DISCOVERY_RESP  64     server ID u32, device GUID u64, max QPs u32, max MRs u32, max message size u64,
//                                       transports u32 (bit 0 RC, 1 UC, 2 UD, 3 XRC)
//   3, 4  QP_CREATE_REQ, _RESP   64     QPN u32, QP type u8, XRC SRQ number u24, starting PSN u32, max send WR u32, max recv
//                                       WR u32, max send SGE u32, max recv SGE u32, path MTU u32; _RESP: status u32
//   5, 6  MR_REGISTER_REQ, _RESP 64     region ID u32, virtual address u64, length u64, access flags u32, protection
//                                       domain u32; _RESP: remote key u32, local key u32, status u32
//   7, 8  CONNECTION_REQ, ACCEPT 64     client QPN u32, server QPN u32, client GUID u64, server GUID u64, client rkey u32,
//                                       server rkey u32, max message size u64, timeout u8, retry count u8, RNR retry u8,
//                                       resv u8; ACCEPT: status u32
//   9     CONNECTION_CONFIRM     32     client QPN u32, server QPN u32, status u32
//   10    CONNECTION_READY       32     client QPN u32, server QPN u32, state u32 (3 = RTS)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace rocescope::rdmagen {

/// Q_Key of the exchange's queue pairs and magic of its messages: "RLAB".
inline constexpr std::uint32_t kExchangeKey = 0x524C4142;
/// The largest message of the exchange, in bytes.
inline constexpr std::size_t kExchangeBytes = 64;
/// State in CONNECTION_READY: ready to send.
inline constexpr std::uint32_t kStateRts = 3;
/// Status in answers: done, refused on purpose, cannot.
enum class ExchangeStatus : std::uint32_t { kDone = 0, kRejected = 1, kFailed = 2 };

struct DeviceDiscoveryReq {
  static constexpr std::uint8_t kType = 1;
  std::uint32_t client_id = 0;
  std::uint32_t capabilities = 0;
  friend bool operator==(const DeviceDiscoveryReq&, const DeviceDiscoveryReq&) = default;
};

struct DeviceDiscoveryResp {
  static constexpr std::uint8_t kType = 2;
  std::uint32_t server_id = 0;
  std::uint64_t device_guid = 0;
  std::uint32_t max_qps = 0;
  std::uint32_t max_mrs = 0;
  std::uint64_t max_message_size = 0;
  std::uint32_t transports = 0;
  friend bool operator==(const DeviceDiscoveryResp&, const DeviceDiscoveryResp&) = default;
};

struct QpCreate {
  std::uint32_t qpn = 0;
  std::uint8_t qp_type = 0;    ///< as QpType
  std::uint32_t xrc_srqn = 0;  ///< of an XRC target: where its receives are, 24 bits; 0 of all others
  std::uint32_t starting_psn = 0;
  std::uint32_t max_send_wr = 0;
  std::uint32_t max_recv_wr = 0;
  std::uint32_t max_send_sge = 0;
  std::uint32_t max_recv_sge = 0;
  std::uint32_t path_mtu = 0;  ///< bytes
  friend bool operator==(const QpCreate&, const QpCreate&) = default;
};
struct QpCreateReq {
  static constexpr std::uint8_t kType = 3;
  QpCreate qp;
  friend bool operator==(const QpCreateReq&, const QpCreateReq&) = default;
};
struct QpCreateResp {
  static constexpr std::uint8_t kType = 4;
  QpCreate qp;
  ExchangeStatus status = ExchangeStatus::kDone;
  friend bool operator==(const QpCreateResp&, const QpCreateResp&) = default;
};

/// The region of the message's sender.
struct MrRegister {
  std::uint32_t region_id = 0;
  std::uint64_t virtual_address = 0;
  std::uint64_t length = 0;
  std::uint32_t access_flags = 0;  ///< as ibv_access_flags
  std::uint32_t protection_domain = 0;
  friend bool operator==(const MrRegister&, const MrRegister&) = default;
};
struct MrRegisterReq {
  static constexpr std::uint8_t kType = 5;
  MrRegister region;
  friend bool operator==(const MrRegisterReq&, const MrRegisterReq&) = default;
};
struct MrRegisterResp {
  static constexpr std::uint8_t kType = 6;
  MrRegister region;
  std::uint32_t remote_key = 0;
  std::uint32_t local_key = 0;
  ExchangeStatus status = ExchangeStatus::kDone;
  friend bool operator==(const MrRegisterResp&, const MrRegisterResp&) = default;
};

struct ConnectionParameters {
  std::uint32_t client_qpn = 0;
  std::uint32_t server_qpn = 0;
  std::uint64_t client_guid = 0;
  std::uint64_t server_guid = 0;
  std::uint32_t client_rkey = 0;
  std::uint32_t server_rkey = 0;
  std::uint64_t max_message_size = 0;
  std::uint8_t timeout = 0;  ///< exponent: 4.096 us * 2^timeout
  std::uint8_t retry_count = 0;
  std::uint8_t rnr_retry = 0;
  friend bool operator==(const ConnectionParameters&, const ConnectionParameters&) = default;
};
struct ConnectionReq {
  static constexpr std::uint8_t kType = 7;
  ConnectionParameters connection;
  friend bool operator==(const ConnectionReq&, const ConnectionReq&) = default;
};
struct ConnectionAccept {
  static constexpr std::uint8_t kType = 8;
  ConnectionParameters connection;
  ExchangeStatus status = ExchangeStatus::kDone;
  friend bool operator==(const ConnectionAccept&, const ConnectionAccept&) = default;
};

struct ConnectionConfirm {
  static constexpr std::uint8_t kType = 9;
  std::uint32_t client_qpn = 0;
  std::uint32_t server_qpn = 0;
  ExchangeStatus status = ExchangeStatus::kDone;
  friend bool operator==(const ConnectionConfirm&, const ConnectionConfirm&) = default;
};

struct ConnectionReady {
  static constexpr std::uint8_t kType = 10;
  std::uint32_t client_qpn = 0;
  std::uint32_t server_qpn = 0;
  std::uint32_t state = kStateRts;
  friend bool operator==(const ConnectionReady&, const ConnectionReady&) = default;
};

/// Any of the ten.
using ExchangeBody = std::variant<DeviceDiscoveryReq, DeviceDiscoveryResp, QpCreateReq, QpCreateResp, MrRegisterReq,
                                  MrRegisterResp, ConnectionReq, ConnectionAccept, ConnectionConfirm, ConnectionReady>;

struct ExchangeMessage {
  std::uint16_t sequence = 0;  ///< an answer carries that of its request
  ExchangeBody body;
  friend bool operator==(const ExchangeMessage&, const ExchangeMessage&) = default;
};

/// The 32 or 64 bytes of the message.
[[nodiscard]] std::vector<std::uint8_t> encode(const ExchangeMessage& message);

/// Nothing when magic, version, type or length are not those of a message.
[[nodiscard]] std::optional<ExchangeMessage> decode_exchange(std::span<const std::uint8_t> bytes);

/// "QP_CREATE_REQ" and so on.
[[nodiscard]] std::string_view name_of(const ExchangeBody& body) noexcept;

}  // namespace rocescope::rdmagen
