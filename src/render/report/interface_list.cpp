#include "render/report/interface_list.hpp"

#include <fmt/format.h>

#include <vector>

#include "render/json_writer.hpp"
#include "render/report/report_table.hpp"

namespace rocescope::render {
namespace {

std::string state(const LiveDevice& device) {
  if (!device.up) return "down";
  return device.running ? "up" : "no link";
}

void write_names(std::string_view key, const std::vector<std::string>& names, JsonWriter& json) {
  json.open_array(key);
  for (const std::string& name : names) json.string(name);
  json.close_array();
}

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
  bool any = false;
  for (const LiveDevice& device : devices) {
    if (device.problem.empty()) continue;
    if (!any) out += "\nNot now:\n";
    any = true;
    out += fmt::format("  {}\n", device.problem);
  }
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
                    rdma_devices (an array of names), capturable, and
                    problem where it is not)";
}

}  // namespace rocescope::render
