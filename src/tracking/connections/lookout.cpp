#include "tracking/connections/lookout.hpp"

#include <cstddef>
#include <cstdint>

#include "tracking/prefetch.hpp"

namespace rocescope {
namespace {

void fetch(const void* from, const void* to) noexcept {
  const auto* const first = static_cast<const std::uint8_t*>(from);
  prefetch(first, static_cast<std::size_t>(static_cast<const std::uint8_t*>(to) - first));
}

void fetch_sent(const ConnectionSide& sender) noexcept {
  if (sender.congestion.get() != nullptr) prefetch(&sender.congestion.get()->running);
}

}  // namespace

/// The members that most packets use. They stand together.
void Lookout::fetch_state(const ConnectionState& state, std::size_t sender, const OpcodeInfo& opcode) noexcept {
  const Connection& facts = state.facts;
  const ConnectionSide& its = facts.sides[sender];
  const ConnectionSide& other = facts.sides[1 - sender];
  prefetch(&facts.number);
  fetch(&its, &its.operations);
  if (opcode.request) {
    fetch(&other, &other.traffic);
  } else {
    fetch(&other, &other.alone);  // messages end
  }
  fetch(&state.requesters, &state + 1);
}

void Lookout::fetch_parts(const ConnectionState& state, std::size_t sender, const OpcodeInfo& opcode) noexcept {
  const std::size_t requester = opcode.request ? sender : 1 - sender;
  if (const Requester* its = state.requesters[requester].get()) prefetch(its);
  if (const ReadDepth::State* reads = state.reads.get()) prefetch(&(*reads)[requester]);
  if (opcode.request) return;
  // It may end a message.
  const ConnectionSide& side = state.facts.sides[requester];
  prefetch(side.operations.all().data());
  prefetch(side.times.all().data(), side.times.all().size_bytes());
}

void Lookout::fetch_contents(const ConnectionState& state, std::size_t sender, const OpcodeInfo& opcode) noexcept {
  fetch_sent(state.facts.sides[sender]);
  const std::size_t requester = opcode.request ? sender : 1 - sender;
  if (const ReadDepth::State* reads = state.reads.get()) (*reads)[requester].prefetch_first();
  const Requester* const its = state.requesters[requester].get();
  if (its == nullptr) return;
  if (opcode.request) {
    its->prefetch_for_request(opcode.position);
  } else {
    its->prefetch_for_response();
  }
}

void Lookout::show(const Packet& packet) noexcept {
  ++next_;
  Sighted& now = before(0);
  now = {.packet = &packet};
  if (packet.is_roce()) {
    now.hash = FlowKeyHash{}(FlowKey::of(packet));
    now.opcode = packet.roce.opcode;
    table_.prefetch_entry(now.hash);
  }
  if (Sighted& found = before(1); found.hash != 0) {
    found.place = table_.place_of(found.hash);
    found.version = table_.version();
    table_.prefetch_pointer(found.place);
  }
  if (const ConnectionState* state = table_.at_place(before(2).place)) {
    fetch_state(*state, before(2).place & 1U, *before(2).opcode);
  }
  if (const ConnectionState* state = table_.at_place(before(3).place)) {
    fetch_parts(*state, before(3).place & 1U, *before(3).opcode);
  }
  if (const ConnectionState* state = table_.at_place(before(4).place)) {
    fetch_contents(*state, before(4).place & 1U, *before(4).opcode);
  }
}

}  // namespace rocescope
