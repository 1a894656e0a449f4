// The connections that a page shows in full, from a second reading of the capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "render/html/connection_detail.hpp"
#include "render/html/overview_recorder.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::render {

/// Those that findings name first, then those that the report has first.
class DetailRecorder {
 public:
  static constexpr std::size_t kMostConnections = 64;

  /// All of them outlive it.
  DetailRecorder(const Report& report, const OverviewRecorder& overview, const FinalNumbers& numbers);

  /// A packet of the second reading, with the connection's last number, tracked by `tracker`.
  void add(const PacketRecord& record, const Tracker& tracker);
  /// A message of the second reading.
  void add(const Connection& connection, std::size_t side, const Message& message);

  [[nodiscard]] std::span<const std::unique_ptr<ConnectionDetail>> details() const noexcept { return details_; }

 private:
  const FinalNumbers& numbers_;
  std::vector<std::unique_ptr<ConnectionDetail>> details_;
  std::unordered_map<std::uint32_t, ConnectionDetail*> by_number_;
};

}  // namespace rocescope::render
