#include "render/html/page_document.hpp"

#include <utility>

#include "render/html/page_text.hpp"

namespace rocescope::render {
namespace {

constexpr std::string_view kDataMarker = "<!--ROCESCOPE-DATA-->";

}  // namespace

bool has_page() noexcept { return page_text().find(kDataMarker) != std::string_view::npos; }

PageDocument::PageDocument(Sink sink, std::string_view page) : sink_(std::move(sink)) {
  const std::size_t marker = page.find(kDataMarker);
  sink_(page.substr(0, marker));
  rest_ = page.substr(marker + kDataMarker.size());
}

void PageDocument::add(std::string_view name, std::string_view json) {
  std::string text = "<script type=\"application/json\" id=\"data-";
  text += name;
  text += "\">";
  text.reserve(text.size() + json.size() + json.size() / 64 + 16);
  for (const char c : json) {
    switch (c) {
      case '<':
        text += "\\u003c";
        break;
      case '>':
        text += "\\u003e";
        break;
      case '&':
        text += "\\u0026";
        break;
      default:
        text += c;
    }
  }
  text += "</script>\n";
  sink_(text);
}

void PageDocument::finish() { sink_(rest_); }

}  // namespace rocescope::render
