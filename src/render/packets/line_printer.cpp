// One line a packet.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "render/packets/hex_dump.hpp"
#include "render/packets/notes.hpp"
#include "render/packets/other_packet.hpp"
#include "render/packets/packet_notes.hpp"
#include "render/packets/packet_printer.hpp"
#include "render/time_column.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/text.hpp"
#include "text/append.hpp"

namespace rocescope::render {
namespace {

/// A column as wide as the widest RoCE packet so far: captures of one pair of hosts come out aligned and narrow, and other
/// hosts' multicasts do not widen it.
class GrowingColumn {
 public:
  GrowingColumn(std::size_t width, std::size_t limit) : width_(width), limit_(limit) {}

  void grow(std::size_t length) { width_ = std::max(width_, std::min(length, limit_)); }
  [[nodiscard]] std::size_t width() const { return width_; }
  /// Spaces that pad text of `length`.
  [[nodiscard]] std::size_t missing(std::size_t length) const { return width_ - std::min(width_, length); }

 private:
  std::size_t width_;
  std::size_t limit_;
};

class LinePrinter : public PacketPrinter {
 public:
  explicit LinePrinter(const TextOptions& options) : options_(options), time_(options.time) {}

  void packet(const PacketRecord& record, std::string& out) override {
    const Packet& packet = *record.packet;
    text::append(out, "{:>5} ", packet.frame.number);
    time_.append(record, out);
    out += "  ";
    append_addresses(packet, out);
    packet.is_roce() ? append_roce(packet, out) : append_other(packet, out);
    text::append(out, "  {:>4} B", packet.frame.original_length);
    append_notes(record, out);
    out += '\n';
    if (options_.hex_dump) append_hex_dump(packet.frame.data, out);
  }

  [[nodiscard]] RecordParts parts() const override { return kVerdictPart; }

 private:
  static constexpr std::size_t kQueuePairAndPsn = sizeof("  QP 0x000000  PSN 16777215") - 1;

  /// An end of the packet: its IP address, GID or LID; where there is none, the MAC address.
  template <auto Mac>
  static void append_end(const Packet& packet, const IpAddress& address, std::string& out) {
    const bool has_addresses = !packet.source.empty() || !packet.destination.empty();
    if (const auto ethernet = packet.header<Ethernet>(); ethernet && !has_addresses) {
      append_mac(((*ethernet).*Mac)(), out);
    } else if (has_addresses) {
      append_address(address, out);
    } else {
      out += '-';
    }
  }

  void append_addresses(const Packet& packet, std::string& out) {
    const std::size_t source = out.size();
    append_end<&Ethernet::source>(packet, packet.source, out);
    if (packet.is_roce()) source_.grow(out.size() - source);
    out.insert(source, source_.missing(out.size() - source), ' ');
    out += " > ";
    const std::size_t destination = out.size();
    append_end<&Ethernet::destination>(packet, packet.destination, out);
    pad(destination_, destination, packet.is_roce(), out);
    out += "  ";
  }

  void append_roce(const Packet& packet, std::string& out) {
    const RocePacket& roce = packet.roce;
    const std::size_t operation = out.size();
    out += roce.opcode->name();
    pad(operation_, operation, true, out);
    text::append(out, "  QP {}  PSN {:<8}", to_text(roce.dest_qp), roce.psn.value());
  }

  void append_other(const Packet& packet, std::string& out) const {
    const std::size_t start = out.size();
    append_protocol(packet, out);
    const std::size_t room = operation_.width() + kQueuePairAndPsn;
    out.append(room - std::min(room, out.size() - start), ' ');
  }

  void append_notes(const PacketRecord& record, std::string& out) const {
    const std::size_t start = out.size();
    out += "  ";
    Notes notes(options_.color, out);
    record.packet->is_roce() ? add_operation_notes(*record.packet, notes) : add_other_notes(*record.packet, notes);
    add_journey_notes(record, notes);
    if (out.size() == start + 2) out.resize(start);
  }

  static void pad(GrowingColumn& column, std::size_t start, bool grow, std::string& out) {
    const std::size_t length = out.size() - start;
    if (grow) column.grow(length);
    out.append(column.missing(length), ' ');
  }

  TextOptions options_;
  TimeColumn time_;
  GrowingColumn source_{12, 39};
  GrowingColumn destination_{12, 39};
  GrowingColumn operation_{26, 34};
};

}  // namespace

std::unique_ptr<PacketPrinter> make_line_printer(const TextOptions& options) {
  return std::make_unique<LinePrinter>(options);
}

}  // namespace rocescope::render
