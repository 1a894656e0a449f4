// The state of one dissection: where the next header starts and how far the enclosing protocol reaches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "rocescope/dissect.hpp"
#include "rocescope/header.hpp"
#include "rocescope/packet.hpp"

namespace rocescope::dissectors {

/// A view of a header, or nothing. (Compilers do not optimise the flag of std::optional as well.)
template <class H>
class Taken {
 public:
  Taken() noexcept : first_(nullptr), header_(nullptr) {}
  explicit Taken(const std::uint8_t* first) noexcept : first_(first), header_(first) {}

  [[nodiscard]] explicit operator bool() const noexcept { return first_ != nullptr; }
  [[nodiscard]] const H* operator->() const noexcept { return &header_; }
  [[nodiscard]] const H& operator*() const noexcept { return header_; }

 private:
  const std::uint8_t* first_;
  H header_;
};

/// Walks a frame from its first byte. `end` is the end of the data by the enclosing protocol, in bytes from the start of the
/// frame, captured or not: running past it is the sender's fault, running past the captured bytes
/// is the capture's.
class Dissection {
 public:
  /// The most tunnels inside tunnels.
  static constexpr unsigned kMaxTunnelDepth = 8;

  Dissection(Packet& out, const DissectOptions& how) noexcept
      : packet(out),
        options(how),
        data(out.frame.data),
        frame_end(std::max<std::uint64_t>(out.frame.original_length, out.frame.data.size())),
        end(frame_end) {}

  /// Walks `message`, whose last packet is `out`: offsets of its layers count from its start.
  Dissection(Packet& out, const DissectOptions& how, Bytes message) noexcept
      : packet(out),
        options(how),
        data(message),
        frame_end(message.size()),
        end(message.size()),
        end_kind(End::kExact),
        in_message(true) {}

  Packet& packet;
  const DissectOptions& options;
  Bytes data;                ///< the captured bytes, up to where a mirrored copy ends
  std::uint32_t offset = 0;  ///< of the next header
  std::uint64_t frame_end;   ///< where the frame of the link layer ends, captured or not
  std::uint64_t end;
  /// How reliable `end` is.
  enum class End : std::uint8_t {
    kExact,  ///< from a protocol's length field: nothing may reach further
    kFrame,  ///< the frame's own length: a length inside it that reaches further means that some captures cut that, too
    kCut,    ///< where a mirror or a fragment may have cut the packet
  };
  End end_kind = End::kFrame;
  /// Why the bytes behind `data` are missing: the capture or a mirror cut them, or they are in other fragments.
  StopReason cut_by = StopReason::kTruncated;
  bool in_message = false;  ///< see Layer

  /// Adds the header H at `offset` and steps behind it; on failure notes why and returns nothing.
  template <class H>
  [[nodiscard, gnu::always_inline]] Taken<H> take() noexcept {
    const std::uint32_t at = offset;
    if (!take(H::kKind, H::kSize)) return {};
    return Taken<H>(data.data() + at);
  }

  /// The same for a header of `length` bytes whose type is not known at compile time.
  [[nodiscard, gnu::always_inline]] bool take(HeaderKind kind, std::size_t length) noexcept {
    if (!fits(length)) {
      refuse_header(kind, length);
      return false;
    }
    if (!add(kind, offset, length)) return false;
    offset += static_cast<std::uint32_t>(length);
    return true;
  }

  /// A part of the packet; an empty one is absent.
  struct Part {
    HeaderKind kind = HeaderKind::kNone;
    std::size_t length = 0;
  };
  /// Takes all parts, one behind the other. No branch depends on which parts are empty, since the processor could not predict
  /// it. False, and nothing is taken or noted, if they do not all fit or there may be too many layers.
  template <std::size_t N>
  [[nodiscard, gnu::always_inline]] bool take_all(const Part (&parts)[N]) noexcept {
    std::size_t total = 0;
    for (const Part& part : parts) total += part.length;
    if (!fits(total) || packet.layer_count > Packet::kMaxLayers - N) return false;
    std::size_t count = packet.layer_count;
    std::uint32_t at = offset;
    for (const Part& part : parts) {
      const auto length = static_cast<std::uint32_t>(part.length);
      packet.layer_storage[count] = {part.kind, in_message, at, length};
      packet.kinds |= length != 0 ? Packet::bit_of(part.kind) : 0;
      count += length != 0 ? 1 : 0;
      at += length;
    }
    packet.layer_count = static_cast<std::uint8_t>(count);
    offset = at;
    return true;
  }

  /// Whether `length` bytes are there, captured and within the enclosing protocol.
  [[nodiscard]] bool fits(std::uint64_t length) const noexcept {
    return offset + length <= end && offset + length <= data.size();
  }

  /// Whether `length` bytes of `kind` are there; otherwise notes why not.
  [[nodiscard]] bool need(HeaderKind kind, std::uint64_t length) noexcept {
    if (fits(length)) return true;
    refuse(kind, length);
    return false;
  }

  /// Adds a layer without moving; `length` bytes from `at` are captured.
  [[gnu::always_inline]] bool add(HeaderKind kind, std::uint64_t at, std::uint64_t length) noexcept {
    if (packet.layer_count == Packet::kMaxLayers) {
      stop(StopReason::kLimit, kind, length);
      return false;
    }
    packet.kinds |= Packet::bit_of(kind);
    packet.layer_storage[packet.layer_count++] = {kind, in_message, static_cast<std::uint32_t>(at),
                                                  static_cast<std::uint32_t>(length)};
    return true;
  }

  /// Steps behind `length` bytes that belong to the last layer, and makes that layer longer by them.
  [[nodiscard]] bool extend_last(std::size_t length) noexcept {
    Layer& last = packet.layer_storage[packet.layer_count - 1U];
    if (!need(last.kind, length)) return false;
    last.length += static_cast<std::uint32_t>(length);
    offset += static_cast<std::uint32_t>(length);
    return true;
  }

  /// Takes a header of a kind that repeats: as a part of the last layer when that is of the same kind and ends here.
  [[nodiscard]] bool take_run(HeaderKind kind, std::size_t length) noexcept {
    if (packet.layer_count > 0) {
      const Layer& last = packet.layer_storage[packet.layer_count - 1U];
      if (last.kind == kind && last.offset + last.length == offset) return extend_last(length);
    }
    return take(kind, length);
  }

  /// Calls `read` for a structure of `kind` from the offset to `structure_end`, and steps behind it. Returns false, and
  /// notes why, if the structure was cut or reaches past the enclosing protocol.
  template <class Read>
  [[nodiscard]] bool enclose(HeaderKind kind, std::uint64_t structure_end, Read read) noexcept {
    if (structure_end > end) return need(kind, structure_end - offset);
    const std::uint64_t outer_end = std::exchange(end, structure_end);
    const End outer_kind = std::exchange(end_kind, End::kExact);
    read();
    const bool captured = need(kind, left());
    offset = static_cast<std::uint32_t>(structure_end);
    end = outer_end;
    end_kind = outer_kind;
    return captured;
  }

  /// The packet ends at the offset, by rules of its own.
  void end_here() noexcept { narrow(offset, HeaderKind::kNone); }

  /// Bytes left in the enclosing protocol, captured or not.
  [[nodiscard]] std::uint64_t left() const noexcept { return end > offset ? end - offset : 0; }
  /// Bytes left that were captured.
  [[nodiscard]] Bytes rest() const noexcept {
    const std::uint64_t to = std::min<std::uint64_t>(end, data.size());
    return offset < to ? data.subspan(offset, to - offset) : Bytes{};
  }

  /// A protocol's own length says that its data end at `new_end`. Beyond an exact end that is malformed (noted; the
  /// smaller end stays); beyond a frame's length it means that the frame was cut.
  [[gnu::always_inline]] void narrow(std::uint64_t new_end, HeaderKind kind) noexcept {
    if (new_end > end && end_kind == End::kExact) {
      stop(StopReason::kMalformed, kind, new_end - offset);
      return;
    }
    end = new_end;
    end_kind = End::kExact;
  }

  /// What follows, up to `end`, is a packet that may have been cut before it came into this frame: by a mirror, or
  /// (`why` is kFragment) into fragments. Its lengths may reach further than `end`, and bytes behind that belong to
  /// others.
  void enter_cut_packet(StopReason why = StopReason::kTruncated) noexcept {
    if (end <= data.size()) {  // otherwise the capture cut it before that
      data = data.first(static_cast<std::size_t>(end));
      cut_by = why;
    }
    end_kind = End::kCut;
  }

  /// Notes why dissection ended; the first reason stays.
  void stop(StopReason reason, HeaderKind kind, std::uint64_t needed = 0) noexcept;

  /// Enters one more tunnel; false, and noted, when there are too many.
  [[nodiscard]] bool enter_tunnel(HeaderKind kind) noexcept {
    if (packet.tunnel_depth == kMaxTunnelDepth) {
      stop(StopReason::kLimit, kind);
      return false;
    }
    ++packet.tunnel_depth;
    return true;
  }

 private:
  /// Notes why need() fails.
  void refuse(HeaderKind kind, std::uint64_t length) noexcept;
  /// The same for take(); also keeps the captured part of the header.
  void refuse_header(HeaderKind kind, std::size_t length) noexcept;
};

}  // namespace rocescope::dissectors
