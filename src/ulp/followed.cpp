#include "ulp/followed.hpp"

#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "dissectors/ulp/forms.hpp"
#include "rocescope/headers/rtrs.hpp"
#include "ulp/guess.hpp"
#include "ulp/iser/iser_connection.hpp"
#include "ulp/named/named_connection.hpp"
#include "ulp/named/nccl_connection.hpp"
#include "ulp/named/nine_p_connection.hpp"
#include "ulp/named/ucx_connection.hpp"
#include "ulp/nfs/nfs_connection.hpp"
#include "ulp/nvme/nvme_queue.hpp"
#include "ulp/rds/rds_connection.hpp"
#include "ulp/rsockets/rsockets_connection.hpp"
#include "ulp/rtrs/rtrs_connection.hpp"
#include "ulp/smb_direct/smb_connection.hpp"
#include "ulp/srp/srp_connection.hpp"

namespace rocescope {
namespace {

std::unique_ptr<Carried> follow_nvme(std::uint32_t connection, const Handshake* handshake) {
  NvmeQueue::Known known;
  if (handshake != nullptr && handshake->kind == HandshakeKind::kCm) {
    known.host = 0;  // the host connects
    if (const auto request = nvme_request_of(*handshake)) {
      known.queue = request->queue;
      known.depth = request->send_size;
    }
  }
  return std::make_unique<NvmeQueue>(connection, known);
}

std::unique_ptr<Carried> follow_srp(std::uint32_t connection, const Handshake* handshake) {
  SrpConnection::Known known;
  if (handshake != nullptr && handshake->kind == HandshakeKind::kCm) {
    known.initiator = 0;  // the initiator connects
    if (const auto login = srp_login_of(handshake->sides[0].private_data)) {
      known.initiator_port = srp_port_text(login->initiator_port);
      known.target_port = srp_port_text(login->target_port);
    }
    known.credits = srp_credits_of(handshake->sides[1].private_data);
  }
  return std::make_unique<SrpConnection>(connection, std::move(known));
}

/// A number of 1 to 4 bytes in the private data of the passive side, which lack the zeros at their end.
std::uint32_t private_number(const Handshake& handshake, std::size_t at, std::size_t size, bool is_big) {
  const std::vector<std::uint8_t>& data = handshake.sides[1].private_data;
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t i = 0; i < size && at + i < data.size(); ++i) bytes[i] = data[at + i];
  return static_cast<std::uint32_t>(is_big ? load_big_endian(bytes.data(), size)
                                           : load_little_endian(bytes.data(), size));
}

std::unique_ptr<Carried> follow_rsockets(std::uint32_t connection, const Handshake* handshake) {
  std::optional<std::uint32_t> credits;
  if (handshake != nullptr && !handshake->sides[1].private_data.empty())
    credits = private_number(*handshake, 2, 2, true);
  return std::make_unique<RsocketsConnection>(connection, credits);
}

std::unique_ptr<Carried> follow_rtrs(std::uint32_t connection, const Handshake* handshake) {
  RtrsConnection::Known known;
  if (handshake != nullptr && handshake->kind == HandshakeKind::kCm) {
    known.client = 0;
    const std::uint32_t depth = private_number(*handshake, 6, 2, false);
    const bool is_known = private_number(*handshake, 0, 2, false) == RtrsPrivateData::kMagic &&
                          private_number(*handshake, 3, 1, false) == RtrsPrivateData::kMajor;
    if (is_known && depth > 1) {
      known.depth = depth;
      // Of the 28 bits of immediate data, the buffer takes as many as the number of the last buffer needs.
      known.place_bits = static_cast<std::uint8_t>(28 - std::bit_width(depth - 1));
    }
  }
  return std::make_unique<RtrsConnection>(connection, known);
}

}  // namespace

std::unique_ptr<Carried> follow(UpperProtocol protocol, std::uint32_t connection, const Handshake* handshake) {
  const bool is_cm = handshake != nullptr && handshake->kind == HandshakeKind::kCm;
  const std::optional<std::uint8_t> connects = is_cm ? std::optional<std::uint8_t>(0) : std::nullopt;  // the client
  switch (protocol) {
    case UpperProtocol::kNvme:
      return follow_nvme(connection, handshake);
    case UpperProtocol::kNfs:
      return std::make_unique<NfsConnection>(connection, connects);
    case UpperProtocol::kIser:
      return std::make_unique<IserConnection>(connection, connects);
    case UpperProtocol::kSrp:
      return follow_srp(connection, handshake);
    case UpperProtocol::kSmbDirect:
      return std::make_unique<SmbConnection>(connection, connects);
    case UpperProtocol::kRds:
      return std::make_unique<RdsConnection>(connection);
    case UpperProtocol::kRsockets:
      return follow_rsockets(connection, handshake);
    case UpperProtocol::kRtrs:
      return follow_rtrs(connection, handshake);
    case UpperProtocol::kSmcR:
      return std::make_unique<NamedConnection>(MessageProtocol::kSmcR);
    case UpperProtocol::kLustre:
      return std::make_unique<NamedConnection>(MessageProtocol::kLustre);
    default:
      return nullptr;
  }
}

bool has_form(UpperProtocol protocol, const SendPayload& payload) {
  switch (protocol) {
    case UpperProtocol::kNvme:
      return nvme_form(payload.start(), payload.length) != NvmeForm::kNone;
    case UpperProtocol::kNfs:
      return has_form_of_rpc(payload.start(), payload.length);
    case UpperProtocol::kIser:
      return has_form_of_iser(payload.start(), payload.length);
    case UpperProtocol::kSrp:
      return has_form_of_srp(payload.start(), payload.length);
    case UpperProtocol::kSmbDirect:
      return has_form_of_smb_direct(payload.start(), payload.length);
    case UpperProtocol::kSmcR:
      return has_form_of_smc_r(payload.start(), payload.length);
    case UpperProtocol::kLustre:
      return has_form_of_lustre(payload.start(), payload.length);
    case UpperProtocol::kRds:
      return has_form_of_rds(payload.start(), payload.length);
    case UpperProtocol::kNineP:
      return has_form_of_nine_p(payload.start(), payload.length);
    case UpperProtocol::kUcx:
      return ucx_form(payload.start(), payload.length) != UcxForm::kNone;
    case UpperProtocol::kRtrs:
      // The memory of a read is given back before its response.
      if (payload.length == 0 && payload.invalidated_r_key) return true;
      return payload.immediate && has_form_of_rtrs_response(payload.start(), payload.length, *payload.immediate);
    default:
      return false;
  }
}

std::unique_ptr<Carried> follow_by_form(UpperProtocol protocol, std::uint32_t connection) {
  if (auto carried = follow(protocol, connection, nullptr)) return carried;
  if (protocol == UpperProtocol::kNineP) return std::make_unique<NinePConnection>();
  if (protocol == UpperProtocol::kUcx) return std::make_unique<UcxConnection>();
  if (protocol == UpperProtocol::kNccl) return std::make_unique<NcclConnection>();
  return std::make_unique<NamedConnection>();
}

UpperProtocol protocol_like(const SendPayload& payload) {
  for (const UpperProtocol each :
       {UpperProtocol::kNvme, UpperProtocol::kNfs, UpperProtocol::kIser, UpperProtocol::kSrp, UpperProtocol::kSmbDirect,
        UpperProtocol::kLustre, UpperProtocol::kRds, UpperProtocol::kSmcR, UpperProtocol::kNineP}) {
    if (has_form(each, payload)) return each;
  }
  const bool is_ucx = ucx_form(payload.start(), payload.length) == UcxForm::kStrong;
  return is_ucx ? UpperProtocol::kUcx : UpperProtocol::kUnknown;
}

UpperProtocol protocol_like(const DataPayload& payload) {
  if (payload.is_read) return UpperProtocol::kUnknown;
  if (!payload.immediate)
    return has_form_of_nccl(payload.bytes, payload.length) ? UpperProtocol::kNccl : UpperProtocol::kUnknown;
  if (has_form_of_rsockets(payload.bytes, payload.length, *payload.immediate)) return UpperProtocol::kRsockets;
  return has_form_of_rtrs(payload.bytes, payload.length, *payload.immediate) ? UpperProtocol::kRtrs
                                                                             : UpperProtocol::kUnknown;
}

}  // namespace rocescope
