#include "ladder/command_mark.hpp"

#include "ladder/protocol_marks.hpp"
#include "rocescope/headers/nvme/commands.hpp"
#include "rocescope/headers/nvme/fabrics.hpp"

namespace rocescope {
namespace {

template <class H>
std::optional<CommandMark> response_of(const Packet& packet, bool fabrics) {
  const auto header = packet.header<H>();
  if (!header) return std::nullopt;
  CommandMark mark{.is_response = true, .id = header->template get<"nvme.cqe.cid">()};
  mark.status = static_cast<std::uint16_t>(header->template get<"rocescope.nvme.status">());
  mark.status_name = nvme_status_name(mark.status, fabrics);
  return mark;
}

template <class H>
std::optional<CommandMark> command_of(const Packet& packet, std::span<const ValueName> names) {
  const auto header = packet.header<H>();
  if (!header) return std::nullopt;
  CommandMark mark{.id = header->template get<"nvme.cmd.cid">()};
  mark.opcode = header->template get<"nvme.cmd.opc">();
  mark.operation = name_of(names, mark.opcode);
  mark.unit = header->template get<"nvme.cmd.nsid">();
  return mark;
}

template <class H>
std::optional<CommandMark> fabrics_of(const Packet& packet) {
  const auto header = packet.header<H>();
  if (!header) return std::nullopt;
  CommandMark mark{.id = header->template get<"nvme.fabrics.cmd.cid">()};
  mark.opcode = kNvmeFabricsOpcode;
  mark.operation = name_of(kNvmeFabricsNames, header->template get<"nvme.fabrics.cmd.fctype">());
  return mark;
}

/// Makes a mark with what the command asks for.
template <FieldName field, class H>
std::optional<CommandMark> detailed(const Packet& packet, std::span<const ValueName> names) {
  auto mark = command_of<H>(packet, kNvmeAdminOpcodeNames);
  if (mark) mark->detail = name_of(names, packet.header<H>()->template get<field>());
  return mark;
}

std::optional<CommandMark> nvme_mark(const Packet& packet) {
  if (auto mark = command_of<NvmeReadWrite>(packet, kNvmeIoOpcodeNames)) {
    const auto header = packet.header<NvmeReadWrite>();
    mark->first_block = header->get<"nvme.cmd.slba">();
    mark->blocks = header->get<"nvme.cmd.nlb">() + 1U;
    return mark;
  }
  if (auto mark = response_of<NvmeCompletion>(packet, false)) return mark;
  if (auto mark = command_of<NvmeIoCommand>(packet, kNvmeIoOpcodeNames)) return mark;
  if (auto mark = command_of<NvmeAdminCommand>(packet, kNvmeAdminOpcodeNames)) return mark;
  if (auto mark = detailed<"nvme.cmd.identify.dword10.cns", NvmeIdentify>(packet, kNvmeIdentifyNames)) return mark;
  if (auto mark = detailed<"nvme.cmd.get_logpage.dword10.id", NvmeGetLogPage>(packet, kNvmeLogPageNames)) return mark;
  if (auto mark = detailed<"rocescope.nvme.cmd.features.fid", NvmeFeatures>(packet, kNvmeFeatureNames)) return mark;
  if (auto mark = fabrics_of<NvmeConnect>(packet)) return mark;
  if (auto mark = fabrics_of<NvmeProperty>(packet)) {
    mark->detail =
        name_of(kNvmePropertyNames, packet.header<NvmeProperty>()->get<"nvme.fabrics.cmd.prop_get_set.offset">());
    return mark;
  }
  if (auto mark = fabrics_of<NvmeAuthentication>(packet)) return mark;
  if (auto mark = fabrics_of<NvmeFabricsCommand>(packet)) return mark;
  if (auto mark = response_of<NvmeConnectCompletion>(packet, true)) return mark;
  if (auto mark = response_of<NvmePropertySetCompletion>(packet, true)) return mark;
  return response_of<NvmePropertyCompletion>(packet, true);
}

}  // namespace

std::optional<CommandMark> command_mark(const Packet& packet) {
  if (auto mark = nvme_mark(packet)) return mark;
  if (auto mark = iser_mark(packet)) return mark;
  if (auto mark = srp_mark(packet)) return mark;
  if (auto mark = smb_mark(packet)) return mark;
  if (auto mark = rds_mark(packet)) return mark;
  if (auto mark = rsockets_mark(packet)) return mark;
  if (auto mark = rtrs_mark(packet)) return mark;
  return nfs_mark(packet);
}

}  // namespace rocescope
