// does not tile its header
#include "rocescope/header.hpp"

namespace rocescope {

struct Broken : HeaderView<Broken> {
  static constexpr HeaderKind kKind = HeaderKind::kUdp;
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("broken.a", "A", 0, 16),
#ifdef MEND
      field::number("broken.b", "B", 16, 16),
#else
      field::number("broken.b", "B", 15, 17),
#endif
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr auto a() const { return get<"broken.a">(); }
};

}  // namespace rocescope

int main() {
  constexpr std::uint8_t kBytes[4]{};
  return rocescope::Broken(kBytes).a();
}
