// Writes seeds for fuzz_dissect: from each capture named, one frame of each sequence of headers.
// Usage: make_corpus FOLDER CAPTURE...
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "rocescope/capture.hpp"
#include "rocescope/dissect.hpp"

namespace {

using namespace rocescope;

/// The byte with which fuzz_dissect chooses this link type.
char link_type_byte(std::uint32_t link_type) {
  switch (link_type) {
    case link_type::kRaw:
      return 1;
    case link_type::kNull:
      return 2;
    case link_type::kLoop:
      return 3;
    case link_type::kLinuxSll:
      return 4;
    case link_type::kErf:
      return 5;
    case link_type::kInfiniBand:
      return 6;
    case link_type::kLinuxSll2:
      return 7;
    default:
      return 0;
  }
}

std::string shape_of(const Packet& packet) {
  std::string shape;
  for (const Layer& layer : packet.layers()) shape += static_cast<char>(layer.kind);
  if (packet.is_roce()) shape += static_cast<char>(packet.roce.opcode->code);
  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: make_corpus FOLDER CAPTURE...\n"), 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::set<std::string> shapes;
  Packet packet;
  Frame frame;
  for (int i = 2; i < argc; ++i) {
    const auto capture = open_capture(argv[i]);
    if (!capture) return std::fprintf(stderr, "%s\n", capture.error().message.c_str()), 2;
    while ((*capture)->next(frame)) {
      dissect(frame, packet);
      if (!shapes.insert(shape_of(packet)).second) continue;
      std::ofstream seed(folder / ("seed" + std::to_string(shapes.size())), std::ios::binary);
      seed.put(link_type_byte(frame.link_type));
      seed.write(reinterpret_cast<const char*>(frame.data.data()), static_cast<std::streamsize>(frame.data.size()));
    }
  }
  std::printf("%zu seeds\n", shapes.size());
  return shapes.empty() ? 1 : 0;
}
