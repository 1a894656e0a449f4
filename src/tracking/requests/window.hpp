// Elements that come at the end and go at the front.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tracking/prefetch.hpp"

namespace rocescope {

/// A queue in one piece of memory. Takes no memory until something comes, and no more than it has while the queue is no
/// longer than it was before.
template <class T>
class Window {
 public:
  using Iterator = typename std::vector<T>::iterator;
  using ConstIterator = typename std::vector<T>::const_iterator;

  [[nodiscard]] bool empty() const noexcept { return begin_ == elements_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return elements_.size() - begin_; }
  [[nodiscard]] Iterator begin() noexcept { return elements_.begin() + static_cast<std::ptrdiff_t>(begin_); }
  [[nodiscard]] Iterator end() noexcept { return elements_.end(); }
  [[nodiscard]] ConstIterator begin() const noexcept { return elements_.begin() + static_cast<std::ptrdiff_t>(begin_); }
  [[nodiscard]] ConstIterator end() const noexcept { return elements_.end(); }
  [[nodiscard]] T& front() noexcept { return elements_[begin_]; }
  [[nodiscard]] T& back() noexcept { return elements_.back(); }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return elements_[begin_ + i]; }

  /// Fetches the first element ahead; nothing where there is none.
  void prefetch_front() const noexcept {
    if (!empty()) rocescope::prefetch(elements_.data() + begin_);
  }
  void prefetch_back() const noexcept {
    if (!empty()) rocescope::prefetch(elements_.data() + elements_.size() - 1);
  }
  /// For an element that comes at the end.
  void prefetch_next() const noexcept {
    if (elements_.size() < elements_.capacity()) rocescope::prefetch(elements_.data() + elements_.size());
  }
  /// Whether there is no memory for elements.
  [[nodiscard]] bool is_bare() const noexcept { return elements_.capacity() == 0; }
  /// Memory for one that is bare.
  void adopt(std::vector<T> memory) noexcept { elements_ = std::move(memory); }
  /// Memory of one that is empty.
  [[nodiscard]] std::vector<T> release() noexcept {
    begin_ = 0;
    elements_.clear();
    return std::exchange(elements_, {});
  }

  Iterator insert(Iterator place, T element) {
    if (begin_ == 0 || place - begin() > end() - place) return elements_.insert(place, std::move(element));
    // Fewer elements stand before it than after it, and there is room before them.
    const auto first = begin();
    --begin_;
    *std::move(first, place, begin()) = std::move(element);
    return place - 1;
  }
  void push_back(T element) {
    const bool has_room = begin_ > 0 && begin_ >= elements_.size() / kSpare;
    if (has_room && elements_.size() == elements_.capacity()) close_up();
    elements_.push_back(std::move(element));
  }
  void erase(Iterator place) {
    if (place - begin() > end() - place) {
      elements_.erase(place);
    } else {
      std::move_backward(begin(), place, place + 1);
      pop_front();
    }
  }
  void pop_front() {
    ++begin_;
    // The room is given back when it is at least as long as the rest: each element is moved once on average.
    if (begin_ >= elements_.size() - begin_) close_up();
  }

 private:
  static constexpr std::size_t kSpare = 4;  // that part of the room is worth moving the rest for

  void close_up() {
    elements_.erase(elements_.begin(), begin());
    begin_ = 0;
  }

  std::vector<T> elements_;  // from begin_ on; what is before is gone
  std::uint32_t begin_ = 0;
};

}  // namespace rocescope
