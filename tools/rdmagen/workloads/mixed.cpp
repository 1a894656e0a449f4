#include <algorithm>
#include <array>
#include <vector>

#include "core/plan_builder.hpp"
#include "core/random.hpp"
#include "workloads/workloads.hpp"

namespace rocescope::rdmagen::workloads {
namespace {

constexpr std::uint64_t kSlots = 8;  ///< places on the peer that a queue pair writes to, and here that it reads to
constexpr std::uint32_t kMostWindows = 64;  ///< of one side

struct Choice {
  Operation operation = Operation::kSend;
  std::uint8_t qp = 0;
};

/// Everything that one side's queue pair works on.
struct Lane {
  std::uint64_t targets = 0;        ///< on the peer: kSlots of the largest message
  std::uint64_t landings = 0;       ///< here: kSlots of the largest message, for READs and atomics
  std::uint64_t counter = 0;        ///< on the peer: atomics
  std::uint64_t counter_value = 0;  ///< what it will be
  std::uint64_t cell = 0;           ///< on the peer: ATOMIC WRITE
  std::uint64_t unverified = 0;     ///< landings in use
  struct Written {
    std::uint64_t length = 0;
    std::uint64_t from = 0;
  };
  std::array<Written, kSlots> written{};
  Written cell_written;
};

/// One side's random doings.
class Mixer {
 public:
  Mixer(PlanBuilder& plan, Side side)
      : plan_(plan),
        here_(plan.side(side)),
        there_(plan.side(peer_of(side))),
        side_(side),
        random_(plan.job().seed * 2ULL + static_cast<unsigned>(side)),
        slot_bytes_(std::max<std::uint64_t>((plan.job().size + 7) / 8 * 8, 8)),
        lanes_(plan.job().qps) {}

  void choose() {
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < kOperationCount; ++i) {
      const auto operation = static_cast<Operation>(i);
      if (plan_.job().operations.has(operation)) operations.push_back(operation);
    }
    for (std::uint32_t i = 0; i < plan_.job().count; ++i) {
      Choice choice{operations[random_.below(operations.size())],
                    static_cast<std::uint8_t>(random_.below(plan_.job().qps))};
      if (choice.operation == Operation::kSendInv && ++windows_ > kMostWindows) {
        --windows_;
        choice.operation = Operation::kSend;
      }
      choices_.push_back(choice);
    }
  }

  void take_source() { source_ = here_.source(2 * slot_bytes_); }

  void take_memory() {
    for (Lane& lane : lanes_) {
      lane.targets = there_.zeroed(kSlots * slot_bytes_);
      lane.landings = here_.zeroed(kSlots * slot_bytes_);
      lane.counter = there_.zeroed(8);
      lane.cell = there_.zeroed(8);
    }
    if (windows_ > 0) {
      there_.half().windows = windows_;
      there_.half().window_offset = there_.zeroed(8ULL * windows_);
      advertisement_ = there_.zeroed(kAdvertisedWindowBytes * windows_);
    }
  }

  /// The peer opens the windows that this side will close.
  void open_windows() {
    if (windows_ == 0) return;
    std::uint32_t window = 0;
    for (const Choice& choice : choices_) {
      if (choice.operation != Operation::kSendInv) continue;
      Step& bind = there_.post(Operation::kBindWindow, choice.qp, there_.half().window_offset + 8ULL * window, 0, 8);
      bind.count = window++;
    }
    there_.await_completions();
    there_.send(0, advertisement_, kAdvertisedWindowBytes * windows_).advertises = true;
  }

  void act() {
    if (windows_ > 0) here_.await_receives();
    for (const Choice& choice : choices_) act(choice);
    verify_landings();
  }

  /// What the peer will hold when all is done.
  void expect_at_peer() {
    if (plan_.job().lossy) return;
    for (const Lane& lane : lanes_) {
      for (std::size_t i = 0; i < kSlots; ++i) {
        if (lane.written[i].length == 0) continue;
        there_.finally_verify_bytes(lane.targets + i * slot_bytes_, lane.written[i].length, side_,
                                    lane.written[i].from);
      }
      if (lane.counter_value != 0) there_.finally_verify_number(lane.counter, lane.counter_value);
      if (lane.cell_written.length != 0) there_.finally_verify_bytes(lane.cell, 8, side_, lane.cell_written.from);
    }
    for (std::size_t i = 0; i < window_sources_.size(); ++i) {
      there_.finally_verify_bytes(there_.half().window_offset + 8 * i, 8, side_, window_sources_[i]);
    }
  }

 private:
  std::uint64_t some_length() {
    const std::uint64_t most = plan_.job().size;
    switch (random_.below(4)) {
      case 0:
        return std::min<std::uint64_t>(random_.below(9), most);
      case 1:
        return std::min<std::uint64_t>(random_.below(257), most);
      default:
        return random_.below(most + 1);
    }
  }

  void act(const Choice& choice) {
    Lane& lane = lanes_[choice.qp];
    const std::uint64_t length = some_length();
    const std::uint64_t from = source_ + random_.below(slot_bytes_);
    const auto immediate = static_cast<std::uint32_t>(random_.next());
    const std::uint64_t slot = random_.below(kSlots);
    const std::uint64_t target = lane.targets + slot * slot_bytes_;
    switch (choice.operation) {
      case Operation::kSend:
      case Operation::kSendImm:
        here_.post(choice.operation, choice.qp, from, 0, length).immediate = immediate;
        return;
      case Operation::kSendInv:
        send_invalidating(choice.qp, from, length);
        return;
      case Operation::kWrite:
      case Operation::kWriteImm:
        here_.post(choice.operation, choice.qp, from, target, length).immediate = immediate;
        // A shorter message leaves the rest of what was there: only its own bytes are known.
        if (length > 0) lane.written[slot] = {length, from};
        return;
      case Operation::kRead:
        read(choice.qp, lane, length);
        return;
      case Operation::kCompareSwap:
      case Operation::kFetchAdd:
        change_counter(choice, lane);
        return;
      case Operation::kAtomicWrite:
        lane.cell_written = {8, from - from % 8};
        here_.post(choice.operation, choice.qp, from - from % 8, lane.cell, 8);
        return;
      case Operation::kFlush:
        here_.post(choice.operation, choice.qp, 0, target, slot_bytes_);
        return;
      case Operation::kBindWindow:
        return;
    }
  }

  /// Writes through a window and closes it.
  void send_invalidating(std::uint8_t qp, std::uint64_t from, std::uint64_t length) {
    const auto window = static_cast<std::uint32_t>(window_sources_.size());
    Step& write = here_.write(qp, from, there_.half().window_offset + 8ULL * window, 8);
    write.key = KeyChoice::kWindow;
    write.count = window;
    window_sources_.push_back(from);
    Step& send = here_.post(Operation::kSendInv, qp, from, 0, length);
    send.key = KeyChoice::kWindow;
    send.count = window;
  }

  std::uint64_t landing(Lane& lane) {
    if (lane.unverified == kSlots) verify_landings();
    return lane.landings + lane.unverified++ * slot_bytes_;
  }

  void read(std::uint8_t qp, Lane& lane, std::uint64_t length) {
    const std::uint64_t to = landing(lane);
    const std::uint64_t peer_source = random_.below(slot_bytes_);
    here_.read(qp, to, peer_source, length);
    if (length > 0) checks_.push_back({false, to, length, peer_source});
  }

  void change_counter(const Choice& choice, Lane& lane) {
    const std::uint64_t to = landing(lane);
    checks_.push_back({true, to, 8, lane.counter_value});
    const std::uint64_t operand = random_.next();
    if (choice.operation == Operation::kFetchAdd) {
      here_.fetch_add(choice.qp, to, lane.counter, operand);
      lane.counter_value += operand;
      return;
    }
    const bool equal = random_.below(2) == 0;
    here_.compare_swap(choice.qp, to, lane.counter, equal ? lane.counter_value : ~lane.counter_value, operand);
    if (equal) lane.counter_value = operand;
  }

  void verify_landings() {
    if (checks_.empty()) return;
    here_.await_completions();
    for (const Check& check : checks_) {
      if (check.number) {
        here_.verify_number(check.at, check.expected);
      } else {
        here_.verify_bytes(check.at, check.length, peer_of(side_), check.expected);
      }
    }
    checks_.clear();
    for (Lane& lane : lanes_) lane.unverified = 0;
  }

  struct Check {
    bool number;
    std::uint64_t at;
    std::uint64_t length;
    std::uint64_t expected;
  };

  PlanBuilder& plan_;
  SideBuilder& here_;
  SideBuilder& there_;
  Side side_;
  Random random_;
  std::uint64_t slot_bytes_;
  std::vector<Lane> lanes_;
  std::vector<Choice> choices_;
  std::vector<Check> checks_;
  std::vector<std::uint64_t> window_sources_;
  std::uint64_t source_ = 0;
  std::uint64_t advertisement_ = 0;
  std::uint32_t windows_ = 0;
};

}  // namespace

Plan mixed(const Job& job) {
  PlanBuilder plan(job);
  std::vector<Mixer> mixers;
  mixers.emplace_back(plan, Side::kClient);
  // A UD server learns whom to answer from the first message; random traffic cannot wait for that.
  if (job.transport != Transport::kUd) mixers.emplace_back(plan, Side::kServer);

  for (Mixer& mixer : mixers) mixer.choose();
  for (Mixer& mixer : mixers) mixer.take_source();
  const std::uint64_t last_word = plan.server().source(8);
  for (Mixer& mixer : mixers) mixer.take_memory();
  for (Mixer& mixer : mixers) mixer.open_windows();
  for (Mixer& mixer : mixers) mixer.act();
  for (Mixer& mixer : mixers) mixer.expect_at_peer();
  if (mixers.size() == 2) {
    // Only this shows the client that nothing more will touch its memory.
    plan.server().await_completions();
    plan.server().send(0, last_word, 8);
  }
  return plan.finish();
}

}  // namespace rocescope::rdmagen::workloads
