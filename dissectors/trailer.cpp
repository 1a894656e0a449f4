// The bytes behind the end of the packet: padding, the frame check sequence, time stamps of taps.
#include <algorithm>

#include "dissectors/crc32.hpp"
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/tap.hpp"

namespace rocescope::dissectors {
namespace {

/// Ethernet frames are padded to this, without the frame check sequence.
constexpr std::size_t kMinFrame = 60;
constexpr std::uint32_t kNanosecondsPerSecond = 1'000'000'000;

bool all_zero(Bytes bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; });
}

/// The bytes behind a packet in an Ethernet frame that was captured whole, and what is found in them from their end. The
/// trailers hold no length and most no mark, so each must prove itself: by a checksum, or by a time that lies near the
/// frame's and nothing but padding before it.
class Tail {
 public:
  Tail(Dissection& d, std::uint32_t frame_offset, std::uint64_t begin, std::uint64_t end) noexcept
      : d_(d), frame_(d.packet.frame.data), frame_offset_(frame_offset), begin_(begin), end_(end) {}

  void dissect() noexcept {
    const bool fcs = left() >= EthernetFcs::kSize && is_fcs(end_ - EthernetFcs::kSize);
    if (fcs) end_ -= EthernetFcs::kSize;
    if (!take_ixia() && !take_metamako() && !take_exablaze() && !take_vss()) add(HeaderKind::kTrailer, begin_, end_);
    if (fcs) add(HeaderKind::kEthernetFcs, end_, end_ + EthernetFcs::kSize);
  }

 private:
  [[nodiscard]] std::uint64_t left() const noexcept { return end_ - begin_; }
  [[nodiscard]] const std::uint8_t* at(std::uint64_t offset) const noexcept { return frame_.data() + offset; }
  [[nodiscard]] Bytes bytes(std::uint64_t from, std::uint64_t to) const noexcept {
    return frame_.subspan(from, to - from);
  }
  void add(HeaderKind kind, std::uint64_t from, std::uint64_t to) noexcept {
    if (from < to) d_.add(kind, from, to - from);
  }

  /// Whether the four bytes at `offset` are the CRC of the frame up to there.
  [[nodiscard]] bool is_fcs(std::uint64_t offset) const noexcept {
    return crc32(0, at(frame_offset_), offset - frame_offset_) == load_little_endian(at(offset), EthernetFcs::kSize);
  }

  /// Clocks of taps that are off by more than a day are not worth a mistake.
  [[nodiscard]] bool is_near(std::uint32_t seconds) const noexcept {
    constexpr std::int64_t kDay = 86'400;
    const std::int64_t difference = d_.packet.frame.timestamp / kNanosecondsPerSecond - std::int64_t{seconds};
    return difference <= kDay && difference >= -kDay;
  }

  /// Elements, then their length, a mark and a checksum.
  bool take_ixia() noexcept {
    if (left() < IxiaEnd::kSize) return false;
    const std::uint64_t mark = end_ - IxiaEnd::kSize;
    const IxiaEnd ixia(at(mark));
    if (ixia.mark() != ixia::kMagic || ixia.fields_length() > mark - begin_) return false;
    const std::uint64_t start = mark - ixia.fields_length();
    if (!good_checksum(bytes(start, end_))) return false;
    add(HeaderKind::kTrailer, begin_, start);
    std::uint64_t offset = start;
    while (mark - offset >= IxiaField::kSize) {
      const std::uint8_t type = *at(offset);
      const std::size_t length = IxiaField::kSize + *at(offset + 1);
      if (length > mark - offset) break;
      const bool timestamp = type >= ixia::kFirstTimestamp && type <= ixia::kLastTimestamp;
      HeaderKind kind = HeaderKind::kIxiaField;
      if (timestamp && length == IxiaTimestamp::kSize) kind = HeaderKind::kIxiaTimestamp;
      if (type == ixia::kOriginalLength && length == IxiaLength::kSize) kind = HeaderKind::kIxiaLength;
      add(kind, offset, offset + length);
      offset += length;
    }
    add(HeaderKind::kTrailer, offset, mark);
    add(HeaderKind::kIxiaEnd, mark, end_);
    return true;
  }

  /// RFC 1071; the checksum itself is the last two bytes.
  [[nodiscard]] static bool good_checksum(Bytes bytes) noexcept {
    const std::size_t covered = bytes.size() - 2;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < covered; ++i) sum += static_cast<std::uint32_t>(bytes[i] << (i % 2 == 0 ? 8 : 0));
    while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
    return (~sum & 0xFFFF) == load_bits(bytes.data(), covered * 8, 16);
  }

  bool take_metamako() noexcept {
    if (left() < MetamakoFcs::kSize + Metamako::kSize) return false;
    const std::uint64_t stamp = end_ - Metamako::kSize;
    const Metamako metamako(at(stamp));
    if (metamako.reserved() || metamako.nanoseconds() >= kNanosecondsPerSecond) return false;
    // With extensions of unknown length the device's part starts where the frame ends.
    const std::uint64_t fcs =
        metamako.extended() ? std::max<std::uint64_t>(begin_, frame_offset_ + kMinFrame) : stamp - MetamakoFcs::kSize;
    if (fcs < begin_ || fcs + MetamakoFcs::kSize > stamp) return false;
    if (!is_fcs(fcs) && !(is_near(metamako.seconds()) && all_zero(bytes(begin_, fcs)))) return false;
    add(HeaderKind::kTrailer, begin_, fcs);
    add(HeaderKind::kMetamakoFcs, fcs, fcs + MetamakoFcs::kSize);
    add(HeaderKind::kMetamakoExtensions, fcs + MetamakoFcs::kSize, stamp);
    add(HeaderKind::kMetamako, stamp, end_);
    return true;
  }

  bool take_exablaze() noexcept {
    if (left() < Exablaze::kSize) return false;
    const std::uint64_t start = end_ - Exablaze::kSize;
    const Exablaze exablaze(at(start));
    if (exablaze.reserved() != 0) return false;
    if (!is_fcs(start) && !(is_near(exablaze.seconds()) && all_zero(bytes(begin_, start)))) return false;
    add(HeaderKind::kTrailer, begin_, start);
    add(HeaderKind::kExablaze, start, end_);
    return true;
  }

  bool take_vss() noexcept {
    for (const std::size_t port : {std::size_t{1}, std::size_t{2}, std::size_t{0}}) {
      if (left() < Vss::kSize + port) continue;
      const std::uint64_t start = end_ - Vss::kSize - port;
      const Vss vss(at(start));
      if (!is_near(vss.seconds()) || vss.nanoseconds() >= kNanosecondsPerSecond) continue;
      if (!all_zero(bytes(begin_, start))) continue;
      add(HeaderKind::kTrailer, begin_, start);
      add(HeaderKind::kVss, start, start + Vss::kSize);
      if (port > 0) add(port == 1 ? HeaderKind::kVssPort : HeaderKind::kVssWidePort, start + Vss::kSize, end_);
      return true;
    }
    return false;
  }

  Dissection& d_;
  Bytes frame_;
  std::uint32_t frame_offset_;
  std::uint64_t begin_;
  std::uint64_t end_;
};

/// The Ethernet header that starts the frame, or null: the capture's link type is another.
const Layer* ethernet_of(const Packet& packet) noexcept {
  for (const Layer& layer : packet.layers()) {
    if (layer.kind == HeaderKind::kEthernet) return &layer;
    const bool erf = layer.kind == HeaderKind::kErf || layer.kind == HeaderKind::kErfExtension ||
                     layer.kind == HeaderKind::kErfEthernetPad;
    if (!erf) return nullptr;
  }
  return nullptr;
}

}  // namespace

void dissect_trailer(Dissection& d) noexcept {
  const Bytes frame = d.packet.frame.data;
  if (d.end > d.data.size()) d.stop(d.cut_by, HeaderKind::kPayload, d.left());
  // A mirrored copy that was cut may have bytes of the mirror's own frame behind it.
  const std::uint64_t begin = std::min<std::uint64_t>(d.end, d.data.size());
  if (begin == frame.size()) return;
  // The bytes of an ERF record behind its frame are padding of the record.
  const std::uint64_t end = std::min<std::uint64_t>(std::max(d.frame_end, begin), frame.size());
  const Layer* ethernet = ethernet_of(d.packet);
  if (ethernet == nullptr || d.frame_end > frame.size() || all_zero(frame.subspan(begin, end - begin))) {
    d.add(HeaderKind::kTrailer, begin, frame.size() - begin);
    return;
  }
  Tail(d, ethernet->offset, begin, end).dissect();
  if (end < frame.size()) d.add(HeaderKind::kTrailer, end, frame.size() - end);
}

}  // namespace rocescope::dissectors
