// -V: every layer with every field.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fields/packet_fields.hpp"
#include "render/packets/hex_dump.hpp"
#include "render/packets/packet_notes.hpp"
#include "render/packets/packet_printer.hpp"
#include "render/style.hpp"
#include "render/value_text.hpp"
#include "rocescope/text.hpp"
#include "text/append.hpp"

namespace rocescope::render {
namespace {

/// Where a field's name starts in its line, after the label and the value with its meaning.
constexpr std::size_t kNameColumn = 80;

std::size_t label_width(const Field& field) { return field.label.size() + 2U * field.depth; }

void pad_to(std::size_t column, std::size_t line_start, std::string& out) {
  const std::size_t length = out.size() - line_start;
  out.append(length < column ? column - length : 0, ' ');
}

class TreePrinter : public PacketPrinter {
 public:
  explicit TreePrinter(const TextOptions& options) : options_(options) {
    for (const HeaderInfo& header : all_headers()) {
      std::size_t& width = label_widths_.emplace_back(0);
      for (const Field& field : header.fields) width = std::max(width, label_width(field));
    }
    for (const fields::PacketField& candidate : fields::packet_fields()) {
      packet_label_width_ = std::max(packet_label_width_, label_width(candidate.field));
    }
  }

  void packet(const PacketRecord& record, std::string& out) override {
    const Packet& packet = *record.packet;
    append_frame(record, out);
    for (const Layer& layer : packet.layers()) append_layer(record, layer, out);
    if (packet.partial.kind != HeaderKind::kNone) append_layer(record, packet.partial, out);
    append_verdict(record, out);
    out += '\n';
    if (options_.hex_dump) append_hex_dump(packet.frame.data, out);
  }

 private:
  void append_frame(const PacketRecord& record, std::string& out) const {
    const Frame& frame = record.packet->frame;
    {
      const Toned toned(Tone::kTitle, options_.color, out);
      text::append(out, "Frame {}", frame.number);
    }
    text::append(out, ": {} bytes on the wire, {} captured\n", frame.original_length, frame.data.size());
    append_packet_fields(record, "frame.", out);
  }

  /// The fields of the packet as a whole whose names start with `prefix`.
  void append_packet_fields(const PacketRecord& record, std::string_view prefix, std::string& out) const {
    for (const fields::PacketField& candidate : fields::packet_fields()) {
      FieldValue value;
      value.field = &candidate.field;
      if (!candidate.field.name.starts_with(prefix) || !candidate.read(record, value)) continue;
      append_field(value, packet_label_width_, 0, false, out);
    }
  }

  void append_layer(const PacketRecord& record, const Layer& layer, std::string& out) const {
    const HeaderInfo& info = header_info(layer.kind);
    const std::size_t indent = info.continues ? 2 : 0;
    const std::size_t width = label_widths_[static_cast<std::size_t>(layer.kind) - 1];
    std::uint32_t shown = UINT32_MAX;
    for_each_field(*record.packet, layer, [&](const Layer& header, const FieldValue& value) {
      if (header.offset != shown) append_title(info, header, indent, out);
      shown = header.offset;
      const bool has_parts = value.field != &info.fields.back() && (value.field + 1)->depth > value.field->depth;
      append_field(value, width, indent, has_parts, out);
    });
    if (shown == UINT32_MAX) append_title(info, layer, indent, out);
    if (layer.kind == HeaderKind::kIcrc) append_icrc(record, out);
  }

  void append_title(const HeaderInfo& info, const Layer& header, std::size_t indent, std::string& out) const {
    out.append(indent, ' ');
    {
      const Toned toned(Tone::kTitle, options_.color, out);
      out += info.title;
    }
    text::append(out, ": {} {} at {}, {}\n", header.length, text::plural(header.length, "byte", "bytes"), header.offset,
                 info.reference);
  }

  void append_field(const FieldValue& value, std::size_t width, std::size_t indent, bool has_parts,
                    std::string& out) const {
    const Field& field = *value.field;
    const std::size_t start = out.size();
    out.append(indent + 2 + 2U * field.depth, ' ');
    out += field.label;
    pad_to(indent + 2 + width + 2, start, out);
    if (has_parts && field.type == FieldType::kBytes) {
      text::append(out, "{} bytes", value.bytes.size());
    } else {
      append_value_and_meaning(value, out);
    }
    pad_to(kNameColumn, start, out);
    out += "  ";
    {
      const Toned toned(Tone::kDim, options_.color, out);
      out += field.name;
    }
    out += '\n';
  }

  /// The result of checking the ICRC, behind its field.
  void append_icrc(const PacketRecord& record, std::string& out) const {
    const IcrcCheck& icrc = record.icrc;
    if (icrc.status == IcrcStatus::kGood && record.true_source_port) {
      append_remark(Tone::kWarning, out, "  [good for UDP source port {}, which the capture rewrote]",
                    *record.true_source_port);
    } else if (icrc.status == IcrcStatus::kGood) {
      append_remark(Tone::kGood, out, "  [good]");
    } else if (icrc.status == IcrcStatus::kBad) {
      append_remark(Tone::kError, out, "  [bad: {:#010x} would be right]", icrc.expected);
    }
  }

  /// A line that is not a field.
  template <class... Values>
  void append_remark(Tone tone, std::string& out, fmt::format_string<Values...> format, Values&&... values) const {
    {
      const Toned toned(tone, options_.color, out);
      text::append(out, format, std::forward<Values>(values)...);
    }
    out += '\n';
  }

  /// What belongs to no header: why dissection ended, the ICRC of a packet without one, and the fields that rocescope derives.
  void append_verdict(const PacketRecord& record, std::string& out) const {
    const Packet& packet = *record.packet;
    if (packet.stop.reason != StopReason::kNone) {
      const Toned toned(packet.stop.reason == StopReason::kMalformed ? Tone::kError : Tone::kWarning, options_.color,
                        out);
      out += '[';
      append_stop(packet.stop, out);
      out += "]\n";
    }
    if (record.icrc.status == IcrcStatus::kUnverifiable) {
      append_remark(Tone::kWarning, out, "[the ICRC cannot be verified: {}]", to_string(record.icrc.obstacle));
    }
    append_remark(Tone::kTitle, out, "Derived");
    append_packet_fields(record, "rocescope.", out);
  }

  TextOptions options_;
  std::vector<std::size_t> label_widths_;  ///< by HeaderKind - 1
  std::size_t packet_label_width_ = 0;
};

}  // namespace

std::unique_ptr<PacketPrinter> make_tree_printer(const TextOptions& options) {
  return std::make_unique<TreePrinter>(options);
}

}  // namespace rocescope::render
