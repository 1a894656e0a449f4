// An open RDMA device, its attributes, and the protection domain that rdmagen uses.
#pragma once

#include <infiniband/verbs.h>
#include <sys/socket.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "core/counters.hpp"
#include "core/operation.hpp"
#include "core/truth.hpp"

namespace rocescope::rdmagen {

/// An entry of a device's GID table: the address that it uses on a port.
struct Gid {
  ibv_gid raw{};
  std::uint32_t index = 0;
  std::uint8_t port = 1;
};

/// "::ffff:192.168.2.24", "fe80::1".
[[nodiscard]] std::string to_text(const ibv_gid& gid);

/// The GID of an IPv4 or IPv6 address.
[[nodiscard]] ibv_gid gid_of(const sockaddr_storage& address);

/// The RDMA devices of this machine; none where the kernel has no verbs.
class DeviceList {
 public:
  DeviceList() : list_(ibv_get_device_list(&count_)) {}
  ~DeviceList() {
    if (list_ != nullptr) ibv_free_device_list(list_);
  }
  DeviceList(const DeviceList&) = delete;
  DeviceList& operator=(const DeviceList&) = delete;

  [[nodiscard]] std::span<ibv_device* const> all() const noexcept {
    return {list_, list_ != nullptr ? static_cast<std::size_t>(count_) : 0};
  }

 private:
  int count_ = 0;
  ibv_device** list_;
};

class Device {
 public:
  /// The device called `name`; when that is empty, the one that has `local`'s address among its GIDs. Throws Error.
  Device(const std::string& name, const sockaddr_storage& local, Truth& truth);
  /// A device that librdmacm has opened and still owns.
  Device(ibv_context* borrowed, std::uint8_t port, Truth& truth);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] ibv_context* context() const noexcept { return context_; }
  [[nodiscard]] ibv_pd* pd() const noexcept { return pd_; }
  [[nodiscard]] const ibv_device_attr_ex& attributes() const noexcept { return attributes_; }
  [[nodiscard]] const ibv_port_attr& port_attributes() const noexcept { return port_; }
  [[nodiscard]] std::uint8_t port() const noexcept { return port_number_; }
  [[nodiscard]] std::string name() const { return ibv_get_device_name(context_->device); }
  /// Host byte order.
  [[nodiscard]] std::uint64_t guid() const noexcept;
  /// Bytes.
  [[nodiscard]] std::uint32_t active_mtu() const noexcept;
  [[nodiscard]] bool has(Operation operation) const noexcept;
  [[nodiscard]] bool has_xrc() const noexcept;

  /// The RoCE v2 GID that is `local`'s address, or that of `index`. Throws Error.
  [[nodiscard]] Gid gid(const sockaddr_storage& local, std::optional<std::uint8_t> index) const;

  /// Writes the port's hw_counters as a fact; `when` is "before" or "after".
  void report_counters(const char* when) const;
  /// A number that changes when packets come or go; nothing where the kernel counts none.
  [[nodiscard]] std::optional<std::uint64_t> activity() const;
  /// Writes asynchronous events that came since the last call as facts. From any thread.
  void tell_async_events();

 private:
  void query();

  Truth& truth_;
  ibv_context* context_ = nullptr;
  bool owned_ = false;
  std::uint8_t port_number_ = 1;
  ibv_pd* pd_ = nullptr;
  ibv_device_attr_ex attributes_{};
  ibv_port_attr port_{};
  std::mutex async_mutex_;
};

/// The error of having no usable device, with what to run next: module missing, no device, no rights.
[[noreturn]] void throw_no_device(const std::string& why);

/// "name: strerror(error)", with a hint for some errors (memlock, rights).
[[noreturn]] void throw_errno(const std::string& what, int error);

}  // namespace rocescope::rdmagen
