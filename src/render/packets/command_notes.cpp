#include "render/packets/command_notes.hpp"

#include <fmt/format.h>

#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

std::string nfs_text(const CommandMark& mark) {
  if (mark.is_response) {
    std::string text = fmt::format("NFS reply to {:#010x}", mark.id);
    if (mark.status == 0) return text;
    return text +
           (mark.status_name.empty() ? fmt::format(": status {}", mark.status) : fmt::format(": {}", mark.status_name));
  }
  std::string text =
      mark.operation.empty() ? fmt::format("NFS procedure {}", mark.opcode) : fmt::format("NFS {}", mark.operation);
  text += fmt::format(" {:#010x}", mark.id);
  if (!mark.detail.empty()) text += fmt::format(", {}", mark.detail);
  if (mark.offset) text += fmt::format(", {} bytes at {}", mark.bytes, *mark.offset);
  return text;
}

/// Of iSER and SRP. `width`: of an ID.
std::string scsi_text(const CommandMark& mark, std::string_view protocol, int width) {
  const std::string id = mark.id_is_cut ? ", tag not captured" : fmt::format(" {:#0{}x}", mark.id, width);
  if (mark.is_response) {
    std::string text = fmt::format("{} {}{}{}", protocol, mark.operation, mark.id_is_cut ? "" : " to", id);
    if (mark.status == 0) return text;
    text +=
        mark.status_name.empty() ? fmt::format(": status {:#x}", mark.status) : fmt::format(": {}", mark.status_name);
    return mark.detail.empty() ? text : text + fmt::format(" ({})", mark.detail);
  }
  std::string text = mark.operation.empty() ? fmt::format("SCSI operation {:#04x}", mark.opcode)
                                            : fmt::format("{} {}", protocol, mark.operation);
  text += id;
  if (!mark.detail.empty()) text += fmt::format(", {}", mark.detail);
  if (mark.unit) text += fmt::format(", LUN {}", *mark.unit);
  if (mark.first_block) text += fmt::format(", LBA {} + {}", *mark.first_block, mark.blocks);
  return text;
}

std::string smb_text(const CommandMark& mark) {
  if (mark.is_response) {
    std::string text = fmt::format("SMB {} response to {}", mark.operation, mark.id);
    if (mark.status_name.empty()) return text + fmt::format(": status {:#010x}", mark.status);
    return mark.status_name == "STATUS_SUCCESS" ? text : text + fmt::format(": {}", mark.status_name);
  }
  std::string text = fmt::format("SMB {} {}", mark.operation, mark.id);
  if (mark.offset && mark.size_is_cut) return text + fmt::format(", at {}", *mark.offset);
  if (mark.offset) text += fmt::format(", {} bytes at {}", mark.bytes, *mark.offset);
  return text;
}

std::string rds_text(const CommandMark& mark) {
  if (mark.is_response) return fmt::format("RDS ACK of {}", mark.id);
  if (mark.operation.empty())
    return fmt::format("RDS datagram {} to port {}, {} bytes", mark.id, *mark.unit, mark.bytes);
  return fmt::format("RDS {}", mark.operation);
}

std::string rsockets_text(const CommandMark& mark) {
  if (mark.operation.empty()) return fmt::format("rsockets operation {}", mark.opcode);
  if (mark.operation == "Data") return fmt::format("rsockets data, {} bytes", mark.bytes);
  if (mark.bytes != 0) return fmt::format("rsockets {} up to {}", mark.operation, mark.bytes);
  return fmt::format("rsockets {}", mark.operation);
}

std::string rtrs_text(const CommandMark& mark) {
  if (mark.operation.empty()) return fmt::format("RTRS immediate type {}", mark.opcode);
  if (mark.is_response) {
    std::string text = fmt::format("RTRS {} of buffer {}", mark.operation, mark.id);
    if (mark.status == 0) return text;
    return text +
           (mark.status_name.empty() ? fmt::format(": error {}", mark.status) : fmt::format(": {}", mark.status_name));
  }
  if (mark.detail.empty()) return fmt::format("RTRS {}", mark.operation);
  return fmt::format("RNBD {}, device {}, {} bytes at sector {}", mark.detail, *mark.unit, mark.bytes,
                     *mark.first_block);
}

}  // namespace

std::string command_text(const CommandMark& mark) {
  if (mark.protocol == UpperProtocol::kNfs) return nfs_text(mark);
  if (mark.protocol == UpperProtocol::kIser) return scsi_text(mark, "iSCSI", 10);
  if (mark.protocol == UpperProtocol::kSrp) return scsi_text(mark, "SRP", 18);
  if (mark.protocol == UpperProtocol::kSmbDirect) return smb_text(mark);
  if (mark.protocol == UpperProtocol::kRds) return rds_text(mark);
  if (mark.protocol == UpperProtocol::kRsockets) return rsockets_text(mark);
  if (mark.protocol == UpperProtocol::kRtrs) return rtrs_text(mark);
  if (mark.is_response) {
    std::string text = fmt::format("NVMe response to {:#06x}", mark.id);
    if (mark.status == 0) return text;
    return text + (mark.status_name.empty() ? fmt::format(": status {:#05x}", mark.status)
                                            : fmt::format(": {}", mark.status_name));
  }
  std::string text =
      mark.operation.empty() ? fmt::format("NVMe opcode {:#04x}", mark.opcode) : fmt::format("NVMe {}", mark.operation);
  text += fmt::format(" {:#06x}", mark.id);
  if (!mark.detail.empty()) text += fmt::format(", {}", mark.detail);
  if (mark.unit && *mark.unit != 0) text += fmt::format(", NSID {}", *mark.unit);
  if (mark.first_block) text += fmt::format(", LBA {} + {}", *mark.first_block, mark.blocks);
  return text;
}

std::string took_text(const CommandTimes& times, std::uint64_t resent) {
  std::string text = fmt::format("{} (", text::duration(times.total));
  if (!times.place_is_cut) text += fmt::format("{} target", text::duration(times.target));
  if (times.unknown > 0 || times.place_is_cut)
    text += fmt::format("{}{} unknown", times.place_is_cut ? "" : ", ", text::duration(times.unknown));
  if (resent > 0)
    text += fmt::format(", {}{} resent", times.place_is_cut ? "at least " : "", text::count(resent, "message"));
  return text + ")";
}

void add_command_notes(const Packet& packet, Notes& notes) {
  const auto mark = command_mark(packet);
  if (mark) notes.add(mark->status != 0 ? Tone::kError : Tone::kPlain, "{}", command_text(*mark));
  if (packet.find(HeaderKind::kSmbTransform) != nullptr) notes.add(Tone::kPlain, "SMB, encrypted");
  if (packet.find(HeaderKind::kSmbCompression) != nullptr) notes.add(Tone::kPlain, "SMB, compressed");
}

}  // namespace rocescope::render
