// `rocescope extcap`: what Wireshark starts to list interfaces that it has not, and to capture on them. Hidden: see `rocescope wireshark`.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/capture_program.hpp"
#include "cli/commands.hpp"
#include "cli/general_options.hpp"
#include "cli/program.hpp"
#include "cli/values.hpp"
#include "rocescope/live.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kInterfaces{.name = "extcap-interfaces", .help = "list the interfaces"};
constexpr Option kExtcapVersion{.name = "extcap-version", .argument = "VERSION", .help = "of Wireshark"};
constexpr Option kExtcapInterface{.name = "extcap-interface", .argument = "NAME", .help = "one of them"};
constexpr Option kDlts{.name = "extcap-dlts", .help = "list its link types"};
constexpr Option kConfig{.name = "extcap-config", .help = "list its options"};
constexpr Option kReload{.name = "extcap-reload-option", .argument = "NAME", .help = "list the values of an option"};
constexpr Option kCapture{.name = "capture", .help = "capture on it"};
constexpr Option kFifo{
    .name = "fifo", .argument = "FILE", .help = "where packets are written", .completion = Completion::kFiles};
constexpr Option kExtcapFilter{
    .name = "extcap-capture-filter", .argument = "FILTER", .help = "as pcap-filter(7) has it; without it RoCE"};
constexpr Option kExtcapHost{.name = "remote-host", .argument = "HOST", .help = "where to capture, as ssh takes it"};
constexpr Option kExtcapPort{.name = "remote-port", .argument = "PORT", .help = "of its ssh"};
constexpr Option kRemoteInterface{.name = "remote-interface", .argument = "NAME", .help = "an interface there (any)"};
constexpr Option kRemoteProgram{
    .name = "remote-program", .argument = "COMMAND", .help = "rocescope there, for its shell (rocescope)"};
constexpr Option kExtcapSnap{.name = "snap-length", .argument = "BYTES", .help = "of each packet"};

constexpr std::string_view kRemote = "roce-ssh";
constexpr std::string_view kRdmaPrefix = "roce-rdma-";

std::string list_interfaces() {
  std::string text = fmt::format("extcap {{version={}}}{{display=rocescope}}\n", version());
  text += fmt::format("interface {{value={}}}{{display=RoCE of another host: rocescope over ssh}}\n", kRemote);
  const Result<std::vector<LiveDevice>> devices = live_devices();
  if (!devices) return text;
  for (const LiveDevice& device : *devices) {
    if (!device.is_rdma_device) continue;
    text += fmt::format("interface {{value={0}{1}}}{{display=RDMA device {1}}}\n", kRdmaPrefix, device.name);
  }
  return text;
}

std::string list_options(bool remote) {
  std::string text;
  int number = 0;
  const auto add = [&](const Option& option, std::string_view display, std::string_view more) {
    text += fmt::format("arg {{number={}}}{{call=--{}}}{{display={}}}{{tooltip={}}}{}\n", number++, option.name,
                        display, option.help, more);
  };
  if (remote) {
    add(kExtcapHost, "Host", "{type=string}{required=true}");
    add(kExtcapPort, "Port", "{type=integer}{range=1,65535}");
    add(kRemoteInterface, "Interface there", "{type=string}{default=any}");
    add(kRemoteProgram, "Program there", "{type=string}{default=rocescope}");
  }
  add(kExtcapSnap, "Bytes of each packet",
      fmt::format("{{type=integer}}{{range=1,{0}}}{{default={0}}}", kLongestSnapLength));
  return text;
}

std::string value_of(const Arguments& arguments, const Option& option, std::string_view otherwise = {}) {
  const GivenOption* given = arguments.last(option);
  return given == nullptr || given->value.empty() ? std::string(otherwise) : given->value;
}

Result<std::string> number_of(const Arguments& arguments, const Option& option, std::uint64_t most) {
  const GivenOption* given = arguments.last(option);
  if (given == nullptr || given->value.empty()) return std::string();
  const auto number = parse_number(given->value, most);
  if (!number || *number == 0) return wrong_value(*given, fmt::format("a number from 1 to {}", most));
  return std::to_string(*number);
}

/// The arguments of `rocescope` that capture to standard output.
Result<std::vector<std::string>> live_words(const Arguments& arguments, const std::string& interface) {
  std::vector<std::string> words = {"live", "-q", "-i", interface, "-w", "-"};
  const Result<std::string> snap = number_of(arguments, kExtcapSnap, kLongestSnapLength);
  if (!snap) return snap.error();
  if (!snap->empty()) words.insert(words.end(), {"-s", *snap});
  const std::string filter = value_of(arguments, kExtcapFilter);
  if (!filter.empty()) words.insert(words.end(), {"-f", filter});
  return words;
}

Result<std::vector<std::string>> remote_words(const Arguments& arguments) {
  const std::string host = value_of(arguments, kExtcapHost);
  if (host.empty()) return Error{"option '--remote-host' is needed: the host to capture on"};
  const Result<std::string> port = number_of(arguments, kExtcapPort, 65'535);
  if (!port) return port.error();
  const auto live = live_words(arguments, value_of(arguments, kRemoteInterface, "any"));
  if (!live) return live.error();
  // Nobody could answer a question for a password here.
  std::vector<std::string> words = {"ssh", "-T", "-o", "BatchMode=yes", "-o", "LogLevel=ERROR"};
  if (!port->empty()) words.insert(words.end(), {"-p", *port});
  std::string command = value_of(arguments, kRemoteProgram, "rocescope");
  for (const std::string& word : *live) command += " " + shell_word(word);
  words.insert(words.end(), {"--", host, command});
  return words;
}

Result<std::vector<std::string>> capturing_words(const Arguments& arguments, std::string_view interface) {
  if (interface == kRemote) return remote_words(arguments);
  auto words = live_words(arguments, std::string(interface.substr(kRdmaPrefix.size())));
  if (words) words->insert(words->begin(), std::filesystem::read_symlink("/proc/self/exe").string());
  return words;
}

Result<ExitCode> run_capture(const Arguments& arguments, std::string_view interface) {
  const std::string fifo = value_of(arguments, kFifo);
  if (fifo.empty()) return Error{"option '--capture' needs --fifo FILE"};
  const auto words = capturing_words(arguments, interface);
  if (!words) return words.error();
  const int writing = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
  if (writing < 0) return Error{fmt::format("cannot write to {}: {}", fifo, std::strerror(errno))};
  const auto ended = run_capture_program(*words, writing);
  ::close(writing);
  if (ended) return *ended;
  return ExitCode::kDone;
}

Result<ExitCode> run_extcap(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  std::string& out = invocation.output.text();
  if (arguments.has(kInterfaces)) {
    out += list_interfaces();
    return ExitCode::kDone;
  }
  const std::string interface = value_of(arguments, kExtcapInterface);
  const bool remote = interface == kRemote;
  if (interface.empty()) {
    return Error{
        "Wireshark starts this, with --extcap-interfaces or --extcap-interface NAME. See: man rocescope-wireshark"};
  }
  if (!remote && !interface.starts_with(kRdmaPrefix)) {
    return Error{fmt::format("no interface '{}'. There are {} and {}DEVICE", interface, kRemote, kRdmaPrefix)};
  }
  if (arguments.has(kDlts)) {
    out += "dlt {number=1}{name=EN10MB}{display=Ethernet}\n";
  } else if (arguments.has(kConfig)) {
    out += list_options(remote);
  } else if (arguments.has(kCapture)) {
    return run_capture(arguments, interface);
  } else if (!arguments.has(kExtcapFilter) && !arguments.has(kReload)) {
    // With a filter alone, Wireshark asks whether the filter is wrong; only libpcap over there can tell.
    return Error{"one of --extcap-dlts, --extcap-config and --capture is needed"};
  }
  return ExitCode::kDone;
}

constexpr const Option* kExtcapAll[] = {
    &kInterfaces, &kExtcapVersion, &kExtcapInterface, &kDlts,       &kConfig,     &kReload,          &kCapture,
    &kFifo,       &kExtcapFilter,  &kExtcapHost,      &kExtcapPort, &kExtcapSnap, &kRemoteInterface, &kRemoteProgram,
    &kHelp};
constexpr OptionGroup kExtcapOptions[] = {{"Options", kExtcapAll}};

constexpr Command kExtcapCommand{
    .name = "extcap",
    .summary = "interfaces for Wireshark",
    .options = kExtcapOptions,
    .run = run_extcap,
};

}  // namespace

const Command& extcap_command() { return kExtcapCommand; }

}  // namespace rocescope::cli
