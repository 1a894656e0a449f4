// Sections that the man pages of all commands with input_options.hpp share.
#pragma once

#include "cli/command.hpp"

namespace rocescope::cli {

inline constexpr Section kInputSection{"INPUT", R"(
Captures are recognised by their content, not by their names: pcap with microseconds or nanoseconds in either byte
order, and pcapng with any number of sections and interfaces, plain or compressed with gzip, zstd or lz4, also on
standard input. Several captures are read as one, merged by time. A capture that is damaged or ends too early is read
up to that point, with a warning. An empty file among several is left out, with a warning, too: the newest file of a
ring is empty until its first packets are written.

Words that are not options are names of captures, never filters.)"};

inline constexpr Section kSelectionSection{"A REPORT ON SOME OF THE PACKETS", R"(
With -Y, --from, --to, --host, --qpn, --connection or --message the whole report is about the packets that pass these
options: its first lines, findings, connections, rates, hosts and congestion alike.

The other packets are followed but not counted. So connections and messages keep their numbers of the whole capture,
and a packet that was left out is never reported as lost. Each fact counts with the packet that shows it:
a loss with the packet that was sent again, a message with the packet that ends it. A connection that has packets in the
report comes with its handshake and the states of its queue pairs, even where they lie outside the window. Percentages
are of the packets that pass. Maxima, such as the most data in flight, are those of the whole connection.)"};

inline constexpr Section kFilterSection{"DISPLAY FILTERS", R"(
The language of -Y is Wireshark's, over the fields that rocescope-fields(1) lists: a field or header alone (it is
present), == != < <= > >=, contains, matches (a regular expression), in {1, 3, 5..7}, and && and, || or, ! not, with
parentheses. Numbers in any base, addresses with masks, byte strings, slices:

  infiniband.bth.opcode in {6..12} && ip.addr == 10.0.0.0/24
  infiniband.aeth && !(infiniband.aeth.syndrome.opcode == 0)
  infiniband.bth.destqp == 0x11 or infiniband.deth.srcqp == 0x11
  rocescope.icrc.status == "bad" || rocescope.stop.reason)"};

/// The kinds of time of a report, from the table that names them.
[[nodiscard]] Section times_section();

}  // namespace rocescope::cli
