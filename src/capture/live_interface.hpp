// One interface of a live capture.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rocescope/live.hpp"

namespace rocescope {

/// libpcap's handle, which the destructor closes.
struct PcapCloser {
  void operator()(pcap_t* pcap) const noexcept { pcap_close(pcap); }
};
using PcapHandle = std::unique_ptr<pcap_t, PcapCloser>;

/// The error if capturing on an interface fails: `cannot capture on eth0: WHY. WHAT HELPS`.
[[nodiscard]] Error cannot_capture(const std::string& name, int status, pcap_t* pcap);

/// Opens an interface. Frames pass from now on, without a filter.
[[nodiscard]] Result<PcapHandle> activate(const std::string& name, const LiveOptions& options, int timeout_ms);

class LiveCapture::Interface {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Interface>> open(const std::string& name, const LiveOptions& options,
                                                               int timeout_ms);

  /// Takes a frame from the ring if it holds none.
  void look_for_frame();
  /// The frame that it holds; its bytes last until look_for_frame() after release().
  [[nodiscard]] const std::optional<Frame>& frame() const noexcept { return frame_; }
  void release() noexcept { frame_.reset(); }
  /// No frame will come.
  void end() noexcept {
    frame_.reset();
    ended_ = true;
  }
  [[nodiscard]] bool ended() const noexcept { return ended_; }
  /// A clause: why the capture ended by itself.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  /// A descriptor that is readable when there are frames; negative: none.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  /// Whether the system's clock stamps its frames.
  [[nodiscard]] bool has_system_time() const noexcept { return system_time_; }
  [[nodiscard]] const CaptureInterface& description() const noexcept { return description_; }
  void count(LiveCounters& counters);

 private:
  Interface(PcapHandle pcap, const std::string& name) : pcap_(std::move(pcap)) { description_.name = name; }
  [[nodiscard]] std::optional<Error> set_filter(const std::optional<std::string>& wanted);

  PcapHandle pcap_;
  CaptureInterface description_;
  int descriptor_ = -1;
  bool system_time_ = true;
  std::uint32_t nanoseconds_per_fraction_ = 1;  ///< of libpcap's tv_usec, which has nanoseconds where that could be set
  std::optional<Frame> frame_;
  bool ended_ = false;
  std::string failure_;
  pcap_stat last_{};
};

}  // namespace rocescope
