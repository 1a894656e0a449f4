#include "rocescope/analyze.hpp"

#include <utility>

#include "analysis/packet_reader.hpp"
#include "analysis/report_builder.hpp"

namespace rocescope {

Report analyze(FrameSource& source, const AnalyzeOptions& options) {
  ReportBuilder builder;  // outlives the thread that counts into it
  PacketReader reader(source, {.dissect = options.dissect,
                               .parts = {.icrc = options.verify_icrc, .verdict = true},
                               .track = options.track,
                               .ahead = options.threads > 1 ? ReadingAhead::kInOwnThread : ReadingAhead::kBatches});
  // Behind the filter, and together with what evictions take away, where there is such.
  const bool counts_when_read = !options.accept && options.track.idle_timeout == 0;
  if (counts_when_read) reader.on_prepared([&](const PacketRecord& record) { builder.count(record); });
  std::uint64_t packets = 0;
  // Another thread may be reading, and adding to what the captures tell of themselves.
  reader.tracker().on_eviction(
      [&](Eviction&& eviction) { builder.evict(eviction, {.captures = {}, .packets_read = packets}); });
  while (const PacketRecord* record = reader.next()) {
    ++packets;
    if (options.accept && !options.accept(*record)) continue;
    if (!counts_when_read) builder.count(*record);
    builder.tell(*record);
  }
  return std::move(builder).finish({.captures = source.info(),
                                    .packets_read = packets,
                                    .icrc_verified = options.verify_icrc,
                                    .icrc_unsearched = reader.icrc_verifier().unsearched_packets(),
                                    .tracker = &reader.tracker()});
}

}  // namespace rocescope
