// Writes a pcapng file (draft-ietf-opsawg-pcapng): one section, its interfaces as they come, packets with comments, and the
// interfaces' statistics at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/capture_file.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/result.hpp"

namespace rocescope {

/// The description in the section header.
struct PcapngSection {
  std::string application;  ///< the writing program: `rocescope 0.1.0`
  std::string comment;      ///< empty: none
};

/// After an error every call but create() returns false, and error() has the reason; the file stays readable up to there.
class PcapngWriter {
 public:
  /// Creates the file `path`; `-` is standard output. None of `inputs` is overwritten.
  [[nodiscard]] static Result<std::unique_ptr<PcapngWriter>> create(const std::string& path,
                                                                    const PcapngSection& section,
                                                                    std::span<const std::string> inputs = {});

  /// Describes an interface; the first is number 0. Its times are written in its own resolution where that is a power of
  /// ten up to nanoseconds, otherwise in nanoseconds: either way Frame::timestamp stays exact, except that no time is
  /// before 1970.
  bool add_interface(const CaptureInterface& interface);
  /// The number of added interfaces.
  [[nodiscard]] std::uint32_t interfaces() const noexcept { return static_cast<std::uint32_t>(interfaces_.size()); }
  /// The packets that `interface` lost so far. finish() writes the last count.
  void set_dropped(std::uint32_t interface, std::optional<std::uint64_t> dropped) {
    interfaces_[interface].dropped = dropped;
  }

  /// The packets that `interface` received, lost ones included, if known.
  void set_received(std::uint32_t interface, std::uint64_t received) { interfaces_[interface].received = received; }

  /// A packet of an interface that was added.
  bool write(const Frame& frame, std::uint32_t interface, std::span<const std::string> comments = {});
  /// Hands all packets so far to the operating system.
  bool flush() { return file_->flush(); }
  /// Writes the statistics and closes the file.
  bool finish();

  /// Packets in the file. After flush() or finish() these are all, or all before an error.
  [[nodiscard]] std::uint64_t packets() const noexcept { return file_->packets(); }
  /// Bytes of the file.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return file_->bytes(); }
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return file_->error(); }

 private:
  struct Interface {
    std::uint64_t nanoseconds_per_tick = 1;
    std::optional<std::uint64_t> dropped;
    std::optional<std::uint64_t> received;
  };

  explicit PcapngWriter(std::unique_ptr<CaptureFile> file) : file_(std::move(file)) {}
  bool write_section(const PcapngSection& section);
  bool write_statistics(std::uint32_t interface);

  std::unique_ptr<CaptureFile> file_;
  std::vector<Interface> interfaces_;
  std::int64_t last_time_ = 0;
};

}  // namespace rocescope
