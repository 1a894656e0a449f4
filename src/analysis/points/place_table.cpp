#include "analysis/points/place_table.hpp"

#include <algorithm>
#include <optional>

#include "rocescope/header.hpp"
#include "rocescope/headers/link_types.hpp"
#include "rocescope/text.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {
namespace {

bool is_network(HeaderKind kind) noexcept {
  return kind == HeaderKind::kIpv4 || kind == HeaderKind::kIpv6 || kind == HeaderKind::kGrh;
}

/// How many layers are around the innermost IP packet; none: there is no IP packet.
std::optional<std::size_t> layers_around(const Packet& packet) noexcept {
  const auto layers = packet.layers();
  for (std::size_t i = layers.size(); i > 0; --i) {
    if (is_network(layers[i - 1].kind)) return i - 1;
  }
  return std::nullopt;
}

std::string name_of(HeaderKind kind) { return std::string(header_info(kind).name); }

}  // namespace

std::size_t PlaceTable::find(const Packet& packet, const InterfaceOf& interface) {
  const std::optional<std::size_t> around = layers_around(packet);
  const auto outer = packet.layers().first(around.value_or(0));
  Place place{.capture = interface.capture, .interface = interface.number, .has_ip = around.has_value(), .around = {}};
  for (const Layer& layer : outer) place.headers = mix(place.headers, static_cast<std::uint64_t>(layer.kind) + 1);
  if (const auto cooked = packet.header<Sll2>()) place.index = cooked->get<"sll.ifindex">();
  const auto is_it = [&](const Place& known) {
    if (!known.has_ip || !place.has_ip) return known.is_beside(place);
    return known.headers == place.headers && known.is_beside(place);
  };
  if (last_ >= places_.size() || !place.has_ip || !is_it(places_[last_])) {
    last_ = static_cast<std::size_t>(std::ranges::find_if(places_, is_it) - places_.begin());
  }
  if (last_ < places_.size() && (places_[last_].has_ip || !place.has_ip)) return last_;
  if (last_ == kMost) return last_ = kMost - 1;
  for (const Layer& layer : outer) place.around.push_back(layer.kind);
  if (last_ == places_.size()) places_.emplace_back();
  places_[last_] = std::move(place);
  return last_;
}

std::string PlaceTable::name(std::size_t number, std::span<const CaptureInfo> captures, std::size_t behind) const {
  const Place& place = places_[number];
  const auto differs = [&](auto member) {
    return std::ranges::any_of(places_, [&](const Place& other) { return other.*member != place.*member; });
  };
  std::string name;
  const auto add = [&name](const std::string& word) { name += name.empty() || word.empty() ? word : " " + word; };
  const CaptureInfo& capture = captures[place.capture];
  if (captures.size() > 1) add(capture.path);
  if (behind > 0) add("and the " + (behind == 1 ? "file" : text::count(behind, "file")) + " behind it");
  if (place.interface < capture.interfaces.size()) {
    const CaptureInterface& interface = capture.interfaces[place.interface];
    if (!interface.name.empty()) {
      add(interface.name);
    } else if (capture.interfaces.size() > 1) {
      add("interface " + std::to_string(place.interface));
    }
  }
  if (place.index != 0 && differs(&Place::index)) add("interface index " + std::to_string(place.index));
  if (differs(&Place::headers)) {
    std::string around;
    for (const HeaderKind kind : place.around) around += (around.empty() ? "" : "/") + name_of(kind);
    if (!around.empty()) add("(" + around + ")");
  }
  return name.empty() ? capture.path : name;
}

}  // namespace rocescope
