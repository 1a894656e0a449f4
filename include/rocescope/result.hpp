// Errors as values.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace rocescope {

/// What went wrong, where, and what to do about it, in one sentence for a person; no trailing full stop or newline.
struct Error {
  std::string message;
};

/// A T, or the Error for which there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `return value;` and `return Error{...};` are the point
  Result(T value) : value_(std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : value_(std::move(error)) {}

  [[nodiscard]] explicit operator bool() const noexcept { return std::holds_alternative<T>(value_); }
  /// Only when it holds a value.
  [[nodiscard]] T& operator*() noexcept { return *std::get_if<T>(&value_); }
  [[nodiscard]] const T& operator*() const noexcept { return *std::get_if<T>(&value_); }
  [[nodiscard]] T* operator->() noexcept { return std::get_if<T>(&value_); }
  [[nodiscard]] const T* operator->() const noexcept { return std::get_if<T>(&value_); }
  /// Only when it holds none.
  [[nodiscard]] const Error& error() const noexcept { return *std::get_if<Error>(&value_); }

 private:
  std::variant<T, Error> value_;
};

}  // namespace rocescope
