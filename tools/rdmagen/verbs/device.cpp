#include "verbs/device.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace rocescope::rdmagen {
namespace {

// Of the kernel's ib_user_verbs.h: rdma-core 44 has no names for these.
constexpr std::uint64_t kDeviceFlushGlobal = std::uint64_t{1} << 38U;
constexpr std::uint64_t kDeviceAtomicWrite = std::uint64_t{1} << 40U;

constexpr std::size_t kMostGids = 512;

std::vector<ibv_gid_entry> gid_table(ibv_context* context) {
  std::vector<ibv_gid_entry> entries(kMostGids);
  const ssize_t count = ibv_query_gid_table(context, entries.data(), entries.size(), 0);
  entries.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return entries;
}

bool same(const ibv_gid& a, const ibv_gid& b) noexcept { return std::memcmp(&a, &b, sizeof a) == 0; }

std::optional<Gid> find_gid(ibv_context* context, const ibv_gid& wanted) {
  for (const ibv_gid_entry& entry : gid_table(context)) {
    if (entry.gid_type == IBV_GID_TYPE_ROCE_V2 && same(entry.gid, wanted)) {
      return Gid{entry.gid, entry.gid_index, static_cast<std::uint8_t>(entry.port_num)};
    }
  }
  return std::nullopt;
}

std::string_view name_of_port_state(ibv_port_state state) { return ibv_port_state_str(state); }

}  // namespace

std::string to_text(const ibv_gid& gid) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(AF_INET6, gid.raw, text.data(), text.size());
  return text.data();
}

ibv_gid gid_of(const sockaddr_storage& address) {
  ibv_gid gid{};
  if (address.ss_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &address, sizeof v6);
    std::memcpy(gid.raw, &v6.sin6_addr, sizeof gid.raw);
  } else {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    gid.raw[10] = gid.raw[11] = 0xff;
    std::memcpy(gid.raw + 12, &v4.sin_addr, sizeof v4.sin_addr);
  }
  return gid;
}

void throw_no_device(const std::string& why) {
  std::error_code error;
  if (!std::filesystem::exists("/sys/class/infiniband_verbs", error)) {
    throw Error(why, "load the modules: modprobe -a ib_uverbs rdma_ucm rdma_rxe");
  }
  if (!std::filesystem::exists("/dev/infiniband/rdma_cm", error)) {
    throw Error(why, "load the communication manager: modprobe rdma_ucm");
  }
  throw Error(
      why, "see which there are: rdma link; make one on an Ethernet interface: rdma link add rxe0 type rxe netdev IF");
}

void throw_errno(const std::string& what, int error) {
  std::string hint;
  if (error == ENOMEM)
    hint = "memory that may be locked may be short: ulimit -l unlimited (as root), or use a smaller --size";
  if (error == EACCES || error == EPERM) hint = "needs rights to /dev/infiniband/*: run as root";
  throw Error(fmt::format("{}: {}", what, std::strerror(error)), hint);
}

Device::Device(const std::string& name, const sockaddr_storage& local, Truth& truth) : truth_(truth), owned_(true) {
  const DeviceList devices;
  if (devices.all().empty()) throw_no_device("there is no RDMA device");
  const std::uint64_t before = now_ns();
  for (ibv_device* device : devices.all()) {
    if (!name.empty() && name != ibv_get_device_name(device)) continue;
    ibv_context* context = ibv_open_device(device);
    if (context == nullptr) continue;
    const auto gid = find_gid(context, gid_of(local));
    if (name.empty() && !gid) {
      ibv_close_device(context);
      continue;
    }
    context_ = context;
    port_number_ = gid ? gid->port : std::uint8_t{1};
    break;
  }
  if (context_ == nullptr) {
    throw_no_device(name.empty() ? fmt::format("no RDMA device has the address {}", to_text(gid_of(local)))
                                 : fmt::format("there is no RDMA device {} that can be opened", name));
  }
  truth_.fact("device_opened", {{"device", this->name()}, {"duration_ns", now_ns() - before}});
  query();
}

Device::Device(ibv_context* borrowed, std::uint8_t port, Truth& truth)
    : truth_(truth), context_(borrowed), port_number_(port) {
  query();
}

Device::~Device() {
  tell_async_events();
  if (pd_ != nullptr) ibv_dealloc_pd(pd_);
  if (owned_) ibv_close_device(context_);
}

void Device::query() {
  const std::uint64_t before = now_ns();
  if (const int error = ibv_query_device_ex(context_, nullptr, &attributes_))
    throw_errno("cannot query the device", error);
  if (const int error = ibv_query_port(context_, port_number_, &port_)) throw_errno("cannot query the port", error);
  const std::uint64_t after = now_ns();
  const ibv_device_attr& device = attributes_.orig_attr;
  nlohmann::ordered_json gids = nlohmann::ordered_json::array();
  for (const ibv_gid_entry& entry : gid_table(context_)) {
    gids.push_back({{"index", entry.gid_index},
                    {"port", entry.port_num},
                    {"gid", to_text(entry.gid)},
                    {"type", entry.gid_type == IBV_GID_TYPE_ROCE_V2   ? "RoCE v2"
                             : entry.gid_type == IBV_GID_TYPE_ROCE_V1 ? "RoCE v1"
                                                                      : "IB"}});
  }
  truth_.fact("device", {{"device", name()},
                         {"duration_ns", after - before},
                         {"node_guid", fmt::format("{:016x}", guid())},
                         {"firmware", device.fw_ver},
                         {"vendor_id", device.vendor_id},
                         {"vendor_part_id", device.vendor_part_id},
                         {"max_qp", device.max_qp},
                         {"max_qp_wr", device.max_qp_wr},
                         {"max_cq", device.max_cq},
                         {"max_cqe", device.max_cqe},
                         {"max_mr", device.max_mr},
                         {"max_mr_size", device.max_mr_size},
                         {"max_mw", device.max_mw},
                         {"max_sge", device.max_sge},
                         {"max_qp_rd_atom", device.max_qp_rd_atom},
                         {"max_qp_init_rd_atom", device.max_qp_init_rd_atom},
                         {"device_cap_flags", attributes_.device_cap_flags_ex != 0 ? attributes_.device_cap_flags_ex
                                                                                   : device.device_cap_flags},
                         {"port", port_number_},
                         {"port_state", name_of_port_state(port_.state)},
                         {"active_mtu", active_mtu()},
                         {"max_msg_sz", port_.max_msg_sz},
                         {"gids", gids}});
  const std::uint64_t allocate = now_ns();
  pd_ = ibv_alloc_pd(context_);
  if (pd_ == nullptr) throw_errno("cannot allocate a protection domain", errno);
  truth_.fact("pd", {{"pd", pd_->handle}, {"device", name()}, {"duration_ns", now_ns() - allocate}});
  const int flags = fcntl(context_->async_fd, F_GETFL);
  fcntl(context_->async_fd, F_SETFL, flags | O_NONBLOCK);
}

std::uint64_t Device::guid() const noexcept { return be64toh(attributes_.orig_attr.node_guid); }

std::uint32_t Device::active_mtu() const noexcept { return 128U << static_cast<unsigned>(port_.active_mtu); }

bool Device::has(Operation operation) const noexcept {
  const std::uint64_t caps = attributes_.device_cap_flags_ex;
  const unsigned classic = attributes_.orig_attr.device_cap_flags;
  switch (operation) {
    case Operation::kSendInv:
    case Operation::kBindWindow:
      return (classic & IBV_DEVICE_MEM_WINDOW_TYPE_2B) != 0;
    case Operation::kAtomicWrite:
      return (caps & kDeviceAtomicWrite) != 0;
    case Operation::kFlush:
#ifdef RDMAGEN_HAVE_FLUSH
      return (caps & kDeviceFlushGlobal) != 0;
#else
      static_cast<void>(kDeviceFlushGlobal);
      return false;
#endif
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      return attributes_.orig_attr.atomic_cap != IBV_ATOMIC_NONE;
    default:
      return true;
  }
}

bool Device::has_xrc() const noexcept { return (attributes_.orig_attr.device_cap_flags & IBV_DEVICE_XRC) != 0; }

Gid Device::gid(const sockaddr_storage& local, std::optional<std::uint8_t> index) const {
  if (!index) {
    if (const auto found = find_gid(context_, gid_of(local))) return *found;
    throw Error(
        fmt::format("{} has no RoCE v2 GID {}", name(), to_text(gid_of(local))),
        fmt::format("choose one of `rdmagen ... --gid-index N`: grep . /sys/class/infiniband/{}/ports/{}/gids/*",
                    name(), port_number_));
  }
  for (const ibv_gid_entry& entry : gid_table(context_)) {
    if (entry.gid_index == *index && entry.port_num == port_number_) return {entry.gid, entry.gid_index, port_number_};
  }
  throw Error(
      fmt::format("{} has no GID at index {}", name(), *index),
      fmt::format("see which there are: grep . /sys/class/infiniband/{}/ports/{}/gids/*", name(), port_number_));
}

void Device::report_counters(const char* when) const {
  nlohmann::ordered_json counters = nlohmann::ordered_json::object();
  for (const auto& [counter, value] : read_counters(hw_counters_directory(name(), port_number_)))
    counters[counter] = value;
  truth_.fact("counters", {{"device", name()}, {"port", port_number_}, {"when", when}, {"hw_counters", counters}});
}

std::optional<std::uint64_t> Device::activity() const {
  const Counters counters = read_counters(hw_counters_directory(name(), port_number_));
  if (counters.empty()) return std::nullopt;
  std::uint64_t sum = 0;
  for (const auto& [counter, value] : counters) sum += value;
  return sum;
}

void Device::tell_async_events() {
  const std::lock_guard lock(async_mutex_);
  ibv_async_event event{};
  while (ibv_get_async_event(context_, &event) == 0) {
    nlohmann::ordered_json fields{{"device", name()}, {"type", ibv_event_type_str(event.event_type)}};
    switch (event.event_type) {
      case IBV_EVENT_QP_FATAL:
      case IBV_EVENT_QP_REQ_ERR:
      case IBV_EVENT_QP_ACCESS_ERR:
      case IBV_EVENT_COMM_EST:
      case IBV_EVENT_SQ_DRAINED:
      case IBV_EVENT_QP_LAST_WQE_REACHED:
        fields["qpn"] = event.element.qp->qp_num;
        break;
      default:
        break;
    }
    truth_.fact("async_event", fields);
    ibv_ack_async_event(&event);
  }
}

}  // namespace rocescope::rdmagen
