// Frames as they pass an interface of this machine, through libpcap; and which interfaces there are.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rocescope/capture.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/result.hpp"

namespace rocescope {

inline constexpr std::uint32_t kLongestSnapLength = 262'144;  ///< bytes of a packet: libpcap's own limit

struct LiveOptions {
  /// At least one, as `rocescope interfaces` lists them; `any` is all that have an address or carry packets, in cooked mode.
  std::vector<std::string> interfaces;
  /// As pcap-filter(7) has it; empty: every packet. None: RoCEv2, RoCEv1 and PFC, with up to two VLAN tags (on
  /// `any` one).
  std::optional<std::string> filter;
  std::uint32_t buffer_kib = 65536;                ///< of the kernel's ring, for each interface; 1 to 2097151
  std::uint32_t snap_length = kLongestSnapLength;  ///< bytes of each packet; 1 to kLongestSnapLength
  bool promiscuous = true;                         ///< packets for other hosts as well, where the interface can
  bool immediate = false;  ///< each packet at once, at more cost, instead of a block of them at a time
  /// As pcap-tstamp(7) has it: `host`, `adapter`, `adapter_unsynced`, ...; empty: the kernel's clock, which works on
  /// every interface. Any other type may change the time stamps that the interface gives to all programs.
  std::string time_stamp_type;
};

/// What an interface has had since it was opened.
struct LiveCounters {
  std::uint64_t received = 0;              ///< packets that passed the filter, those dropped by the kernel included
  std::uint64_t dropped_by_kernel = 0;     ///< for want of room in the ring
  std::uint64_t dropped_by_interface = 0;  ///< before the kernel saw them, filter or not, if the interface counts them
  std::uint64_t not_analysed = 0;          ///< written, but not analysed: the analysis was too slow
};

/// One capture whose frames come as time goes by. One thread may use it.
class LiveSource : public FrameSource {
 public:
  /// Waits until next() may have a frame, a signal is caught, or a tenth of a second or `longest` is over.
  virtual void wait(std::chrono::nanoseconds longest) = 0;
  /// Ends the capture: what came until now is still given, nothing that comes later.
  virtual void stop() = 0;
  /// Whether next() has given its last frame.
  [[nodiscard]] virtual bool ended() const noexcept = 0;
  /// By now, in the order of the interfaces. Also brings CaptureInterface::dropped in info() up to date.
  [[nodiscard]] virtual std::span<const LiveCounters> counters() = 0;
};

/// Captures on interfaces.
class LiveCapture final : public LiveSource {
 public:
  /// Needs CAP_NET_RAW, which may be given up as soon as it returns. The error names the interface, and what helps.
  [[nodiscard]] static Result<std::unique_ptr<LiveCapture>> open(const LiveOptions& options);
  ~LiveCapture() override;

  /// Never waits: false where there is no frame now, after which wait() and another call may bring one unless ended().
  /// Frames of several interfaces come in the order of their times.
  [[nodiscard]] bool next(Frame& frame) override;
  /// One capture with all interfaces. Its warnings name interfaces that went away.
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return {&info_, 1}; }

  void wait(std::chrono::nanoseconds longest) override;
  void stop() override;
  /// Also because no interface is left.
  [[nodiscard]] bool ended() const noexcept override;
  /// Whether an interface went away; info() has the warning.
  [[nodiscard]] bool lost_interface() const noexcept { return !info_.warnings.empty(); }

  /// Call it now and then: libpcap's counters have 32 bits.
  [[nodiscard]] std::span<const LiveCounters> counters() override;

 private:
  class Interface;

  LiveCapture();
  void look_for_frames();
  [[nodiscard]] Interface* earliest() const;
  [[nodiscard]] bool came_after_stop(const Interface& interface) const;
  [[nodiscard]] bool may_give(const Interface& interface) const;

  CaptureInfo info_;
  std::vector<std::unique_ptr<Interface>> interfaces_;
  std::vector<LiveCounters> counters_;
  std::uint64_t frames_ = 0;
  std::chrono::nanoseconds settled_after_{};  ///< how long a frame may take until next() can see it
  std::optional<std::chrono::steady_clock::time_point> stopped_at_;
};

/// How RoCE of this machine comes to a capture on an interface.
enum class RoceWay : std::uint8_t {
  kNone,     ///< no RDMA device sends through it
  kKernel,   ///< an RDMA device in software: its packets are captured like all others
  kHardware  ///< an RDMA device in hardware: its packets bypass the kernel, and the capture with it
};

/// An interface of this machine.
struct LiveDevice {
  std::string name;
  std::string description;  ///< libpcap's; empty: none
  bool up = false;
  bool running = false;                       ///< there is a link
  std::string link_type;                      ///< libpcap's name: `EN10MB`; empty: not known
  std::vector<std::string> time_stamp_types;  ///< that it offers, by libpcap's names; empty: the kernel's clock only
  std::vector<std::string> rdma_devices;      ///< that send through it: `mlx5_0`; of an RDMA device itself none
  RoceWay roce = RoceWay::kNone;              ///< of an RDMA device itself: whether it is hardware
  bool is_rdma_device = false;                ///< libpcap's sniffer gives copies of its packets
  std::string rdma_driver;                    ///< of the hardware: `mlx5_core`; empty: not known
  std::string problem;                        ///< why it cannot be captured on, and what helps; empty: it can
};

/// All of them, in libpcap's order: the most useful first. Each is opened for a moment, to see whether that can be done.
/// `sys` is the path of sysfs.
[[nodiscard]] Result<std::vector<LiveDevice>> live_devices(const std::string& sys = "/sys");

}  // namespace rocescope
