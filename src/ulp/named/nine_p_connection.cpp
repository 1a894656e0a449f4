#include "ulp/named/nine_p_connection.hpp"

#include "rocescope/bytes.hpp"

namespace rocescope {

MessageProtocol NinePConnection::observe(const SendPayload& payload, CommandSink& /*log*/) {
  constexpr std::size_t kHeader = 7;
  const Bytes start = payload.start();
  if (start.size() < kHeader) return MessageProtocol::kUnknown;
  const std::uint8_t type = start[4];
  const auto tag = static_cast<std::uint16_t>(load_little_endian(start.data() + 5, 2));
  if (type % 2 == 0) {
    auto& mine = waiting_[payload.sender];
    if (mine.size() < kMostWaiting) mine[tag] = type;
    return MessageProtocol::kUnknown;
  }
  constexpr std::uint8_t kError = 7;  // answers any request
  auto& theirs = waiting_[1 - payload.sender];
  const auto request = theirs.find(tag);
  if (request == theirs.end()) return MessageProtocol::kUnknown;
  fit_.good += type == kError || type == request->second + 1 ? 1U : 0U;
  theirs.erase(request);
  return MessageProtocol::kUnknown;
}

void NinePConnection::join(Carried& other) {
  auto* const joined = dynamic_cast<NinePConnection*>(&other);
  if (joined == nullptr) return;
  for (std::size_t side = 0; side < 2; ++side) waiting_[1 - side].merge(joined->waiting_[side]);
  fit_.good += joined->fit_.good;
}

}  // namespace rocescope
