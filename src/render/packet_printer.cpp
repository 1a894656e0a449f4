// What all printers share.
#include "packet_printer.hpp"

namespace rocescope::render {

void PacketPrinter::begin(std::string& /*out*/) {}

void PacketPrinter::end(std::string& /*out*/) {}

}  // namespace rocescope::render
