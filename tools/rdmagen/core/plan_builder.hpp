// How workloads write their plans down.
#pragma once

#include <cstdint>

#include "core/plan.hpp"

namespace rocescope::rdmagen {

class PlanBuilder;

/// One side of a plan being written. Offsets and lengths in bytes.
class SideBuilder {
 public:
  SideBuilder(PlanBuilder& plan, Side side) noexcept : plan_(plan), side_(side) {}

  /// Sends `length` bytes of the source area. Returns the step, for what is unusual about it.
  Step& send(std::uint8_t qp, std::uint64_t local, std::uint64_t length);
  Step& send_imm(std::uint8_t qp, std::uint64_t local, std::uint64_t length, std::uint32_t immediate);
  Step& write(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t length);
  Step& write_imm(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t length,
                  std::uint32_t immediate);
  Step& read(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t length);
  Step& fetch_add(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t add);
  Step& compare_swap(std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t compare,
                     std::uint64_t swap);
  Step& post(Operation operation, std::uint8_t qp, std::uint64_t local, std::uint64_t remote, std::uint64_t length);

  /// Until all that this side has posted so far is complete.
  void await_completions();
  /// Until all that the peer has sent so far has arrived.
  void await_receives();
  void verify_bytes(std::uint64_t local, std::uint64_t length, Side of, std::uint64_t stream_offset);
  void verify_number(std::uint64_t local, std::uint64_t value);
  /// As verify_bytes and verify_number, when the peer has done all of its own.
  void finally_verify_bytes(std::uint64_t local, std::uint64_t length, Side of, std::uint64_t stream_offset);
  void finally_verify_number(std::uint64_t local, std::uint64_t value);
  void kill_self();

  /// Memory of this side: the first takes it from the area with the side's stream, the second from a zeroed one.
  /// Both return the offset. All sources must be taken before the first zeroed area.
  std::uint64_t source(std::uint64_t bytes);
  std::uint64_t zeroed(std::uint64_t bytes);

  void accept(Outcome outcome);
  SidePlan& half() noexcept;

 private:
  PlanBuilder& plan_;
  Side side_;
};

class PlanBuilder {
 public:
  explicit PlanBuilder(const Job& job) : job_(job), client_(*this, Side::kClient), server_(*this, Side::kServer) {}
  PlanBuilder(const PlanBuilder&) = delete;
  PlanBuilder& operator=(const PlanBuilder&) = delete;

  [[nodiscard]] const Job& job() const noexcept { return job_; }
  SideBuilder& client() noexcept { return client_; }
  SideBuilder& server() noexcept { return server_; }
  SideBuilder& side(Side side) noexcept { return side == Side::kClient ? client_ : server_; }

  /// The finished plan: last waits added, completions asked for, receive slots laid out. `largest_slot` 0: as large as
  /// the largest message.
  Plan finish(std::uint64_t largest_slot = 0);

 private:
  friend class SideBuilder;

  void ask_for_completions(SidePlan& half) const;
  void lay_out_receives(Side side, std::uint64_t largest_slot);

  Job job_;
  Plan plan_;
  SideBuilder client_;
  SideBuilder server_;
};

}  // namespace rocescope::rdmagen
