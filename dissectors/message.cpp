#include "dissectors/message.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "dissectors/dissectors.hpp"

namespace rocescope {
namespace {

/// Whether the message is a part of the frame.
bool is_within(Bytes message, Bytes frame) noexcept {
  constexpr std::less_equal<const std::uint8_t*> kNotAfter;
  return kNotAfter(frame.data(), message.data()) &&
         kNotAfter(message.data() + message.size(), frame.data() + frame.size());
}

void dissect(dissectors::Dissection& d, MessageProtocol protocol) noexcept {
  switch (protocol) {
    case MessageProtocol::kExchange:
      return dissectors::dissect_exchange(d);
    case MessageProtocol::kNvmeAdmin:
    case MessageProtocol::kNvmeIo:
      return dissectors::dissect_nvme_command(d, protocol == MessageProtocol::kNvmeAdmin);
    case MessageProtocol::kNvmeCompletion:
      return dissectors::dissect_nvme_completion(d, HeaderKind::kNvmeCompletion);
    case MessageProtocol::kNvmeConnectCompletion:
      return dissectors::dissect_nvme_completion(d, HeaderKind::kNvmeConnectCompletion);
    case MessageProtocol::kNvmePropertyCompletion:
      return dissectors::dissect_nvme_completion(d, HeaderKind::kNvmePropertyCompletion);
    case MessageProtocol::kNvmePropertySetCompletion:
      return dissectors::dissect_nvme_completion(d, HeaderKind::kNvmePropertySetCompletion);
    case MessageProtocol::kNvmeFabricsCompletion:
      return dissectors::dissect_nvme_completion(d, HeaderKind::kNvmeFabricsCompletion);
    case MessageProtocol::kNvmeDiscoveryLog:
    case MessageProtocol::kNvmeDiscoveryRecords:
      return dissectors::dissect_nvme_discovery(d, protocol == MessageProtocol::kNvmeDiscoveryLog);
    case MessageProtocol::kNvmeAuthMessage:
      return dissectors::dissect_nvme_auth_message(d);
    case MessageProtocol::kNvmeConnectData:
      return static_cast<void>(d.take(HeaderKind::kNvmeConnectData, header_info(HeaderKind::kNvmeConnectData).size));
    case MessageProtocol::kRpcOverRdma:
      return dissectors::dissect_rpc_over_rdma(d, NfsVersion::kUnknown);
    case MessageProtocol::kRpcOverRdmaNfs3:
      return dissectors::dissect_rpc_over_rdma(d, NfsVersion::k3);
    case MessageProtocol::kRpcOverRdmaNfs4:
      return dissectors::dissect_rpc_over_rdma(d, NfsVersion::k4);
    case MessageProtocol::kRpcNfs3:
      return dissectors::dissect_rpc(d, NfsVersion::k3);
    case MessageProtocol::kRpcNfs4:
      return dissectors::dissect_rpc(d, NfsVersion::k4);
    case MessageProtocol::kIser:
      return dissectors::dissect_iser(d);
    case MessageProtocol::kSrp:
      return dissectors::dissect_srp(d);
    case MessageProtocol::kSmbDirect:
      return dissectors::dissect_smb_direct(d);
    case MessageProtocol::kRds:
      return dissectors::dissect_rds(d);
    case MessageProtocol::kSmcR:
      return dissectors::dissect_smc_r(d);
    case MessageProtocol::kLustre:
      return dissectors::dissect_lustre(d);
    case MessageProtocol::kRtrs:
      return dissectors::dissect_rtrs(d);
    case MessageProtocol::kRtrsRequest:
      return dissectors::dissect_rtrs_request(d);
    case MessageProtocol::kRsockets:
      return;
    case MessageProtocol::kUnknown:
      return;
  }
}

/// What the immediate data of the packet are in this protocol; kImmDt: nothing more is known.
HeaderKind immediate_kind(MessageProtocol protocol) noexcept {
  switch (protocol) {
    case MessageProtocol::kRsockets:
      return HeaderKind::kRsocketsImmDt;
    case MessageProtocol::kRtrs:
    case MessageProtocol::kRtrsRequest:
      return HeaderKind::kRtrsImmDt;
    default:
      return HeaderKind::kImmDt;
  }
}

/// Adds the layers of the message to those of the packet. Apart from dissect_message(), which is short by that.
[[gnu::noinline]] void add_layers(MessageProtocol protocol, Bytes message, Packet& packet) noexcept {
  const DissectOptions options;
  Layer* const layers = packet.layer_storage.data();
  const auto immediate = std::ranges::find(layers, layers + packet.layer_count, HeaderKind::kImmDt, &Layer::kind);
  if (immediate != layers + packet.layer_count) {
    immediate->kind = immediate_kind(protocol);
    packet.kinds |= Packet::bit_of(immediate->kind);
  }
  if (message.empty()) return;
  const Layer* const payload = packet.find(HeaderKind::kPayload);
  const bool here = payload != nullptr && is_within(message, packet.frame.data);
  // The layers of the message replace its payload in this packet. What they do not cover stays payload, behind them.
  std::size_t place = packet.layer_count;
  if (payload != nullptr) place = static_cast<std::size_t>(payload - layers) + (here ? 0 : 1);
  std::array<Layer, Packet::kMaxLayers> rest;
  const std::size_t count = packet.layer_count - place;
  std::copy_n(layers + place, count, rest.begin());
  packet.layer_count = static_cast<std::uint8_t>(place);
  if (here) {
    const auto start = static_cast<std::uint32_t>(message.data() - packet.frame.data.data());
    if (start > rest[0].offset) {  // data before the message
      Layer& before = layers[packet.layer_count++] = rest[0];
      before.length = start - before.offset;
      rest[0].offset += before.length;
      rest[0].length -= before.length;
    }
    dissectors::Dissection d(packet, options);
    d.offset = static_cast<std::uint32_t>(message.data() - packet.frame.data.data());
    // What the capture cut off belongs to the message all the same.
    const std::uint64_t packet_end = std::uint64_t{packet.roce.payload_offset} + packet.roce.payload_length;
    d.end = std::max<std::uint64_t>(d.offset + message.size(), packet_end);
    d.end_kind = dissectors::Dissection::End::kExact;
    dissect(d, protocol);
    const std::uint32_t taken = d.offset - rest[0].offset;
    rest[0].offset += taken;
    rest[0].length -= taken;
  } else {
    packet.message = message;
    dissectors::Dissection d(packet, options, message);
    dissect(d, protocol);
  }
  for (std::size_t i = 0; i < count && packet.layer_count < Packet::kMaxLayers; ++i) {
    if (rest[i].length > 0) layers[packet.layer_count++] = rest[i];
  }
}

}  // namespace

void dissect_message(MessageProtocol protocol, Bytes message, Packet& packet) noexcept {
  if (packet.layer_count > 0) return add_layers(protocol, message, packet);
  const DissectOptions options;
  packet.message = message;
  dissectors::Dissection d(packet, options, message);
  dissect(d, protocol);
}

}  // namespace rocescope
