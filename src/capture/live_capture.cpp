#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "capture/frame_age.hpp"
#include "capture/live_interface.hpp"
#include "rocescope/live.hpp"

namespace rocescope {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// The kernel hands over a block of its ring after this time even if it is not full. Such a block takes the place of a full one,
// so with a longer time the ring lasts longer while this program waits for a disk. Where frames of several interfaces are put
// in order, the ring fills while the frames of one wait for the others.
constexpr int kTimeout = 100;  // milliseconds
constexpr int kTimeoutOfSeveral = 10;
constexpr std::chrono::milliseconds kLongestWait = 100ms;

std::int64_t system_time() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

LiveCapture::LiveCapture() = default;
LiveCapture::~LiveCapture() = default;

Result<std::unique_ptr<LiveCapture>> LiveCapture::open(const LiveOptions& options) {
  std::unique_ptr<LiveCapture> self(new LiveCapture());
  const int timeout = options.interfaces.size() > 1 ? kTimeoutOfSeveral : kTimeout;
  // A block may be opened just after the kernel's timer ran: twice the timeout, and some time to wake up.
  self->settled_after_ =
      options.immediate ? std::chrono::nanoseconds(5ms) : std::chrono::milliseconds(2 * timeout) + 20ms;
  self->info_.format = "live";
  for (const std::string& name : options.interfaces) {
    Result<std::unique_ptr<Interface>> interface = Interface::open(name, options, timeout);
    if (!interface) return interface.error();
    CaptureInfo& info = self->info_;
    info.path += (info.path.empty() ? "" : ", ") + name;
    info.interfaces.push_back((*interface)->description());
    info.interfaces.back().number = static_cast<std::uint32_t>(info.interfaces.size() - 1);
    self->interfaces_.push_back(std::move(*interface));
  }
  if (self->interfaces_.empty()) return Error{"no interface is named to capture on"};
  self->counters_.resize(self->interfaces_.size());
  return self;
}

bool LiveCapture::next(Frame& frame) {
  look_for_frames();
  Interface* from = earliest();
  while (from != nullptr && came_after_stop(*from)) {
    from->end();
    from = earliest();
  }
  if (from == nullptr || !may_give(*from)) return false;
  const auto number =
      std::find_if(interfaces_.begin(), interfaces_.end(), [from](const auto& each) { return each.get() == from; });
  frame = *from->frame();
  frame.interface_id = static_cast<std::uint32_t>(number - interfaces_.begin());
  frame.number = ++frames_;
  from->release();
  return true;
}

void LiveCapture::look_for_frames() {
  for (const std::unique_ptr<Interface>& each : interfaces_) {
    if (each->ended()) continue;
    each->look_for_frame();
    if (each->ended()) {
      // A warning is about the capture, which has the names of its interfaces.
      const bool named = interfaces_.size() == 1;
      info_.warnings.push_back(named ? each->failure()
                                     : fmt::format("{}: {}", each->description().name, each->failure()));
    } else if (!each->frame() && stopped_at_ && steady_clock::now() >= *stopped_at_ + settled_after_) {
      each->end();
    }
  }
}

LiveCapture::Interface* LiveCapture::earliest() const {
  Interface* first = nullptr;
  for (const std::unique_ptr<Interface>& each : interfaces_) {
    if (!each->frame()) continue;
    if (first == nullptr || each->frame()->timestamp < first->frame()->timestamp) first = each.get();
  }
  return first;
}

bool LiveCapture::came_after_stop(const Interface& interface) const {
  if (!stopped_at_) return false;
  const steady_clock::time_point now =
      steady_clock::now();  // before the other clock: a pause between them makes frames older
  if (!interface.has_system_time()) return now >= *stopped_at_ + settled_after_;
  return !has_age(interface.frame()->timestamp, system_time(), now - *stopped_at_);
}

/// Whether no other interface can still deliver an earlier frame.
bool LiveCapture::may_give(const Interface& interface) const {
  if (!interface.has_system_time()) return true;
  const bool all_known = std::all_of(interfaces_.begin(), interfaces_.end(),
                                     [](const auto& each) { return each->frame() || each->ended(); });
  return all_known || has_age(interface.frame()->timestamp, system_time(), settled_after_);
}

void LiveCapture::wait(std::chrono::nanoseconds longest) {
  if (ended()) return;
  constexpr std::chrono::nanoseconds kWithoutDescriptor = 10ms;
  std::chrono::nanoseconds limit = std::min<std::chrono::nanoseconds>(longest, kLongestWait);
  if (const Interface* held = earliest()) {
    limit = std::min(limit, time_until_age(held->frame()->timestamp, system_time(), settled_after_));
  }
  if (stopped_at_)
    limit = std::min<std::chrono::nanoseconds>(limit, *stopped_at_ + settled_after_ - steady_clock::now());
  std::vector<pollfd> polled;
  for (const std::unique_ptr<Interface>& each : interfaces_) {
    if (each->ended() || each->frame()) continue;
    if (each->descriptor() < 0) limit = std::min(limit, kWithoutDescriptor);
    polled.push_back({each->descriptor(), POLLIN, 0});
  }
  const std::chrono::nanoseconds duration = std::max(limit, std::chrono::nanoseconds(0));
  const timespec timeout{.tv_sec = 0, .tv_nsec = static_cast<long>(duration.count())};
  ::ppoll(polled.data(), polled.size(), &timeout, nullptr);
}

void LiveCapture::stop() {
  if (!stopped_at_) stopped_at_ = steady_clock::now();
}

bool LiveCapture::ended() const noexcept {
  return std::all_of(interfaces_.begin(), interfaces_.end(), [](const auto& each) { return each->ended(); });
}

std::span<const LiveCounters> LiveCapture::counters() {
  for (std::size_t i = 0; i < interfaces_.size(); ++i) {
    interfaces_[i]->count(counters_[i]);
    info_.interfaces[i].dropped = counters_[i].dropped_by_kernel + counters_[i].dropped_by_interface;
  }
  return counters_;
}

}  // namespace rocescope
