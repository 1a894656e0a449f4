#include "render/html/page_document.hpp"

#include <algorithm>
#include <utility>

#include "render/html/page_text.hpp"

namespace rocescope::render {
namespace {

constexpr std::string_view kDataMarker = "<!--ROCESCOPE-DATA-->";

}  // namespace

bool has_page() noexcept { return page_text().find(kDataMarker) != std::string_view::npos; }

PageDocument::PageDocument(Sink sink, std::string_view page) : sink_(std::move(sink)) {
  const std::size_t marker = page.find(kDataMarker);
  put(page.substr(0, marker));
  rest_ = page.substr(marker + kDataMarker.size());
}

void PageDocument::put(std::string_view piece) {
  written_ += piece.size();
  sink_(piece);
}

std::size_t PageDocument::room() const noexcept {
  const std::size_t used = written_ + rest_.size() + kReserved;
  return kMostBytes - std::min(used, kMostBytes);
}

bool PageDocument::add(std::string_view name, std::string_view json) {
  const std::string text = element(name, json);
  if (text.size() > room()) return false;
  put(text);
  return true;
}

std::string PageDocument::element(std::string_view name, std::string_view json) {
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
  return text;
}

}  // namespace rocescope::render
