// sFlow version 5: packets that switches sample. A frame gives one packet: the first sample with a raw header. The datagram
// has the number of samples.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/mirrors.hpp"

namespace rocescope::dissectors {
namespace {

constexpr std::uint32_t kVersion = 5;
constexpr std::uint32_t kIpv4Agent = 1;
constexpr std::uint32_t kIpv6Agent = 2;
constexpr std::uint32_t kRawHeaderRecord = 1;
constexpr std::uint32_t kStandard = 0;  ///< enterprise

/// Holds the dissection inside the next `length` bytes of the enclosing structure, and moves it behind them in the end.
class Section {
 public:
  Section(Dissection& d, HeaderKind kind, std::uint32_t length) noexcept
      : d_(d), kind_(kind), outer_end_(d.end), section_end_(std::uint64_t{d.offset} + length) {
    d.narrow(section_end_, kind);
  }
  /// False, and noted, when the section reaches beyond its enclosing structure or was cut.
  [[nodiscard]] bool leave() noexcept {
    if (d_.packet.stop.reason != StopReason::kNone) return false;
    const bool all_here = d_.need(kind_, section_end_ - d_.offset);
    d_.offset = static_cast<std::uint32_t>(section_end_);
    d_.end = outer_end_;
    return all_here;
  }

 private:
  Dissection& d_;
  HeaderKind kind_;
  std::uint64_t outer_end_;
  std::uint64_t section_end_;
};

enum class Found : bool { kNo, kYes };

/// The sampled packet. It ends with the sampled header.
void dissect_raw_header(Dissection& d) noexcept {
  constexpr std::uint32_t kEthernet = 1;
  constexpr std::uint32_t kIpv4 = 11;
  constexpr std::uint32_t kIpv6 = 12;
  const auto raw = d.take<SflowRawHeader>();
  if (!raw) return;
  d.narrow(std::uint64_t{d.offset} + raw->header_length(), HeaderKind::kSflowRawHeader);
  if (d.packet.stop.reason != StopReason::kNone) return;
  d.enter_cut_packet();
  switch (raw->protocol()) {
    case kEthernet:
      return dissect_ethernet(d);
    case kIpv4:
      return dissect_ipv4(d);
    case kIpv6:
      return dissect_ipv6(d);
    default:
      return;
  }
}

/// Walks the records of a flow sample up to a raw packet header.
Found dissect_records(Dissection& d, std::uint32_t count) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto record = d.take<SflowRecord>();
    if (!record) return Found::kNo;
    Section section(d, HeaderKind::kSflowRecord, record->length());
    if (record->enterprise() == kStandard && record->format() == kRawHeaderRecord) {
      dissect_raw_header(d);
      return Found::kYes;
    }
    if (!section.leave()) return Found::kNo;
  }
  return Found::kNo;
}

Found dissect_sample(Dissection& d, const SflowSample& sample) noexcept {
  if (sample.enterprise() != kStandard) return Found::kNo;
  if (sample.format() == sflow_sample::kFlow) {
    const auto flow = d.take<SflowFlow>();
    return flow ? dissect_records(d, flow->record_count()) : Found::kNo;
  }
  if (sample.format() == sflow_sample::kExpandedFlow) {
    const auto flow = d.take<SflowExpandedFlow>();
    return flow ? dissect_records(d, flow->record_count()) : Found::kNo;
  }
  return Found::kNo;
}

void dissect_samples(Dissection& d, std::uint32_t count) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto sample = d.take<SflowSample>();
    if (!sample) return;
    Section section(d, HeaderKind::kSflowSample, sample->length());
    if (dissect_sample(d, *sample) == Found::kYes || !section.leave()) return;
  }
}

}  // namespace

void dissect_sflow(Dissection& d) noexcept {
  if (!d.need(HeaderKind::kSflow, 8)) return;
  const std::uint8_t* first = d.data.data() + d.offset;
  if (load_bits(first, 0, 32) != kVersion) return;  // the versions before 5 are history
  const Bytes datagram = d.data;
  const std::uint64_t end = d.end;
  switch (load_bits(first, 32, 32)) {
    case kIpv4Agent:
      if (const auto sflow = d.take<Sflow>()) dissect_samples(d, sflow->sample_count());
      break;
    case kIpv6Agent:
      if (const auto sflow = d.take<SflowV6>()) dissect_samples(d, sflow->sample_count());
      break;
    default:
      return d.stop(StopReason::kMalformed, HeaderKind::kSflow, Sflow::kSize);
  }
  // The bytes after the sampled packet are not read, but belong to the datagram.
  d.data = datagram;
  d.end = end;
}

}  // namespace rocescope::dissectors
