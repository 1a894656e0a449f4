#include "synth/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/options.hpp"

namespace rocescope::synth {
namespace {

namespace po = boost::program_options;
using rdmagen::Operation;
using rdmagen::UsageError;

constexpr std::uint32_t kMostQueuePairs = 1'000'000;
constexpr std::uint32_t kMostHostPairs = 65'536;
constexpr std::uint32_t kMostPerHostPair = 60'000;  // each has a TCP port of its client's
constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 30;
constexpr std::uint32_t kSmallestFrame = 94;  // headers, and four bytes of payload

/// What the command line gives as text, to be checked.
struct Words {
  std::string operations = "send";
  std::string sizes = "4K";
  std::string format = "pcap";
  std::string setup = "cm";
  std::string truth_detail = "posts";
};

po::options_description described(Options& options, Words& words) {
  po::options_description all("Options", 110, 60);
  const auto number = [](auto* target) { return po::value(target)->value_name("N")->default_value(*target); };
  const auto rate = [](double* target) { return po::value(target)->value_name("RATE")->default_value(0, "0"); };
  const auto word = [](std::string* target, const char* name) {
    return po::value(target)->value_name(name)->default_value(*target);
  };
  all.add_options()                                                                           //
      ("help,h", po::bool_switch(&options.help), "show this help")                            //
      ("output,o", word(&options.output, "FILE"), "the capture; - is standard output")        //
      ("format", word(&words.format, "FORMAT"), "pcap or pcapng, both with nanoseconds")      //
      ("truth", word(&options.truth, "FILE"), "what happened, for rocescope verify --truth")  //
      ("truth-detail", word(&words.truth_detail, "DETAIL"),
       "posts: every work request; sums: only what there is of each")                                               //
      ("packets", number(&options.packets), "at least so many packets; what was begun is ended")                    //
      ("qps", number(&options.queue_pairs), "connections, 1 to 1000000")                                            //
      ("host-pairs", number(&options.host_pairs), "that they are between; 0: one for each 256")                     //
      ("active", number(&options.active), "connections with something outstanding at a time")                       //
      ("seed", number(&options.seed), "the same seed and options make the same bytes")                              //
      ("setup", word(&words.setup, "SETUP"), "cm: REQ, REP and RTU are in the capture; none: they were before it")  //
      ("operations", word(&words.operations, "LIST"),
       "of send, send-imm, write, write-imm, read, cas, fadd; one named twice is twice as frequent")        //
      ("sizes", word(&words.sizes, "LIST"), "of messages: 64,4K,1M; one named twice is twice as frequent")  //
      ("frame-size", number(&options.frame_size), "messages of one packet, in frames of at most N bytes")   //
      ("mtu", number(&options.path_mtu), "path MTU: 256, 512, 1024, 2048, 4096")                            //
      ("depth", number(&options.depth), "messages that are sent before the first answer, 1 to 16")          //
      ("ack-every", number(&options.ack_every), "one ACK for N messages")                                   //
      ("burst", number(&options.burst), "packets of one connection in a row")                               //
      ("loss", rate(&options.loss), "of request packets, before the capture point: 0.001")                  //
      ("loss-after", rate(&options.loss_after), "of request packets, behind the capture point")             //
      ("reorder", rate(&options.reorder), "of request packets, each with the one after it")                 //
      ("duplicate", rate(&options.duplicate), "of request packets, captured twice")                         //
      ("snap-length", number(&options.snap_length), "bytes of a packet that are captured")                  //
      ("gigabits", number(&options.gigabits), "a second: how fast packets follow one another");
  return all;
}

std::vector<std::string> items(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) found.push_back(item);
  return found;
}

std::vector<Operation> operations_of(const std::string& list) {
  std::vector<Operation> found;
  for (const std::string& item : items(list)) {
    const auto operation = rdmagen::operation_named(item);
    if (!operation || *operation == Operation::kSendInv || *operation > Operation::kFetchAdd) {
      throw UsageError(
          fmt::format("--operations {}: there is send, send-imm, write, write-imm, read, cas, fadd", item));
    }
    found.push_back(*operation);
  }
  if (found.empty()) throw UsageError("--operations: none is given");
  return found;
}

std::vector<std::uint64_t> sizes_of(const std::string& list) {
  std::vector<std::uint64_t> found;
  for (const std::string& item : items(list)) {
    const auto size = rdmagen::parse_size(item);
    if (!size || *size > kLargestMessage) throw UsageError(fmt::format("--sizes {}: it is a size from 0 to 1G", item));
    found.push_back(*size);
  }
  if (found.empty()) throw UsageError("--sizes: none is given");
  return found;
}

void check(bool good, std::string_view problem) {
  if (!good) throw UsageError(std::string(problem));
}

bool one_of(const std::string& option, const std::string& value, const char* yes, const char* no) {
  check(value == yes || value == no, fmt::format("--{} {}: there is {} and {}", option, value, yes, no));
  return value == yes;
}

void check_rates(const Options& options) {
  for (const double rate : {options.loss, options.loss_after, options.reorder, options.duplicate}) {
    check(rate >= 0 && rate <= 1, "a rate is from 0 to 1");
  }
}

void check_numbers(Options& options) {
  const auto mtus = {256U, 512U, 1024U, 2048U, 4096U};
  check(std::find(mtus.begin(), mtus.end(), options.path_mtu) != mtus.end(),
        "--mtu: there is 256, 512, 1024, 2048, 4096");
  check(options.queue_pairs >= 1 && options.queue_pairs <= kMostQueuePairs, "--qps: from 1 to 1000000");
  if (options.host_pairs == 0) options.host_pairs = (options.queue_pairs + 255) / 256;
  options.host_pairs = std::min(options.host_pairs, options.queue_pairs);
  check(options.host_pairs <= kMostHostPairs, "--host-pairs: at most 65536");
  check(options.queue_pairs / options.host_pairs <= kMostPerHostPair, "--host-pairs: at most 60000 connections each");
  check(options.depth >= 1 && options.depth <= 16, "--depth: from 1 to 16");
  check(options.ack_every >= 1 && options.burst >= 1 && options.active >= 1, "--ack-every, --burst, --active: from 1");
  check(options.frame_size == 0 || options.frame_size >= kSmallestFrame, "--frame-size: 0, or at least 94");
  check(options.frame_size == 0 || options.frame_size <= options.path_mtu + 58,
        "--frame-size: larger than --mtu allows");
  check(options.snap_length >= 1 && options.snap_length <= 65535, "--snap-length: from 1 to 65535");
  check(options.gigabits >= 0.001 && options.gigabits <= 10'000, "--gigabits: from 0.001 to 10000");
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options;
  Words words;
  try {
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(described(options, words)).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  if (options.help) return options;
  options.format = one_of("format", words.format, "pcap", "pcapng") ? Format::kPcap : Format::kPcapng;
  options.cm = one_of("setup", words.setup, "cm", "none");
  options.tell_posts = one_of("truth-detail", words.truth_detail, "posts", "sums");
  options.operations = operations_of(words.operations);
  options.sizes = sizes_of(words.sizes);
  check_rates(options);
  check_numbers(options);
  return options;
}

std::string usage() {
  Options options;
  Words words;
  std::ostringstream text;
  text << "synth makes a capture of RoCEv2 traffic over reliable connections, of any size, and records what is in "
          "it.\n\n"
       << "  synth -o large.pcap --packets 10000000 --qps 4096 --frame-size 128\n"
       << "  synth -o lossy.pcapng --format pcapng --loss 0.001 --truth lossy.ndjson && rocescope verify "
          "lossy.pcapng\n\n"
       << described(options, words) << "\ntools/synth/README.md tells what is in such a capture, and in the truth.\n";
  return text.str();
}

}  // namespace rocescope::synth
