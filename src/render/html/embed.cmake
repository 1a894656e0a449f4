# Writes the page as a source of C++: cmake -D PAGE=page.html -D OUT=page_text.cpp -P embed.cmake
file(READ ${PAGE} bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUT} "#include \"render/html/page_text.hpp\"
namespace rocescope::render {
namespace {
constexpr char kPage[] = {${bytes}};
}
std::string_view page_text() noexcept { return {kPage, sizeof kPage}; }
}  // namespace rocescope::render
")
