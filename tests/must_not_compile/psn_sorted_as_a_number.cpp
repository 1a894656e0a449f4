// operator<
#include "rocescope/psn.hpp"

int main() {
  const rocescope::Psn a(1);
  const rocescope::Psn b(2);
#ifdef MEND
  return a.before(b) ? 0 : 1;
#else
  return a < b ? 0 : 1;
#endif
}
