// Fuzz target: any bytes as a frame of any link type, dissected, verified, printed in every form, and reported on.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "render/packets/packet_printer.hpp"
#include "rocescope/analyze.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/icrc_verifier.hpp"
#include "rocescope/render.hpp"
#include "support/one_frame.hpp"

namespace rocescope {
namespace {

constexpr std::array kLinkTypes = {link_type::kEthernet, link_type::kRaw, link_type::kNull,       link_type::kLoop,
                                   link_type::kLinuxSll, link_type::kErf, link_type::kInfiniBand, link_type::kLinuxSll2,
                                   link_type::kIpv4,     link_type::kIpv6};

/// What must hold whatever the bytes are.
void check(const Packet& packet) {
  const auto captured = packet.frame.data.size();
  for (const Layer& layer : packet.layers()) {
    if (layer.offset > captured || layer.length > captured - layer.offset) std::abort();
  }
  const RocePacket& roce = packet.roce;
  if (packet.is_roce() && (roce.opcode == nullptr || roce.bth_offset + 12 > captured)) std::abort();
  if (packet.stop.reason == StopReason::kTruncated && packet.stop.available >= packet.stop.needed) std::abort();
}

void report(const Frame& frame, const DissectOptions& options, std::string& out) {
  testing::OneFrame source(frame,
                           {.path = "fuzz", .format = "pcapng", .interfaces = {{.name = "fuzz0"}}, .warnings = {}});
  const Report report = analyze(source, {.dissect = options});
  render::append_report_text(report, out, {.detail = true, .all = true, .color = true});
  render::append_report_json(report, out);
}

}  // namespace
}  // namespace rocescope

// The first byte chooses the link type, and whether the frame was longer on the wire; the rest is the frame.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rocescope;
  if (size == 0) return 0;
  static IcrcVerifier verifier(1024);
  static const std::array printers = {
      render::make_tree_printer({.hex_dump = true}),
      render::make_line_printer({.color = true}),
      std::move(*render::make_json_printer({}, render::JsonLayout::kLines)),
      std::move(*render::make_csv_printer({}, {})),
  };
  static std::string out;

  const Bytes bytes(data + 1, size - 1);
  Packet packet;
  const auto original = static_cast<std::uint32_t>(bytes.size() + ((data[0] & 0x80U) != 0 ? 100 : 0));
  const CaptureInterface interface { .name = "fuzz0" };
  const Frame frame{
      .data = bytes, .original_length = original, .link_type = kLinkTypes[(data[0] & 0x3FU) % kLinkTypes.size()]};
  const DissectOptions options{.reliable_datagram = (data[0] & 0x40U) != 0};
  dissect(frame, packet, options);
  check(packet);
  const IcrcVerifier::Verdict verdict = verifier.verify(packet);
  const PacketRecord record{
      .packet = &packet, .interface = &interface, .icrc = verdict.icrc, .true_source_port = verdict.true_source_port};
  // The tree, and one other form in turn: all of them each time would be five times slower.
  static std::size_t turn = 0;
  out.clear();
  printers[0]->packet(record, out);
  out.clear();
  const std::size_t form = 1 + turn++ % printers.size();
  if (form < printers.size()) {
    printers[form]->packet(record, out);
  } else {
    report(frame, options, out);
  }
  return 0;
}
