#include "metrics/live_metrics.hpp"

namespace rocescope::metrics {

std::string_view documentation() noexcept {
  return R"(
http://ADDRESS:PORT/metrics serves these, updated once a second or as often as --every says. Labels have few values:
the interfaces of the capture, the IDs of findings, and protocols above RoCE with their operations. Counters count the
packets of the report, since the start.

  rocescope_packets_total, rocescope_bytes_total
  rocescope_roce_packets_total, rocescope_roce_bytes_total
  rocescope_retransmitted_packets_total
                            requests and READ responses sent again
  rocescope_naks_total      RNR NAKs included
  rocescope_cnps_total
  rocescope_ce_packets_total
                            that a switch marked
  rocescope_findings_total  label id: its name, as `rocescope explain` has it;
                            label severity: note, warning, error. Each is
                            counted once for each connection and direction.
  rocescope_commands_total  labels protocol, operation: commands that are over,
                            such as Read of NVMe-oF. None of these six has a
                            value before a connection is known to carry them.
  rocescope_failed_commands_total
                            the same labels: with a status other than success
  rocescope_command_bytes_total
                            the same labels: data of those that succeeded,
                            without those of the next
  rocescope_unsized_commands_total
                            the same labels: that succeeded, where the capture
                            (-s) cut how many bytes they name
  rocescope_command_latency_seconds
                            the same labels: histogram of the times from the
                            first packet of a command to its response. Bounds
                            are powers of two: 8.192 us to 8.59 s.
  rocescope_outstanding_commands
                            gauge, the same labels: without a response
  rocescope_active_connections
                            gauge: that had packets in the last interval
  rocescope_followed_connections
                            gauge: that are not evicted
  rocescope_evicted_connections_total
                            label reason: idle (--idle-timeout), crowded
                            (--max-connections)
  rocescope_interface_received_packets_total
                            label interface: that passed the filter, whatever
                            the report is about
  rocescope_interface_dropped_packets_total
                            labels interface; by: kernel, interface, analysis
                            (they are written, with -w, but came too fast)
  rocescope_build_info      gauge, always 1; label version)";
}

}  // namespace rocescope::metrics
