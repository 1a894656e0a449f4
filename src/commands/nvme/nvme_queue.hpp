// A queue of NVMe over RDMA: one connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "commands/carried.hpp"
#include "commands/nvme/nvme_capsule.hpp"

namespace rocescope {

/// The data of a Connect while they come.
struct NvmeConnectBuffer {
  static constexpr std::size_t kSize = 1024;
  NvmeSgl sgl;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kSize);
  std::size_t filled = 0;
  [[nodiscard]] bool is_whole() const noexcept { return filled >= kSize; }
};

/// Ties commands to their responses by Command ID, and to the READs and WRITEs of the controller by R_Key and address.
class NvmeQueue final : public Carried {
 public:
  /// Commands followed at once; further ones are counted.
  static constexpr std::size_t kMostOutstanding = 4'096;
  /// Responses of which no ACK was seen; the oldest goes first.
  static constexpr std::size_t kMostFinishing = 256;

  struct Known {
    std::optional<std::uint8_t> host;    ///< the side that sends commands
    std::optional<std::uint16_t> queue;  ///< its ID
    std::optional<std::uint32_t> depth;  ///< entries of the submission queue
  };
  NvmeQueue(std::uint32_t connection, const Known& known) : connection_(connection), known_(known) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  MessageProtocol observe(const DataPayload& payload) override;
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override;
  [[nodiscard]] bool wants_data() const override { return connect_ && !connect_->is_whole(); }
  [[nodiscard]] Fit fit() const override { return fit_; }
  void finish(CommandSink& log) override;
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) const override;

 private:
  struct Open {
    Command command;
    Psn request;   // of the command's SEND, its first packet
    Psn response;  // the same of the response
    NvmeSgl sgl;
    bool counts = true;
  };

  [[nodiscard]] bool is_admin() const noexcept { return known_.queue.value_or(1) == 0; }
  MessageProtocol observe_command(const SendPayload& payload, CommandSink& log);
  MessageProtocol observe_response(const SendPayload& payload, CommandSink& log);
  void note_connect(const CapsuleReader& capsule, const NvmeSgl& sgl);
  void note_names(const CapsuleReader& data);
  void end_data(const Message& message);
  /// That asked for the message's data; null: none is known.
  [[nodiscard]] Open* with_data(const Message& message);
  /// Of which `message` is the command.
  [[nodiscard]] Open* with_request(const Message& message);
  using Outstanding = std::unordered_map<std::uint16_t, Open>;
  [[nodiscard]] Open take(Outstanding::iterator place);
  void name(Command& command) const;
  void note_id(std::uint64_t id);
  void report(Open open, CommandSink& log);

  std::uint32_t connection_;
  Known known_;
  Fit fit_;
  std::optional<std::uint64_t> last_id_;                       // Command ID of the last message
  Outstanding outstanding_;                                    // by Command ID
  std::unordered_map<std::uint32_t, std::uint16_t> requests_;  // of these, by PSN, until the command's message ended
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint16_t> memory_;  // of these, by R_Key and address
  std::deque<Open> finishing_;                                               // in the order of their responses
  std::optional<NvmeConnectBuffer> connect_;
  std::string host_name_;
  std::string subsystem_;
  std::optional<std::uint32_t> keep_alive_ms_;
  std::uint64_t commands_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t most_outstanding_ = 0;
  std::uint64_t unfollowed_ = 0;
};

}  // namespace rocescope
