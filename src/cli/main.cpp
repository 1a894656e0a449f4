// The entry point.
#include <string>
#include <vector>

#include "cli/program.hpp"

/// What jemalloc reads when it starts. The state of thousands of connections is spread over the memory, and with small pages TLB misses
/// take a good part of the time. Means nothing where the kernel gives no huge pages on request.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "thp:always";
}

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(rocescope::cli::run_program(words));
}
