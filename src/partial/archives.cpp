#include "partial/archives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

namespace rocescope::partial {
namespace {

constexpr std::uint64_t kSevenBits = 0x7F;
constexpr std::size_t kLongestNumber = 10;  // bytes
/// In the number of an opcode: the specification's reading of Reliable Datagram.
constexpr std::uint64_t kIsReliableDatagram = 0x100;

/// Words such as the name of a command. Reports keep no copy of them. They are few, and are never given back.
std::string_view kept(std::string&& text) {
  static std::mutex mutex;
  static std::set<std::string> words;
  const std::scoped_lock lock(mutex);
  return *words.insert(std::move(text)).first;
}

}  // namespace

void WritingArchive::long_number(std::uint64_t value) {
  char* const first = section_.room(kLongestNumber);
  char* next = first;
  for (; value > kSevenBits; value >>= 7U) *next++ = static_cast<char>((value & kSevenBits) | kGoesOn);
  *next++ = static_cast<char>(value);
  section_.added(static_cast<std::size_t>(next - first));
}

void WritingArchive::text(std::string_view value) {
  number(value.size());
  section_.write(value);
}

void WritingArchive::text(const std::vector<std::uint8_t>& value) {
  text(std::string_view(reinterpret_cast<const char*>(value.data()), value.size()));
}

void WritingArchive::bytes(std::span<const std::uint8_t> value) {
  section_.write(std::string_view(reinterpret_cast<const char*>(value.data()), value.size()));
}

void WritingArchive::entry(const OpcodeInfo* value) {
  const bool is_other = value != &opcode_info(value->code);
  number(value->code | (is_other ? kIsReliableDatagram : 0));
}

void WritingArchive::entry(const FindingInfo* value) { text(value == nullptr ? std::string_view() : value->name); }

ReadingArchive::ReadingArchive(BlockReader& blocks, std::string_view section, bool may_lack_opcodes)
    : blocks_(blocks), section_(section), may_lack_opcodes_(may_lack_opcodes) {
  if (blocks_.section() == section && blocks_.sequence() == 0) {
    error_ = blocks_.take(raw_);
  } else {
    error_ = blocks_.error(fmt::format("it has no section '{}'", section));
  }
}

void ReadingArchive::fail(std::string_view what) {
  if (!error_) error_ = blocks_.error(fmt::format("its section '{}' is damaged: {}", section_, what));
}

bool ReadingArchive::refill() {
  while (!error_ && place_ == raw_.size()) {
    if (blocks_.section() != section_) return false;
    error_ = blocks_.take(raw_);
    place_ = 0;
  }
  return !error_;
}

std::uint8_t ReadingArchive::byte() {
  if (place_ == raw_.size() && !refill()) {
    fail("it ends too early");
    return 0;
  }
  return static_cast<std::uint8_t>(raw_[place_++]);
}

void ReadingArchive::long_number(std::uint64_t& value) {
  value = 0;
  const bool is_here = raw_.size() - place_ >= kLongestNumber;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t next = is_here ? static_cast<std::uint8_t>(raw_[place_++]) : byte();
    value |= (next & kSevenBits) << shift;
    if ((next & kGoesOn) == 0) return;
  }
  fail();
}

void ReadingArchive::bytes(std::span<std::uint8_t> value) {
  if (value.size() > raw_.size() - place_) {  // it goes on in the next block
    std::ranges::generate(value, [this] { return byte(); });
    return;
  }
  std::copy_n(raw_.begin() + static_cast<std::ptrdiff_t>(place_), value.size(), value.begin());
  place_ += value.size();
}

void ReadingArchive::text(std::string& value) {
  std::uint64_t size = 0;
  number(size);
  value.clear();
  while (!error_ && value.size() < size) {
    if (place_ == raw_.size() && !refill()) return fail("it ends too early");
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size - value.size(), raw_.size() - place_));
    value.append(raw_, place_, part);
    place_ += part;
  }
}

void ReadingArchive::text(std::string_view& value) {
  std::string read;
  text(read);
  value = read.empty() ? std::string_view() : kept(std::move(read));
}

void ReadingArchive::text(std::vector<std::uint8_t>& value) {
  std::string read;
  text(read);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(read.data()), read.size());
  value.assign(bytes.begin(), bytes.end());
}

void ReadingArchive::entry(const OpcodeInfo*& value) {
  std::uint64_t code = 0;
  number(code);
  if (code >= 2 * kIsReliableDatagram) return fail();
  const auto low = static_cast<std::uint8_t>(code);
  value = code < kIsReliableDatagram ? &opcode_info(low) : &reliable_datagram_opcode(low);
}

void ReadingArchive::entry(const FindingInfo*& value) {
  std::string name;
  text(name);
  value = find_finding_info(name);
  if (value == nullptr && !name.empty()) fail();
}

bool ReadingArchive::is_at_end() { return error_ || (place_ == raw_.size() && !refill()); }

std::optional<Error> ReadingArchive::finish() {
  if (!is_at_end()) fail("it is too long");
  return error_;
}

}  // namespace rocescope::partial
