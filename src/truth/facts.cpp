// One function an event, in the order of the schema.
#include "truth/facts.hpp"

namespace rocescope::truth {
namespace {

WorkOpcode work_opcode(std::string_view name) {
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(WorkOpcode::kOther); ++i) {
    if (to_string(static_cast<WorkOpcode>(i)) == name) return static_cast<WorkOpcode>(i);
  }
  return WorkOpcode::kOther;
}

void need_opcode(FactReader& from, WorkOpcode& opcode) {
  std::string name;
  from.need("opcode", name);
  opcode = work_opcode(name);
}

/// How long it took what has ended at the event's time.
template <class Event>
void need_duration(FactReader& from, Event& to) {
  from.need("duration_ns", to.duration);
  if (to.duration < 0 || to.duration > to.time) from.fail("duration_ns", "cannot be");
}

}  // namespace

void read(FactReader& from, Start& to) {
  from.may("program", to.program);
  from.may("version", to.version);
  from.may("schema", to.schema);
  from.may("host", to.host);
  from.may("pid", to.pid);
  from.may("arguments", to.arguments);
}

void read(FactReader& from, DeviceOpened& to) {
  from.need("device", to.device);
  need_duration(from, to);
}

void read(FactReader& from, Device& to) {
  from.need("device", to.device);
  need_duration(from, to);
  from.may("active_mtu", to.active_mtu);
  from.may("max_msg_sz", to.max_msg_sz);
  from.may("max_qp", to.max_qp);
  from.may("max_qp_rd_atom", to.max_qp_rd_atom);
  from.may("max_qp_init_rd_atom", to.max_qp_init_rd_atom);
  std::vector<nlohmann::json> gids;
  from.may("gids", gids);
  for (const nlohmann::json& each : gids) {
    FactReader fields(each);
    Gid& gid = to.gids.emplace_back();
    fields.need("index", gid.index);
    fields.need("port", gid.port);
    fields.need("gid", gid.address);
    fields.may("type", gid.type);
    if (!fields.problem().empty()) from.fail("gids:", fields.problem());
  }
}

void read(FactReader& from, ProtectionDomain& to) {
  from.need("pd", to.pd);
  from.may("device", to.device);
  need_duration(from, to);
}

void read(FactReader& from, CompletionQueue& to) {
  from.need("cq", to.cq);
  from.may("entries", to.entries);
  need_duration(from, to);
}

void read(FactReader& from, MemoryRegion& to) {
  from.may("pd", to.pd);
  from.need("address", to.address);
  from.need("length", to.length);
  from.may("lkey", to.l_key);
  from.need("rkey", to.r_key);
  from.may("access", to.access);
  need_duration(from, to);
}

void read(FactReader& from, RegionDeregistered& to) {
  from.need("address", to.address);
  from.need("rkey", to.r_key);
}

void read(FactReader& from, MemoryWindow& to) {
  from.may("pd", to.pd);
  from.need("rkey", to.r_key);
  from.may("type", to.type);
}

void read(FactReader& from, Job& to) {
  from.may("run_id", to.run_id);
  from.may("connection", to.connection);
  from.may("connections", to.connections);
  from.may("qps", to.qps);
  from.may("workload", to.workload);
  from.may("fault", to.fault);
  from.may("transport", to.transport);
  from.may("size", to.size);
  from.may("chunk", to.chunk);
  from.may("count", to.count);
  from.may("depth", to.depth);
  from.may("lossy", to.lossy);
}

void read(FactReader& from, QueuePair& to) {
  from.need("qpn", to.qpn);
  from.need("type", to.type);
  from.may("pd", to.pd);
  from.may("max_send_wr", to.max_send_wr);
  from.may("max_recv_wr", to.max_recv_wr);
  need_duration(from, to);
}

void read(FactReader& from, QueuePairState& to) {
  from.need("qpn", to.qpn);
  from.need("state", to.state);
  from.may("by", to.by);
  from.may("via", to.via);
  from.may("dest_qpn", to.dest_qpn);
  from.may("rq_psn", to.rq_psn);
  from.may("path_mtu", to.path_mtu);
  from.may("dgid", to.dgid);
  from.may("max_dest_rd_atomic", to.max_dest_rd_atomic);
  from.may("min_rnr_timer", to.min_rnr_timer);
  from.may("sq_psn", to.sq_psn);
  from.may("timeout", to.timeout);
  from.may("retry_cnt", to.retry_cnt);
  from.may("rnr_retry", to.rnr_retry);
  from.may("max_rd_atomic", to.max_rd_atomic);
  from.may("qkey", to.q_key);
}

void read(FactReader& from, QueuePairDestroyed& to) { from.need("qpn", to.qpn); }

void read(FactReader& from, CmEvent& to) {
  from.need("type", to.type);
  from.may("status", to.status);
  from.may("local_address", to.local_address);
  from.may("local_port", to.local_port);
  from.may("peer_address", to.peer_address);
  from.may("peer_port", to.peer_port);
  from.may("qpn", to.qpn);
  from.may("peer_qpn", to.peer_qpn);
}

void read(FactReader& from, Reject& to) {
  from.may("run_id", to.run_id);
  from.need("reason", to.reason);
}

void read(FactReader& from, Exchange& to) {
  std::string direction;
  from.need("direction", direction);
  to.sent = direction == "sent";
  from.need("qpn", to.qpn);
  from.need("type", to.type);
  from.may("sequence", to.sequence);
  from.may("bytes", to.bytes);
}

void read(FactReader& from, Post& to) {
  from.need("qpn", to.qpn);
  need_opcode(from, to.opcode);
  from.may("signaled", to.is_signaled);
  from.may("inline", to.is_inline);
  from.need("wr_id", to.wr_id);
  from.may("bytes", to.bytes);
  from.may("local_address", to.local_address);
  from.may("lkey", to.l_key);
  from.may("remote_address", to.remote_address);
  from.may("rkey", to.r_key);
  from.may("immediate", to.immediate);
  from.may("invalidate_rkey", to.invalidate_r_key);
  from.may("compare", to.compare);
  from.may("swap", to.swap);
  from.may("add", to.add);
  from.may("dest_qpn", to.dest_qpn);
}

void read(FactReader& from, Completion& to) {
  from.need("qpn", to.qpn);
  need_opcode(from, to.opcode);
  from.need("wr_id", to.wr_id);
  from.need("status", to.status);
  from.may("vendor_err", to.vendor_err);
  from.may("bytes", to.bytes);
  from.may("immediate", to.immediate);
  from.may("invalidated_rkey", to.invalidated_r_key);
  from.may("src_qp", to.src_qp);
}

void read(FactReader& from, Verified& to) {
  from.may("address", to.address);
  from.may("length", to.length);
  from.need("good", to.good);
  from.may("wr_id", to.wr_id);
  from.may("value", to.value);
  from.may("expected", to.expected);
}

void read(FactReader& from, AsyncEvent& to) {
  from.may("device", to.device);
  from.need("type", to.type);
  from.may("qpn", to.qpn);
}

void read(FactReader& from, Kill& to) { from.need("signal", to.signal); }

void read(FactReader& from, Counters& to) {
  from.may("on", to.on);
  from.may("device", to.device);
  std::string when;
  from.need("when", when);
  to.is_after = when == "after";
  from.need("hw_counters", to.hardware);
}

void read(FactReader& from, RunResult& to) {
  from.need("good", to.good);
  from.may("elapsed_ns", to.elapsed);
  from.may("operations", to.operations);
  from.may("payload_bytes", to.payload_bytes);
  from.may("verified_bytes", to.verified_bytes);
  from.may("lost", to.lost);
  from.may("as_asked", to.as_asked);
  from.may("errors", to.errors);
}

void read(FactReader& from, Failed& to) { from.need("error", to.error); }

void read(FactReader& from, Host& to) {
  from.need("name", to.name);
  from.need("address", to.address);
  from.may("clock_offset", to.clock_offset);
  from.may("clock_uncertainty", to.clock_uncertainty);
}

}  // namespace rocescope::truth
