// The truth: one line of JSON for each fact, so that what an analyzer concludes from a capture can be checked against
// what happened. README.md documents every event and field.
#pragma once

#include <cstdint>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/operation.hpp"
#include "core/payload.hpp"

namespace rocescope::rdmagen {

/// A work request that is about to be posted.
struct PostFact {
  std::uint64_t time_ns = 0;
  std::uint32_t qpn = 0;
  std::uint64_t wr_id = 0;
  std::string_view opcode;
  std::uint64_t bytes = 0;
  std::uint64_t local_address = 0;
  std::uint32_t lkey = 0;
  bool signaled = false;
  bool inlined = false;
  std::optional<std::uint64_t> remote_address;
  std::optional<std::uint32_t> rkey;
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidate_rkey;
  std::optional<std::uint64_t> compare;
  std::optional<std::uint64_t> swap;
  std::optional<std::uint64_t> add;
  std::optional<std::uint32_t> dest_qpn;  ///< UD only: otherwise the QP's state has it
  std::optional<std::uint32_t> xrc_srqn;  ///< XRC only: the peer's, which the XRCETH carries
};

/// A completion that was polled.
struct CompletionFact {
  std::uint64_t time_ns = 0;
  std::uint32_t qpn = 0;
  std::uint64_t wr_id = 0;
  std::string_view status;
  std::uint32_t vendor_err = 0;
  std::string_view opcode;
  std::uint64_t bytes = 0;
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_rkey;
  std::optional<std::uint32_t> src_qp;
};

/// Writes facts to a file, from any thread. Lines wait in memory until there are 64 KiB of them, so that writing does not
/// show in the timing of the traffic.
class Truth {
 public:
  /// Writes nothing.
  explicit Truth(Side side) : side_(side) {}
  /// Opens `path` for writing ("-": standard output). Throws std::system_error.
  Truth(Side side, const std::string& path);
  ~Truth();
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;

  [[nodiscard]] bool enabled() const noexcept { return fd_ >= 0; }

  /// A fact with `fields`, an object; its time is now unless given.
  void fact(std::string_view event, const nlohmann::ordered_json& fields, std::uint64_t time_ns = 0);
  void post(const PostFact& post);
  void completion(const CompletionFact& completion);

  /// Brings everything so far into the file. For who is about to be killed.
  void flush();

 private:
  void append_line();
  void write_out();

  Side side_;
  int fd_ = -1;
  std::mutex mutex_;
  std::string buffer_;
};

}  // namespace rocescope::rdmagen
