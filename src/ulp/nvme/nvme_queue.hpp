// A queue of NVMe over RDMA: one connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ulp/carried.hpp"
#include "ulp/command_book.hpp"
#include "ulp/nvme/nvme_capsule.hpp"
#include "ulp/nvme/nvme_data.hpp"

namespace rocescope {

/// Ties commands to their responses by Command ID.
class NvmeQueue final : public Carried {
 public:
  struct Known {
    std::optional<std::uint8_t> host;    ///< the side that sends commands
    std::optional<std::uint16_t> queue;  ///< its ID
    std::optional<std::uint32_t> depth;  ///< entries of the submission queue
  };
  NvmeQueue(std::uint32_t connection, const Known& known) : connection_(connection), known_(known) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  MessageProtocol observe(const DataPayload& payload, CommandSink& log) override;
  void observe(const TakenAgain& taken) override {
    if (taken.sender != known_.host) book_.observe(taken);
  }
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override;
  [[nodiscard]] Bytes message_in(const DataPayload& payload) const override { return data_->message_in(payload); }
  [[nodiscard]] bool wants_data() const override { return data_ && !data_->is_whole(); }
  [[nodiscard]] const Fit& fit() const override { return counts_.fit; }
  void finish(CommandSink& log) override;
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  [[nodiscard]] std::string_view target_name() const override { return subsystem_; }
  [[nodiscard]] std::span<const CommandBook> books() const override { return {&book_, 1}; }
  [[nodiscard]] std::string_view operation_of(const Command& command) const override;

 private:
  friend struct StateMembers;
  [[nodiscard]] bool is_admin() const noexcept { return known_.queue.value_or(1) == 0; }
  MessageProtocol observe_command(const SendPayload& payload, CommandSink& log);
  MessageProtocol observe_response(const SendPayload& payload, CommandSink& log);
  void note_connect(const CapsuleReader& capsule);
  /// They come behind the command.
  void expect_data(const CapsuleReader& capsule, Command& command, const NvmeSgl& sgl);
  /// As far as they are known.
  void note_data(Bytes data, std::uint16_t opcode, Command& command);
  void note_names(const CapsuleReader& data);
  void name(Command& command) const;
  void note_id(std::uint64_t id);
  /// Of the command that was added last.
  void note_events(const SendPayload& payload, CommandSink& log);
  void report(OpenCommand& open, CommandSink& log);

  std::uint32_t connection_;
  Known known_;
  Counts counts_;
  std::optional<std::uint64_t> last_id_;     // Command ID of the last message
  std::optional<std::uint64_t> connect_id_;  // of a Connect that no other protocol has, before the next response
  CommandBook book_;                         // by Command ID
  std::optional<NvmeDataBuffer> data_;       // of the last command whose data are read
  std::string host_name_;
  std::string subsystem_;
  std::optional<std::uint32_t> keep_alive_ms_;
  std::optional<std::int64_t> last_command_;  // its time
  std::uint64_t last_packet_ = 0;             // its frame
};

}  // namespace rocescope
