// The truth: what the programs at both ends of a connection recorded. One struct for each event of the schema in
// tools/rdmagen/README.md, and for the lab's own events about its machines (tools/lab/README.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/psn.hpp"

namespace rocescope::truth {

/// Who recorded a fact.
enum class Side : std::uint8_t { kServer, kClient, kLab };

/// "server", "client", "lab".
[[nodiscard]] std::string_view to_string(Side side) noexcept;

/// The members of every fact.
struct Fact {
  std::int64_t time = 0;  ///< nanoseconds since 1970, by the clock of the side; the end of what took a while
  Side side = Side::kClient;
  std::uint32_t file = 0;  ///< index into Truth::files
  std::uint64_t line = 0;  ///< in that file, from 1
};

struct Start : Fact {
  std::string program;
  std::string version;
  std::uint64_t schema = 0;
  std::string host;
  std::uint64_t pid = 0;
  std::vector<std::string> arguments;
};

struct DeviceOpened : Fact {
  std::string device;
  std::int64_t duration = 0;  ///< nanoseconds, here and below
};

struct Gid {
  std::uint32_t index = 0;
  std::uint32_t port = 0;
  IpAddress address;
  std::string type;  ///< `RoCE v2`
};

struct Device : Fact {
  std::string device;
  std::int64_t duration = 0;     ///< of the query
  std::uint32_t active_mtu = 0;  ///< bytes
  std::uint64_t max_msg_sz = 0;
  std::uint32_t max_qp = 0;
  std::uint32_t max_qp_rd_atom = 0;
  std::uint32_t max_qp_init_rd_atom = 0;
  std::vector<Gid> gids;
};

struct ProtectionDomain : Fact {
  std::uint32_t pd = 0;
  std::string device;
  std::int64_t duration = 0;
};

struct CompletionQueue : Fact {
  std::uint32_t cq = 0;
  std::uint32_t entries = 0;
  std::int64_t duration = 0;
};

struct MemoryRegion : Fact {
  std::uint32_t pd = 0;
  std::uint64_t address = 0;
  std::uint64_t length = 0;
  std::uint32_t l_key = 0;
  std::uint32_t r_key = 0;
  std::vector<std::string> access;  ///< LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, ...
  std::int64_t duration = 0;

  /// Whether the other side can name it in a request.
  [[nodiscard]] bool is_remote() const noexcept;
};

struct RegionDeregistered : Fact {
  std::uint64_t address = 0;
  std::uint32_t r_key = 0;
};

struct MemoryWindow : Fact {
  std::uint32_t pd = 0;
  std::uint32_t r_key = 0;
  std::string type;
};

/// `connection`: the task of a workload.
struct Job : Fact {
  std::uint64_t run_id = 0;
  std::uint32_t connection = 0;  ///< from 0, of `connections`
  std::uint32_t connections = 0;
  std::uint32_t qps = 0;
  std::string workload;  ///< empty with a fault
  std::string fault;     ///< `none` without
  std::string transport;
  std::uint64_t size = 0;
  std::uint64_t chunk = 0;
  std::uint64_t count = 0;
  std::uint32_t depth = 0;
  bool lossy = false;
};

struct QueuePair : Fact {
  Qpn qpn;
  std::string type;  ///< RC, UC, UD
  std::uint32_t pd = 0;
  std::uint32_t max_send_wr = 0;
  std::uint32_t max_recv_wr = 0;
  std::int64_t duration = 0;
};

struct QueuePairState : Fact {
  Qpn qpn;
  std::string state;             ///< INIT, RTR, RTS, ERR
  std::string by;                ///< rdmagen, librdmacm, device
  std::vector<std::string> via;  ///< states passed through on the way
  // From RTR on
  std::optional<Qpn> dest_qpn;
  std::optional<Psn> rq_psn;
  std::optional<std::uint32_t> path_mtu;  ///< bytes
  std::optional<IpAddress> dgid;
  std::optional<std::uint32_t> max_dest_rd_atomic;
  std::optional<std::uint32_t> min_rnr_timer;
  // From RTS on
  std::optional<Psn> sq_psn;
  std::optional<std::uint32_t> timeout;
  std::optional<std::uint32_t> retry_cnt;
  std::optional<std::uint32_t> rnr_retry;
  std::optional<std::uint32_t> max_rd_atomic;
  std::optional<std::uint32_t> q_key;  ///< UD
};

struct QueuePairDestroyed : Fact {
  Qpn qpn;
};

struct CmEvent : Fact {
  std::string type;         ///< ADDR_RESOLVED, CONNECT_REQUEST, ESTABLISHED, ...
  std::int64_t status = 0;  ///< the reason of a REJ
  std::optional<IpAddress> local_address;
  std::uint16_t local_port = 0;
  std::optional<IpAddress> peer_address;
  std::uint16_t peer_port = 0;
  std::optional<Qpn> qpn;
  std::optional<Qpn> peer_qpn;  ///< UD
};

struct Reject : Fact {
  std::uint64_t run_id = 0;
  std::uint64_t reason = 0;
};

/// A message of rdmagen's set-up exchange.
struct Exchange : Fact {
  bool sent = false;  ///< otherwise received
  Qpn qpn;
  std::string type;  ///< QP_CREATE_REQ, ...
  std::uint64_t sequence = 0;
  std::uint64_t bytes = 0;
};

/// Of a work request or a completion.
enum class WorkOpcode : std::uint8_t {
  kSend,
  kSendWithImm,
  kSendWithInv,
  kRdmaWrite,
  kRdmaWriteWithImm,
  kRdmaRead,
  kAtomicCmpAndSwp,
  kAtomicFetchAndAdd,
  kAtomicWrite,
  kFlush,
  kBindMw,
  kRecv,
  kRecvRdmaWithImm,  ///< completions only
  kOther,            ///< a name that is not in the schema
};

/// "SEND_WITH_IMM", as the schema writes it; empty for kOther.
[[nodiscard]] std::string_view to_string(WorkOpcode opcode) noexcept;

/// A work request, recorded just before the call.
struct Post : Fact {
  Qpn qpn;
  WorkOpcode opcode = WorkOpcode::kOther;
  bool is_signaled = false;
  bool is_inline = false;
  std::uint64_t wr_id = 0;
  std::uint64_t bytes = 0;
  std::uint64_t local_address = 0;
  std::uint32_t l_key = 0;
  std::optional<std::uint64_t> remote_address;
  std::optional<std::uint32_t> r_key;
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidate_r_key;
  std::optional<std::uint64_t> compare;
  std::optional<std::uint64_t> swap;
  std::optional<std::uint64_t> add;
  std::optional<Qpn> dest_qpn;  ///< UD

  /// Whether it is one message on the wire, when nothing is lost.
  [[nodiscard]] bool is_message() const noexcept;
};

struct Completion : Fact {
  Qpn qpn;
  WorkOpcode opcode = WorkOpcode::kOther;
  std::uint64_t wr_id = 0;  ///< of receives with bit 40 set
  std::string status;       ///< SUCCESS, REM_ACCESS_ERR, ...
  std::uint32_t vendor_err = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint32_t> immediate;
  std::optional<std::uint32_t> invalidated_r_key;
  std::optional<Qpn> src_qp;  ///< UD

  [[nodiscard]] bool is_success() const noexcept { return status == "SUCCESS"; }
};

struct Verified : Fact {
  std::uint64_t address = 0;
  std::uint64_t length = 0;
  bool good = false;
  std::optional<std::uint64_t> wr_id;
  std::optional<std::uint64_t> value;  ///< of a counter
  std::optional<std::uint64_t> expected;
};

struct AsyncEvent : Fact {
  std::string device;
  std::string type;
  std::optional<Qpn> qpn;
};

/// The side kills itself.
struct Kill : Fact {
  std::string signal;
};

/// Counters of a device. The lab records them by host, rdmagen by device; each leaves the other name empty.
struct Counters : Fact {
  std::string on;  ///< the host
  std::string device;
  bool is_after = false;                          ///< otherwise before
  std::map<std::string, std::uint64_t> hardware;  ///< hw_counters by name
};

/// The end of a run: of rdmagen, not of the lab.
struct RunResult : Fact {
  bool good = false;
  std::int64_t elapsed = 0;  ///< nanoseconds
  std::uint64_t operations = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t verified_bytes = 0;
  std::uint64_t lost = 0;
  std::vector<std::string> as_asked;
  std::vector<std::string> errors;
};

/// It ended before it began.
struct Failed : Fact {
  std::string error;
};

/// A machine of the lab.
struct Host : Fact {
  std::string name;  ///< server, client
  IpAddress address;
  std::int64_t clock_offset = 0;       ///< nanoseconds that its clock was ahead of the lab's
  std::int64_t clock_uncertainty = 0;  ///< nanoseconds
};

/// All facts, by event, each list in the order of time; facts of the same time stay in the order of files and lines.
struct Truth {
  std::vector<std::string> files;  ///< as the user named them, or below the folder that the user named

  std::vector<Start> starts;
  std::vector<DeviceOpened> devices_opened;
  std::vector<Device> devices;
  std::vector<ProtectionDomain> protection_domains;
  std::vector<CompletionQueue> completion_queues;
  std::vector<MemoryRegion> regions;
  std::vector<RegionDeregistered> regions_deregistered;
  std::vector<MemoryWindow> windows;
  std::vector<Job> jobs;
  std::vector<QueuePair> queue_pairs;
  std::vector<QueuePairState> queue_pair_states;
  std::vector<QueuePairDestroyed> queue_pairs_destroyed;
  std::vector<CmEvent> cm_events;
  std::vector<Reject> rejects;
  std::vector<Exchange> exchanges;
  std::vector<Post> posts;
  std::vector<Completion> completions;
  std::vector<Verified> verified;
  std::vector<AsyncEvent> async_events;
  std::vector<Kill> kills;
  std::vector<Counters> counters;
  std::vector<RunResult> results;
  std::vector<Failed> failures;
  std::vector<Host> hosts;
};

}  // namespace rocescope::truth
