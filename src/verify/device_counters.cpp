#include "verify/device_counters.hpp"

namespace rocescope::verify {

Growths growths_of(const truth::Truth& truth) {
  std::map<std::string, Values> before;
  std::map<std::string, Values> after;  // the last readings count
  for (const truth::Counters& counters : truth.counters) {
    if (counters.side != truth::Side::kLab) continue;
    (counters.is_after ? after : before)[counters.on] = {counters.hardware.begin(), counters.hardware.end()};
  }
  Growths growths;
  for (const auto& [host, values] : after) {
    for (const auto& [name, value] : values) {
      const auto old = before[host].find(name);
      if (old == before[host].end() || old->second > value) {
        ++growths.unknown[host];
      } else {
        growths.known[host][name] = value - old->second;
      }
    }
  }
  return growths;
}

}  // namespace rocescope::verify
