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
    } else if (doubtful_ > 0) {
      see_right(packet);
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

bool IcrcVerifier::has_settled(const FlowKey& key, std::uint16_t source_port, const IcrcCheck& check) const {
  const bool shows_roce_port = source_port == udp_port::kRoce;
  const bool good = check.status == IcrcStatus::kGood;
  const auto found = flows_.find(Key{key});
  if (found == flows_.end()) return good && !shows_roce_port;
  const State& state = found->second;
  if (good) return shows_roce_port ? state.right_as_shown : state.rewrites_none || (!state.known && !state.candidate);
  return state.rewrites_none || (state.searches >= kSearchesPerFlow && !state.known && !state.candidate);
}

/// A capture that rewrites source ports shows none that is right.
void IcrcVerifier::see_right(const Packet& packet) {
  const auto found = flows_.find(key_of(packet));
  if (found == flows_.end() || found->second.rewrites_none) return;
  State& state = found->second;
  const std::uint16_t port = packet.roce.udp_source_port;
  if (state.candidate != port && state.known != port) return;
  state.rewrites_none = true;
  state.known = state.candidate = std::nullopt;
  --doubtful_;
}

std::optional<std::uint16_t> IcrcVerifier::true_port(const Packet& packet, const IcrcCheck& shown, State& state) {
  if (state.rewrites_none) return std::nullopt;
  const bool rewritten_alike = packet.roce.udp_source_port == state.shown;
  if (rewritten_alike && fits(packet, state.known)) return state.known;
  if (state.candidate && state.candidate_icrc == shown.found) return std::nullopt;
  if (rewritten_alike && fits(packet, state.candidate)) {
    std::swap(state.known, state.candidate);  // a flow that alternates between two ports keeps both
    state.candidate_icrc = shown.found;
    return state.known;
  }
  if (state.searches >= kSearchesPerFlow) return std::nullopt;
  ++state.searches;
  const std::optional<std::uint16_t> port = find_source_port(packet);
  if (!port) return std::nullopt;
  const bool known_rewriting = packet.roce.udp_source_port == udp_port::kRoce && !state.right_as_shown && !state.known;
  if (!state.known) state.shown = packet.roce.udp_source_port;
  if (known_rewriting) return state.known = port;
  if (!state.candidate && !state.known) ++doubtful_;
  state.candidate = port;
  state.candidate_icrc = shown.found;
  return std::nullopt;
}

}  // namespace rocescope
