#include <cstdio>
#include <rocescope/rocescope.hpp>

int main(int argc, char** argv) {
  auto capture = rocescope::open_capture(argc > 1 ? argv[1] : "-");
  if (!capture) return std::fprintf(stderr, "%s\n", capture.error().message.c_str()), 2;
  rocescope::Frame frame;
  rocescope::Packet packet;
  unsigned good = 0;
  while ((*capture)->next(frame)) {
    rocescope::dissect(frame, packet);
    good += rocescope::check_icrc(packet).status == rocescope::IcrcStatus::kGood;
  }
  std::printf("%u\n", good);
}
