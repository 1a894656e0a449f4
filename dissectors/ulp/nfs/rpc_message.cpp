#include "dissectors/ulp/nfs/rpc_message.hpp"

#include <utility>

#include "dissectors/ulp/nfs/rpc_walk.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Takes headers as a Dissection does, of a message that is all that there is.
class RpcReader {
 public:
  RpcReader(Bytes bytes, RpcMessage& message) : data(bytes), message_(message) { message.segments_.clear(); }
  RpcReader(const RpcReader&) = delete;
  RpcReader& operator=(const RpcReader&) = delete;
  ~RpcReader() {
    message_.kinds_ = kinds_;
    message_.list_ends_ = ends_;
    message_.operations_ = operations_;
  }

  Bytes data;
  std::uint32_t offset = 0;

  [[nodiscard]] bool fits(std::uint64_t length) const noexcept { return offset + length <= data.size(); }
  template <class H>
  [[nodiscard, gnu::always_inline]] dissectors::Taken<H> take() {
    const std::uint32_t at = offset;
    if (!take(H::kKind, H::kSize)) return {};
    return dissectors::Taken<H>(data.data() + at);
  }
  [[nodiscard, gnu::always_inline]] bool take(HeaderKind kind, std::size_t length) {
    if (!fits(length) || taken_ == Packet::kMaxLayers) return false;
    ++taken_;
    add(kind, length);
    return true;
  }
  [[nodiscard, gnu::always_inline]] bool take_run(HeaderKind kind, std::size_t length) {
    if (kind != last_) return take(kind, length);
    if (!fits(length)) return false;
    add(kind, length);
    return true;
  }
  template <std::size_t N>
  [[nodiscard, gnu::always_inline]] bool take_all(const dissectors::Dissection::Part (&parts)[N]) {
    std::size_t total = 0;
    for (const auto& part : parts) total += part.length;
    if (!fits(total) || taken_ > Packet::kMaxLayers - N) return false;
    taken_ += N;
    [&]<std::size_t... I>(std::index_sequence<I...> /*places*/) {
      (add(parts[I].kind, parts[I].length), ...);  // no loop: the kinds are known
    }
    (std::make_index_sequence<N>());
    return true;
  }
  [[nodiscard]] bool extend_last(std::size_t length) noexcept {
    if (!fits(length)) return false;
    offset += static_cast<std::uint32_t>(length);
    return true;
  }

 private:
  [[gnu::always_inline]] void add(HeaderKind kind, std::size_t length) {
    const std::uint8_t* const first = data.data() + offset;
    const std::uint32_t bit = RpcMessage::bit_of(kind);
    const bool is_later = kind == HeaderKind::kNfsFileHandle && (kinds_ & bit) != 0;
    if (!is_later) message_.headers_[RpcMessage::place_of(kind)] = first;
    kinds_ |= bit;
    if (kind == HeaderKind::kNfsOperation) ++operations_;
    if (kind == HeaderKind::kRpcListEnd) ends_ += static_cast<std::uint32_t>(length / RpcListEnd::kSize);
    constexpr std::size_t kMarkerAndPosition = 8;
    if (kind == HeaderKind::kRpcReadChunk) add_segment(first + kMarkerAndPosition, ends_, message_.segments_);
    if (kind == HeaderKind::kRpcSegment) add_segment(first, ends_, message_.segments_);
    last_ = kind;
    offset += static_cast<std::uint32_t>(length);
  }
  /// RFC 8166, 4.2. `ends`: of lists before it. Seldom: apart from add(), which is short by that.
  [[gnu::noinline]] static void add_segment(const std::uint8_t* first, std::uint32_t ends,
                                            std::vector<RpcMessage::Segment>& segments) {
    segments.push_back({.key = static_cast<std::uint32_t>(load_big_endian(first, 4)),
                        .length = static_cast<std::uint32_t>(load_big_endian(first + 4, 4)),
                        .address = load_big_endian(first + 8, 8),
                        .is_reply = ends == 2});
  }

  RpcMessage& message_;
  std::uint32_t kinds_ = 0;  // as RpcMessage has it
  std::size_t taken_ = 0;
  std::uint32_t ends_ = 0;  // of lists
  std::uint32_t operations_ = 0;
  HeaderKind last_ = HeaderKind::kNone;
};

// Flat, so that the reader is in registers.
[[gnu::flatten]] void RpcMessage::read(Bytes message, NfsVersion version) {
  RpcReader reader(message, *this);
  dissectors::rpc::take_rpc_over_rdma(reader, version);
}

[[gnu::flatten]] void RpcMessage::read_rpc(Bytes message, NfsVersion version) {
  RpcReader reader(message, *this);
  dissectors::rpc::take_rpc(reader, version);
}

}  // namespace rocescope
