// What is given back to the system with the process, and not piece by piece.
#pragma once

#include <optional>
#include <utility>

namespace rocescope::cli {

/// Keeps `value` until the process ends, or until another one of its type is kept: to free the report of very many connections takes a
/// good part of a second, and the system takes back all memory at once.
template <class T>
[[nodiscard]] const T& keep(T value) {
  static auto* const kept = new std::optional<T>();  // NOLINT(cppcoreguidelines-owning-memory): nobody frees it
  return kept->emplace(std::move(value));
}

}  // namespace rocescope::cli
