// A value that most owners do not have. For this library alone, as all of detail/.
#pragma once

#include <memory>

namespace rocescope {

/// The size of a pointer while there is no value; copied with it. Reads as a default-constructed T while there is none.
template <class T>
class Box {
 public:
  Box() = default;
  Box(const Box& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  /// The value, made where there is none.
  [[nodiscard]] T& make() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }
  /// Null: there is none. Lasts as long as the box.
  [[nodiscard]] const T* get() const noexcept { return value_.get(); }
  [[nodiscard]] T* get() noexcept { return value_.get(); }

  /// The value, or one that all empty boxes share.
  [[nodiscard]] const T& operator*() const {
    if (value_) return *value_;
    static const T none{};
    return none;
  }
  [[nodiscard]] const T* operator->() const { return &**this; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace rocescope
