#include "render/report/interface_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "render/json_writer.hpp"
#include "render/report/report_table.hpp"

namespace rocescope::render {
namespace {

/// libpcap knows none of RDMA devices.
std::string state(const LiveDevice& device) {
  if (device.is_rdma_device) return {};
  if (!device.up) return "down";
  return device.running ? "up" : "no link";
}

void write_names(std::string_view key, const std::vector<std::string>& names, JsonWriter& json) {
  json.open_array(key);
  for (const std::string& name : names) json.string(name);
  json.close_array();
}

constexpr std::string_view kPage = "rocescope-capture(7)";

/// What vendors say of capturing on the host; the page has their words' sources.
struct DriverAdvice {
  std::string_view driver;
  std::string_view text;
};
constexpr DriverAdvice kDriverAdvice[] = {
    {"mlx5_core", "Else ibdump, or, with MLNX_OFED before 5.1, ethtool --set-priv-flags {0} sniffer on"},
    {"mlx4_core", "Else ibdump"},
    {"bnxt_en", "The sniffer needs the kernel and rdma-core of late 2025 or newer"},
    {"ice", "Intel names no way on the host, only port mirrors and analysers in the cable"},
};

std::string_view advice_of(std::string_view driver) {
  for (const DriverAdvice& each : kDriverAdvice) {
    if (each.driver == driver) return each.text;
  }
  return {};
}

bool is_listed(std::span<const LiveDevice> devices, const std::string& name) {
  return std::any_of(devices.begin(), devices.end(), [&](const LiveDevice& each) { return each.name == name; });
}

/// On which of the RDMA devices of `device` to capture instead.
std::string instead(const LiveDevice& device, std::span<const LiveDevice> devices) {
  std::string names;
  for (const std::string& rdma : device.rdma_devices) {
    if (is_listed(devices, rdma)) names += (names.empty() ? "-i " : " -i ") + rdma;
  }
  if (names.empty()) return "This libpcap has no RDMA sniffer: mirror the port of the switch, or use another libpcap";
  return "Capture with " + names;
}

/// How RoCE comes to a capture on `device`; empty: nothing is known of it.
std::string way_of_roce(const LiveDevice& device, std::span<const LiveDevice> devices) {
  const std::string rdma = fmt::format("{}", fmt::join(device.rdma_devices, ", "));
  if (device.is_rdma_device) {
    return "copies by libpcap's RDMA sniffer: time stamps in us, and it does not count what it drops";
  }
  if (device.roce == RoceWay::kKernel) return fmt::format("captures see RoCE of {}, which is software", rdma);
  if (device.roce == RoceWay::kNone) return {};
  const std::string more = fmt::format(fmt::runtime(advice_of(device.rdma_driver)), device.name);
  return fmt::format("captures do not see RoCE of {}: hardware bypasses the kernel. {}{}{}", rdma,
                     instead(device, devices), more.empty() ? "" : ". ", more);
}

/// What of the manual page holds here.
void append_ways(std::span<const LiveDevice> devices, std::string& out) {
  out += fmt::format("\nWhere RoCE is seen, see {}:\n", kPage);
  bool any = false;
  for (const LiveDevice& device : devices) {
    const std::string way = way_of_roce(device, devices);
    if (!way.empty()) out += fmt::format("  {}: {}\n", device.name, way);
    any = any || !way.empty();
  }
  if (!any)
    out += "  no RDMA device here: only RoCE of guests and containers, and what a port mirror or a tap brings\n";
}

void append_problems(std::span<const LiveDevice> devices, std::string& out) {
  bool any = false;
  for (const LiveDevice& device : devices) {
    if (device.problem.empty()) continue;
    if (!any) out += "\nNot now:\n";
    any = true;
    out += fmt::format("  {}\n", device.problem);
  }
}

std::string_view name_of(RoceWay way) { return way == RoceWay::kKernel ? "kernel" : "hardware"; }

}  // namespace

void append_interfaces_text(std::span<const LiveDevice> devices, std::string& out) {
  if (devices.empty()) {
    out += "no interfaces\n";
    return;
  }
  ReportTable table({{"interface"}, {"state"}, {"RDMA"}, {"link type"}, {"time stamps"}, {"description"}});
  for (const LiveDevice& device : devices) {
    table.row({device.name, state(device), fmt::format("{}", fmt::join(device.rdma_devices, ", ")), device.link_type,
               fmt::format("{}", fmt::join(device.time_stamp_types, ", ")), device.description});
  }
  table.append_to(out);
  append_problems(devices, out);
  append_ways(devices, out);
}

void append_interfaces_json(std::span<const LiveDevice> devices, std::string& out) {
  JsonWriter json(out);
  json.open_object();
  json.string("type", "interfaces");
  json.number("schema", kInterfacesSchema);
  json.open_array("interfaces");
  for (const LiveDevice& device : devices) {
    json.open_object();
    json.string("name", device.name);
    if (!device.description.empty()) json.string("description", device.description);
    json.boolean("up", device.up);
    json.boolean("running", device.running);
    if (!device.link_type.empty()) json.string("link_type", device.link_type);
    write_names("time_stamp_types", device.time_stamp_types, json);
    write_names("rdma_devices", device.rdma_devices, json);
    if (device.roce != RoceWay::kNone) json.string("roce", name_of(device.roce));
    json.boolean("is_rdma_device", device.is_rdma_device);
    if (!device.rdma_driver.empty()) json.string("rdma_driver", device.rdma_driver);
    json.boolean("capturable", device.problem.empty());
    if (!device.problem.empty()) json.string("problem", device.problem);
    json.close_object();
  }
  json.close_array();
  json.close_object();
  out += '\n';
}

std::string_view interfaces_json_documentation() noexcept {
  return R"(One object.

  type, schema      "interfaces", 1
  interfaces        array, one object an interface: name, description, up,
                    running (it has a link), link_type and
                    time_stamp_types (an array) by libpcap's names,
                    rdma_devices (an array of names), roce ("kernel": a
                    capture sees their packets; "hardware": it does not;
                    absent without them), is_rdma_device, rdma_driver,
                    capturable, and problem where it is not)";
}

}  // namespace rocescope::render
