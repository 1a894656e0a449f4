#include "dissectors/ulp/nccl/nccl_clear_to_send.hpp"

#include <algorithm>
#include <array>

#include "dissectors/ulp/forms.hpp"

namespace rocescope {
namespace {

/// Where the parts of an entry are, in bytes from its start; each begins with the address.
struct NcclEntry {
  std::size_t size = 0;         ///< of the entry
  std::size_t length_size = 0;  ///< of the length of the buffer, which stands at 8
  std::size_t keys = 0;         ///< R_Keys, of 4 bytes each, behind that
  std::size_t buffers = 0;      ///< how many entries the message has, 4 bytes
  std::size_t number = 0;
  std::size_t number_size = 0;
  std::size_t zeros = 0;  ///< from there to the end
};

// 2.30, 2.24, 2.20 and 2.12.
constexpr std::array kNcclEntries = std::to_array<NcclEntry>({
    {.size = 64, .length_size = 8, .keys = 8, .buffers = 48, .number = 56, .number_size = 8, .zeros = 64},
    {.size = 64, .length_size = 8, .keys = 4, .buffers = 32, .number = 40, .number_size = 8, .zeros = 48},
    {.size = 64, .length_size = 4, .keys = 2, .buffers = 20, .number = 32, .number_size = 8, .zeros = 40},
    {.size = 32, .length_size = 4, .keys = 1, .buffers = 16, .number = 24, .number_size = 8, .zeros = 32},
});
constexpr std::size_t kNcclLength = 8;

std::uint64_t nccl_number_at(Bytes entry, std::size_t at, std::size_t size) noexcept {
  return load_little_endian(entry.data() + at, size);
}

/// Of the memory of a process.
bool is_nccl_address(std::uint64_t address) noexcept { return address != 0 && address >> 57U == 0; }

bool has_nccl_buffer(Bytes entry, std::size_t length_size, std::size_t keys) noexcept {
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 31;
  if (!is_nccl_address(nccl_number_at(entry, 0, 8))) return false;
  if (nccl_number_at(entry, kNcclLength, length_size) >= kLongest) return false;
  // One of each device; behind the last are zeros.
  bool was_zero = false;
  for (std::size_t i = 0; i < keys; ++i) {
    const bool is_zero = nccl_number_at(entry, kNcclLength + length_size + 4 * i, 4) == 0;
    if ((i == 0 && is_zero) || (was_zero && !is_zero)) return false;
    was_zero = is_zero;
  }
  return true;
}

std::optional<std::uint64_t> nccl_number_of(Bytes entry, const NcclEntry& form, std::uint64_t buffers) noexcept {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  const std::uint64_t number = nccl_number_at(entry, form.number, form.number_size);
  if (number == 0 || number >= kMost || nccl_number_at(entry, form.buffers, 4) != buffers) return std::nullopt;
  if (!has_nccl_buffer(entry, form.length_size, form.keys)) return std::nullopt;
  const Bytes zeros = entry.subspan(form.zeros);
  return std::ranges::all_of(zeros, [](std::uint8_t byte) { return byte == 0; }) ? std::optional(number) : std::nullopt;
}

std::optional<NcclClearToSend> read_nccl_entries(Bytes payload, const NcclEntry& form) noexcept {
  constexpr std::uint64_t kMostBuffers = 8;
  const std::uint64_t buffers = payload.size() / form.size;
  if (payload.size() % form.size != 0 || buffers == 0 || buffers > kMostBuffers) return std::nullopt;
  NcclClearToSend all{.buffers = static_cast<std::uint32_t>(buffers),
                      .address = nccl_number_at(payload, 0, 8),
                      .r_key = static_cast<std::uint32_t>(nccl_number_at(payload, kNcclLength + form.length_size, 4))};
  for (std::size_t i = 0; i < buffers; ++i) {
    const auto number = nccl_number_of(payload.subspan(i * form.size, form.size), form, buffers);
    if (!number || (i > 0 && *number != all.number)) return std::nullopt;
    all.number = *number;
  }
  return all;
}

/// Before 2.12: one buffer, its number and one R_Key; the last word says that it is ready.
std::optional<NcclClearToSend> read_old_nccl_entry(Bytes payload) noexcept {
  constexpr std::size_t kNumber = 12;
  constexpr std::size_t kKey = 16;
  constexpr std::size_t kReady = 20;
  constexpr std::size_t kSize = 24;
  if (payload.size() != kSize && payload.size() != kSize + 8) return std::nullopt;
  if (nccl_number_at(payload, kNcclLength, 4) >> 31U != 0) return std::nullopt;
  if (nccl_number_at(payload, kKey, 4) == 0 || nccl_number_at(payload, kReady, 4) != 1) return std::nullopt;
  if (payload.size() > kSize && nccl_number_at(payload, kSize, 8) != 0) return std::nullopt;
  return NcclClearToSend{.number = nccl_number_at(payload, kNumber, 4),
                         .buffers = 1,
                         .address = nccl_number_at(payload, 0, 8),
                         .r_key = static_cast<std::uint32_t>(nccl_number_at(payload, kKey, 4))};
}

}  // namespace

std::optional<NcclClearToSend> nccl_clear_to_send_of(Bytes payload) noexcept {
  if (!has_length_of_nccl(payload.size()) || !is_nccl_address(nccl_number_at(payload, 0, 8))) return std::nullopt;
  for (const NcclEntry& form : kNcclEntries) {
    if (const auto entries = read_nccl_entries(payload, form)) return entries;
  }
  return read_old_nccl_entry(payload);
}

bool has_form_of_nccl(Bytes payload, std::uint64_t length) noexcept {
  return payload.size() == length && nccl_clear_to_send_of(payload);
}

}  // namespace rocescope
