// The bytes of a file, a pipe or standard input.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "capture/byte_source.hpp"
#include "capture/read_count.hpp"
#include "rocescope/result.hpp"

namespace rocescope {

class FileSource final : public ByteSource {
 public:
  /// Opens `path`; `-` is standard input. What is read is counted in `read`.
  [[nodiscard]] static Result<std::unique_ptr<ByteSource>> open(const std::string& path,
                                                                std::shared_ptr<ReadCount> read);
  ~FileSource() override;

  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into) override;
  [[nodiscard]] const std::string& damage() const override { return damage_; }
  [[nodiscard]] bool may_wait() const override;

 private:
  FileSource(int descriptor, bool owned, std::shared_ptr<ReadCount> read)
      : descriptor_(descriptor), owned_(owned), read_(std::move(read)) {}
  void add_size();

  int descriptor_;
  bool owned_;
  std::shared_ptr<ReadCount> read_;
  std::uint64_t offset_ = 0;
  std::string damage_;
};

/// Raises the soft limit of open files towards the hard one, so that `files` more can be open at once.
void make_room_for_files(std::size_t files);

}  // namespace rocescope
