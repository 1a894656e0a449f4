// The time of a packet as -t wants it.
#pragma once

#include <string>

#include "render/packets/packet_printer.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {

/// Microseconds, or nanoseconds from the first packet on whose capture has them.
class TimeColumn {
 public:
  explicit TimeColumn(TimeFormat format) : format_(format) {}

  void append(const PacketRecord& record, std::string& out);

 private:
  void append_span(std::int64_t from, std::int64_t to, std::string& out) const;

  TimeFormat format_;
  Decimals decimals_ = 6;
};

}  // namespace rocescope::render
