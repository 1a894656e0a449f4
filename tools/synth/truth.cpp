#include "synth/truth.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

namespace rocescope::synth {
namespace {

using rdmagen::Operation;

constexpr std::size_t kPiece = std::size_t{1} << 18;  // bytes worth a system call

std::string ipv4(std::uint32_t address) {
  return fmt::format("::ffff:{}.{}.{}.{}", address >> 24, address >> 16 & 0xFF, address >> 8 & 0xFF, address & 0xFF);
}

template <class... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

bool has_immediate(Operation operation) {
  return operation == Operation::kSendImm || operation == Operation::kWriteImm;
}

}  // namespace

Truth::Truth(const Options& options) : options_(options) {
  const std::string& path = options.truth;
  if (path.empty()) return;
  descriptor_ = path == "-" ? dup(STDOUT_FILENO) : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + path);
}

Truth::~Truth() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Truth::begin_line(std::string_view side, std::string_view event, std::uint64_t time_ns) {
  append(text_, R"({{"time_ns":{},"side":"{}","event":"{}")", time_ns, side, event);
}

void Truth::end_line() {
  text_ += "}\n";
  if (text_.size() >= kPiece) write_out();
}

void Truth::write_out() {
  for (std::size_t done = 0; done < text_.size();) {
    const ssize_t written = write(descriptor_, text_.data() + done, text_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + options_.truth);
    done += static_cast<std::size_t>(written);
  }
  text_.clear();
}

void Truth::hosts(std::uint64_t time_ns) {
  addresses("client", client_address, time_ns);
  addresses("server", server_address, time_ns);
  begin_line("lab", "counters", time_ns);
  text_ += R"(,"on":"synth","when":"before","hw_counters":{"sent_pkts":0,"rcvd_pkts":0,"out_of_seq_request":0})";
  end_line();
}

void Truth::addresses(std::string_view side, std::uint32_t (*address_of)(std::uint32_t), std::uint64_t time_ns) {
  begin_line(side, "start", time_ns);
  append(text_, R"(,"program":"synth","schema":1)");
  end_line();
  begin_line(side, "device", time_ns);
  append(text_, R"(,"device":"synth0","duration_ns":0,"port":1,"active_mtu":{},"gids":[)", options_.path_mtu);
  for (std::uint32_t pair = 0; pair < options_.host_pairs; ++pair) {
    append(text_, R"({}{{"index":{},"port":1,"gid":"{}","type":"RoCE v2"}})", pair == 0 ? "" : ",", pair,
           ipv4(address_of(pair)));
  }
  text_ += ']';
  end_line();
}

void Truth::connected(const Identity& identity, std::uint64_t time_ns) {
  queue_pair("client", identity.client, identity.server, time_ns);
  queue_pair("server", identity.server, identity.client, time_ns);
  if (!options_.cm) return;
  cm_event("server", "CONNECT_REQUEST", identity, time_ns);
  cm_event("client", "ESTABLISHED", identity, time_ns);
  cm_event("server", "ESTABLISHED", identity, time_ns);
}

void Truth::queue_pair(std::string_view side, const End& own, const End& peer, std::uint64_t time_ns) {
  begin_line(side, "mr", time_ns);
  append(text_, R"(,"pd":1,"address":{},"length":{},"lkey":{},"rkey":{},"duration_ns":0,"access":)", own.region.address,
         own.region.length, own.region.key, own.region.key);
  text_ += R"(["LOCAL_WRITE","REMOTE_WRITE","REMOTE_READ","REMOTE_ATOMIC"])";
  end_line();
  begin_line(side, "qp", time_ns);
  append(text_, R"(,"qpn":{},"type":"RC","pd":1,"duration_ns":0)", own.qpn);
  end_line();
  begin_line(side, "qp_state", time_ns);
  append(text_, R"(,"qpn":{},"state":"RTS","by":"{}","via":["INIT","RTR"],"port":1,"dest_qpn":{},"rq_psn":{})", own.qpn,
         options_.cm ? "librdmacm" : "synth", peer.qpn, peer.first_psn);
  append(text_, R"(,"path_mtu":{},"dgid":"{}","sq_psn":{})", options_.path_mtu, ipv4(peer.address), own.first_psn);
  end_line();
}

void Truth::cm_event(std::string_view side, std::string_view type, const Identity& identity, std::uint64_t time_ns) {
  const bool client = side == "client";
  const End& own = client ? identity.client : identity.server;
  const End& peer = client ? identity.server : identity.client;
  begin_line(side, "cm_event", time_ns);
  append(text_, R"(,"type":"{}","status":0,"local_address":"{}","peer_address":"{}","qpn":{})", type, ipv4(own.address),
         ipv4(peer.address), own.qpn);
  append(text_, R"(,"{}":{})", client ? "local_port" : "peer_port", identity.tcp_port);
  end_line();
}

void Truth::posted(const Identity& identity, const Round& round, std::uint64_t time_ns) {
  const Region& local = identity.client.region;
  for (const Message& message : round.messages) {
    const Operation operation = message.operation;
    begin_line("client", "post", time_ns);
    append(text_, R"(,"qpn":{},"wr_id":{},"opcode":"{}","bytes":{},"local_address":{},"lkey":{},"signaled":true)",
           identity.client.qpn, message.wr_id, rdmagen::traits(operation).name, message.bytes, local.address,
           local.key);
    if (operation != Operation::kSend && operation != Operation::kSendImm) {
      append(text_, R"(,"remote_address":{},"rkey":{})", message.address, identity.server.region.key);
    }
    if (has_immediate(operation)) append(text_, R"(,"immediate":{})", static_cast<std::uint32_t>(message.value));
    if (operation == Operation::kFetchAdd) append(text_, R"(,"add":{})", message.value);
    if (operation == Operation::kCompareSwap) {
      append(text_, R"(,"compare":{},"swap":{})", ~message.value, message.value);
    }
    end_line();
  }
}

void Truth::completed(const Identity& identity, const Round& round, std::uint64_t time_ns) {
  constexpr std::uint64_t kReceive = std::uint64_t{1} << 40;
  for (const Message& message : round.messages) {
    const rdmagen::OperationTraits& traits = rdmagen::traits(message.operation);
    begin_line("client", "completion", time_ns);
    append(text_, R"(,"qpn":{},"wr_id":{},"status":"SUCCESS","opcode":"{}","bytes":{})", identity.client.qpn,
           message.wr_id, traits.name, message.bytes);
    end_line();
    if (!traits.takes_receive) continue;
    begin_line("server", "completion", time_ns);
    append(text_, R"(,"qpn":{},"wr_id":{},"status":"SUCCESS","opcode":"{}","bytes":{})", identity.server.qpn,
           kReceive | message.wr_id, message.operation == Operation::kWriteImm ? "RECV_RDMA_WITH_IMM" : "RECV",
           message.bytes);
    if (has_immediate(message.operation)) {
      append(text_, R"(,"immediate":{})", static_cast<std::uint32_t>(message.value));
    }
    end_line();
  }
}

void Truth::sums(const Identity& identity, const Tally& tally, std::uint64_t time_ns) {
  begin_line("client", "sums", time_ns);
  append(text_, R"(,"address":"{}","peer_address":"{}","qpn":{},"dest_qpn":{})", ipv4(identity.client.address),
         ipv4(identity.server.address), identity.client.qpn, identity.server.qpn);
  append(text_, R"(,"requests":{},"responses":{},"acks":{},"naks":{},"lost_before":{},"lost_after":{})", tally.requests,
         tally.responses, tally.acks, tally.naks, tally.lost_before, tally.lost_after);
  append(text_, R"(,"resent":{},"reordered":{},"duplicates":{},"messages":{{)", tally.resent, tally.reordered,
         tally.duplicates);
  bool first = true;
  for (std::size_t i = 0; i < tally.messages.size(); ++i) {
    if (tally.messages[i] == 0) continue;
    append(text_, R"({}"{}":{{"count":{},"bytes":{}}})", std::exchange(first, false) ? "" : ",",
           rdmagen::traits(static_cast<Operation>(i)).name, tally.messages[i], tally.bytes[i]);
  }
  text_ += '}';
  end_line();
}

void Truth::end(std::uint64_t frames, std::uint64_t naks, std::uint64_t time_ns) {
  begin_line("lab", "counters", time_ns);
  append(text_,
         R"(,"on":"synth","when":"after","hw_counters":{{"sent_pkts":{},"rcvd_pkts":{},"out_of_seq_request":{}}})",
         frames, frames, naks);
  end_line();
  write_out();
}

}  // namespace rocescope::synth
