// The page around its data, and how data stand in it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "render/json_writer.hpp"

namespace rocescope::render {

/// Whether this build has the page: it needs npm and uPlot.
[[nodiscard]] bool has_page() noexcept;

/// Writes the page piece by piece, with its data in the middle. No page is larger than kMostBytes.
class PageDocument {
 public:
  static constexpr std::size_t kMostBytes = 20'000'000;
  using Sink = std::function<void(std::string_view piece)>;

  /// Writes what stands before the data in `page`, which outlives it: where the line `<!--ROCESCOPE-DATA-->` is, which it must have.
  explicit PageDocument(Sink sink, std::string_view page);
  PageDocument(const PageDocument&) = delete;
  PageDocument& operator=(const PageDocument&) = delete;

  /// An element with the ID `data-NAME` that holds `json`. Nothing in it can end the element or is markup: JSON has `<`, `>` and `&`
  /// in strings alone, where an escape stands for them. Writes nothing and returns false where there is no room for it.
  bool add(std::string_view name, std::string_view json);
  /// The same: `write` writes the members of an object.
  template <class Write>
  bool add_object(std::string_view name, Write write) {
    return add(name, object(write));
  }
  /// For how many bytes there is room.
  [[nodiscard]] std::size_t room() const noexcept;
  /// Adds a last object, for which kReserved bytes were kept, and writes what stands behind the data.
  template <class Write>
  void finish(std::string_view name, Write write) {
    put(element(name, object(write)));
    put(rest_);
  }

 private:
  static constexpr std::size_t kReserved = 200'000;

  template <class Write>
  [[nodiscard]] static std::string object(Write write) {
    std::string text;
    JsonWriter json(text, JsonSpace::kCompact);
    json.open_object();
    write(json);
    json.close_object();
    return text;
  }
  [[nodiscard]] static std::string element(std::string_view name, std::string_view json);
  void put(std::string_view piece);

  Sink sink_;
  std::size_t written_ = 0;
  std::string_view rest_;  ///< of the page
};

}  // namespace rocescope::render
