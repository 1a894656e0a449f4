// a number that does not say how it adds up
#include "schema/make_column.hpp"

namespace rocescope::schema {

struct Counts {
  std::uint64_t packets = 0;
  std::uint64_t stalls = 0;
};

constexpr auto kColumns = columns<Counts>(number<&Counts::packets>("packets", "packets").packets().sum(),
#ifdef MEND
                                          number<&Counts::stalls>("stalls", "silences").sum());
#else
                                          number<&Counts::stalls>("stalls", "silences"));
#endif

}  // namespace rocescope::schema

int main() { return static_cast<int>(rocescope::schema::kColumns.size()); }
