// Commands one behind another. Each has its marks, when it was issued, its numbers and its detail. Where one of the numbers is too large
// for 4 bytes, all have 8:
//
//     marks     issued    numbers    detail
//     8 bytes   8 bytes   24 x 4 or 24 x 8 bytes
#include <algorithm>
#include <cstring>
#include <utility>

#include "rocescope/command.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kNumbers = 24;
constexpr std::size_t kHead = 16;
constexpr std::size_t kBlockBytes = 32'768;

using Numbers = std::array<std::uint64_t, kNumbers>;

/// Small where the difference is, in either direction.
constexpr std::uint64_t fold(std::uint64_t value, std::uint64_t base) {
  const auto difference = static_cast<std::int64_t>(value - base);
  return static_cast<std::uint64_t>(difference) << 1U ^ static_cast<std::uint64_t>(difference >> 63U);
}
constexpr std::uint64_t unfold(std::uint64_t folded, std::uint64_t base) {
  return base + (folded >> 1U ^ (~(folded & 1U) + 1U));
}

/// Puts numbers of a few bits into one, and takes them out again.
class Marks {
 public:
  explicit Marks(std::uint64_t bits = 0) : bits_(bits) {}
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

  template <class T>
  void put(T value, unsigned width) {
    bits_ |= static_cast<std::uint64_t>(value) << at_;
    at_ += width;
  }
  template <class T>
  void take(T& value, unsigned width) {
    value = static_cast<T>(bits_ >> at_ & ((std::uint64_t{1} << width) - 1U));
    at_ += width;
  }

 private:
  std::uint64_t bits_ = 0;
  unsigned at_ = 0;
};

/// Calls `each` with those members that take a few bits, and how many.
template <class C, class Each>
void with_small_members(C& command, Each each) {
  each(command.initiator, 1U);
  each(command.protocol, 5U);
  each(command.outcome, 3U);
  each(command.kind, 3U);
  each(command.is_answer, 1U);
  each(command.queue_is_known, 1U);
  each(command.in_capsule, 1U);
  each(command.opcode_is_cut, 1U);
  each(command.size_is_cut, 1U);
  each(command.place_is_cut, 1U);
  each(command.do_not_retry, 1U);
  each(command.response_copied, 2U);
  each(command.data_copied, 2U);
  each(command.round_trip_is_sure, 1U);
}
/// Calls `each` with those members that may be nothing.
template <class C, class Each>
void with_optional_members(C& command, Each each) {
  each(command.target);
  each(command.offset);
  each(command.blocks);
  each(command.file);
  each(command.status);
  each(command.issued);
  each(command.acknowledged);
  each(command.first_data);
  each(command.last_data);
  each(command.data_taken);
  each(command.answered);
  each(command.completed);
}

/// Calls `put` with each number, in the order of read(). `operation`, `status_name`: the numbers of these words.
template <class Put>
[[gnu::always_inline]] inline void with_numbers(const Command& command, std::uint32_t operation,
                                                std::uint32_t status_name, std::uint64_t issued, Put put) {
  const auto time = [&](const std::optional<std::int64_t>& moment) {
    return moment ? fold(static_cast<std::uint64_t>(*moment), issued) : 0;
  };
  put(command.number);
  put(command.connection);
  put(command.queue);
  put(command.id);
  put(command.opcode);
  put(operation);
  put(command.target.value_or(0));
  put(command.offset.value_or(0));
  put(command.blocks.value_or(0));
  put(command.file.value_or(0));
  put(command.bytes);
  put(command.status.value_or(0));
  put(status_name);
  put(command.request_packet);
  put(fold(command.response_packet, command.request_packet));
  put(time(command.acknowledged));
  put(time(command.first_data));
  put(time(command.last_data));
  put(time(command.data_taken));
  put(time(command.answered));
  put(time(command.completed));
  put(command.data_bytes);
  put(command.resent);
  put(static_cast<std::uint64_t>(command.round_trip));
}

// What says how long a command is: the first bits of its marks.
constexpr std::uint64_t kWide = 1;
constexpr unsigned kWideBits = 1;
constexpr unsigned kDetailBits = 26;  // of the length of the detail: all marks have 64 bits

std::size_t number_size(std::uint64_t marks) { return (marks & kWide) != 0 ? 8 : 4; }
std::size_t detail_size(std::uint64_t marks) { return marks >> kWideBits & ((1U << kDetailBits) - 1U); }
std::size_t size_with(std::uint64_t marks) { return kHead + kNumbers * number_size(marks) + detail_size(marks); }

std::uint64_t load_word(const std::uint8_t* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace

void CommandList::push_back(const Command& command) {
  const std::uint32_t operation = number_of(command.operation);
  const std::uint32_t status_name = number_of(command.status_name);
  const std::uint64_t issued = static_cast<std::uint64_t>(command.issued.value_or(0));
  struct {
    std::uint64_t marks;
    std::uint64_t issued;
    Numbers numbers;
  } bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  static_assert(sizeof bytes == kHead + sizeof(Numbers));
  std::uint64_t all = 0;
  std::array<std::uint32_t, kNumbers> narrow;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  std::size_t place = 0;
  with_numbers(command, operation, status_name, issued, [&](std::uint64_t number) {
    all |= number;
    narrow[place++] = static_cast<std::uint32_t>(number);
  });
  const bool is_wide = all >> 32U != 0;
  if (is_wide) {
    place = 0;
    with_numbers(command, operation, status_name, issued,
                 [&](std::uint64_t number) { bytes.numbers[place++] = number; });
  } else {
    std::memcpy(&bytes.numbers, &narrow, sizeof narrow);
  }
  Marks marks;
  marks.put(is_wide, kWideBits);
  marks.put(std::min<std::size_t>(command.detail.size(), (1U << kDetailBits) - 1U), kDetailBits);
  with_small_members(command, [&](const auto& member, unsigned width) { marks.put(member, width); });
  with_optional_members(command, [&](const auto& member) { marks.put(member.has_value(), 1); });
  bytes.marks = marks.bits();
  bytes.issued = issued;
  const std::size_t size = size_with(marks.bits());
  const std::size_t detail = detail_size(marks.bits());
  std::vector<std::uint8_t>& to = block_for(size);
  const auto* const first = reinterpret_cast<const std::uint8_t*>(&bytes);
  to.insert(to.end(), first, first + size - detail);
  if (detail > 0)
    to.insert(to.end(), command.detail.begin(), command.detail.begin() + static_cast<std::ptrdiff_t>(detail));
}

/// The block to which another command of this size is appended.
std::vector<std::uint8_t>& CommandList::block_for(std::size_t size) {
  if (blocks_.empty() || blocks_.back().bytes.capacity() - blocks_.back().bytes.size() < size) {
    Block& next = blocks_.emplace_back(Block{.first = this->size()});
    next.bytes.reserve(std::max(kBlockBytes, size));
  }
  Block& block = blocks_.back();
  ++block.commands;
  return block.bytes;
}

std::size_t CommandList::read(const std::uint8_t* bytes, Command& command) const {
  Marks marks(load_word(bytes));
  const std::uint64_t issued = load_word(bytes + 8);
  const std::size_t number_bytes = number_size(marks.bits());
  Numbers numbers{};
  for (std::size_t i = 0; i < kNumbers; ++i)
    std::memcpy(&numbers[i], bytes + kHead + i * number_bytes, number_bytes);  // NOLINT
  const std::size_t size = size_with(marks.bits());
  const std::uint8_t* const detail = bytes + size - detail_size(marks.bits());
  std::uint64_t length = 0;
  marks.take(length, kWideBits);
  marks.take(length, kDetailBits);
  with_small_members(command, [&](auto& member, unsigned width) { marks.take(member, width); });
  with_optional_members(command, [&](auto& member) {
    bool is_there = false;
    marks.take(is_there, 1);
    if (is_there) {
      member.emplace();
    } else {
      member.reset();
    }
  });
  const auto set = [](auto& member, std::uint64_t number) {
    using Value = std::remove_cvref_t<decltype(*member)>;
    if (member) *member = static_cast<Value>(number);
  };
  const std::uint64_t* next = numbers.data();
  command.number = *next++;
  command.connection = static_cast<std::uint32_t>(*next++);
  command.queue = static_cast<std::uint32_t>(*next++);
  command.id = *next++;
  command.opcode = static_cast<std::uint16_t>(*next++);
  command.operation = word(*next++);
  set(command.target, *next++);
  set(command.offset, *next++);
  set(command.blocks, *next++);
  set(command.file, *next++);
  command.bytes = *next++;
  set(command.status, *next++);
  command.status_name = word(*next++);
  command.request_packet = *next++;
  command.response_packet = unfold(*next++, command.request_packet);
  set(command.issued, issued);
  set(command.acknowledged, unfold(*next++, issued));
  set(command.first_data, unfold(*next++, issued));
  set(command.last_data, unfold(*next++, issued));
  set(command.data_taken, unfold(*next++, issued));
  set(command.answered, unfold(*next++, issued));
  set(command.completed, unfold(*next++, issued));
  command.data_bytes = *next++;
  command.resent = *next++;
  command.round_trip = static_cast<std::int64_t>(*next++);
  command.detail.assign(detail, bytes + size);
  return size;
}

Command CommandList::operator[](std::size_t place) const {
  const Block& block = *(std::ranges::upper_bound(blocks_, place, {}, &Block::first) - 1);
  const std::uint8_t* bytes = block.bytes.data();
  for (std::size_t i = block.first; i < place; ++i) bytes += size_with(load_word(bytes));
  Command command;
  (void)read(bytes, command);
  return command;
}

std::uint32_t CommandList::find_number_of(std::string_view word) {
  const auto [place, is_new] = numbers_.try_emplace(word, static_cast<std::uint32_t>(words_.size() + 1));
  if (is_new) words_.push_back(word);
  return place->second;
}

void CommandList::Iterator::read() {
  const std::vector<Block>& blocks = list_->blocks_;
  if (block_ < blocks.size() && offset_ >= blocks[block_].bytes.size()) {
    ++block_;
    offset_ = 0;
  }
  if (block_ >= blocks.size()) {
    list_ = nullptr;
  } else {
    offset_ += list_->read(blocks[block_].bytes.data() + offset_, command_);
  }
}

}  // namespace rocescope
