// Where frames come from: capture files of any kind, standard input, live interfaces (live.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rocescope/frame.hpp"
#include "rocescope/result.hpp"

namespace rocescope {

/// An interface that frames were captured on. A pcap file has exactly one, without a name.
struct CaptureInterface {
  std::string name;  ///< `enp0s1`; empty when the file does not say
  std::string description;
  std::uint32_t link_type = link_type::kEthernet;
  std::uint32_t snap_length = 0;               ///< bytes; 0: no limit, or not known
  std::uint64_t ticks_per_second = 1'000'000;  ///< time-stamp resolution
  std::optional<std::uint64_t> dropped;        ///< frames that the kernel or the interface lost, where known
  std::uint32_t section = 0;                   ///< the pcapng section that describes it, from 1; 0 in a pcap file
  std::uint32_t number = 0;                    ///< within its section, from 0: what Wireshark calls frame.interface_id
  std::string filter;  ///< the capture filter, as pcap-filter(7) writes it; empty: none, or not known
  std::string os;      ///< of the machine that captured; empty: not known
};

/// What a capture says about itself. Complete once its last frame was read.
struct CaptureInfo {
  std::string path;                         ///< as the user named it; `-` for standard input
  std::string format;                       ///< `pcap`, `pcap (nanoseconds)`, `pcapng`, with ` in gzip` and the like
  std::deque<CaptureInterface> interfaces;  ///< Frame::interface_id indexes it; grows as sections are read
  std::vector<std::string> warnings;        ///< damage that was skipped; each a sentence for a person, without the path
};

/// How much of its files a source has read: bytes of them as they are on disk, also where they are compressed.
struct ReadPosition {
  std::uint64_t bytes = 0;
  std::uint64_t size = 0;  ///< of all files together; 0: not known, as that of a pipe
};

class ShardSieve;

/// Which frames a source is asked for at once: those up to the first one of another interface.
struct BufferedFrames {
  std::uint32_t interface_id = 0;
  std::size_t most_bytes = 0;  ///< with no more than one frame beyond
  /// It is shown all frames, and those that it leaves out are not given. Null: there is none.
  ShardSieve* sieve = nullptr;
};

/// A source of frames, in the order in which the capture has them.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  /// Fills `frame`, whose bytes last until the next call of this. False at the end; damage that ends the capture early is a
  /// warning in info(). A LiveCapture says false also where there is none now, and may have one at another call.
  [[nodiscard]] virtual bool next(Frame& frame) = 0;
  /// At most so many of the next frames, which are there without waiting; none has a comment. Their bytes lie in one
  /// piece of memory, in this order, and last until the next call of next(), as do those of the last frame of next(). 0, and
  /// `wanted` left out none: ask next().
  [[nodiscard]] virtual std::size_t next_buffered(std::span<Frame> frames, const BufferedFrames& wanted) {
    static_cast<void>(frames);
    static_cast<void>(wanted);
    return 0;
  }
  /// The bytes of the last frame of next(), and of those of next_buffered() since, last as long as this is held. Null: the source has no
  /// such thing for them.
  [[nodiscard]] virtual std::shared_ptr<const void> hold() const { return nullptr; }
  /// The captures behind this source: one, or several when files were merged, in the order of the arguments.
  /// Frame::capture_id indexes it. It and the interfaces in it stay where they are.
  [[nodiscard]] virtual std::span<const CaptureInfo> info() const = 0;
  /// Comments that the file attaches to the frame that next() just gave (pcapng).
  [[nodiscard]] virtual std::span<const std::string> comments() const { return {}; }
  /// Whether next() gave all frames of this capture, a place in info(). False: it may have more.
  [[nodiscard]] virtual bool has_ended(std::uint32_t capture) const {
    static_cast<void>(capture);
    return false;
  }
  /// How far it is, ahead of the frames that next() gave by what is buffered. May be called while another thread reads.
  [[nodiscard]] virtual ReadPosition position() const { return {}; }

 protected:
  FrameSource() = default;
  FrameSource(const FrameSource&) = default;
  FrameSource& operator=(const FrameSource&) = default;
};

/// Opens one capture file, or standard input when `path` is `-`: pcap in both byte orders and both resolutions, pcapng,
/// and either of them compressed with gzip, zstd or lz4, recognised by content. Readers never seek, so pipes work. The
/// error says what the file is instead and begins with `cannot open PATH: ` or `cannot read PATH: `.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_capture(const std::string& path);

/// Opens several captures as one, merged by time; frames are numbered as they come out. Each capture keeps its own order
/// even where its times run backwards, and of frames of the same time that of the capture named first comes first.
/// Raises the process's soft limit of open files when there are too many captures for it.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_captures(std::span<const std::string> paths);

}  // namespace rocescope
