#include "connection_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "program.hpp"

namespace rocescope::cli {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

std::string free_path(std::uint32_t connection) {
  std::string path = fmt::format("connection-{}.pcapng", connection);
  for (int i = 2; exists(path); ++i) path = fmt::format("connection-{}-{}.pcapng", connection, i);
  return path;
}

}  // namespace

Result<std::unique_ptr<ConnectionFile>> ConnectionFile::create(std::uint32_t connection, const CaptureInfo& capture) {
  std::string path = free_path(connection);
  Result<std::unique_ptr<PcapngWriter>> writer =
      PcapngWriter::create(path, {.application = fmt::format("{} {}", kProgramName, version()),
                                  .comment = fmt::format("connection {} of a live capture", connection)});
  if (!writer) return writer.error();
  for (const CaptureInterface& interface : capture.interfaces) {
    if (!(*writer)->add_interface(interface)) return *(*writer)->error();
  }
  return std::unique_ptr<ConnectionFile>(new ConnectionFile(connection, std::move(path), std::move(*writer)));
}

bool ConnectionFile::add(const PacketRecord& record) {
  if (record.verdict.connection != connection_) return true;
  ++packets_;
  const Frame& frame = record.packet->frame;
  return writer_->write(frame, frame.interface_id);
}

}  // namespace rocescope::cli
