// `rocescope wireshark`: a profile for Wireshark, and interfaces.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/general_options.hpp"
#include "cli/wireshark_profile.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kInstall{.name = "install-profile",
                          .help = "install the profile RoCE",
                          .more = "One that is there stays if somebody made or changed it."};
constexpr Option kRemove{.name = "remove-profile", .help = "remove it again"};

constexpr Option kInstallExtcap{.name = "install-extcap",
                                .help = "let Wireshark capture RoCE on other hosts and RDMA devices",
                                .more = "INTERFACES below says how."};
constexpr Option kRemoveExtcap{.name = "remove-extcap", .help = "remove that again"};

Result<std::string> change_profile(bool install) {
  const std::filesystem::path folder = wireshark_folder();
  if (folder.empty()) return Error{"HOME is not set: it is not known where Wireshark keeps profiles"};
  const Result<std::filesystem::path> profile = install ? install_profile(folder) : remove_profile(folder);
  if (!profile) return profile.error();
  if (!install) return fmt::format("removed {}\n", profile->string());
  return fmt::format("installed {}\nTo use it: wireshark -C {}\n", profile->string(), kProfileName);
}

Result<std::string> change_extcap(bool install) {
  const Result<std::vector<std::filesystem::path>> scripts = install ? install_extcap() : remove_extcap();
  if (!scripts) return scripts.error();
  std::string text;
  for (const auto& script : *scripts)
    text += fmt::format("{} {}\n", install ? "installed" : "removed", script.string());
  if (install) text += "To see the interfaces: tshark -D\n";
  return text;
}

Result<ExitCode> run_wireshark(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const Option* asked = nullptr;
  for (const Option* option : {&kInstall, &kRemove, &kInstallExtcap, &kRemoveExtcap}) {
    if (!arguments.has(*option)) continue;
    if (asked != nullptr) return Error{fmt::format("--{} and --{} exclude each other", asked->name, option->name)};
    asked = option;
  }
  if (asked == nullptr) {
    return Error{"what to install or remove is missing. Usage: rocescope wireshark --install-profile"};
  }
  const bool profile = asked == &kInstall || asked == &kRemove;
  const auto text = profile ? change_profile(asked == &kInstall) : change_extcap(asked == &kInstallExtcap);
  if (!text) return text.error();
  invocation.output.write(*text);
  return ExitCode::kDone;
}

constexpr Example kWiresharkExamples[] = {
    {"rocescope wireshark --install-profile", "for the user who runs it"},
    {"rocescope wireshark --remove-profile", "if nobody changed it"},
    {"rocescope wireshark --install-extcap", "capture on other hosts, from Wireshark's list of interfaces"},
};
constexpr const Option* kWiresharkProfile[] = {&kInstall, &kRemove};
constexpr const Option* kWiresharkExtcap[] = {&kInstallExtcap, &kRemoveExtcap};
constexpr const Option* kWiresharkGeneral[] = {&kHelp};
constexpr OptionGroup kWiresharkOptions[] = {
    {"Profile", kWiresharkProfile}, {"Interfaces", kWiresharkExtcap}, {"Other", kWiresharkGeneral}};

constexpr Section kWiresharkSections[] = {
    {"DESCRIPTION", R"(
The profile RoCE (wireshark -C RoCE FILE) shows in Wireshark and tshark what the plugin of rocescope finds: colors
for packets that were sent again, lost before or after the capture point, refused, congested or damaged; columns for
connection, PSN, message and its time; buttons with filters; I/O graphs. It switches off Wireshark's guesses
at what SENDs carry, which take the payload of ordinary programs for RPC, SMB or NVMe and call it malformed.

It is kept where Wireshark keeps what is the user's: $WIRESHARK_CONFIG_DIR, else $XDG_CONFIG_HOME/wireshark, else
~/.config/wireshark. To install it again replaces it with that of this version, if nobody changed it.)"},
    {"INTERFACES", R"(
With --install-extcap, Wireshark's list of interfaces has more of them, and `tshark -D` as well:

  roce-ssh           a host that ssh reaches without asking for a password, and where rocescope is installed and
                     may capture: it runs `rocescope live -w -` there. The wheel beside its name opens the options:
                     host, as ssh takes it; port; interface there (any); program there, such as sudo rocescope
  roce-rdma-DEVICE   an RDMA device of this host, if libpcap has its sniffer: see rocescope-capture(7)

Without a capture filter they take RoCEv2, RoCEv1 and PFC only, as `rocescope live` does. Of the same without a window:

  tshark -i roce-ssh -o extcap.roce_ssh.remotehost:user@host

Wireshark runs a script in its folder of extcap programs, which starts `rocescope extcap`: that is no command for users.
Interfaces of this host, Wireshark captures on by itself.)"},
};

constexpr Command kWiresharkCommand{
    .name = "wireshark",
    .summary = "install a profile and more interfaces for Wireshark",
    .examples = kWiresharkExamples,
    .options = kWiresharkOptions,
    .sections = kWiresharkSections,
    .run = run_wireshark,
};

}  // namespace

const Command& wireshark_command() { return kWiresharkCommand; }

}  // namespace rocescope::cli
