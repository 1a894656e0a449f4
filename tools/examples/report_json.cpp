// Prints the report of a capture as JSON, as `rocescope analyze --json` does: report_json CAPTURE
#include <iostream>
#include <rocescope/rocescope.hpp>

int main(int argc, char** argv) {
  const auto capture = rocescope::open_capture(argc > 1 ? argv[1] : "-");
  if (!capture) {
    std::cerr << capture.error().message << '\n';
    return 2;
  }
  std::string json;
  rocescope::render::append_report_json(rocescope::analyze(**capture), json);
  std::cout << json;
}
