// `rocescope wireshark`: a profile for Wireshark.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/general_options.hpp"
#include "cli/wireshark_profile.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kInstall{.name = "install-profile",
                          .help = "install the profile RoCE",
                          .more = "One that is there stays if somebody made or changed it."};
constexpr Option kRemove{.name = "remove-profile", .help = "remove it again"};

Result<ExitCode> run(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const bool install = arguments.has(kInstall);
  if (install == arguments.has(kRemove)) {
    return Error{
        "one of --install-profile and --remove-profile is needed. Usage: rocescope wireshark --install-profile"};
  }
  const std::filesystem::path folder = wireshark_folder();
  if (folder.empty()) return Error{"HOME is not set: it is not known where Wireshark keeps profiles"};
  const Result<std::filesystem::path> profile = install ? install_profile(folder) : remove_profile(folder);
  if (!profile) return profile.error();
  std::string& out = invocation.output.text();
  if (install) {
    out += fmt::format("installed {}\nTo use it: wireshark -C {}\n", profile->string(), kProfileName);
  } else {
    out += fmt::format("removed {}\n", profile->string());
  }
  return ExitCode::kDone;
}

constexpr Example kExamples[] = {
    {"rocescope wireshark --install-profile", "for the user who runs it"},
    {"rocescope wireshark --remove-profile", "if nobody changed it"},
};
constexpr const Option* kProfile[] = {&kInstall, &kRemove};
constexpr const Option* kGeneral[] = {&kHelp};
constexpr OptionGroup kOptions[] = {{"Profile", kProfile}, {"Other", kGeneral}};

constexpr Section kSections[] = {
    {"DESCRIPTION", R"(
The profile RoCE (wireshark -C RoCE FILE) shows in Wireshark and tshark what the plugin of rocescope finds: colors
for packets that were sent again, lost before or after the capture point, refused, congested or damaged; columns for
connection, PSN, message and its time; buttons with filters; I/O graphs. It switches off Wireshark's guesses
at what SENDs carry, which take the payload of ordinary programs for RPC, SMB or NVMe and call it malformed.

It is kept where Wireshark keeps what is the user's: $WIRESHARK_CONFIG_DIR, else $XDG_CONFIG_HOME/wireshark, else
~/.config/wireshark. To install it again replaces it with that of this version, if nobody changed it.)"},
};

constexpr Command kCommand{
    .name = "wireshark",
    .summary = "install a profile for Wireshark: colors, columns, filters",
    .examples = kExamples,
    .options = kOptions,
    .sections = kSections,
    .run = run,
};

}  // namespace

const Command& wireshark_command() { return kCommand; }

}  // namespace rocescope::cli
