#include "capture/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace rocescope {
namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t kZstdMagic = 0xFD2FB528;
constexpr std::uint32_t kLz4Magic = 0x184D2204;
constexpr std::uint32_t kSkippableMagic = 0x184D2A50;  // and the 15 after it; the same for zstd and lz4

/// A format that this program can name but not read.
struct Known {
  std::string_view first;  ///< how it begins
  std::string_view name;
  std::string_view advice;  ///< {0} is the path
};

constexpr auto kConvert = "Wireshark's editcap converts it: editcap -F pcapng {0} new.pcapng"sv;
constexpr auto kUnpack = "Unpack it first"sv;

constexpr std::array kKnown = {
    Known{"snoop\0\0\0"sv, "a snoop capture", kConvert},
    Known{"RTSS"sv, "a Microsoft Network Monitor capture", kConvert},
    Known{"GMBU"sv, "a Microsoft Network Monitor capture", kConvert},
    Known{"TRSNIFF data"sv, "a Sniffer capture", kConvert},
    Known{"XCP\0"sv, "a NetXRay capture", kConvert},
    Known{"iptrace "sv, "an AIX iptrace capture", kConvert},
    Known{"\x05VNF"sv, "a Visual Networks capture", kConvert},
    Known{"\xAA\xAA\xAA\xAA"sv, "an InfoVista 5View capture", kConvert},
    Known{"ObserverPktBuffe"sv, "a Viavi Observer capture", kConvert},
    Known{"LOGG"sv, "a Vector BLF log", kConvert},
    Known{"\x1C\x00\x01\xAC"sv, "an Ixia capture", kConvert},
    Known{"\xAC\x01\x00\x1C"sv, "an Ixia capture", kConvert},
    Known{"\x1C\x00\x01\xAB"sv, "an Ixia capture", kConvert},
    Known{"\xAB\x01\x00\x1C"sv, "an Ixia capture", kConvert},
    Known{"\xFD"
          "7zXZ\0"sv,
          "compressed with xz", "Run: xz -dc {0} | rocescope ... -"},
    Known{"BZh"sv, "compressed with bzip2", "Run: bzip2 -dc {0} | rocescope ... -"},
    Known{"\x02\x21\x4C\x18"sv, "compressed with lz4 in its legacy format", "Run: lz4 -dc {0} | rocescope ... -"},
    Known{"PK\x03\x04"sv, "a zip archive", kUnpack},
    Known{"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", kUnpack},
    Known{"Rar!"sv, "a rar archive", kUnpack},
    Known{"\x7F"
          "ELF"sv,
          "a program", "Name a capture file"},
};

bool begins_with(Bytes bytes, std::string_view first) {
  return bytes.size() >= first.size() &&
         std::equal(first.begin(), first.end(), bytes.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

/// Mostly ASCII, without bytes that no text has.
bool is_text(Bytes bytes) {
  const auto control = [](std::uint8_t b) { return b == 0x7F || (b < 0x20 && (b < '\t' || b > '\r')); };
  const auto beyond_ascii = [](std::uint8_t b) { return b >= 0x80; };
  return std::none_of(bytes.begin(), bytes.end(), control) &&
         std::count_if(bytes.begin(), bytes.end(), beyond_ascii) <= std::ssize(bytes) / 2;
}

bool is_tar(Bytes bytes) { return bytes.size() >= 262 && begins_with(bytes.subspan(257), "ustar"); }

bool is_skippable(Bytes first) {
  return first.size() >= 4 && (load_little_endian(first.data(), 4) & 0xFFFFFFF0U) == kSkippableMagic;
}

/// The format of the frame after a skippable one, at which zstd and lz4 files may begin (pzstd's do).
Compression after_skippable(ByteStream& stream) {
  constexpr std::size_t kHeader = 8;
  constexpr std::size_t kLookAhead = 65536;
  const Bytes header = stream.peek(kHeader);
  if (header.size() < kHeader) return Compression::kNone;
  const std::uint64_t next = kHeader + load_little_endian(header.data() + 4, 4);
  if (next > kLookAhead) return Compression::kZstd;
  const Bytes bytes = stream.peek(static_cast<std::size_t>(next) + 4);
  if (bytes.size() < next + 4) return Compression::kNone;
  return load_little_endian(bytes.data() + next, 4) == kLz4Magic ? Compression::kLz4 : Compression::kZstd;
}

}  // namespace

bool begins_frame(Compression compression, Bytes first) {
  if (compression == Compression::kGzip) return begins_with(first, "\x1F\x8B"sv);
  if (first.size() < 4) return false;
  const std::uint64_t magic = load_little_endian(first.data(), 4);
  if (compression == Compression::kZstd) return magic == kZstdMagic || is_skippable(first);
  return compression == Compression::kLz4 && (magic == kLz4Magic || is_skippable(first));
}

Compression compression_of(ByteStream& stream) {
  const Bytes first = stream.peek(4);
  if (begins_frame(Compression::kGzip, first)) return Compression::kGzip;
  if (is_skippable(first)) return after_skippable(stream);
  if (begins_frame(Compression::kZstd, first)) return Compression::kZstd;
  if (begins_frame(Compression::kLz4, first)) return Compression::kLz4;
  return Compression::kNone;
}

std::string_view name_of(Compression compression) {
  constexpr std::array kNames = {""sv, "gzip"sv, "zstd"sv, "lz4"sv};
  return kNames[static_cast<std::size_t>(compression)];
}

Format format_of(ByteStream& stream) {
  const Bytes first = stream.peek(4);
  if (first.size() < 4) return Format::kUnknown;
  const std::uint64_t magic = load_little_endian(first.data(), 4);
  switch (magic) {
    case 0x0A0D0D0A:
      return Format::kPcapng;
    case 0xA1B2C3D4:  // microseconds
    case 0xD4C3B2A1:
    case 0xA1B23C4D:  // nanoseconds
    case 0x4D3CB2A1:
    case 0xA1B2CD34:  // Alexey Kuznetzov's longer record headers
    case 0x34CDB2A1:
      return Format::kPcap;
    default:
      return Format::kUnknown;
  }
}

std::string describe_unknown(ByteStream& stream, const std::string& path) {
  constexpr std::size_t kEnough = 512;
  const Compression inner = compression_of(stream);
  if (inner != Compression::kNone) {
    return fmt::format("it holds {} data once more. Unpack it once first", name_of(inner));
  }
  const Bytes bytes = stream.peek(kEnough);
  for (const Known& known : kKnown) {
    if (!begins_with(bytes, known.first)) continue;
    return fmt::format("it is {}. {}", known.name, fmt::format(fmt::runtime(known.advice), path));
  }
  if (is_tar(bytes)) return "it is a tar archive. Unpack it first";
  if (is_text(bytes)) {
    return fmt::format(
        "it is text, not a capture. If it is a hex dump, Wireshark's text2pcap makes a capture of it: "
        "text2pcap {} new.pcapng",
        path);
  }
  if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; })) {
    return "it begins with zero bytes only: a capture that was never written to the disk. Capture again";
  }
  return fmt::format(
      "it is no capture that rocescope knows (its first bytes are {:02x}). If Wireshark opens it, "
      "its editcap makes a capture of it: editcap -F pcapng {} new.pcapng",
      fmt::join(bytes.first(std::min<std::size_t>(bytes.size(), 8)), " "), path);
}

}  // namespace rocescope
