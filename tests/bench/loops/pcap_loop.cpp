// What everything else is measured against: libpcap reads a capture, and nothing is done with the packets.
#include <pcap/pcap.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

struct Sum {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first_bytes = 0;  // so that the frames are touched
};

void add(u_char* sum, const pcap_pkthdr* header, const u_char* data) {
  auto& total = *reinterpret_cast<Sum*>(sum);
  ++total.packets;
  total.bytes += header->caplen;
  if (header->caplen > 0) total.first_bytes += data[0];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  char error[PCAP_ERRBUF_SIZE] = {};
  pcap_t* pcap = pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, error);
  if (pcap == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return EXIT_FAILURE;
  }
  Sum sum;
  const int result = pcap_loop(pcap, -1, add, reinterpret_cast<u_char*>(&sum));
  std::printf("%llu packets %llu bytes %llu\n", static_cast<unsigned long long>(sum.packets),
              static_cast<unsigned long long>(sum.bytes), static_cast<unsigned long long>(sum.first_bytes));
  pcap_close(pcap);
  return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
