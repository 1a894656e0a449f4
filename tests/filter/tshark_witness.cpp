#include "tshark_witness.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "analysis/packet_reader.hpp"
#include "filter/filter.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::filter {
namespace {

/// A Lua string of any bytes.
std::string lua_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\%03u", static_cast<unsigned>(static_cast<unsigned char>(c)));
    result += escape;
  }
  return result + "\"";
}

/// A listener for each filter, which notes the frames it is given; the last one prints what they noted.
std::string script_for(const std::vector<std::string_view>& filters) {
  std::string script = "local filters = {";
  for (const std::string_view filter : filters) script += lua_string(filter) + ",\n";
  return script + R"(}
local passed, valid = {}, {}
for i, filter in ipairs(filters) do
  passed[i] = {}
  local listener
  valid[i], listener = pcall(Listener.new, "frame", filter)
  if valid[i] then
    listener.packet = function(pinfo) table.insert(passed[i], pinfo.number) end
  end
end
local last = Listener.new("frame")
last.draw = function()
  for i in ipairs(filters) do
    io.write("verdict ", valid[i] and "valid " or "invalid ", table.concat(passed[i], " "), "\n")
  end
end
)";
}

std::string run(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  char buffer[4096];
  while (pipe != nullptr) {
    const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe.get());
    if (size == 0) break;
    output.append(buffer, size);
  }
  return output;
}

}  // namespace

bool tshark_is_there() { return run("tshark -v 2>/dev/null").find("with Lua") != std::string::npos; }

bool merge_captures(const std::vector<std::filesystem::path>& captures, const std::filesystem::path& into) {
  std::string command = "mergecap -a -F pcapng -w '" + into.string() + "'";
  for (const auto& capture : captures) command += " '" + capture.string() + "'";
  return std::system(command.c_str()) == 0;
}

std::optional<std::vector<Verdict>> ask_tshark(const std::filesystem::path& capture,
                                               const std::vector<std::string_view>& filters) {
  const testing::TemporaryFolder folder;
  const std::string script = folder.path("filters.lua");
  std::ofstream(script) << script_for(filters);
  std::string command = "tshark -n -q -X 'lua_script:" + script + "' -r '" + capture.string() + "'";
  for (const char* protocol : {"smc", "smb_direct", "rpcordma", "nvme-rdma", "lnet", "iser", "infiniband.eoib",
                               "infiniband_sdp", "fcoib", "tftp"}) {
    command += std::string(" --disable-protocol ") + protocol;
  }
  std::istringstream lines(run(command + " 2>/dev/null"));
  std::vector<Verdict> verdicts;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string tag;
    std::string valid;
    words >> tag >> valid;
    if (tag != "verdict") continue;
    Verdict verdict{valid == "valid", {}};
    for (std::uint64_t frame = 0; words >> frame;) verdict.frames.push_back(frame);
    verdicts.push_back(std::move(verdict));
  }
  if (verdicts.size() != filters.size()) return std::nullopt;
  return verdicts;
}

std::optional<std::vector<Verdict>> ask_rocescope(const std::filesystem::path& capture,
                                                  const std::vector<std::string_view>& filters) {
  std::vector<Verdict> verdicts;
  std::vector<std::optional<Filter>> compiled;
  for (const std::string_view text : filters) {
    auto filter = compile(text);
    verdicts.push_back({static_cast<bool>(filter), {}});
    compiled.push_back(filter ? std::optional(std::move(*filter)) : std::nullopt);
  }
  auto source = open_capture(capture.string());
  if (!source) return std::nullopt;
  PacketReader reader(**source);
  while (const PacketRecord* record = reader.next()) {
    for (std::size_t i = 0; i < filters.size(); ++i) {
      if (compiled[i] && compiled[i]->matches(*record)) verdicts[i].frames.push_back(record->packet->frame.number);
    }
  }
  return verdicts;
}

}  // namespace rocescope::filter
