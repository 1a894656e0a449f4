#include "core/truth.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/clock.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

template <typename T>
void optional_field(std::string& line, std::string_view name, const std::optional<T>& value) {
  if (value) fmt::format_to(std::back_inserter(line), R"(,"{}":{})", name, *value);
}

}  // namespace

Truth::Truth(Side side, const std::string& path) : side_(side) {
  fd_ = path == "-" ? dup(STDOUT_FILENO) : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), fmt::format("cannot write {}", path));
  buffer_.reserve(2 * kBufferBytes);
}

Truth::~Truth() {
  if (!enabled()) return;
  flush();
  close(fd_);
}

void Truth::fact(std::string_view event, const nlohmann::ordered_json& fields, std::uint64_t time_ns) {
  if (!enabled()) return;
  nlohmann::ordered_json line{
      {"time_ns", time_ns != 0 ? time_ns : now_ns()}, {"side", name_of(side_)}, {"event", event}};
  line.update(fields);
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  const std::lock_guard lock(mutex_);
  buffer_ += text;
  append_line();
}

// Posts and completions come by the hundred thousand: written without building a document first.
void Truth::post(const PostFact& post) {
  if (!enabled()) return;
  const std::lock_guard lock(mutex_);
  fmt::format_to(std::back_inserter(buffer_),
                 R"({{"time_ns":{},"side":"{}","event":"post","qpn":{},"wr_id":{},"opcode":"{}","bytes":{},)"
                 R"("local_address":{},"lkey":{},"signaled":{},"inline":{})",
                 post.time_ns, name_of(side_), post.qpn, post.wr_id, post.opcode, post.bytes, post.local_address,
                 post.lkey, post.signaled, post.inlined);
  optional_field(buffer_, "remote_address", post.remote_address);
  optional_field(buffer_, "rkey", post.rkey);
  optional_field(buffer_, "immediate", post.immediate);
  optional_field(buffer_, "invalidate_rkey", post.invalidate_rkey);
  optional_field(buffer_, "compare", post.compare);
  optional_field(buffer_, "swap", post.swap);
  optional_field(buffer_, "add", post.add);
  optional_field(buffer_, "dest_qpn", post.dest_qpn);
  optional_field(buffer_, "xrc_srqn", post.xrc_srqn);
  buffer_ += '}';
  append_line();
}

void Truth::completion(const CompletionFact& completion) {
  if (!enabled()) return;
  const std::lock_guard lock(mutex_);
  fmt::format_to(std::back_inserter(buffer_),
                 R"({{"time_ns":{},"side":"{}","event":"completion","qpn":{},"wr_id":{},"status":"{}",)"
                 R"("vendor_err":{},"opcode":"{}","bytes":{})",
                 completion.time_ns, name_of(side_), completion.qpn, completion.wr_id, completion.status,
                 completion.vendor_err, completion.opcode, completion.bytes);
  optional_field(buffer_, "immediate", completion.immediate);
  optional_field(buffer_, "invalidated_rkey", completion.invalidated_rkey);
  optional_field(buffer_, "src_qp", completion.src_qp);
  buffer_ += '}';
  append_line();
}

void Truth::flush() {
  const std::lock_guard lock(mutex_);
  write_out();
}

void Truth::append_line() {
  buffer_ += '\n';
  if (buffer_.size() >= kBufferBytes) write_out();
}

void Truth::write_out() {
  std::string_view rest = buffer_;
  while (!rest.empty() && fd_ >= 0) {
    const ssize_t written = write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

}  // namespace rocescope::rdmagen
