// The packets of one connection of a live capture, in a file of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "capture/pcapng_writer.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/record.hpp"
#include "rocescope/result.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::cli {

/// While only one direction of the connection is known, another connection may turn out to be the other: packets of those that may
/// are held back. Where they become too many, those that were held are left out, and it goes on with those that come: its own are all
/// in the file, and so are those of both directions from when these are known to belong together.
class ConnectionFile {
 public:
  /// Bytes of packets that are held back, with what is known of each.
  static constexpr std::size_t kMostHeld = std::size_t{16} << 20;

  /// Makes `connection-N.pcapng` in the working folder; where there is one already, `connection-N-2.pcapng` and so on.
  /// `connection` is as `tracker` has it now, which outlives the file and is the one that tracks what is added.
  [[nodiscard]] static Result<std::unique_ptr<ConnectionFile>> create(const Connection& connection,
                                                                      const CaptureInfo& capture,
                                                                      const Tracker& tracker,
                                                                      std::size_t most_held = kMostHeld);

  /// The next packet. Writes it where it is of the connection. False after an error, as with all that follow.
  bool add(const PacketRecord& record);
  /// Hands what there is to the operating system.
  bool flush();
  bool finish();

  /// The number of the connection, which changes where it turns out to be a direction of another.
  [[nodiscard]] std::uint32_t connection() const noexcept { return connection_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return writer_->error(); }

 private:
  /// A packet of the connection, or of one that may be its other direction.
  struct Held {
    std::uint32_t connection = 0;
    Frame frame;  ///< whose data are not there any more
    std::vector<std::uint8_t> data;
  };

  ConnectionFile(const Connection& connection, const Tracker& tracker, std::string path,
                 std::unique_ptr<PcapngWriter> writer, std::size_t most_held);
  void write(const Frame& frame);
  void add_while_looking(const PacketRecord& record);
  [[nodiscard]] bool is_of_known_direction(const Packet& packet) const noexcept;
  [[nodiscard]] bool is_sent_back(const Packet& packet) const noexcept;
  void hold(std::uint32_t connection, const Frame& frame);
  void look();
  void end_look(std::uint32_t joined);
  void write_held(std::uint32_t joined);
  void leave_out(const std::set<std::uint32_t>& connections);

  std::uint32_t connection_;
  const Tracker& tracker_;
  std::string path_;
  std::unique_ptr<PcapngWriter> writer_;
  std::uint64_t packets_ = 0;

  std::size_t most_held_;
  bool looking_;  ///< for the other direction
  IpAddress sender_;
  IpAddress receiver_;
  Qpn dest_qp_;
  std::deque<Held> held_;  ///< in the order in which they came; the first is of another connection
  std::size_t held_bytes_ = 0;
  std::set<std::uint32_t> others_;  ///< connections between the same hosts that are not the other direction
};

}  // namespace rocescope::cli
