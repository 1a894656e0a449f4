// What a message of RPC over RDMA says to those who follow its commands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dissectors/dissection.hpp"
#include "dissectors/ulp/nfs/nfs_call.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/header_kind.hpp"
#include "rocescope/headers/nfs/names.hpp"

namespace rocescope {

/// The headers of a message, without the layers of a packet. The message lasts longer.
class RpcMessage {
 public:
  /// Memory that the responder READs or WRITEs.
  struct Segment {
    std::uint32_t key = 0;
    std::uint32_t length = 0;
    std::uint64_t address = 0;
    bool is_reply = false;  ///< of the reply chunk
  };

  /// Reads a SEND. `version`: of the call that a reply answers.
  void read(Bytes message, NfsVersion version);
  /// Reads an RPC message by itself.
  void read_rpc(Bytes message, NfsVersion version);

  /// The innermost one of a kind, but of file handles the first; or nothing.
  template <class H>
  [[nodiscard]] dissectors::Taken<H> header() const noexcept {
    return dissectors::Taken<H>(has<H>() ? headers_[place_of(H::kKind)] : nullptr);
  }
  template <class H>
  [[nodiscard]] bool has() const noexcept {
    return (kinds_ & bit_of(H::kKind)) != 0;
  }
  /// In their order: those of the read list, of the write list, and of the reply chunk.
  [[nodiscard]] const std::vector<Segment>& segments() const noexcept { return segments_; }
  /// Ends of such lists; without a reply chunk there are three.
  [[nodiscard]] std::uint32_t list_ends() const noexcept { return list_ends_; }
  /// Of a COMPOUND, as far as they were read.
  [[nodiscard]] std::uint32_t operations() const noexcept { return operations_; }

 private:
  friend class RpcReader;
  static constexpr HeaderKind kFirst = HeaderKind::kRpcOverRdma;  // all kinds of such messages are together
  static constexpr HeaderKind kLast = HeaderKind::kNfsStatus4;
  [[nodiscard]] static constexpr std::size_t place_of(HeaderKind kind) noexcept {
    return static_cast<std::size_t>(kind) - static_cast<std::size_t>(kFirst);
  }

  [[nodiscard]] static constexpr std::uint32_t bit_of(HeaderKind kind) noexcept {
    return std::uint32_t{1} << place_of(kind);
  }
  static constexpr std::size_t kKinds = static_cast<std::size_t>(kLast) - static_cast<std::size_t>(kFirst) + 1;
  static_assert(kKinds <= 32, "each has a bit");

  std::uint32_t kinds_ = 0;  // bit_of() those that it has
  std::array<const std::uint8_t*, kKinds> headers_{};
  std::vector<Segment> segments_;
  std::uint32_t list_ends_ = 0;
  std::uint32_t operations_ = 0;
};

/// As that of the layers of a packet.
[[nodiscard]] std::optional<NfsCall> nfs_call_of(const RpcMessage& message);
[[nodiscard]] std::optional<std::uint32_t> nfs_status_of(const RpcMessage& message);

}  // namespace rocescope
