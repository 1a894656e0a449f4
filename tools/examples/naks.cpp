// Prints every NAK of a capture, and where the packet that it asks for was lost: naks CAPTURE
#include <iostream>
#include <rocescope/rocescope.hpp>

namespace {

std::string describe(const rocescope::Packet& nak, const rocescope::Aeth& aeth, const rocescope::Verdict& verdict) {
  std::string line = "frame " + std::to_string(nak.frame.number) + " at ";
  rocescope::append_date_and_time(nak.frame.timestamp, rocescope::Zone::kUtc, 6, line);
  line += ": " + rocescope::to_text(nak.source) + " to " + rocescope::to_text(nak.destination);
  line += ", connection " + std::to_string(verdict.connection);
  line += ", PSN " + std::to_string(nak.roce.psn.value()) + ": ";
  line += rocescope::name_of(rocescope::kNakCodeNames, aeth.value());
  if (verdict.lost != rocescope::LostWhere::kNowhere) {
    line += ", lost: ";
    line += to_string(verdict.lost);  // "before" or "after" the capture point, or "corrupt"
  }
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  const auto capture = rocescope::open_capture(argc > 1 ? argv[1] : "-");
  if (!capture) {
    std::cerr << capture.error().message << '\n';
    return 2;
  }
  rocescope::Tracker tracker;
  rocescope::Frame frame;
  rocescope::Packet packet;
  while ((*capture)->next(frame)) {
    rocescope::dissect(frame, packet);
    const rocescope::Verdict verdict = tracker.track({.packet = &packet, .icrc = rocescope::check_icrc(packet)});
    const auto aeth = packet.header<rocescope::Aeth>();
    if (aeth && aeth->kind() == rocescope::AethKind::kNak) std::cout << describe(packet, *aeth, verdict) << '\n';
  }
}
