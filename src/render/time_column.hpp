// The time of a packet as -t wants it.
#pragma once

#include <string>

#include "render/packets/packet_printer.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {

/// Prints microseconds. From the first packet of a capture with nanoseconds on it prints nanoseconds.
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
