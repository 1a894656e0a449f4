#include "analysis/icrc_verifier.hpp"

#include <utility>

#include "rocescope/headers/dc.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {
namespace {

bool has_source_port(const Packet& packet) noexcept {
  return packet.roce.encapsulation == Encapsulation::kRoceV2Ipv4 ||
         packet.roce.encapsulation == Encapsulation::kRoceV2Ipv6;
}

bool fits(const Packet& packet, std::optional<std::uint16_t> port) noexcept {
  return port && check_icrc(packet, port).status == IcrcStatus::kGood;
}

}  // namespace

IcrcVerifier::Key IcrcVerifier::key_of(const Packet& packet) noexcept {
  Key key{FlowKey::of(packet)};
  if (const auto deth = packet.header<Deth>()) key.source_qp = deth->src_qp().value();
  if (const auto dceth = packet.header<Dceth>()) key.source_qp = dceth->src_qp().value();
  return key;
}

IcrcVerifier::State* IcrcVerifier::state_of(const Packet& packet) {
  const Key key = key_of(packet);
  if (const auto found = flows_.find(key); found != flows_.end()) return &found->second;
  if (flows_.size() >= max_flows_) return nullptr;
  return &flows_[key];
}

IcrcVerifier::Verdict IcrcVerifier::verify(const Packet& packet) {
  const IcrcCheck shown = check_icrc(packet);
  if (!has_source_port(packet)) return {shown, {}};
  const bool shows_roce_port = packet.roce.udp_source_port == udp_port::kRoce;
  if (shown.status == IcrcStatus::kGood) {
    if (shows_roce_port) {
      if (State* state = state_of(packet)) state->right_as_shown = true;
    }
    return {shown, {}};
  }
  if (shown.status != IcrcStatus::kBad) return {shown, {}};
  State* state = state_of(packet);
  if (state == nullptr) return {shown, {}, true};
  const std::optional<std::uint16_t> port = true_port(packet, shown, *state);
  if (!port) return {shown, {}};
  return {check_icrc(packet, port), port};
}

std::optional<std::uint16_t> IcrcVerifier::true_port(const Packet& packet, const IcrcCheck& shown, State& state) {
  if (fits(packet, state.known)) return state.known;
  if (state.candidate && state.candidate_icrc == shown.found) return std::nullopt;
  if (fits(packet, state.candidate)) {
    std::swap(state.known, state.candidate);  // a flow that alternates between two ports keeps both
    state.candidate_icrc = shown.found;
    return state.known;
  }
  if (state.searches >= kSearchesPerFlow) return std::nullopt;
  ++state.searches;
  const std::optional<std::uint16_t> port = find_source_port(packet);
  if (!port) return std::nullopt;
  const bool known_rewriting = packet.roce.udp_source_port == udp_port::kRoce && !state.right_as_shown && !state.known;
  if (known_rewriting) return state.known = port;
  state.candidate = port;
  state.candidate_icrc = shown.found;
  return std::nullopt;
}

}  // namespace rocescope
