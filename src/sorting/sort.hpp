// Sorts what is sorted once, such as the rows of a report, as std::sort() and std::stable_sort() do. Places of elements are sorted, by
// code that all kinds of elements share: g++ compiles std::sort() for half a second wherever it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace rocescope::sorting {

/// Places of elements, from 0.
using Places = std::vector<std::uint32_t>;
/// Whether the element at place `a` comes before that at place `b`.
using IsBefore = bool (*)(const void* context, std::uint32_t a, std::uint32_t b);
using Swap = void (*)(void* range, std::uint32_t a, std::uint32_t b);

enum class Equals : std::uint8_t { kInAnyOrder, kStayInOrder };

/// The places of all elements, in order. `size`: less than 2^32.
[[nodiscard]] Places sorted_places(std::size_t size, Equals equals, const void* context, IsBefore is_before);
/// Moves the element at `places[i]` to `i`.
void move_to(Places& places, void* range, Swap swap);

template <class Range, class Less, class Projection>
void sort_as(Equals equals, Range& range, const Less& less, const Projection& projection) {
  struct Context {
    Range& range;
    const Less& less;
    const Projection& projection;
  };
  const Context context{range, less, projection};
  Places places =
      sorted_places(range.size(), equals, &context, [](const void* of, std::uint32_t a, std::uint32_t b) -> bool {
        const Context& in = *static_cast<const Context*>(of);
        return std::invoke(in.less, std::invoke(in.projection, std::as_const(in.range[a])),
                           std::invoke(in.projection, std::as_const(in.range[b])));
      });
  move_to(places, &range, [](void* in, std::uint32_t a, std::uint32_t b) {
    using std::swap;
    swap((*static_cast<Range*>(in))[a], (*static_cast<Range*>(in))[b]);
  });
}

/// Sorts a range with size() and operator[].
template <class Range, class Less = std::less<>, class Projection = std::identity>
void sort(Range& range, const Less& less = {}, const Projection& projection = {}) {
  sort_as(Equals::kInAnyOrder, range, less, projection);
}
template <class Range, class Less = std::less<>, class Projection = std::identity>
void stable_sort(Range& range, const Less& less = {}, const Projection& projection = {}) {
  sort_as(Equals::kStayInOrder, range, less, projection);
}

}  // namespace rocescope::sorting
