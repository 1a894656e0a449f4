// Where there was no npm to build the page with.
#include "render/html/page_text.hpp"

namespace rocescope::render {

std::string_view page_text() noexcept { return {}; }

}  // namespace rocescope::render
