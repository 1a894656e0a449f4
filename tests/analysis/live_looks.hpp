// Looks at a capture while it is read, and what they say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "analysis/live_monitor.hpp"
#include "render/report/live_json.hpp"
#include "rocescope/render.hpp"
#include "support/captures.hpp"

namespace rocescope::live_looks {

using nlohmann::json;

inline void add_lines(const LiveUpdate& update, std::vector<json>& lines) {
  std::string text;
  render::append_live_json(update, text);
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
}

struct Looked {
  std::vector<json> lines;
  json report;
  std::size_t remembered = 0;  ///< at the end, by the monitor
};

/// Reads `source` with a look after every `step` packets (0: none), and one at the end. The times of looks count packets where
/// `clock` is false.
inline Looked look_at(FrameSource& source, AnalysisOptions options, std::uint64_t step, bool clock = false) {
  Looked looked;
  options.is_live = true;
  Analysis analysis(source, options);
  analysis.watch(0);
  const std::vector<LiveCounters> counters(1);
  std::uint64_t packets = 0;
  const auto look = [&](std::int64_t time, LookKind kind) {
    LiveUpdate update = analysis.look(time, counters, kind);
    update.interfaces.resize(counters.size());
    add_lines(update, looked.lines);
  };
  while (const PacketRecord* record = analysis.next()) {
    ++packets;
    if (step == 0 || packets % step != 0) continue;
    look(clock ? record->packet->frame.timestamp : static_cast<std::int64_t>(packets), LookKind::kOneOfMany);
  }
  if (step > 0) look(static_cast<std::int64_t>(packets) + 1, LookKind::kLast);
  looked.remembered = analysis.remembered();
  const Report report = analysis.finish();
  std::string text;
  render::append_report_json(report, text);
  looked.report = json::parse(text);
  looked.report.erase("packets_read");
  return looked;
}

inline Looked look_at(const std::string& path, std::uint64_t step, bool clock = false, std::int64_t idle_timeout = 0,
                      const std::function<bool(const PacketRecord&)>& admits = {}) {
  const auto source = open_capture(path);
  if (!source) return {};
  AnalysisOptions options;
  options.track.idle_timeout = idle_timeout;
  options.selection.admits = admits;
  return look_at(**source, options, step, clock);
}

inline std::string key_of(const json& finding) {
  return finding["id"].get<std::string>() + " " + finding.value("connection", json()).dump() + " " +
         finding.value("side", json()).dump() + " " + finding.value("handshake", json()).dump();
}

inline std::set<std::string> findings_of(const json& findings) {
  std::set<std::string> keys;
  for (const json& finding : findings) keys.insert(key_of(finding));
  return keys;
}

inline json findings_in(const std::vector<json>& lines) {
  json findings = json::array();
  for (const json& line : lines) {
    if (line["type"] == "finding") findings.push_back(line);
  }
  return findings;
}

}  // namespace rocescope::live_looks
