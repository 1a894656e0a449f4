// The packets of one connection of a live capture, in a file of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pcapng_writer.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/record.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

class ConnectionFile {
 public:
  /// Makes `connection-N.pcapng` in the working folder; where there is one already, `connection-N-2.pcapng` and so on.
  [[nodiscard]] static Result<std::unique_ptr<ConnectionFile>> create(std::uint32_t connection,
                                                                      const CaptureInfo& capture);

  /// Writes it where it is of the connection. False after an error, as with all that follow.
  bool add(const PacketRecord& record);
  /// From now on the packets are those of the connection with this number, which the one before is a direction of.
  void follow(std::uint32_t connection) noexcept { connection_ = connection; }
  /// Hands what there is to the operating system.
  bool flush() { return writer_->flush(); }
  bool finish() { return writer_->finish(); }

  [[nodiscard]] std::uint32_t connection() const noexcept { return connection_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return writer_->error(); }

 private:
  ConnectionFile(std::uint32_t connection, std::string path, std::unique_ptr<PcapngWriter> writer)
      : connection_(connection), path_(std::move(path)), writer_(std::move(writer)) {}

  std::uint32_t connection_;
  std::string path_;
  std::unique_ptr<PcapngWriter> writer_;
  std::uint64_t packets_ = 0;
};

}  // namespace rocescope::cli
