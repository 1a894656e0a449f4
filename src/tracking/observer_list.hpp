// Observers of packets, and how a packet finds those that want it.
#pragma once

#include <concepts>
#include <tuple>
#include <utility>

#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Is shown each packet that has one of the traits in kWants.
template <class T>
concept Observer = requires(T& observer, const TrackedPacket& tracked) {
  { T::kWants } -> std::convertible_to<unsigned>;
  { observer.observe(tracked) } -> std::same_as<void>;
};

[[nodiscard]] inline bool is_unusual(const TrackedPacket& tracked) noexcept {
  const VerdictKind kind = tracked.verdict.kind;
  const bool expected = kind == VerdictKind::kInOrder || kind == VerdictKind::kNone ||
                        (kind == VerdictKind::kResponse && tracked.verdict.lost == LostWhere::kNowhere);
  const auto& aeth = tracked.aeth;
  const bool positive = !aeth || (aeth->kind() == AethKind::kAck && aeth->value() != 0);  // 0: no credits left
  return !expected || !positive || tracked.record.icrc.status == IcrcStatus::kBad ||
         tracked.lost_ack.where != LostWhere::kNowhere || tracked.needless.frame != 0;
}

/// The traits of a packet, as bits.
[[nodiscard]] inline unsigned traits_of(const TrackedPacket& tracked) noexcept {
  const unsigned handshake = tracked.handshakes.empty() ? 0 : traits::kHandshake;
  if (!tracked.is_roce()) return handshake | traits::kOtherFrame;
  if (tracked.verdict.damaged) return traits::kDamaged;
  unsigned traits = handshake | traits::kRoce;
  if (tracked.connection != nullptr) traits |= traits::kConnected;
  if (!tracked.ended.empty()) traits |= traits::kEnded;
  if (!tracked.measures.empty()) traits |= traits::kMeasured;
  if (is_unusual(tracked)) traits |= traits::kUnusual;
  return traits;
}

/// Known at compile time: no call goes through a pointer, and an observer that does not want a packet costs one test of a constant.
template <Observer... Each>
class ObserverList {
 public:
  explicit ObserverList(Each... each) : list_(std::move(each)...) {}

  /// Shows the packet to the observers that want it, in their order.
  void observe(const TrackedPacket& tracked) {
    const unsigned traits = traits_of(tracked);
    visit([&]<class T>(T& each) {
      if ((traits & T::kWants) != 0) each.observe(tracked);
    });
  }

  /// Shows a packet of a connection only to those that fill in its facts and count nothing else: they want kApart, or have an
  /// observe_apart() that leaves out the rest.
  void observe_apart(const TrackedPacket& tracked) {
    visit([&]<class T>(T& each) {
      if constexpr (requires { each.observe_apart(tracked); }) {
        each.observe_apart(tracked);
      } else if constexpr ((T::kWants & traits::kApart) != 0) {
        each.observe(tracked);
      }
    });
  }

  /// Calls `visitor` with each observer.
  template <class Visitor>
  void visit(Visitor visitor) {
    std::apply([&](Each&... each) { (visitor(each), ...); }, list_);
  }
  template <class Visitor>
  void visit(Visitor visitor) const {
    std::apply([&](const Each&... each) { (visitor(each), ...); }, list_);
  }

  template <class T>
  [[nodiscard]] T& get() noexcept {
    return std::get<T>(list_);
  }
  template <class T>
  [[nodiscard]] const T& get() const noexcept {
    return std::get<T>(list_);
  }

 private:
  std::tuple<Each...> list_;
};

}  // namespace rocescope
