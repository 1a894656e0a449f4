#include "cli/connection_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cli/program.hpp"

namespace rocescope::cli {
namespace {

constexpr std::size_t kMostLeftOut = 65'536;

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

ConnectionFile::ConnectionFile(const Connection& connection, const Tracker& tracker, std::string path,
                               std::unique_ptr<PcapngWriter> writer, std::size_t most_held)
    : connection_(connection.number),
      tracker_(tracker),
      path_(std::move(path)),
      writer_(std::move(writer)),
      most_held_(most_held),
      looking_(connection.paired_by == PairedBy::kNothing) {
  // Packets name only the destination queue pair.
  const std::size_t receiver = connection.sides[1].qpn ? 1 : 0;
  sender_ = connection.sides[1 - receiver].address;
  receiver_ = connection.sides[receiver].address;
  dest_qp_ = connection.sides[receiver].qpn.value_or(Qpn());
}

Result<std::unique_ptr<ConnectionFile>> ConnectionFile::create(const Connection& connection, const CaptureInfo& capture,
                                                               const Tracker& tracker, std::size_t most_held) {
  std::string path = free_path(connection.number);
  Result<std::unique_ptr<PcapngWriter>> writer =
      PcapngWriter::create(path, {.application = fmt::format("{} {}", kProgramName, version()),
                                  .comment = fmt::format("connection {} of a live capture", connection.number)});
  if (!writer) return writer.error();
  for (const CaptureInterface& interface : capture.interfaces) {
    if (!(*writer)->add_interface(interface)) return *(*writer)->error();
  }
  return std::unique_ptr<ConnectionFile>(
      new ConnectionFile(connection, tracker, std::move(path), std::move(*writer), most_held));
}

bool ConnectionFile::add(const PacketRecord& record) {
  if (looking_) {
    add_while_looking(record);
  } else if (record.verdict.connection == connection_) {
    write(record.packet->frame);
  }
  return !error();
}

bool ConnectionFile::flush() {
  if (!held_.empty()) look();
  return writer_->flush();
}

bool ConnectionFile::finish() {
  if (!held_.empty()) look();
  write_held(0);
  return writer_->finish();
}

void ConnectionFile::write(const Frame& frame) {
  ++packets_;
  writer_->write(frame, frame.interface_id);
}

void ConnectionFile::add_while_looking(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  const std::uint32_t number = record.verdict.connection;
  const bool own = number == connection_;
  const bool known_direction = is_of_known_direction(packet);
  if (!own && (number == 0 || others_.contains(number) || !(known_direction || is_sent_back(packet)))) return;
  if (own && held_.empty()) return write(packet.frame);
  hold(number, packet.frame);
  // This packet may pair the two directions.
  if (own != known_direction) look();
  if (looking_ && !own && known_direction) leave_out({number});
  if (held_bytes_ > most_held_) look();
  if (held_bytes_ > most_held_) write_held(0);
}

bool ConnectionFile::is_of_known_direction(const Packet& packet) const noexcept {
  return packet.source == sender_ && packet.destination == receiver_ && packet.roce.dest_qp == dest_qp_;
}

bool ConnectionFile::is_sent_back(const Packet& packet) const noexcept {
  return packet.source == receiver_ && packet.destination == sender_;
}

void ConnectionFile::hold(std::uint32_t connection, const Frame& frame) {
  held_.push_back({connection, frame, {frame.data.begin(), frame.data.end()}});
  held_bytes_ += sizeof(Held) + frame.data.size();
}

/// Asks the tracker which connection with held packets is the other direction, if it knows by now.
void ConnectionFile::look() {
  std::set<std::uint32_t> numbers{connection_};
  for (const Held& each : held_) numbers.insert(each.connection);
  const std::vector<std::uint32_t> asked(numbers.begin(), numbers.end());
  const std::uint32_t self = connection_;
  std::set<std::uint32_t> others;
  for (const Connection& each : tracker_.snapshot(asked).connections) {
    if (each.paired_by == PairedBy::kNothing) continue;
    if (each.number == self) return end_look(each.joined);
    if (each.joined == self) {
      connection_ = each.number;
      return end_look(self);
    }
    others.insert(each.number);
  }
  if (!others.empty()) leave_out(others);
}

/// Ends the search: writes the held packets of the connection and of `joined`, one of its directions.
void ConnectionFile::end_look(std::uint32_t joined) {
  looking_ = false;
  write_held(joined);
}

/// Writes the held packets of the connection and of `joined`, and drops the others.
void ConnectionFile::write_held(std::uint32_t joined) {
  for (Held& each : std::exchange(held_, {})) {
    if (each.connection != connection_ && each.connection != joined) continue;
    each.frame.data = each.data;
    write(each.frame);
  }
  held_bytes_ = 0;
}

/// Drops these connections: none of them is the other direction.
void ConnectionFile::leave_out(const std::set<std::uint32_t>& connections) {
  if (others_.size() >= kMostLeftOut) others_.clear();  // most send nothing more; the others are found again
  others_.insert(connections.begin(), connections.end());
  std::erase_if(held_, [&connections](const Held& each) { return connections.contains(each.connection); });
  for (; !held_.empty() && held_.front().connection == connection_; held_.pop_front()) {
    held_.front().frame.data = held_.front().data;
    write(held_.front().frame);
  }
  held_bytes_ = 0;
  for (const Held& each : held_) held_bytes_ += sizeof(Held) + each.data.size();
}

}  // namespace rocescope::cli
