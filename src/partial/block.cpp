#include "partial/block.hpp"

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <span>
#include <system_error>
#include <utility>

#include "dissectors/crc32.hpp"

namespace rocescope::partial {
namespace {

constexpr std::size_t kStartSize = kMagic.size() + 4;

// Before each block: its section (padded with zeros), then as 32-bit little-endian numbers its number within the section, its size
// before and after compression, the CRC-32 of what follows, and that of all before.
constexpr std::size_t kNameSize = 40;
constexpr std::size_t kNumbers = 5;
constexpr std::size_t kHeadSize = kNameSize + kNumbers * 4;

std::uint32_t crc_of(std::string_view bytes) {
  return crc32(0, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void append_number(std::string& out, std::uint32_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(number >> shift & 0xFFU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t place) {
  std::uint32_t number = 0;
  for (unsigned i = 0; i < 4; ++i) number |= std::uint32_t{static_cast<std::uint8_t>(bytes[place + i])} << (8U * i);
  return number;
}

}  // namespace

void write_start(const Sink& sink) {
  std::string start(kMagic);
  append_number(start, kFormat);
  sink(start);
}

void SectionWriter::write_block(std::size_t size) {
  constexpr int kLevel = 1;  // the default takes three times as long, and its result is not smaller
  std::string stored(ZSTD_compressBound(size), '\0');
  const std::size_t compressed = ZSTD_compress(stored.data(), stored.size(), raw_.data(), size, kLevel);
  if (ZSTD_isError(compressed) != 0) throw std::bad_alloc();  // there is room for all that it may be
  stored.resize(compressed);
  std::string head(name_);
  head.resize(kNameSize);
  append_number(head, sequence_++);
  append_number(head, static_cast<std::uint32_t>(size));
  append_number(head, static_cast<std::uint32_t>(stored.size()));
  append_number(head, crc_of(stored));
  append_number(head, crc_of(head));
  sink_(head);
  sink_(stored);
  std::copy(raw_.begin() + static_cast<std::ptrdiff_t>(size), raw_.begin() + static_cast<std::ptrdiff_t>(used_),
            raw_.begin());
  used_ -= size;
}

void SectionWriter::finish() {
  while (used_ > kMostRaw) write_block(kMostRaw);
  write_block(used_);
}

Error BlockReader::error(std::string_view what) const {
  const std::string where = start_ == 0 ? "" : fmt::format(" (from byte {} on)", start_);
  return {fmt::format("cannot read {}{}: {}", path_, where, what)};
}

Error BlockReader::damaged(std::string_view how) const {
  return error(fmt::format("its section '{}' is damaged (block {}: {})", section_, sequence_ + 1, how));
}

bool BlockReader::fill(char* bytes, std::size_t size) { return std::fread(bytes, 1, size, file_.get()) == size; }

Result<BlockReader> BlockReader::open(const std::string& path, std::uint64_t start) {
  BlockReader reader(path, start);
  if (std::optional<Error> error = reader.start()) return *std::move(error);
  while (!reader.section().empty()) {
    if (std::optional<Error> error = reader.skip()) return *std::move(error);
  }
  if (std::fseek(reader.file_.get(), static_cast<long>(start + kStartSize), SEEK_SET) != 0)
    return reader.error("it must be a file that can be read twice");
  if (std::optional<Error> error = reader.look()) return *std::move(error);
  return reader;
}

std::optional<Error> BlockReader::start() {
  file_.reset(std::fopen(path_.c_str(), "rb"));
  if (!file_) return Error{fmt::format("cannot open {}: {}", path_, std::strerror(errno))};
  if (std::error_code ignored; std::filesystem::is_directory(path_, ignored))
    return error("it is a directory. Name the files in it");
  if (start_ > 0 && std::fseek(file_.get(), static_cast<long>(start_), SEEK_SET) != 0)
    return error("it must be a file that can be read twice");
  std::string head(kStartSize, '\0');
  if (!fill(head.data(), head.size()) || !head.starts_with(kMagic))
    return error("it is no partial result of rocescope (analyze --partial), and no state (--save-state)");
  if (const std::uint32_t format = number_at(head, kMagic.size()); format != kFormat)
    return error(fmt::format("another version of rocescope wrote it (format {}; this one reads {})", format, kFormat));
  return look();
}

std::optional<Error> BlockReader::look() {
  const std::string before = section_.empty() ? "its start" : fmt::format("its section '{}'", section_);
  std::string head(kHeadSize, '\0');
  if (!fill(head.data(), head.size())) return error(fmt::format("it is cut behind {}", before));
  if (number_at(head, kHeadSize - 4) != crc_of(std::string_view(head).substr(0, kHeadSize - 4)))
    return error(fmt::format("the head of a block behind {} is damaged", before));
  const std::string name(head.data(), ::strnlen(head.data(), kNameSize));
  const std::uint32_t sequence = number_at(head, kNameSize);
  const bool goes_on = name == section_ && sequence == sequence_ + 1;
  if (name.empty() || (!goes_on && (name == section_ || sequence != 0)))
    return error(fmt::format("a block is missing behind {}", before));
  section_ = name;
  sequence_ = sequence;
  raw_size_ = number_at(head, kNameSize + 4);
  stored_size_ = number_at(head, kNameSize + 8);
  checksum_ = number_at(head, kNameSize + 12);
  if (raw_size_ > kMostRaw || stored_size_ > ZSTD_compressBound(kMostRaw)) return damaged("its size");
  if (section_ != kEnd) return std::nullopt;
  if (std::optional<Error> error = take_stored()) return error;
  if (raw_size_ != 0) return damaged("it is not empty");
  section_.clear();
  return look_behind();
}

std::optional<Error> BlockReader::look_behind() {
  const long end = std::ftell(file_.get());
  const int byte = std::fgetc(file_.get());
  if (byte == EOF) return std::nullopt;
  std::string start(kMagic.size(), static_cast<char>(byte));
  if (!fill(start.data() + 1, start.size() - 1) || start != kMagic) return error("something follows its end");
  next_ = static_cast<std::uint64_t>(end);
  return std::nullopt;
}

std::optional<Error> BlockReader::take_stored() {
  stored_.resize(stored_size_);
  if (!fill(stored_.data(), stored_.size())) return error(fmt::format("it is cut in its section '{}'", section_));
  if (crc_of(stored_) != checksum_) return damaged("wrong checksum");
  return std::nullopt;
}

std::optional<Error> BlockReader::take(std::string& raw) {
  if (std::optional<Error> error = take_stored()) return error;
  raw.resize(raw_size_);
  const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), stored_.data(), stored_.size());
  if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(size) != 0U || size != raw_size_) return damaged("it cannot be decompressed");
  return look();
}

std::optional<Error> BlockReader::skip() {
  const std::string skipped = section_;
  while (section_ == skipped) {
    if (std::optional<Error> error = take_stored()) return error;
    if (std::optional<Error> error = look()) return error;
  }
  return std::nullopt;
}

}  // namespace rocescope::partial
