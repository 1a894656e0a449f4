#include "capture/pcapng_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "capture/erf_time.hpp"
#include "model/shard_sieve.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kBlockHeader = 8;
constexpr std::size_t kSecondLength = 4;
constexpr std::size_t kSmallestBlock = kBlockHeader + kSecondLength;
constexpr std::uint64_t kLargestBlock = std::uint64_t{256} << 20;  // held in memory
constexpr std::size_t kMostComments = 256;                         // of one frame
constexpr std::string_view kLengthsDiffer = "the two lengths of the block differ";

bool is_read(std::uint32_t type) {
  switch (type) {
    case block_type::kSectionHeader:
    case block_type::kInterfaceDescription:
    case block_type::kObsoletePacket:
    case block_type::kSimplePacket:
    case block_type::kInterfaceStatistics:
    case block_type::kEnhancedPacket:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string PcapngReader::open() {
  info().format = "pcapng";
  Block block;
  if (read_block(block)) read_section(block);
  if (info().warnings.empty()) return {};
  std::string problem = std::move(info().warnings.back());
  info().warnings.clear();
  return problem;
}

bool PcapngReader::next(Frame& frame) {
  comments_.clear();
  if (ended_) return false;
  stream().consume(held_);
  held_ = read_usual(stream().buffered(), kAnyInterface, frame);
  if (held_ > 0) {
    ++frames_;
    return true;
  }
  Block block;
  while (!ended_ && read_block(block)) {
    bool given = false;
    switch (block.type) {
      case block_type::kSectionHeader:
        read_section(block);
        break;
      case block_type::kInterfaceDescription:
        read_interface(block);
        break;
      case block_type::kInterfaceStatistics:
        read_statistics(block);
        break;
      case block_type::kEnhancedPacket:
      case block_type::kObsoletePacket:
        given = read_packet(block, frame);
        break;
      default:
        given = read_simple(block, frame);
        break;
    }
    if (!given) continue;
    ++frames_;
    return true;
  }
  return false;
}

std::size_t PcapngReader::next_buffered(std::span<Frame> frames, const BufferedFrames& wanted) {
  comments_.clear();
  if (ended_) return 0;
  stream().consume(held_);
  held_ = 0;
  const Bytes bytes = stream().buffered();
  std::optional<ShardSieve::Pass> pass;
  if (wanted.sieve != nullptr) pass.emplace(*wanted.sieve);
  const std::uint64_t before = frames_;
  std::int64_t first = 0;
  std::size_t count = 0;
  while (count < frames.size() && held_ < wanted.most_bytes) {
    Frame frame;
    const std::size_t length = read_usual(bytes.subspan(held_), wanted.interface_id, frame);
    if (length == 0) break;
    if (pass && frame.link_type != link_type::kEthernet) break;
    held_ += length;
    if (frames_ == before) first = frame.timestamp;
    frame.number = ++frames_;
    const ExpressBytes its{frame.data.data(), frame.data.size(), frame.original_length};
    if (!pass || !pass->leaves_out(its, frame.timestamp, count)) frames[count++] = frame;
  }
  if (pass && frames_ > before) pass->end(first, frames_ - before);
  return count;
}

/// The usual block: an Enhanced Packet Block of this interface, without options, that lies in the stream's buffer. 0 for any other or
/// damaged block, which the slower functions read; else its length.
std::size_t PcapngReader::read_usual(Bytes bytes, std::uint64_t interface, Frame& frame) {
  constexpr std::size_t kFrame = kBlockHeader + 20;
  if (bytes.size() < kFrame + kSecondLength || numbers_.u32(bytes, 0) != block_type::kEnhancedPacket) return 0;
  const std::size_t length = numbers_.u32(bytes, 4);
  const std::size_t captured = numbers_.u32(bytes, 20);
  const bool without_options = length == kFrame + padded_to_32_bits(captured) + kSecondLength;
  if (!without_options || length > bytes.size() || numbers_.u32(bytes, length - kSecondLength) != length) return 0;
  const std::uint64_t id = first_interface_ + numbers_.u32(bytes, 8);
  if (id >= info().interfaces.size() || (interface != kAnyInterface && interface != id)) return 0;
  frame.data = bytes.subspan(kFrame, captured);
  frame.original_length = numbers_.u32(bytes, 24);
  frame.link_type = info().interfaces[id].link_type;
  frame.interface_id = static_cast<std::uint32_t>(id);
  set_time(numbers_.u32(bytes, 12), numbers_.u32(bytes, 16), frame);
  return length;
}

/// The next block of a known type. The stream holds its bytes until the next call.
bool PcapngReader::read_block(Block& block) {
  stream().consume(held_);
  held_ = 0;
  std::uint32_t length = 0;
  while (read_length(block, length)) {
    if (is_read(block.type)) return hold_block(block, length);
    if (!skip_block(block, length)) return false;
  }
  return false;
}

bool PcapngReader::hold_block(Block& block, std::uint32_t length) {
  const std::uint64_t padded = padded_to_32_bits(length);
  if (padded > kLargestBlock) {
    end_damaged(block.offset, fmt::format("a block of {} bytes", length));
    return false;
  }
  const auto size = static_cast<std::size_t>(padded);
  const Bytes bytes = stream().peek(size);
  if (bytes.size() < size) {
    end_cut(block.offset);
    return false;
  }
  if (numbers_.u32(bytes, size - kSecondLength) != length) {
    end_damaged(block.offset, kLengthsDiffer);
    return false;
  }
  held_ = size;
  block.body = bytes.subspan(kBlockHeader, size - kSmallestBlock);
  return true;
}

/// Reads type and length of the next block, and the byte order where a section begins.
bool PcapngReader::read_length(Block& block, std::uint32_t& length) {
  block.offset = stream().offset();
  Bytes bytes = stream().peek(kBlockHeader);
  if (bytes.empty()) {
    end();
    return false;
  }
  if (bytes.size() >= 4 && numbers_.u32(bytes, 0) == block_type::kSectionHeader) {
    bytes = stream().peek(kSectionHeaderStart);
    if (bytes.size() >= kSectionHeaderStart) {
      const std::optional<FileNumbers> numbers = section_numbers(bytes);
      if (!numbers) {
        end_damaged(block.offset, "a section header without its byte-order magic");
        return false;
      }
      numbers_ = *numbers;
    }
  }
  if (bytes.size() < kBlockHeader) {
    end_cut(block.offset);
    return false;
  }
  block.type = numbers_.u32(bytes, 0);
  length = numbers_.u32(bytes, 4);
  if (length >= kSmallestBlock) return true;
  end_damaged(block.offset, fmt::format("a block of {} bytes", length));
  return false;
}

bool PcapngReader::skip_block(const Block& block, std::uint32_t length) {
  const std::uint64_t rest = padded_to_32_bits(length) - kSecondLength;
  const bool there = stream().skip(rest) == rest;
  const Bytes second = there ? stream().peek(kSecondLength) : Bytes();
  if (second.size() < kSecondLength) {
    end_cut(block.offset);
    return false;
  }
  if (numbers_.u32(second, 0) != length) {
    end_damaged(block.offset, kLengthsDiffer);
    return false;
  }
  stream().consume(kSecondLength);
  return true;
}

/// interface 32 (obsolete: interface 16, drops 16), time stamp 64, captured length 32, original length 32, frame, options
bool PcapngReader::read_packet(const Block& block, Frame& frame) {
  if (!long_enough(block, 20)) return false;
  const bool obsolete = block.type == block_type::kObsoletePacket;
  const PacketFields fields{.interface = obsolete ? numbers_.u16(block.body, 0) : numbers_.u32(block.body, 0),
                            .captured_length = numbers_.u32(block.body, 12),
                            .original_length = numbers_.u32(block.body, 16),
                            .header_size = 20};
  if (!fill(block, fields, frame)) return false;
  set_time(numbers_.u32(block.body, 4), numbers_.u32(block.body, 8), frame);
  return true;
}

/// original length 32, frame: of the section's first interface, cut at its snap length
bool PcapngReader::read_simple(const Block& block, Frame& frame) {
  if (!long_enough(block, 4)) return false;
  PacketFields fields{
      .interface = 0, .captured_length = 0, .original_length = numbers_.u32(block.body, 0), .header_size = 4};
  fields.captured_length = fields.original_length;
  if (first_interface_ < info().interfaces.size()) {
    const std::uint32_t snap_length = info().interfaces[first_interface_].snap_length;
    if (snap_length != 0) fields.captured_length = std::min<std::uint64_t>(fields.captured_length, snap_length);
  }
  if (!fill(block, fields, frame)) return false;
  count(PcapngOddity::kNoTime, block.offset);
  frame.timestamp = last_timestamp_;
  return true;
}

/// Everything but the time. False if the block has no valid frame.
bool PcapngReader::fill(const Block& block, const PacketFields& fields, Frame& frame) {
  const std::uint64_t id = first_interface_ + fields.interface;
  if (id >= info().interfaces.size()) {
    count(PcapngOddity::kUnknownInterface, block.offset);
    return false;
  }
  const Bytes rest = block.body.subspan(fields.header_size);
  if (fields.captured_length > rest.size()) {
    count(PcapngOddity::kLength, block.offset);
    return false;
  }
  frame.data = rest.first(static_cast<std::size_t>(fields.captured_length));
  frame.original_length = fields.original_length;
  frame.link_type = info().interfaces[id].link_type;
  frame.interface_id = static_cast<std::uint32_t>(id);
  if (block.type == block_type::kSimplePacket) return true;
  const std::uint64_t padded = std::min<std::uint64_t>(padded_to_32_bits(fields.captured_length), rest.size());
  const bool good =
      for_each_option(rest.subspan(static_cast<std::size_t>(padded)), numbers_, [&](auto code, Bytes value) {
        if (code == option_code::kComment && comments_.size() < kMostComments) comments_.push_back(option_text(value));
      });
  if (!good) count(PcapngOddity::kOptions, block.offset);
  return true;
}

void PcapngReader::count(PcapngOddity oddity, std::uint64_t offset) {
  oddities_.count(
      oddity, [&] { return place(offset); }, info().warnings);
}

void PcapngReader::set_time(std::uint32_t high, std::uint32_t low, Frame& frame) {
  frame.timestamp = times_[frame.interface_id].nanoseconds(std::uint64_t{high} << 32 | low);
  if (frame.link_type == link_type::kErf && frame.data.size() >= kErfTimeSize) {
    frame.timestamp = erf_time(frame.data.data());
  }
  last_timestamp_ = frame.timestamp;
}

bool PcapngReader::long_enough(const Block& block, std::size_t size) {
  if (block.body.size() >= size) return true;
  if (block.type == block_type::kSectionHeader || block.type == block_type::kInterfaceDescription) {
    end_damaged(block.offset, "a block too short for its type");  // without it, what follows would be read wrongly
  } else {
    count(PcapngOddity::kShortBlock, block.offset);
  }
  return false;
}

Result<std::unique_ptr<CaptureReader>> make_pcapng_reader(std::unique_ptr<ByteStream> stream, CaptureInfo& info) {
  auto reader = std::make_unique<PcapngReader>(std::move(stream), info);
  std::string problem = reader->open();
  if (!problem.empty()) return Error{std::move(problem)};
  return std::unique_ptr<CaptureReader>(std::move(reader));
}

}  // namespace rocescope
