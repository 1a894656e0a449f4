#include "verify/work_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace rocescope::verify {
namespace {

using truth::Post;
using truth::WorkOpcode;

bool is_atomic(Operation operation) {
  return operation == Operation::kCompareSwap || operation == Operation::kFetchAdd;
}

/// `none` where there is nothing.
template <class Number>
std::string hex_or_none(const std::optional<Number>& value) {
  return value ? fmt::format("0x{:x}", *value) : std::string("none");
}

std::string place_text(const std::optional<std::uint64_t>& address, const std::optional<std::uint32_t>& r_key) {
  return address && r_key ? fmt::format(" at 0x{:x} with rkey 0x{:x}", *address, *r_key) : std::string();
}

/// What a message carries besides its bytes.
std::string extras_text(const std::optional<std::uint32_t>& immediate,
                        const std::optional<std::uint32_t>& invalidated) {
  std::string text;
  if (immediate) text += fmt::format(", immediate 0x{:x}", *immediate);
  if (invalidated) text += fmt::format(", invalidates rkey 0x{:x}", *invalidated);
  return text;
}

std::string size_text(Operation operation, std::uint64_t bytes) {
  return is_atomic(operation) || operation == Operation::kFlush ? std::string() : fmt::format(", {} bytes", bytes);
}

}  // namespace

Operation operation_of(WorkOpcode opcode) noexcept {
  switch (opcode) {
    case WorkOpcode::kRdmaWrite:
    case WorkOpcode::kRdmaWriteWithImm:
      return Operation::kWrite;
    case WorkOpcode::kRdmaRead:
      return Operation::kReadRequest;
    case WorkOpcode::kAtomicCmpAndSwp:
      return Operation::kCompareSwap;
    case WorkOpcode::kAtomicFetchAndAdd:
      return Operation::kFetchAdd;
    case WorkOpcode::kAtomicWrite:
      return Operation::kAtomicWrite;
    case WorkOpcode::kFlush:
      return Operation::kFlush;
    default:
      return Operation::kSend;
  }
}

std::uint64_t payload_bytes(const Post& post) noexcept {
  const Operation operation = operation_of(post.opcode);
  return is_atomic(operation) || operation == Operation::kFlush ? 0 : post.bytes;
}

std::uint32_t psns_of(const Post& post, std::uint32_t path_mtu) noexcept {
  const std::uint64_t bytes = payload_bytes(post);
  return path_mtu == 0 || bytes == 0 ? 1 : static_cast<std::uint32_t>((bytes - 1) / path_mtu + 1);
}

unsigned differing_fields(const WorkRequest& request, const Message& message) noexcept {
  const Post& post = *request.post;
  const bool partial = request.may_be_missing && !message.has_last;
  unsigned fields = 0;
  if (operation_of(post.opcode) != message.operation) fields |= kOpcode;
  const std::uint64_t bytes = payload_bytes(post);
  const bool asks = message.operation == Operation::kFlush;
  if (!asks && (partial ? message.bytes > bytes : message.bytes != bytes)) fields |= kBytes;
  if (post.remote_address != message.address) fields |= kRemoteAddress;
  if (post.r_key != message.r_key) fields |= kRKey;
  if (partial) return fields;  // the rest is in the last packet
  if (post.immediate != message.immediate) fields |= kImmediate;
  if (post.invalidate_r_key != message.invalidated_r_key) fields |= kInvalidatedRKey;
  return fields;
}

std::string to_text(const WorkRequest& request) {
  const Post& post = *request.post;
  return fmt::format("work request {} ({}{}{}{})", post.wr_id, truth::to_string(post.opcode),
                     size_text(operation_of(post.opcode), post.bytes), place_text(post.remote_address, post.r_key),
                     extras_text(post.immediate, post.invalidate_r_key));
}

std::string to_text(const Message& message) {
  return fmt::format("message {} in packet {} ({}{}{}{})", message.number, message.first_frame,
                     to_string(message.operation), size_text(message.operation, message.bytes),
                     place_text(message.address, message.r_key),
                     extras_text(message.immediate, message.invalidated_r_key));
}

std::string difference_text(const WorkRequest& request, const Message& message, unsigned fields, Psn psn) {
  const Post& post = *request.post;
  std::string text;
  const auto add = [&](Field field, std::string_view name, const std::string& posted, const std::string& there) {
    if ((fields & field) == 0) return;
    text += fmt::format("{}{} {} was posted, {} is on the wire", text.empty() ? "" : "; ", name, posted, there);
  };
  add(kOpcode, "opcode", std::string(truth::to_string(post.opcode)), std::string(to_string(message.operation)));
  add(kBytes, "bytes:", std::to_string(post.bytes), std::to_string(message.bytes));
  add(kRemoteAddress, "remote address", hex_or_none(post.remote_address), hex_or_none(message.address));
  add(kRKey, "rkey", hex_or_none(post.r_key), hex_or_none(message.r_key));
  add(kImmediate, "immediate", hex_or_none(post.immediate), hex_or_none(message.immediate));
  add(kInvalidatedRKey, "invalidated rkey", hex_or_none(post.invalidate_r_key), hex_or_none(message.invalidated_r_key));
  if ((fields & kPsn) != 0) {
    text += fmt::format("{}PSN {} follows from the work requests before it, {} is on the wire",
                        text.empty() ? "" : "; ", psn.value(), message.first_psn.value());
  }
  return text;
}

}  // namespace rocescope::verify
