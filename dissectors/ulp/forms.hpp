// Whether a message has the form of one of a protocol above RoCE: asked of each message by itself, so that an answer is a hint.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dissectors/ulp/first_look.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/opcode.hpp"

namespace rocescope {

/// Forms of NVMe over RDMA.
enum class NvmeForm : std::uint8_t { kNone, kCommand, kCompletion };

/// `start`: the captured bytes from the start of a message; `length`: of the whole message, 0: it has several packets. Random bytes
/// have the form of a command once in 2^90, that of a completion once in 2^50.
[[nodiscard]] NvmeForm nvme_form(Bytes start, std::uint64_t length) noexcept;

/// Whether it has the form of RPC over RDMA. Random bytes have that form once in 2^90. Arguments as above.
[[nodiscard]] bool has_form_of_rpc(Bytes start, std::uint64_t length) noexcept;

/// Whether it has the form of a PDU of iSCSI behind the header of iSER. Random bytes have that form once in 2^110.
/// Arguments as above.
[[nodiscard]] bool has_form_of_iser(Bytes start, std::uint64_t length) noexcept;

/// Whether it has the form of an information unit of SRP. Random bytes have the form of a command or a response once in
/// 2^80, and that of a request for credits, which is short, once in 2^44. Arguments as above.
[[nodiscard]] bool has_form_of_srp(Bytes start, std::uint64_t length) noexcept;

/// Whether it has the form of a message of SMB Direct. Random bytes have that form once in 2^110. Arguments as above.
[[nodiscard]] bool has_form_of_smb_direct(Bytes start, std::uint64_t length) noexcept;

/// The same for protocols that are not decoded. Random bytes of the right length have the form of the shortest known
/// part of a message of SMC-R once in 2^28. Random bytes have the form of a message of Lustre once in 2^50, of RDS once
/// in 2^50, and of 9P once in 2^34.
[[nodiscard]] bool has_form_of_smc_r(Bytes start, std::uint64_t length) noexcept;
[[nodiscard]] bool has_form_of_lustre(Bytes start, std::uint64_t length) noexcept;
[[nodiscard]] bool has_form_of_rds(Bytes start, std::uint64_t length) noexcept;
/// Whether `start`, of a header of RDS, has all its extension headers, or those up to their end.
[[nodiscard]] bool has_rds_extensions(Bytes start) noexcept;
[[nodiscard]] bool has_form_of_nine_p(Bytes start, std::uint64_t length) noexcept;

/// Forms of UCX over RC.
enum class UcxForm : std::uint8_t {
  kNone,
  kWeak,    ///< an ID that there is: other messages have it as well
  kStrong,  ///< a message that begins a connection or a longer message; random bytes have that form once in 2^20
};
[[nodiscard]] UcxForm ucx_form(Bytes start, std::uint64_t length) noexcept;

/// Whether `payload`, of a WRITE that is one packet without immediate data, is what a receiver of NCCL writes when it is
/// ready. Random bytes have that form once in 2^40.
[[nodiscard]] bool has_form_of_nccl(Bytes payload, std::uint64_t length) noexcept;

/// Whether a WRITE with `immediate` offers the next buffer of a stream of rsockets. Random bytes have that form once in 2^50.
[[nodiscard]] bool has_form_of_rsockets(Bytes payload, std::uint64_t length, std::uint32_t immediate) noexcept;

/// Whether a WRITE with `immediate` is a request of RTRS for an IO of RNBD. Random bytes have that form once in 2^80.
[[nodiscard]] bool has_form_of_rtrs(Bytes payload, std::uint64_t length, std::uint32_t immediate) noexcept;
/// Whether a SEND with `immediate` has that of a response to one. Random bytes have it once in 2^30, what has none in 2^3.
[[nodiscard]] bool has_form_of_rtrs_response(Bytes start, std::uint64_t length, std::uint32_t immediate) noexcept;

/// Whether a SEND has that of any protocol that is known.
[[nodiscard]] inline bool has_form_of_send(Bytes start, std::uint64_t length) noexcept {
  if (!may_have_form_of_send(start, length)) return false;
  return nvme_form(start, length) != NvmeForm::kNone || has_form_of_rpc(start, length) ||
         has_form_of_iser(start, length) || has_form_of_srp(start, length) || has_form_of_smb_direct(start, length) ||
         has_form_of_smc_r(start, length) || has_form_of_lustre(start, length) || has_form_of_rds(start, length) ||
         has_form_of_nine_p(start, length) || ucx_form(start, length) == UcxForm::kStrong;
}

/// Whether a WRITE that is one packet has that of any.
[[nodiscard]] inline bool has_form_of_write(Bytes payload, std::uint64_t length,
                                            std::optional<std::uint32_t> immediate) noexcept {
  if (!immediate) return has_form_of_nccl(payload, length);
  return has_form_of_rsockets(payload, length, *immediate) || has_form_of_rtrs(payload, length, *immediate);
}

/// The same of a packet that begins a SEND, or is a WRITE; others have none. `frame` has the payload at `offset`, as far as it was
/// captured, and immediate data before it.
[[nodiscard]] inline bool has_form_of_message(const OpcodeInfo& opcode, Bytes frame, std::size_t offset,
                                              std::uint32_t length) noexcept {
  constexpr std::size_t kImmediate = 4;  // bytes
  const Bytes rest = frame.subspan(std::min(offset, frame.size()));
  const Bytes payload = rest.first(std::min<std::size_t>(length, rest.size()));
  const bool is_only = opcode.position == Position::kOnly;
  if (opcode.operation == Operation::kSend)
    return (is_only || opcode.position == Position::kFirst) && has_form_of_send(payload, is_only ? length : 0);
  if (opcode.operation != Operation::kWrite || !is_only) return false;
  if (!opcode.immediate) return has_form_of_write(payload, length, std::nullopt);
  if (offset < kImmediate || payload.empty()) return false;
  return has_form_of_write(payload, length,
                           static_cast<std::uint32_t>(load_big_endian(frame.data() + offset - kImmediate, kImmediate)));
}

}  // namespace rocescope
