#include "core/job.hpp"

#include <iterator>

#include "core/big_endian.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr std::uint8_t kJobVersion = 1;

}  // namespace

std::array<std::uint8_t, kJobBytes> encode(const Job& job) noexcept {
  std::array<std::uint8_t, kJobBytes> bytes{};
  BigEndianWriter writer(bytes);
  const auto transport = static_cast<unsigned>(job.transport);
  const auto payload = static_cast<unsigned>(job.payload);
  writer.put(kJobVersion).put(static_cast<std::uint8_t>(job.workload));
  writer.put(static_cast<std::uint8_t>(transport << 4 | static_cast<unsigned>(job.fault)));
  writer.put(static_cast<std::uint8_t>(payload << 4 | (job.lossy ? 1U : 0U)));
  writer.put(job.run_id).put(job.connection).put(job.connections).put(job.qp).put(job.qps);
  writer.put(job.size).put(job.chunk).put(job.count).put(job.seed);
  writer.put(job.depth).put(job.signal_every).put(job.operations.bits()).put(job.inline_bytes);
  return bytes;
}

std::optional<Job> decode_job(std::span<const std::uint8_t> bytes) noexcept {
  if (bytes.size() < kJobBytes) return std::nullopt;
  BigEndianReader reader(bytes);
  if (reader.take<std::uint8_t>() != kJobVersion) return std::nullopt;
  Job job;
  const auto workload = reader.take<std::uint8_t>();
  const auto transport_fault = reader.take<std::uint8_t>();
  const auto payload_flags = reader.take<std::uint8_t>();
  reader.take(job.run_id);
  reader.take(job.connection);
  reader.take(job.connections);
  reader.take(job.qp);
  reader.take(job.qps);
  reader.take(job.size);
  reader.take(job.chunk);
  reader.take(job.count);
  reader.take(job.seed);
  reader.take(job.depth);
  reader.take(job.signal_every);
  job.operations = OperationSet(reader.take<std::uint16_t>());
  reader.take(job.inline_bytes);
  const unsigned transport = transport_fault >> 4U;
  const unsigned fault = transport_fault & 0xfU;
  const unsigned payload = payload_flags >> 4U;
  if (workload >= std::size(kWorkloadNames) || transport < 1 || transport > 4 || fault >= std::size(kFaultNames) ||
      payload >= std::size(kPayloadNames) || job.connection >= job.connections || job.qp >= job.qps || job.depth == 0 ||
      job.signal_every == 0) {
    return std::nullopt;
  }
  job.workload = static_cast<Workload>(workload);
  job.transport = static_cast<Transport>(transport);
  job.fault = static_cast<Fault>(fault);
  job.payload = static_cast<Payload>(payload);
  job.lossy = (payload_flags & 1U) != 0;
  return job;
}

}  // namespace rocescope::rdmagen
