#include "capture_files.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "support/source_dir.hpp"

namespace rocescope::testing {

std::string CaptureFolder::file(std::string_view name, const ByteVector& bytes) const {
  // Some file systems wait for the disk when a file is cut to nothing and written again.
  if (std::filesystem::is_regular_file(path(name))) std::filesystem::remove(path(name));
  std::ofstream out(path(name), std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path(name));
  return path(name);
}

ByteVector bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

ByteVector read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  ByteVector bytes(std::filesystem::file_size(path));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw std::runtime_error("cannot read all of " + path);
  return bytes;
}

ByteVector first_bytes(const ByteVector& bytes, std::size_t count) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string shipped(std::string_view name) { return (rocescope::testing::source_dir() + "/captures/").append(name); }

std::string Reading::warnings() const {
  std::string all;
  for (const std::string& warning : info.at(0).warnings) all += (all.empty() ? "" : "\n") + warning;
  return all;
}

Reading read_capture(const std::string& path) { return read_captures({path}); }

Reading read_captures(const std::vector<std::string>& paths) {
  auto source = paths.size() == 1 ? open_capture(paths[0]) : open_captures(paths);
  if (source) return read_rest(**source);
  Reading reading;
  reading.error = source.error().message;
  return reading;
}

Reading read_rest(FrameSource& source) {
  Reading reading;
  Frame frame;
  while (source.next(frame)) {
    const auto comments = source.comments();
    reading.frames.push_back({.frame = frame,
                              .data = {frame.data.begin(), frame.data.end()},
                              .comments = {comments.begin(), comments.end()}});
    reading.frames.back().frame.data = {};
  }
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(source.next(frame)) << "a frame after the end";
  reading.info.assign(source.info().begin(), source.info().end());
  return reading;
}

bool has_program(std::string_view name) {
  return std::system(("command -v " + std::string(name) + " > /dev/null").c_str()) == 0;
}

std::string run(const std::string& command, bool must_succeed) {
  FILE* pipe = popen(("exec 2> /dev/null; " + command).c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  char buffer[65536];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, count);
  const int status = pclose(pipe);
  if (must_succeed) {
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << command;
  }
  return output;
}

}  // namespace rocescope::testing
