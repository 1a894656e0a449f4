#include "rocescope/host.hpp"

namespace rocescope {
namespace {

using enum NicCounter;

constexpr NicCounterInfo kInfos[] = {
    {kSentPackets, "", "sent_pkts", "RoCE packets that the host sent.",
     "Packets that were lost before the capture point."},
    {kReceivedPackets, "", "rcvd_pkts", "RoCE packets to the host with a right ICRC.",
     "Packets that were lost behind the capture point, and copies that the network made: all copies are left out here. rxe also leaves out packets for queue pairs that it does not have."},
    {kOutOfSequence, "out_of_sequence", "out_of_seq_request",
     "Times that the host, as responder, said in a NAK that a request came out of sequence.",
     "mlx5 counts the packets behind a hole, rxe the first of them as here; a NAK that was lost on its way here is missing."},
    {kPacketSeqErr, "packet_seq_err", "rcvd_seq_err",
     "NAKs for a PSN sequence error that came to the host, as requester.",
     "rxe leaves out a NAK that acknowledges nothing new."},
    {kImpliedNakSeqErr, "implied_nak_seq_err", "",
     "Times that the host asked again for the rest of a READ, since responses were missing.", ""},
    {kDuplicateRequest, "duplicate_request", "duplicate_request",
     "Request packets to the host that it had carried out before.",
     "Whether a request reached it before is known from its responses alone."},
    {kSendRnr, "", "send_rnr_err", "RNR NAKs that the host sent, as it had no receive posted.", ""},
    {kRnrNakRetryErr, "rnr_nak_retry_err", "rcvd_rnr_err", "RNR NAKs that came to the host.", ""},
    {kLocalAckTimeoutErr, "local_ack_timeout_err", "", "Times that the host sent again because its ACK timer ran out.",
     "A timer that ran out when everything that was sent again was lost before the capture point."},
    {kCnpSent, "np_cnp_sent", "", "CNPs that the host sent, as notification point.", ""},
    {kEcnMarked, "np_ecn_marked_roce_packets", "", "RoCEv2 packets to the host that were marked CE.",
     "Marks that were made behind the capture point."},
    {kCnpHandled, "rp_cnp_handled", "", "CNPs that came to the host, as reaction point.",
     "Whether the NIC's congestion control was on and used them."},
    {kWriteRequests, "rx_write_requests", "", "RDMA WRITEs to the host, by their first packets, every copy.", ""},
    {kReadRequests, "rx_read_requests", "", "RDMA READ Requests to the host, every copy.", ""},
    {kAtomicRequests, "rx_atomic_requests", "", "CmpSwaps and FetchAdds to the host, every copy.", ""},
    {kIcrcErrors, "rx_icrc_encapsulated", "", "RoCE packets to the host whose ICRC is wrong.",
     "Where the capture was made on the sending host, a NIC that fills the ICRC in later makes all of them seem wrong."},
    {kReqRemoteAccess, "req_remote_access_errors", "", "Requests of the host that a NAK ended: remote access error.",
     ""},
    {kRespRemoteAccess, "resp_remote_access_errors", "", "Requests to the host that it refused: remote access error.",
     ""},
    {kReqInvalidRequest, "req_remote_invalid_request", "", "Requests of the host that a NAK ended: invalid request.",
     ""},
    {kRespInvalidRequest, "resp_local_length_error", "", "Requests to the host that it refused as invalid.",
     "The NIC counts those that were too long for the receive; the NAK does not tell why."},
    {kReqOperational, "", "", "Requests of the host that a NAK ended: remote operational error.", ""},
};
static_assert(std::size(kInfos) == kNicCounters);

}  // namespace

std::span<const NicCounterInfo> nic_counter_infos() noexcept { return kInfos; }

std::string_view name_of(const NicCounterInfo& info) noexcept {
  if (!info.mlx5.empty()) return info.mlx5;
  return info.rxe.empty() ? "remote_operational_errors" : info.rxe;
}

std::array<std::uint64_t, kNicCounters> nic_counters(const Host& host) noexcept {
  std::array<std::uint64_t, kNicCounters> values{};
  const auto set = [&](NicCounter counter, std::uint64_t value) { values[static_cast<std::size_t>(counter)] = value; };
  set(kSentPackets, host.sent.packets);
  set(kReceivedPackets, host.received.packets - host.received.bad_icrc);
  set(kOutOfSequence, host.sent.sequence_naks);
  set(kPacketSeqErr, host.received.sequence_naks);
  set(kImpliedNakSeqErr, host.sent.implied_naks);
  set(kDuplicateRequest, host.received.duplicate_requests);
  set(kSendRnr, host.sent.rnr_naks);
  set(kRnrNakRetryErr, host.received.rnr_naks);
  set(kLocalAckTimeoutErr, host.sent.timeouts);
  set(kCnpSent, host.sent.cnps);
  set(kEcnMarked, host.received.marked);
  set(kCnpHandled, host.received.cnps);
  set(kWriteRequests, host.received.write_requests);
  set(kReadRequests, host.received.read_requests);
  set(kAtomicRequests, host.received.atomic_requests);
  set(kIcrcErrors, host.received.bad_icrc);
  set(kReqRemoteAccess, host.received.access_naks);
  set(kRespRemoteAccess, host.sent.access_naks);
  set(kReqInvalidRequest, host.received.invalid_naks);
  set(kRespInvalidRequest, host.sent.invalid_naks);
  set(kReqOperational, host.received.operational_naks);
  return values;
}

}  // namespace rocescope
