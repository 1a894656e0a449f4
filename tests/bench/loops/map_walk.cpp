// From packet to packet through a memory map of a pcap file of this machine's byte order: the least that a reader of such a
// file can do. Only for whole files that nobody changes meanwhile.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  const int file = open(argv[1], O_RDONLY);
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0) return EXIT_FAILURE;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (map == MAP_FAILED) return EXIT_FAILURE;
  madvise(map, size, MADV_SEQUENTIAL);
  const auto* bytes = static_cast<const std::uint8_t*>(map);
  constexpr std::size_t kFileHeader = 24;
  constexpr std::size_t kRecordHeader = 16;
  constexpr std::size_t kCapturedLength = 8;
  std::uint64_t packets = 0;
  std::uint64_t captured = 0;
  std::uint64_t first_bytes = 0;
  for (std::size_t at = kFileHeader; at + kRecordHeader <= size;) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes + at + kCapturedLength, sizeof(length));
    at += kRecordHeader;
    if (length > size - at) return EXIT_FAILURE;
    ++packets;
    captured += length;
    if (length > 0) first_bytes += bytes[at];
    at += length;
  }
  std::printf("%llu packets %llu bytes %llu\n", static_cast<unsigned long long>(packets),
              static_cast<unsigned long long>(captured), static_cast<unsigned long long>(first_bytes));
  return EXIT_SUCCESS;
}
