// What all printers share.
#include "render/packets/packet_printer.hpp"

namespace rocescope::render {

void PacketPrinter::begin(std::string& /*out*/) {}

void PacketPrinter::end(std::string& /*out*/) {}

}  // namespace rocescope::render
