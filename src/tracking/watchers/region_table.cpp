#include "tracking/watchers/region_table.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sorting/sort.hpp"
#include "tracking/room.hpp"

namespace rocescope {
namespace {

constexpr std::uint64_t kAtomicBytes = 8;

/// Bytes of the responder's memory that a message is about.
std::uint64_t length_of(const MemoryAccess& access) {
  switch (access.operation) {
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
    case Operation::kAtomicWrite:
      return kAtomicBytes;
    case Operation::kWrite:
    case Operation::kReadRequest:
      return access.bytes;
    default:
      return 0;
  }
}

void count_in(const MemoryAccess& access, MemoryRegion& region) {
  const std::uint64_t length = length_of(access);
  if (access.refused) {
    ++region.refused;
    region.refused_range.add(access.address, length);
    return;
  }
  region.touched.add(access.address, length);
  switch (access.operation) {
    case Operation::kReadRequest:
      ++region.reads;
      region.read_bytes += length;
      return;
    case Operation::kWrite:
    case Operation::kAtomicWrite:
      ++region.writes;
      region.written_bytes += length;
      return;
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      ++region.atomics;
      return;
    default:
      ++region.flushes;
      return;
  }
}

void add_user(std::uint32_t connection, std::uint64_t moment, MemoryRegion& region) {
  auto& users = region.users;
  if (std::find(users.begin(), users.end(), connection) != users.end()) return;
  if (users.size() < MemoryRegion::kMostUsers) {
    users.push_back(connection);
    region.user_packets.push_back(moment);
  } else {
    region.more_users = true;
  }
}

std::uint64_t moved(const MemoryRegion& region) { return region.read_bytes + region.written_bytes; }

}  // namespace

MemoryRegion* RegionTable::find(const Key& key, const MemoryAccess& access) {
  if (MemoryRegion* const found = regions_.find(key)) return found;
  if (regions_.size() >= max_regions_) return nullptr;
  MemoryRegion& region = regions_[key];
  region.responder = key.responder;
  region.overlay_id = key.overlay_id;
  region.r_key = key.r_key;
  region.first_packet = access.first_frame;
  region.first_time = access.first_time;
  region.last_time = access.last_time;
  return &region;
}

/// Most requesters use one region again and again: it is one's last, and has the connection among its users.
MemoryRegion* RegionTable::find(const MemoryAccess& access, const Connection& connection, std::size_t requester) {
  auto* const sides = last_.sides(connection.number);
  if (sides != nullptr) {
    MemoryRegion* const last = (*sides)[requester];
    if (last != nullptr && last->r_key == access.r_key) return last;
  }
  MemoryRegion* const found =
      find({connection.sides[1 - requester].address, connection.overlay_id, access.r_key}, access);
  if (found != nullptr) add_user(connection.number, access.moment, *found);
  if (sides != nullptr) (*sides)[requester] = found;
  return found;
}

void RegionTable::count(const MemoryAccess& access, const Connection& connection, std::size_t requester) {
  if (connection.repeated) return;
  MemoryRegion* const region = find(access, connection, requester);
  if (region == nullptr) {
    ++untracked_;
    return;
  }
  count_in(access, *region);
  if (access.first_frame < region->first_packet) region->first_packet = access.first_frame;
  region->first_time = std::min(region->first_time, access.first_time);
  region->last_time = std::max(region->last_time, access.last_time);
}

void RegionTable::count(const MemoryAccesses& accesses, const Connection& connection, std::size_t requester) {
  if (connection.repeated) return;
  MemoryRegion* const region = find({.first_frame = accesses.first_frame,
                                     .first_time = accesses.first_time,
                                     .last_time = accesses.last_time,
                                     .moment = accesses.moment,
                                     .r_key = accesses.r_key},
                                    connection, requester);
  if (region == nullptr) {
    untracked_ += accesses.count;
    return;
  }
  region->touched.add(accesses.touched);
  region->reads += accesses.reads;
  region->read_bytes += accesses.read_bytes;
  region->writes += accesses.count - accesses.reads;
  region->written_bytes += accesses.written_bytes;
  region->first_packet = std::min(region->first_packet, accesses.first_frame);
  region->first_time = std::min(region->first_time, accesses.first_time);
  region->last_time = std::max(region->last_time, accesses.last_time);
}

std::vector<MemoryRegion> RegionTable::evict(std::int64_t idle_since) {
  std::vector<std::int64_t> times;
  times.reserve(regions_.size());
  for (const auto& [key, region] : regions_) times.push_back(region.last_time);
  const std::int64_t before = leave_before(std::move(times), max_regions_, idle_since);
  std::vector<MemoryRegion> evicted;
  regions_.erase_if([&](auto& entry) {
    if (entry.second.last_time >= before) return false;
    evicted.push_back(std::move(entry.second));
    return true;
  });
  if (!evicted.empty()) last_.clear();  // it points to them
  return evicted;
}

void RegionTable::report(Tracking& tracking) const {
  tracking.memory_regions = regions();
  tracking.untracked_region_requests = untracked_;
}

std::vector<MemoryRegion> RegionTable::regions() const {
  std::vector<MemoryRegion> regions;
  regions.reserve(regions_.size());
  for (const auto& [key, region] : regions_) regions.push_back(region);
  sort(regions);
  return regions;
}

void RegionTable::sort(std::vector<MemoryRegion>& regions) {
  sorting::sort(regions, [](const MemoryRegion& a, const MemoryRegion& b) {
    if (moved(a) != moved(b)) return moved(a) > moved(b);
    return std::tie(a.responder, a.overlay_id, a.r_key) < std::tie(b.responder, b.overlay_id, b.r_key);
  });
}

}  // namespace rocescope
