// Findings as the report for people shows them: by connection, and summed up where many connections have the same cause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocescope/report.hpp"

namespace rocescope::render {

/// A finding, or the same finding of several connections.
struct FindingLine {
  const Finding* finding = nullptr;  ///< the worst of them
  const Finding* weakest = nullptr;  ///< the least certain of them
  std::size_t number = 1;
  std::uint64_t weight = 0;              ///< of all
  Strength strength = Strength::kExact;  ///< the weakest of all
  Occurrences seen;                      ///< of all
};

/// Findings that share their cause and whose they are.
struct FindingBlock {
  Severity severity = Severity::kNote;
  std::vector<FindingLine> lines;  ///< the cause first
  std::vector<std::uint32_t>
      owners;  ///< connections or, if they have none, handshakes, the worst first; none: of the capture
  std::vector<const Finding*> elsewhere;  ///< of the same connection at other capture points, one of each
  std::size_t hosts = 0;                  ///< of these connections, where they are not all of one pair of hosts; else 0
};

struct BlockOptions {
  bool notes = false;    ///< with notes
  bool each = false;     ///< each connection by itself
  std::size_t most = 0;  ///< more blocks than these are summed up over all hosts
};

/// In the order of the report.
[[nodiscard]] std::vector<FindingBlock> finding_blocks(const Report& report, const BlockOptions& options);

/// What the report says where it has no findings.
enum class Silence : std::uint8_t {
  kGood,     ///< nothing wrong was seen
  kOthers,   ///< of some connections it is not known
  kUnknown,  ///< of no connection is it known
};

[[nodiscard]] Silence silence(const Report& report);

/// `12 of 16 connections`: those whose copies cannot be distinguished from packets that were sent again; empty if there
/// are none.
[[nodiscard]] std::string unsure_connections(const Report& report);

}  // namespace rocescope::render
