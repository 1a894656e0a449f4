// The page around its data, and how data stand in it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "render/json_writer.hpp"

namespace rocescope::render {

/// Whether this build has the page: it needs npm and uPlot.
[[nodiscard]] bool has_page() noexcept;

/// Writes the page piece by piece, with its data in the middle.
class PageDocument {
 public:
  using Sink = std::function<void(std::string_view piece)>;

  /// Writes what stands before the data in `page`, which outlives it: where the line `<!--ROCESCOPE-DATA-->` is, which it must have.
  explicit PageDocument(Sink sink, std::string_view page);
  PageDocument(const PageDocument&) = delete;
  PageDocument& operator=(const PageDocument&) = delete;

  /// An element with the ID `data-NAME` that holds `json`. Nothing in it can end the element or is markup: JSON has `<`, `>` and `&`
  /// in strings alone, where an escape stands for them.
  void add(std::string_view name, std::string_view json);
  /// The same: `write` writes the members of an object.
  template <class Write>
  void add_object(std::string_view name, Write write) {
    std::string text;
    JsonWriter json(text, JsonSpace::kCompact);
    json.open_object();
    write(json);
    json.close_object();
    add(name, text);
  }
  /// Writes what stands behind the data.
  void finish();

 private:
  Sink sink_;
  std::string_view rest_;  ///< of the page
};

}  // namespace rocescope::render
