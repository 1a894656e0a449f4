#include "sorting/sort.hpp"

#include <algorithm>
#include <numeric>

namespace rocescope::sorting {

Places sorted_places(std::size_t size, Equals equals, const void* context, IsBefore is_before) {
  Places places(size);
  std::iota(places.begin(), places.end(), std::uint32_t{0});
  const auto less = [=](std::uint32_t a, std::uint32_t b) { return is_before(context, a, b); };
  if (equals == Equals::kStayInOrder) {
    std::stable_sort(places.begin(), places.end(), less);
  } else {
    std::sort(places.begin(), places.end(), less);
  }
  return places;
}

void move_to(Places& places, void* range, Swap swap) {
  for (std::uint32_t first = 0; first < places.size(); ++first) {
    // Around the ring of places that change with each other: what stood at `first` goes on to the last.
    std::uint32_t here = first;
    while (places[here] != first) {
      const std::uint32_t next = std::exchange(places[here], here);
      swap(range, here, next);
      here = next;
    }
    places[here] = here;
  }
}

}  // namespace rocescope::sorting
