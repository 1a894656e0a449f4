// What the benchmarks work on: the frames of real captures, in memory and in files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/packet_reader.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/record.hpp"

namespace rocescope::bench {

/// Frames of a capture that owns their bytes.
class Workload {
 public:
  /// The capture `name` of captures/. Ends the program when it cannot be read.
  explicit Workload(const std::string& name);

  [[nodiscard]] const std::vector<Frame>& frames() const noexcept { return frames_; }
  /// Bytes of all frames.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::unique_ptr<std::uint8_t[]>> memory_;
  std::vector<Frame> frames_;
  std::uint64_t bytes_ = 0;
};

/// WRITEs, READs, atomic operations and UD SENDs of several programs one after the other, and CM.
[[nodiscard]] const Workload& mixed();

/// Gives the frames of a workload.
class MemorySource : public FrameSource {
 public:
  explicit MemorySource(const Workload& workload) : workload_(workload) {}
  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return {&info_, 1}; }

 private:
  const Workload& workload_;
  std::size_t next_ = 0;
  CaptureInfo info_;
};

/// The packets of a workload with all that is known of them.
struct Recorded {
  std::vector<std::unique_ptr<Packet>> packets;
  std::vector<PacketRecord> records;
};
[[nodiscard]] const Recorded& recorded();

/// A folder that is removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace rocescope::bench
