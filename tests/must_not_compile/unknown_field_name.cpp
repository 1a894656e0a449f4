// the header has no field of that name
#include "rocescope/headers/transport.hpp"

int main() {
  constexpr std::uint8_t kBytes[8]{};
#ifdef MEND
  return rocescope::Udp(kBytes).get<"udp.srcport">();
#else
  return rocescope::Udp(kBytes).get<"udp.sport">();
#endif
}
