// The UD queue pair that the messages of the set-up exchange travel on. UD loses messages: a request is sent again until its
// answer comes, and a request that was answered already is answered the same way again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/exchange_messages.hpp"
#include "core/truth.hpp"
#include "verbs/device.hpp"
#include "verbs/queue_pair.hpp"
#include "verbs/region.hpp"

namespace rocescope::rdmagen {

class ExchangeLink {
 public:
  /// A queue pair ready to send. Throws Error.
  ExchangeLink(Device& device, Truth& truth, const Gid& local);
  ~ExchangeLink();
  ExchangeLink(const ExchangeLink&) = delete;
  ExchangeLink& operator=(const ExchangeLink&) = delete;

  [[nodiscard]] std::uint32_t qpn() const noexcept { return qp_->qpn(); }
  /// Where the messages go.
  void connect(const ibv_gid& remote, std::uint32_t qpn);

  /// Client: sends a request and waits for its answer. Throws Error after `wait_s` without one.
  ExchangeBody call(const ExchangeBody& request, std::uint32_t wait_s);

  /// Server: the next request that was not answered yet; nothing after `wait_ms` without one.
  std::optional<ExchangeMessage> next_request(std::uint32_t wait_ms);
  /// Server: answers the request that came last.
  void answer(const ExchangeBody& body);

 private:
  void send(const ExchangeMessage& message);
  std::optional<ExchangeMessage> receive(std::uint32_t wait_ms);
  std::optional<ExchangeMessage> take(const ibv_wc& completion);
  void post_receive(std::uint32_t slot);

  Device& device_;
  Truth& truth_;
  Gid local_;
  ibv_cq* cq_ = nullptr;
  std::unique_ptr<Region> region_;
  std::unique_ptr<QueuePair> qp_;
  std::uint16_t sequence_ = 0;
  std::uint64_t sent_ = 0;
  std::optional<ExchangeMessage> last_answer_;
};

}  // namespace rocescope::rdmagen
