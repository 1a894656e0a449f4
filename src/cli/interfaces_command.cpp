// `rocescope interfaces`: what can be captured.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/general_options.hpp"
#include "render/report/interface_list.hpp"
#include "rocescope/live.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kInterfacesJson{.name = "json", .help = "as one JSON document"};
constexpr Option kInterfacesNames{.name = "names", .help = "for scripts: only the names, one per line"};

Result<ExitCode> run_interfaces(Invocation& invocation) {
  const Result<std::vector<LiveDevice>> devices = live_devices();
  if (!devices) return devices.error();
  std::string& out = invocation.output.text();
  if (invocation.arguments.has(kInterfacesNames)) {
    for (const LiveDevice& device : *devices) out += fmt::format("{}\n", device.name);
  } else if (invocation.arguments.has(kInterfacesJson)) {
    render::append_interfaces_json(*devices, out);
  } else {
    render::append_interfaces_text(*devices, out);
  }
  return ExitCode::kDone;
}

constexpr Example kInterfacesExamples[] = {
    {"rocescope interfaces", "all of them, and why some cannot be captured on"},
    {"rocescope interfaces --json | jq -r '.interfaces[].name'", "their names"},
};
constexpr const Option* kInterfacesGeneral[] = {&kInterfacesJson, &kInterfacesNames, &kHelp};
constexpr OptionGroup kInterfacesOptions[] = {{"Options", kInterfacesGeneral}};

std::span<const Section> interfaces_sections() {
  static const Section kSections[] = {
      {"OUTPUT", R"(
A line for each interface that `rocescope live -i` may name: whether it is up and has a link, its link type and the
time stamps that it offers, by libpcap's names, and the RDMA devices that send through it. If `live` cannot
capture on it, the lines below say why and what helps. To find out, each interface is opened for a moment.

The last lines say where RoCE is seen on this machine, and where not: RDMA hardware bypasses the kernel, and captures
with it. rocescope-capture(7) has the ways around that, and what each of them lacks.)"},
      {"JSON", render::interfaces_json_documentation()},
  };
  return kSections;
}

}  // namespace

const Command& interfaces_command() {
  static const Command kCommand{
      .name = "interfaces",
      .summary = "list the interfaces that live can capture on",
      .examples = kInterfacesExamples,
      .options = kInterfacesOptions,
      .sections = interfaces_sections(),
      .run = run_interfaces,
  };
  return kCommand;
}

}  // namespace rocescope::cli
