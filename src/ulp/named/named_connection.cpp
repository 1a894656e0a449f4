#include "ulp/named/named_connection.hpp"

#include "dissectors/crc32.hpp"

namespace rocescope {

MessageProtocol NamedConnection::observe(const SendPayload& payload, CommandSink& /*log*/) {
  const Bytes start = payload.start();
  const std::uint32_t hash = crc32(0, start.data(), start.size());
  // An application that sends the same bytes again and again is none of these.
  fit_.news += last_ == hash ? 0U : 1U;
  last_ = hash;
  return layers_;
}

void NamedConnection::join(Carried& other) {
  if (const auto* const joined = dynamic_cast<NamedConnection*>(&other)) fit_.news += joined->fit_.news;
}

}  // namespace rocescope
