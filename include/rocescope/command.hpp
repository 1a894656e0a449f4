// What connections carry: protocols above RoCE, and their commands.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocescope/detail/depth_meter.hpp"
#include "rocescope/times.hpp"

namespace rocescope {

/// A protocol that messages of connections carry. Commands are followed of kNvme, kNfs, kIser, kSrp, kSmbDirect, kRds,
/// kRsockets and kRtrs; of the others the name is all that is known.
enum class UpperProtocol : std::uint8_t {
  kUnknown,
  kNvme,       ///< NVMe over Fabrics
  kNfs,        ///< RPC-over-RDMA
  kIser,       ///< iSCSI Extensions for RDMA
  kSrp,        ///< SCSI RDMA Protocol
  kSmbDirect,  ///< SMB over RDMA
  kRds,        ///< Reliable Datagram Sockets
  kRtrs,       ///< RDMA Transport of the RDMA Network Block Device
  kLustre,     ///< LNet over o2iblnd
  kNineP,      ///< 9P over RDMA
  kRsockets,   ///< streams of librdmacm
  kPerftest,   ///< ib_write_bw and the like
  kRping,      ///< rping
  kUcmatose,   ///< ucmatose, the test of librdmacm
  kGluster,    ///< GlusterFS
  kSmcR,       ///< Shared Memory Communications over RDMA
  kPingpong,   ///< ibv_rc_pingpong and the like
  kUcx,        ///< UCX, mostly of an MPI library
  kLibfabric,  ///< libfabric's messages over verbs (ofi_rxm)
  kNccl,       ///< NCCL, or RCCL, which sends the same
};

/// "NVMe-oF", "NFS/RDMA", ...; "unknown".
[[nodiscard]] constexpr std::string_view to_string(UpperProtocol protocol) noexcept {
  constexpr std::string_view kNames[] = {"unknown",    "NVMe-oF",      "NFS/RDMA",  "iSER",      "SRP",
                                         "SMB Direct", "RDS",          "RTRS/RNBD", "Lustre",    "9P/RDMA",
                                         "rsockets",   "perftest",     "rping",     "ucmatose",  "GlusterFS",
                                         "SMC-R",      "ibv pingpong", "UCX",       "libfabric", "NCCL"};
  return kNames[static_cast<std::size_t>(protocol)];
}

/// How it is known what a connection carries, the weakest evidence first.
enum class KnownBy : std::uint8_t {
  kNothing,
  kServiceId,    ///< the port that the CM connects to: another program may use it
  kShape,        ///< several messages have its form, and none has another
  kPrivateData,  ///< the private data of the CM have its form, as well as the port
  kKeyLines,     ///< the form of the lines over TCP that set it up, or of the CLC messages of SMC-R
  kMessages,     ///< as kServiceId or kPrivateData, and several messages have its form
  kUser,         ///< the user says so
};

/// "service_id", "shape", ...
[[nodiscard]] constexpr std::string_view to_string(KnownBy method) noexcept {
  constexpr std::string_view kNames[] = {"nothing",   "service_id", "shape", "private_data",
                                         "key_lines", "messages",   "user"};
  return kNames[static_cast<std::size_t>(method)];
}

/// How sure it is what a connection carries.
enum class Confidence : std::uint8_t {
  kGuess,  ///< one sign that others may give as well, and no messages to go by: the port, or the word of the user; or it
           ///< looked like more, and then most messages were none of the protocol's
  kLikely,  ///< one sign that hardly anybody else gives: the form of several messages, of private data, or of key lines
  kCertain,  ///< two kinds of evidence agree: how it was set up, or the word of the user, and the messages
};

/// "guess", "likely", "certain"
[[nodiscard]] constexpr std::string_view to_string(Confidence confidence) noexcept {
  constexpr std::string_view kNames[] = {"guess", "likely", "certain"};
  return kNames[static_cast<std::size_t>(confidence)];
}

enum class CommandOutcome : std::uint8_t {
  kOutstanding,  ///< its response was not seen
  kSucceeded,
  kFailed,    ///< its response has a status other than success; of authentication: its data say so
  kUnseen,    ///< its response was seen, and it itself was not
  kNoStatus,  ///< its response was seen, and its status was not: it was cut off, or none of the protocol's
};

/// "outstanding", "succeeded", ...
[[nodiscard]] constexpr std::string_view to_string(CommandOutcome outcome) noexcept {
  constexpr std::string_view kNames[] = {"outstanding", "succeeded", "failed", "unseen", "no_status"};
  return kNames[static_cast<std::size_t>(outcome)];
}

/// What a command is to those who use the target.
enum class CommandKind : std::uint8_t {
  kOther,    ///< it manages something, or asks
  kIo,       ///< it moves data of the user's, or waits for them
  kFile,     ///< it is about a file or a folder, without their data
  kConnect,  ///< it asks to be let in
  kTask,     ///< it aborts commands, or resets a unit
};

/// Where the time of a command went, in nanoseconds. The parts add up to the time from its first packet to its response.
struct CommandTimes {
  std::int64_t total = 0;
  /// From its first packet to its ACK, or, of copies, to another sign that the target has all of it.
  std::int64_t request = 0;
  /// From the first packet about its data to the last. Of the last packet, the first copy that was seen counts. For
  /// data that a READ fetched, also the time until the data could have reached the target and a response could have
  /// come here: Command::round_trip.
  std::int64_t data = 0;
  /// Until copies came of packets that the initiator had not taken, as far as that is known: of its data, behind the last that was
  /// seen, or of the response.
  std::int64_t resend = 0;
  /// The target had the next move, or no packet says so: no ACK was seen before, or what it sent was lost before the capture and came
  /// again, or too few ACKs show how long the way of fetched data is.
  std::int64_t unknown = 0;
  std::int64_t target = 0;    ///< all else: the target had the next move
  bool place_is_cut = false;  ///< as Command has it: `unknown` has what is `data`, `resend` or `target`

  [[nodiscard]] std::int64_t network() const noexcept { return request + data + resend; }
};

/// Whether what was seen is a copy of what was lost before the capture.
enum class Copied : std::uint8_t {
  kNo,
  kMaybe,  ///< it came as late as a copy, and packets on the same way were lost there
  kYes,    ///< the tracker knows it
  kLate,   ///< it came as late as a copy: kMaybe, unless nothing on the same way was lost there
};

/// How long nothing came from the target after a command had reached it, in nanoseconds.
struct CommandWaits {
  std::int64_t data = 0;      ///< until the first packet about its data; 0 without data
  std::int64_t response = 0;  ///< until the response, since the initiator had its data, or without any
};

/// A command of a protocol above RoCE. Times are nanoseconds since 1970; nothing: not seen.
struct Command {
  std::uint64_t number = 0;  ///< from 1, in the order in which they were found over
  std::uint32_t connection = 0;
  std::uint8_t initiator = 0;  ///< the side of the connection that sent it
  UpperProtocol protocol = UpperProtocol::kUnknown;
  CommandOutcome outcome = CommandOutcome::kOutstanding;
  CommandKind kind = CommandKind::kOther;
  bool is_answer = false;   ///< its status says nothing is wrong, such as that a file is not there
  std::uint32_t queue = 0;  ///< NVMe: the queue's ID, 0 is the admin queue
  bool queue_is_known = false;
  /// - NVMe: the Command ID
  /// - NFS: the XID
  /// - iSER: the Initiator Task Tag
  /// - SRP: the tag
  /// - SMB: the Message ID
  /// - RDS: the sequence number; for RDMA: the R_Key
  /// - rsockets: the PSN
  /// - RTRS: the buffer
  std::uint64_t id = 0;
  /// As on the wire:
  /// - NVMe: the opcode; for a fabrics command: 0x100 + its type
  /// - NFS: the procedure; NFS 4: the operation
  /// - iSER, SRP: SCSI: service action x 256 + operation code; other PDUs or information units: 0x8000 + their opcode
  /// - SMB: the command
  /// - RDS: 0: a datagram; 1: a congestion map; 2: RDMA
  /// - rsockets: the operation of the immediate data; 2: a WRITE without any; 0x100 + the code: a control message
  /// - RTRS: the operation of RNBD; 0x100 + the type: another message of RNBD; 0x200 + the type: a message of RTRS
  std::uint16_t opcode = 0;
  bool opcode_is_cut = false;  ///< it was not captured: `opcode` says nothing, or the procedure of a COMPOUND
  std::string_view operation;  ///< in words, such as "Read"; empty: it has no name
  std::optional<std::uint64_t>
      target;  ///< NVMe: the namespace; iSER, SRP: the LUN; SMB: the Tree ID; RDS: the port; RNBD: the device
  std::optional<std::uint64_t>
      offset;  ///< NVMe, iSER, SRP: the first logical block; NFS, SMB: the first byte; RDS: in the memory
  std::optional<std::uint64_t> blocks;  ///< NVMe, iSER, SRP: how many
  std::optional<std::uint32_t> file;    ///< NFS: the CRC-32 of the file handle; SMB: of the File ID
  std::uint64_t bytes = 0;              ///< of data that it names, or moved where it names no number
  bool size_is_cut = false;             ///< how many was not captured: `bytes` says nothing
  bool in_capsule = false;              ///< they came with it
  bool place_is_cut = false;            ///< where they are was not captured: what moves some of them is not known
  std::string detail;                   ///< what else says what it is about, such as a log page; often empty
  std::optional<std::uint32_t>
      status;  ///< of the response; NVMe: Status Code Type x 256 + Status Code; NFS: nfsstat, 0x10000 +
               ///< accept state of RPC, 0x10100: denied, 0x20000 + error of RPC over RDMA; iSER, SRP: SCSI status +
               ///< additional sense code and qualifier x 256 + sense key x 2^24, 0x10000000 + response,
               ///< 0x20000000 + status of a login, 0x30000000 + response to task management, 0x40000000 +
  ///< that to a logout, 0x50000000 + reason of a Reject, 0x60000000 + response code of SRP; SMB: NT status;
  ///< RTRS: errno
  bool do_not_retry = false;     ///< the response says so
  std::string_view status_name;  ///< in words; of authentication of NVMe that failed: why, as its data say

  std::uint64_t request_packet = 0;   ///< the number of its first frame; 0: not seen
  std::uint64_t response_packet = 0;  ///< of the frame with the response; 0: not seen
  std::optional<std::int64_t> issued;
  std::optional<std::int64_t> acknowledged;  ///< by an ACK, or by what implies one
  std::optional<std::int64_t> first_data;    ///< of its READs or WRITEs, the first packet
  std::optional<std::int64_t> last_data;     ///< the last
  std::optional<std::int64_t> data_taken;    ///< of WRITEs that were not taken at first: the last copy of them
  std::optional<std::int64_t> answered;      ///< the response was seen, and not taken: packets before it were missing
  std::optional<std::int64_t> completed;     ///< the response came, or, of one that was not taken at first, its copy
  std::uint64_t data_bytes = 0;              ///< that READs and WRITEs moved, as far as was seen
  std::uint64_t resent = 0;                  ///< messages on its behalf that were sent again, in part or in full
  /// ns, at least: from the place of the capture to the target and back, as the quickest ACK so far shows. 0: no READ fetched its data.
  std::int64_t round_trip = 0;
  bool round_trip_is_sure = false;       ///< there were enough ACKs to say so
  Copied response_copied = Copied::kNo;  ///< its response
  Copied data_copied = Copied::kNo;      ///< the first message about its data; never kYes

  /// Whether a part of it is kLate.
  [[nodiscard]] bool is_late() const noexcept {
    return response_copied == Copied::kLate || data_copied == Copied::kLate;
  }
  /// Packets on the way from its target were lost.
  void doubt_late() noexcept {
    if (response_copied == Copied::kLate) response_copied = Copied::kMaybe;
    if (data_copied == Copied::kLate) data_copied = Copied::kMaybe;
  }
  /// Of one that failed: the packet with its response, or, where its data say so, with its request.
  [[nodiscard]] std::uint64_t failure_packet() const noexcept {
    return response_packet != 0 ? response_packet : request_packet;
  }
  [[nodiscard]] bool is_over() const noexcept {
    return outcome == CommandOutcome::kSucceeded || outcome == CommandOutcome::kFailed;
  }
  /// When its response came, or the ACK of one that has none; nothing: it is outstanding, or that was not seen.
  [[nodiscard]] std::optional<std::int64_t> over() const noexcept {
    if (outcome == CommandOutcome::kOutstanding) return std::nullopt;
    return completed ? completed : acknowledged;
  }
  /// All 0: its beginning or its end was not seen.
  [[nodiscard]] CommandWaits waits() const noexcept;
  /// Of waits().response, ns, at least: data that a READ fetched were on their way to the target, or the response from there.
  [[nodiscard]] std::int64_t way() const noexcept {
    return round_trip_is_sure ? std::min(round_trip, waits().response) : 0;
  }
  /// Nothing: its beginning or its end was not seen.
  [[nodiscard]] std::optional<CommandTimes> times() const noexcept;
};

/// Many commands, in a third of their memory. Each is made when it is asked for.
class CommandList {
 public:
  using value_type = Command;
  class Iterator;

  [[nodiscard]] std::size_t size() const noexcept {
    return blocks_.empty() ? 0 : blocks_.back().first + blocks_.back().commands;
  }
  [[nodiscard]] bool empty() const noexcept { return blocks_.empty(); }
  /// Takes longer the more commands there are. `place`: less than size().
  [[nodiscard]] Command operator[](std::size_t place) const;
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// The words of `command` last longer than the list.
  void push_back(const Command& command);
  void clear() noexcept { *this = CommandList(); }
  /// Calls `change` with each, which it may change.
  template <class Change>
  void change(Change&& change);

 private:
  /// Commands one behind another, see command_list.cpp.
  struct Block {
    std::size_t first = 0;  ///< the place of its first command
    std::size_t commands = 0;
    std::vector<std::uint8_t> bytes;  ///< has room for more
  };
  static constexpr std::size_t kRecentWords = 64;

  [[nodiscard]] std::vector<std::uint8_t>& block_for(std::size_t size);
  /// From 1; 0: it is empty. Most words are the same few literals: their letters are not compared.
  [[nodiscard]] std::uint32_t number_of(std::string_view word) {
    if (word.empty()) return 0;
    auto& [recent, number] = recent_[reinterpret_cast<std::uintptr_t>(word.data()) / 8 % kRecentWords];
    if (recent.data() != word.data() || recent.size() != word.size()) {
      recent = word;
      number = find_number_of(word);
    }
    return number;
  }
  [[nodiscard]] std::uint32_t find_number_of(std::string_view word);
  [[nodiscard]] std::string_view word(std::uint64_t number) const { return number == 0 ? "" : words_[number - 1]; }
  /// Returns how many bytes it takes.
  std::size_t read(const std::uint8_t* bytes, Command& command) const;

  std::vector<Block> blocks_;
  std::vector<std::string_view> words_;  ///< operations and names of a status, by their numbers from 1
  std::unordered_map<std::string_view, std::uint32_t> numbers_;                       ///< of words_
  std::array<std::pair<std::string_view, std::uint32_t>, kRecentWords> recent_ = {};  ///< of numbers_
};

/// Goes through a list once.
class CommandList::Iterator {
 public:
  using value_type = Command;
  using difference_type = std::ptrdiff_t;

  Iterator() = default;
  explicit Iterator(const CommandList& list) : list_(&list) { read(); }
  [[nodiscard]] const Command& operator*() const noexcept { return command_; }
  [[nodiscard]] const Command* operator->() const noexcept { return &command_; }
  Iterator& operator++() {
    read();
    return *this;
  }
  void operator++(int) { read(); }
  [[nodiscard]] friend bool operator==(const Iterator& iterator, std::default_sentinel_t /*end*/) noexcept {
    return iterator.list_ == nullptr;
  }

 private:
  void read();

  const CommandList* list_ = nullptr;  ///< null: at the end
  std::size_t block_ = 0;              ///< of the next command
  std::size_t offset_ = 0;             ///< in the block
  Command command_;
};

inline CommandList::Iterator CommandList::begin() const { return Iterator(*this); }

template <class Change>
void CommandList::change(Change&& change) {
  const CommandList old = std::exchange(*this, {});
  for (Command command : old) {
    change(command);
    push_back(command);
  }
}

/// The commands of one operation with about the same number of bytes.
struct CommandTotals {
  UpperProtocol protocol = UpperProtocol::kUnknown;
  std::string_view operation;
  std::optional<std::uint64_t>
      at_least;  ///< bytes, a power of two; they have less than twice as many. 0: none; nothing: the capture cut how many
  std::uint64_t commands = 0;  ///< that were seen, or their responses
  std::uint64_t succeeded = 0;
  std::uint64_t failed = 0;
  std::uint64_t outstanding = 0;  ///< at the end
  std::uint64_t unseen = 0;       ///< only their response was seen
  std::uint64_t no_status = 0;    ///< their response was seen without its status
  std::uint64_t bytes = 0;        ///< of those that succeeded
  std::uint64_t resent = 0;       ///< as Command has it
  bool resent_is_cut = false;     ///< `resent` is a lower bound: for some, it is not known what moved their data
  Histogram latency;              ///< CommandTimes::total
  Histogram target;               ///< the target's part, of commands where it is known
  Histogram network;              ///< the network's part, of the same commands
  std::optional<CommandTimes>
      at_p99;  ///< of the command with the 99th percentile of the latency, among those that are listed
  std::uint64_t at_p99_resent = 0;           ///< where its place_is_cut, at least
  std::optional<std::int64_t> first_issued;  ///< ns since 1970: when the first of them was issued
  std::optional<std::int64_t> last_over;     ///< when the last was over: Command::over()

  /// That are over: all but the outstanding ones.
  [[nodiscard]] std::uint64_t over() const noexcept { return commands - outstanding; }
};

/// How often commands ended with a status other than success.
struct CommandFailures {
  UpperProtocol protocol = UpperProtocol::kUnknown;
  std::string_view operation;
  std::uint32_t status = 0;
  std::string_view status_name;
  std::uint64_t commands = 0;
  std::uint32_t connection = 0;    ///< of the first
  std::uint64_t first = 0;         ///< the number of the first
  std::uint64_t first_packet = 0;  ///< the response of the first
  std::int64_t first_time = 0;
};

/// What a connection carries.
struct CarriedProtocol {
  std::uint32_t connection = 0;
  UpperProtocol protocol = UpperProtocol::kUnknown;
  KnownBy known_by = KnownBy::kNothing;
  Confidence confidence = Confidence::kGuess;
  std::string test;                       ///< perftest: "ib_write_bw" and the like, as far as the messages say
  std::string mpi_library;                ///< UCX: "Open MPI" or "MPICH", where the tags of messages say so
  std::string kinds;                      ///< UCX: "wire-up, tag" and the like: what its first messages are
  std::optional<std::uint8_t> initiator;  ///< the side that sends commands
  std::optional<std::uint32_t> queue;     ///< NVMe: its ID
  std::optional<std::uint32_t> depth;     ///< NVMe: entries of the queue; SRP: requests that the login allows;
                                          ///< rsockets, RTRS: messages that the server allows
  std::string initiator_name;             ///< NVMe: the NQN of the host; iSER: as it logs in; SRP: its port
  std::string target_name;  ///< NVMe: the NQN of the subsystem; iSER: of the login; SRP: its port; SMB: the share
  std::optional<std::uint32_t> keep_alive_ms;  ///< NVMe: the Keep Alive Timeout of the Connect; 0: off
  std::uint64_t commands = 0;
  std::uint64_t failed = 0;
  std::optional<std::uint64_t>
      most_outstanding;          ///< nothing: no response was seen, or the time of the capture goes back
  DepthSeries outstanding;       ///< over time, from the first message about a command to the last; empty: the same
  std::uint64_t unfollowed = 0;  ///< commands above the limit
  std::uint64_t unreadable = 0;  ///< messages that are none of the protocol's, or that were cut
  std::uint64_t encrypted = 0;   ///< SMB: encrypted messages; nothing more is known of them
};

/// What the user says that connections carry.
struct DecodeAs {
  std::uint32_t connection = 0;                      ///< its number; 0: any
  std::uint16_t port = 0;                            ///< of the CM's service; 0: any
  UpperProtocol protocol = UpperProtocol::kUnknown;  ///< kUnknown: nothing is decoded
};

/// All that is known of commands.
struct CommandReport {
  static constexpr std::size_t kMostListed = 65'536;  ///< commands
  static constexpr std::size_t kSlowest = 10;
  static constexpr std::size_t kMostTotals = 1'024;    ///< rows
  static constexpr std::size_t kMostCarried = 65'536;  ///< connections

  std::vector<CarriedProtocol> carried;   ///< by connection
  std::uint64_t unlisted_carried = 0;     ///< further connections
  std::vector<CommandTotals> totals;      ///< by protocol, operation and size
  std::vector<CommandFailures> failures;  ///< the most frequent first
  CommandList commands;                   ///< in the order in which they were over, then those that are not
  std::vector<Command> slowest;           ///< of those that are listed, kSlowest at most
  std::uint64_t unlisted = 0;             ///< further commands, which are counted all the same

  [[nodiscard]] bool empty() const noexcept { return carried.empty(); }
};

}  // namespace rocescope
