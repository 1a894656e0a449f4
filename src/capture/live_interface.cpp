#include "capture/live_interface.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string_view>
#include <utility>

#include "capture/capture_reader.hpp"
#include "capture/live_filter.hpp"

namespace rocescope {
namespace {

/// The path of this program, for a command that gives it rights.
std::string this_program() {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "THIS_PROGRAM";
}

std::string operating_system() {
  utsname name{};
  return ::uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "";
}

/// libpcap has its own sentence for each kind of failure, and the system's for most causes.
std::string reason(int status, pcap_t* pcap) {
  const std::string_view detail = pcap == nullptr ? "" : pcap_geterr(pcap);
  if (status == PCAP_ERROR) return std::string(detail);
  return pcap_statustostr(status);
}

}  // namespace

Error cannot_capture(const std::string& name, int status, pcap_t* pcap) {
  const bool forbidden = status == PCAP_ERROR_PERM_DENIED || status == PCAP_ERROR_PROMISC_PERM_DENIED;
  if (forbidden) {
    return {fmt::format("cannot capture on {}: Operation not permitted. Run: sudo setcap cap_net_raw=ep {}", name,
                        this_program())};
  }
  std::string help;
  if (status == PCAP_ERROR_NO_SUCH_DEVICE) help = ". To list the interfaces: rocescope interfaces";
  if (status == PCAP_ERROR_IFACE_NOT_UP) help = fmt::format(". Run: sudo ip link set {} up", name);
  return {fmt::format("cannot capture on {}: {}{}", name, reason(status, pcap), help)};
}

Result<PcapHandle> activate(const std::string& name, const LiveOptions& options, int timeout_ms) {
  std::array<char, PCAP_ERRBUF_SIZE> message{};
  PcapHandle pcap(pcap_create(name.c_str(), message.data()));
  if (pcap == nullptr) return Error{fmt::format("cannot capture on {}: {}", name, message.data())};
  pcap_set_snaplen(pcap.get(), static_cast<int>(options.snap_length));
  pcap_set_promisc(pcap.get(), options.promiscuous ? 1 : 0);
  pcap_set_timeout(pcap.get(), timeout_ms);
  pcap_set_immediate_mode(pcap.get(), options.immediate ? 1 : 0);
  constexpr std::uint32_t kKibibyte = 1024;
  pcap_set_buffer_size(pcap.get(), static_cast<int>(options.buffer_kib * kKibibyte));
  pcap_set_tstamp_precision(pcap.get(), PCAP_TSTAMP_PRECISION_NANO);
  if (!options.time_stamp_type.empty()) {
    const int type = pcap_tstamp_type_name_to_val(options.time_stamp_type.c_str());
    const int status = type < 0 ? PCAP_ERROR_CANTSET_TSTAMP_TYPE : pcap_set_tstamp_type(pcap.get(), type);
    if (status != 0) {
      return Error{fmt::format("{} has no time stamps of type {}. To list its types: rocescope interfaces", name,
                               options.time_stamp_type)};
    }
  }
  const int status = pcap_activate(pcap.get());
  if (status < 0) return cannot_capture(name, status, pcap.get());
  return pcap;
}

Result<std::unique_ptr<LiveCapture::Interface>> LiveCapture::Interface::open(const std::string& name,
                                                                             const LiveOptions& options,
                                                                             int timeout_ms) {
  Result<PcapHandle> activated = activate(name, options, timeout_ms);
  if (!activated) return activated.error();
  std::unique_ptr<Interface> self(new Interface(std::move(*activated), name));
  pcap_t* pcap = self->pcap_.get();
  // Where it exists: it names the interface of each packet of `any`.
  if (pcap_datalink(pcap) == DLT_LINUX_SLL) pcap_set_datalink(pcap, DLT_LINUX_SLL2);
  if (std::optional<Error> error = self->set_filter(options.filter)) return *std::move(error);
  std::array<char, PCAP_ERRBUF_SIZE> message{};
  if (pcap_setnonblock(pcap, 1, message.data()) != 0) {
    return Error{fmt::format("cannot capture on {}: {}", name, message.data())};
  }
  self->descriptor_ = pcap_get_selectable_fd(pcap);
  self->system_time_ = options.time_stamp_type.empty() || options.time_stamp_type == "host";
  const bool nanoseconds = pcap_get_tstamp_precision(pcap) == PCAP_TSTAMP_PRECISION_NANO;
  constexpr std::uint32_t kMicrosecond = 1000;
  self->nanoseconds_per_fraction_ = nanoseconds ? 1 : kMicrosecond;
  CaptureInterface& description = self->description_;
  description.link_type = link_type_of(static_cast<std::uint32_t>(pcap_datalink(pcap)));
  description.snap_length = static_cast<std::uint32_t>(pcap_snapshot(pcap));
  description.ticks_per_second = nanoseconds ? 1'000'000'000 : 1'000'000;
  description.dropped = 0;
  description.section = 1;
  description.os = operating_system();
  return self;
}

std::optional<Error> LiveCapture::Interface::set_filter(const std::optional<std::string>& wanted) {
  const std::string filter = wanted ? *wanted : default_live_filter(pcap_datalink(pcap_.get()));
  if (filter.empty()) return std::nullopt;
  bpf_program program{};
  if (pcap_compile(pcap_.get(), &program, filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0) {
    return Error{fmt::format("cannot filter {} with '{}': {}", description_.name, filter, pcap_geterr(pcap_.get()))};
  }
  const int status = pcap_setfilter(pcap_.get(), &program);
  pcap_freecode(&program);
  if (status != 0) return cannot_capture(description_.name, status, pcap_.get());
  description_.filter = filter;
  return std::nullopt;
}

void LiveCapture::Interface::look_for_frame() {
  if (frame_ || ended_) return;
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  const int status = pcap_next_ex(pcap_.get(), &header, &data);
  if (status == 0) return;
  if (status != 1) {
    failure_ = pcap_geterr(pcap_.get());
    return end();
  }
  constexpr std::int64_t kSecond = 1'000'000'000;
  frame_ = Frame{.data = {data, header->caplen},
                 .original_length = header->len,
                 .link_type = description_.link_type,
                 .timestamp = header->ts.tv_sec * kSecond + header->ts.tv_usec * nanoseconds_per_fraction_,
                 .number = 0,
                 .interface_id = 0,
                 .capture_id = 0};
}

void LiveCapture::Interface::count(LiveCounters& counters) {
  pcap_stat now{};
  if (pcap_stats(pcap_.get(), &now) != 0) return;
  // Differences of 32 bits, which wrap as libpcap's counters do.
  counters.received += now.ps_recv - last_.ps_recv;
  counters.dropped_by_kernel += now.ps_drop - last_.ps_drop;
  counters.dropped_by_interface += now.ps_ifdrop - last_.ps_ifdrop;
  last_ = now;
}

}  // namespace rocescope
