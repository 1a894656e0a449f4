#include "rocescope/icrc_verifier.hpp"

#include <algorithm>
#include <utility>

#include "analysis/icrc_flows.hpp"
#include "rocescope/detail/shard.hpp"
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

/// Searches a flow is worth: a corrupt packet finds nothing and must not spoil the flow, and a sender whose every
/// ICRC is wrong must not cost a search per packet.
constexpr std::uint8_t kSearchesPerFlow = 4;

}  // namespace

IcrcVerifier::IcrcVerifier(std::size_t max_flows) : flows_(std::make_unique<Flows>()), max_flows_(max_flows) {}
IcrcVerifier::~IcrcVerifier() = default;
IcrcVerifier::IcrcVerifier(IcrcVerifier&&) noexcept = default;
IcrcVerifier& IcrcVerifier::operator=(IcrcVerifier&&) noexcept = default;

IcrcVerifier::State* IcrcVerifier::state_of(const Packet& packet) {
  const Flows::Key key = Flows::key_of(packet);
  if (State* const known = flows_->find(key)) return known;
  if (flows_->states.size() >= max_flows_) return nullptr;
  return &flows_->states[key];
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
  const bool is_vain = !shows_roce_port && flows_->is_vain(OverlayHost::of_source(packet));
  if (is_vain && flows_->find(Flows::key_of(packet)) == nullptr) return {shown, {}};
  State* state = state_of(packet);
  if (state == nullptr) return {shown, {}, true};
  const std::optional<std::uint16_t> port = true_port(packet, shown, *state);
  if (!port) return {shown, {}};
  return {check_icrc(packet, port), port};
}

/// A flow of a host whose searches are vain has no known port in the place of another one than 4791, and while no flow is
/// doubtful none has a candidate.
bool IcrcVerifier::searches_nothing(const FlowKey& key, std::uint16_t source_port) const {
  return source_port != udp_port::kRoce && doubtful_ == 0 && flows_->is_vain({key.source, key.overlay_id});
}

bool IcrcVerifier::has_settled(const FlowKey& key, std::uint16_t source_port, const IcrcCheck& check) const {
  const bool shows_roce_port = source_port == udp_port::kRoce;
  const bool good = check.status == IcrcStatus::kGood;
  const bool is_vain = !good && !shows_roce_port && flows_->is_vain({key.source, key.overlay_id});
  const State* const known = flows_->find({key});
  if (known == nullptr) return good ? !shows_roce_port : is_vain;
  const State& state = *known;
  if (good) return shows_roce_port ? state.right_as_shown : state.rewrites_none || (!state.known && !state.candidate);
  if (state.rewrites_none) return true;
  return !state.known && !state.candidate && (is_vain || state.searches >= kSearchesPerFlow);
}

std::size_t IcrcVerifier::flows(const Shard& shard) const {
  const auto has = [&](const auto& each) { return shard.has(each.first.flow.source, each.first.flow.destination); };
  return static_cast<std::size_t>(std::ranges::count_if(flows_->states, has));
}

/// A capture that rewrites source ports shows none that is right.
void IcrcVerifier::see_right(const Packet& packet) {
  State* const known = flows_->find(Flows::key_of(packet));
  if (known == nullptr || known->rewrites_none) return;
  State& state = *known;
  const std::uint16_t port = packet.roce.udp_source_port;
  if (state.candidate != port && state.known != port) return;
  state.rewrites_none = true;
  state.known = state.candidate = std::nullopt;
  --doubtful_;
}

std::optional<std::uint16_t> IcrcVerifier::true_port(const Packet& packet, const IcrcCheck& shown, State& state) {
  if (state.rewrites_none) return std::nullopt;
  const OverlayHost host = OverlayHost::of_source(packet);
  const bool rewritten_alike = packet.roce.udp_source_port == state.shown;
  if (rewritten_alike && fits(packet, state.known)) return state.known;
  if (state.candidate && state.candidate_icrc == shown.found) return std::nullopt;
  if (rewritten_alike && fits(packet, state.candidate)) {
    std::swap(state.known, state.candidate);  // a flow that alternates between two ports keeps both
    flows_->note_rewriting(host);
    state.candidate_icrc = shown.found;
    return state.known;
  }
  if (state.searches >= kSearchesPerFlow) return std::nullopt;
  if (packet.roce.udp_source_port != udp_port::kRoce && flows_->is_vain(host)) return std::nullopt;
  ++state.searches;
  const std::optional<std::uint16_t> port = find_source_port(packet);
  flows_->note_search(host, port.has_value());
  if (!port) return std::nullopt;
  const bool known_rewriting = packet.roce.udp_source_port == udp_port::kRoce && !state.right_as_shown && !state.known;
  if (!state.known) state.shown = packet.roce.udp_source_port;
  if (known_rewriting) {
    flows_->note_rewriting(host);
    return state.known = port;
  }
  if (!state.candidate && !state.known) ++doubtful_;
  state.candidate = port;
  state.candidate_icrc = shown.found;
  return std::nullopt;
}

}  // namespace rocescope
