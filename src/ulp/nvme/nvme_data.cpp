#include "ulp/nvme/nvme_data.hpp"

#include <utility>

#include "rocescope/headers/nvme/data.hpp"
#include "rocescope/text.hpp"

namespace rocescope {
namespace {

constexpr std::uint16_t kGetLogPage = 0x02;
constexpr std::uint64_t kDiscovery = 0x70;

}  // namespace

MessageProtocol NvmeDataBuffer::protocol() const noexcept {
  if (opcode == kNvmeConnect) return MessageProtocol::kNvmeConnectData;
  if (!is_log()) return MessageProtocol::kNvmeAuthMessage;
  return from == 0 && shown_from == 0 ? MessageProtocol::kNvmeDiscoveryLog : MessageProtocol::kNvmeDiscoveryRecords;
}

MessageProtocol NvmeDataBuffer::add(const DataPayload& payload) {
  constexpr std::size_t kRecord = NvmeDiscoveryRecord::kSize;
  const bool controller_reads = opcode == kNvmeConnect || opcode == kNvmeAuthSend;
  if (payload.is_read != controller_reads) return MessageProtocol::kUnknown;
  if (!payload.address || payload.r_key != sgl.key || *payload.address < sgl.address) return MessageProtocol::kUnknown;
  const std::uint64_t at = *payload.address - sgl.address;
  if (at != bytes.size() || is_whole()) return MessageProtocol::kUnknown;
  const std::size_t count = std::min(payload.bytes.size(), wanted() - bytes.size());
  bytes.insert(bytes.end(), payload.bytes.begin(), payload.bytes.begin() + static_cast<std::ptrdiff_t>(count));
  if (is_log() && from % kRecord != 0) return MessageProtocol::kUnknown;
  // One packet has all of it, whether or not the capture cut that.
  const bool is_cut = at == 0 && payload.length >= wanted();
  const bool is_all = is_whole() || is_cut;
  const std::size_t complete = is_all ? bytes.size() : is_log() ? bytes.size() / kRecord * kRecord : 0;
  if (complete <= shown_to) return MessageProtocol::kUnknown;
  shown_from = std::exchange(shown_to, complete);
  return protocol();
}

Bytes NvmeDataBuffer::message_in(const DataPayload& payload) const {
  const std::uint64_t at = *payload.address - sgl.address;
  const std::size_t size = shown_to - shown_from;
  return shown_from >= at ? payload.bytes.subspan(shown_from - at, size) : Bytes(bytes).subspan(shown_from, size);
}

bool nvme_reads_data(const CapsuleReader& capsule, std::uint16_t opcode, bool admin) {
  if (nvme_connects(opcode)) return true;
  return admin && opcode == kGetLogPage && capsule.number(40, 1) == kDiscovery;
}

std::string_view nvme_auth_message_name(Bytes message) noexcept {
  return message.size() < 2 ? std::string_view() : name_of(kNvmeAuthMessageNames, load_big_endian(message.data(), 2));
}

std::string_view nvme_auth_failure(Bytes message) noexcept {
  if (message.size() < NvmeAuthFailure::kSize || !NvmeAuthFailure::is_it(message)) return {};
  const std::string_view known = name_of(kNvmeAuthExplanationNames, message[7]);
  return known.empty() ? "Authentication failure of an unknown kind" : known;
}

std::string nvme_discovery_detail(Bytes log) {
  const auto records = CapsuleReader(log).number(8, 8);
  if (!records) return {};
  return "Discovery, " + std::to_string(*records).append(text::plural(*records, " record", " records"));
}

}  // namespace rocescope
