// What the JSON of a report holds.
#include "render/report/report_json.hpp"

namespace rocescope::render {

std::string_view report_json_documentation() noexcept {
  return R"(One object. Numbers are raw: bytes, packets, and times as integer nanoseconds since 1970-01-01 UTC. Members that do not apply are absent. "schema" changes when a member changes its meaning or goes away, not when members are added.

  type, schema      "report", 1
  packets_read      packets read, before -Y, --from, --to, --host, --qpn,
                    --connection
  totals            of all captures together:
    packets, bytes          packets, and their bytes on the wire
    roce_packets, roce_bytes
    captured_bytes          bytes that the captures hold
    cut_packets             packets of which the capture lacks bytes
    out_of_order_packets    with an earlier time than the packet before
    first_time, last_time, duration
  captures          array, one object a file: path, format, the members
                    of totals, and
    interfaces              array: name, description, section, number,
                            link_type (LINKTYPE_ number),
                            link_type_name, snap_length,
                            ticks_per_second, dropped_packets
    warnings                array of sentences: damage that was skipped
  protocols         array: name (Wireshark's, or `ethertype 0x0806`,
                    `ip protocol 132`, `link type 105`), label, packets,
                    bytes, and what it carries as protocols again
  other_packets     array: packets that are no RoCE by innermost
                    protocol: name, label, packets
  operations        array, by opcode: opcode, name, transport,
                    operation, packets, bytes, payload_bytes
  findings          array, the worst first: id, severity (error, warning,
                    note), title, what (with its numbers), connection and
                    side (0 or 1: whose requests it is about; both absent
                    where it is of the whole capture), handshake (its
                    number), from and to (addresses), weight (what it
                    cost, comparable among findings of one id), count,
                    first_time, last_time, packets (numbers of the first
                    ones), filter (for -Y: shows its packets)
  connections       array, those with the most trouble first: number,
                    transport, paired_by (cm, exchange, oob, psn, port,
                    unpaired: the strongest first),
                    overlay_id, handshake (its number), path_mtu,
                    first_time, last_time, and two sides, of which each
                    sends to the other's queue pair:
                    address, qpn, packets, bytes, cnp_packets,
                    ce_packets (marked on the way), class_changes (data
                    packets in another DSCP or PCP than the one before),
                    and
    data_ecn                its data packets by mark: not_ect, ect1, ect0,
                            ce
    congestion              of its data: marked, marked_unnotified (no CNP
                            came within --cnp-window of the first of
                            them), cnps (to it), cnps_without_mark (none
                            was seen in the window before), most_cnps (in
                            one window), reactions (CNPs of which a
                            window before and one after was seen),
                            bytes_before and bytes_after (that it sent in
                            these windows), not_slower (after which it
                            sent no less, to a sixteenth)
    rates                   of all that it sent, as below
    times                   of its requests, and of the CNPs that it sent,
                            nanoseconds by kind: count, min, mean, p50,
                            p90, p99, p99_9, max; quantiles are within
                            1.6 percent. The kinds: ack_latency,
                            read_first, read_last, atomic, message_time,
                            nak_generation, nak_recovery, rnr_wait,
                            stall, req_to_rep, rep_to_rtu, rtu_to_data,
                            dreq_to_drep, cnp_delay (from the first
                            marked packet since the last CNP),
                            cnp_interval
    requests                messages, messages_completed,
                            messages_refused, payload_bytes,
                            resent_bytes, recoveries (runs of
                            retransmissions), missing_psns, lost_before
                            and lost_after the capture point,
                            capture_lost (acknowledged and never seen),
                            acks, sequence_naks, rnr_naks, fatal_naks,
    most_in_flight          sent and not acknowledged, each at its own
                            time: messages, packets, bytes, reads (with
                            atomics); 0 where no responses were seen
    verdicts                packets by verdict: in_order, gap,
                            out_of_order, retransmission,
                            capture_duplicate; of the responses to them:
                            response, duplicate_ack, stale,
                            read_response_gap,
                            read_response_retransmission, ack_of_unseen
    retransmission_causes   nak, rnr, timeout, implied_nak, spurious (its
                            ACK was on the way), ack_lost, unknown
    operations              array: operation, messages, completed,
                            refused, bytes, sizes (array: messages of
                            at_least so many bytes, and less than twice
                            as many)
    states                  array, of its queue pair: state (INIT, RTR,
                            RTS, ERR, RESET), observed (a packet of its
                            own shows it; false: concluded from those of
                            the other side, or from silence), packet,
                            time. Never SQD or SQE: on the wire a send
                            queue that is drained, or stopped by an error
                            of its own, is one with nothing to send
  handshakes        array, in the order of the capture: number, kind (cm,
                    sidr, exchange, oob: over TCP), outcome (established,
                    rejected, timed_out: nobody answered, aborted: by the
                    active side, incomplete, unknown: its beginning was
                    not seen), transport, overlay_id, connection (its
                    number), service_id, service, ip_source,
                    ip_source_port, ip_destination, ip_destination_port,
                    path_mtu, p_key, retry_count, ack_timeout (ns, 0:
                    without end), max_cm_retries; times between the first
                    of each message, ns: req_to_rep, rep_to_rtu,
                    rtu_to_data (negative where data came first),
                    dreq_to_drep; first_data_packet, first_data_time, and
    reject                  sender (0: the active side, 1: the passive
                            one), about (the message), reason,
                            reason_name, packet, time
    sides                   array, the active side first: address,
                            comm_id (SIDR: request ID), qpn, first_psn
                            (of its requests), responder_resources,
                            initiator_depth, rnr_retry_count,
                            flow_control, private_data (hex, without
                            zeros at the end), and
    region                  what the other side may use: address (hex),
                            r_key, length (where it is told), packet; in
                            private data, where a RETH proved it, offset
                            (bytes), byte_order (big, little), proved_by
                            (the packet with the RETH)
    messages                array: message, sender, count, packet and time
                            of the first, last_packet, last_time
  evicted           connections that were followed for a time, added up:
                    connections (how many), crowded (of these: not idle,
                    but there were more than --max-connections),
                    handshakes (evicted as well), unlisted_findings
                    (about them, too many to be told), as of a side of a
                    connection packets to operations, and
    flows                   as of flows; flows: how many
    ud_flows                as of ud_flows; flows: how many
    memory_regions          as of memory_regions; regions: how many
  times             of all connections that are told, as theirs, with
                    those of evicted ones
  rates             of all RoCE packets: packets, wire_bytes,
                    payload_bytes, goodput_bytes (payload of what had not
                    been seen before), resent_bytes, messages (that
                    ended), first_time, last_time, and
    buckets                 the same sums over each interval
                            (nanoseconds) from start on, as arrays under
                            the same names
  host_rates        array, most bytes first: source, destination,
                    overlay_id, and the members of rates
  nic_counters      array, by address: address, overlay_id, and what the
                    NIC there would have counted under mlx5's names or,
                    where it has none, rxe's: sent_pkts, rcvd_pkts,
                    out_of_sequence, packet_seq_err, implied_nak_seq_err,
                    duplicate_request, send_rnr_err, rnr_nak_retry_err,
                    local_ack_timeout_err, np_cnp_sent,
                    np_ecn_marked_roce_packets, rp_cnp_handled,
                    rx_write_requests, rx_read_requests,
                    rx_atomic_requests, rx_icrc_encapsulated,
                    req_remote_access_errors, resp_remote_access_errors,
                    req_remote_invalid_request, resp_local_length_error,
                    remote_operational_errors (neither's name)
  congestion        RoCEv2 only, copies that the capture
                    made left out:
    ecn                     packets by role (data, ack, cnp, cm) and mark:
                            not_ect, ect1, ect0, ce
    classes                 array: dscp, pcp (of the VLAN tag),
                            data_packets, ack_packets, cnp_packets,
                            cm_packets
    cnps, untracked_cnps    all, and those to a queue pair of which
                            nothing else was seen
  pauses            array, PFC and PAUSE by port and class: source (MAC),
                    priority (absent: the whole link), xoff, xon,
                    quanta (of 512 bit times, that XOFFs asked for),
                    pauses (runs of XOFFs), ended (by an XON), paused and
                    longest (nanoseconds; without --link-speed only
                    pauses that were ended), first_packet, first_time,
                    last_time
  memory_regions    array, most bytes moved first: responder, overlay_id,
                    r_key, reads, read_bytes, writes, written_bytes,
                    atomics, flushes, refused (requests that a NAK
                    ended; counted nowhere else), lowest_address and
                    highest_address (0x and 16 hex digits: the first and
                    the last byte touched), refused_lowest_address and
                    refused_highest_address, connections (numbers),
                    more_connections (only 64 are listed), first_packet,
                    first_time, last_time
  flows             array, most bytes first: source, destination,
                    dest_qp, overlay_id (VNI, 0 outside tunnels),
                    encapsulation, transports (array), packets, bytes,
                    payload_bytes, first_time, last_time, cnp_packets,
                    icrc_bad_packets, source_port (UDP, of the first
                    packet), true_source_port (where the capture rewrote
                    it), rewritten_packets, and two objects of PSNs,
    requests, responses     packets, first_psn, last_psn, lowest_psn,
                            highest_psn (in serial order), psn_span
                            (numbers from lowest to highest)
  ud_flows          array, datagrams of applications by queue pairs, most
                    messages first: source, source_qp, destination,
                    dest_qp, overlay_id, q_key (of the first), messages,
                    bytes, payload_bytes, immediate_messages,
                    icrc_bad_messages, first_time, last_time
  cm_messages       array, in the order of the capture: time, packet,
                    source, destination, message (REQ, ...),
                    transaction_id (0x and 16 hex digits), retry_of
                    (number of the packet that this one repeats), and
                    where the message has them
                    local_comm_id, remote_comm_id, request_id (SIDR),
                    local_qpn (the sender's), remote_qpn, starting_psn
                    (the first that the sender will receive), transport,
                    path_mtu, responder_resources, initiator_depth,
                    service_id (hex), service (in words), ip_source,
                    ip_source_port, ip_destination, ip_destination_port
                    (RDMA IP CM), about (REJ, MRA: the message), reason,
                    reason_name, status, status_name, private_data (hex,
                    the application's)
  icrc              verified (false with --no-icrc), good, bad,
                    rewritten (good ones whose source port the capture
                    rewrote), unsearched (bad ones for which no other
                    source port was tried), and
    unverifiable            packets by reason: truncated, malformed,
                            fragment, limit
  stops             array, dissection that ended early: reason, header,
                    packets, first_packet
  untracked         packets and bytes that a table at its limit left
                    out: protocols, flows, ud_flows; connection_packets,
                    memory_region_requests, host_packets, pause_frames,
                    handshake_messages and cm_messages: their number)";
}

}  // namespace rocescope::render
