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

/// While only one direction of the connection is known, another connection may turn out to be the other direction: packets of such
/// connections are held back. If they become too many, they are dropped. The file always has all packets of the connection itself,
/// and all of both directions once these are paired.
class ConnectionFile {
 public:
  /// Bytes of the packets held back, with their administration.
  static constexpr std::size_t kMostHeld = std::size_t{16} << 20;

  /// Creates `connection-N.pcapng` in the working folder; if it exists, `connection-N-2.pcapng` and so on.
  /// `connection` comes from `tracker`, which must outlive the file and track every added packet.
  [[nodiscard]] static Result<std::unique_ptr<ConnectionFile>> create(const Connection& connection,
                                                                      const CaptureInfo& capture,
                                                                      const Tracker& tracker,
                                                                      std::size_t most_held = kMostHeld);

  /// Writes the next packet if it belongs to the connection. False after an error, also for all later packets.
  bool add(const PacketRecord& record);
  /// Hands all packets so far to the operating system.
  bool flush();
  bool finish();

  /// The number of the connection. It changes if the connection turns out to be a direction of another one.
  [[nodiscard]] std::uint32_t connection() const noexcept { return connection_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return writer_->error(); }

 private:
  /// A packet of the connection, or of one that may be its other direction.
  struct Held {
    std::uint32_t connection = 0;
    Frame frame;  ///< its data are no longer valid
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
