// The bytes of a file, a pipe or standard input.
#pragma once

#include <memory>
#include <string>

#include "capture/byte_source.hpp"
#include "rocescope/result.hpp"

namespace rocescope {

class FileSource final : public ByteSource {
 public:
  /// Opens `path`; `-` is standard input.
  [[nodiscard]] static Result<std::unique_ptr<ByteSource>> open(const std::string& path);
  ~FileSource() override;

  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into) override;
  [[nodiscard]] const std::string& damage() const override { return damage_; }
  [[nodiscard]] bool may_wait() const override;

 private:
  FileSource(int descriptor, bool owned) : descriptor_(descriptor), owned_(owned) {}

  int descriptor_;
  bool owned_;
  std::uint64_t offset_ = 0;
  std::string damage_;
};

/// Raises the soft limit of open files towards the hard one, so that `files` more can be open at once.
void make_room_for_files(std::size_t files);

}  // namespace rocescope
