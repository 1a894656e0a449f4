#include "ulp/named/ucx_tags.hpp"

namespace rocescope {
namespace {

constexpr unsigned kContextBits = 20;  // of Open MPI, and as many of the rank
constexpr unsigned kRankShift = 32;    // of MPICH
constexpr unsigned kRankBits = 16;

constexpr std::uint64_t bits_of(std::uint64_t tag, unsigned first, unsigned count) {
  return tag >> first & ((std::uint64_t{1} << count) - 1U);
}

void add(UcxTags::Ranks& ranks, std::uint64_t rank) {
  if (ranks.tags++ == 0) ranks.rank = static_cast<std::uint32_t>(rank);
  ranks.differs = ranks.differs || ranks.rank != rank;
}

}  // namespace

void UcxTags::observe(std::size_t sender, std::uint64_t tag) noexcept {
  const bool is_open_mpi_world = bits_of(tag, 0, kContextBits) == 0;
  if (is_open_mpi_world) add(ranks[kOpenMpi][sender], bits_of(tag, kContextBits, kContextBits));
  // Context 1 is that of its collective operations. Of tags that are larger the lower bits may be a rank of Open MPI.
  const bool is_mpich_world = tag >> (kRankShift + kRankBits) <= 1 && bits_of(tag, 0, kRankShift) < std::uint64_t{1}
                                                                                                        << kContextBits;
  if (is_mpich_world) add(ranks[kMpich][sender], bits_of(tag, kRankShift, kRankBits));
}

void UcxTags::join(const UcxTags& other) noexcept {
  for (std::size_t library = 0; library < ranks.size(); ++library) {
    for (std::size_t side = 0; side < 2; ++side) {
      Ranks& mine = ranks[library][1 - side];
      const Ranks& its = other.ranks[library][side];
      if (its.tags == 0) continue;
      mine.differs = mine.differs || its.differs || (mine.tags > 0 && mine.rank != its.rank);
      mine.rank = its.rank;
      mine.tags += its.tags;
    }
  }
}

bool UcxTags::fits(std::size_t library) const noexcept {
  constexpr std::uint32_t kEnough = 4;
  const auto& [first, second] = ranks[library];
  return first.tags >= kEnough && second.tags >= kEnough && !first.differs && !second.differs &&
         first.rank != second.rank;
}

std::string_view UcxTags::library() const noexcept {
  // Read as tags of Open MPI, small tags of MPICH have ranks whose lower bits are 0.
  constexpr std::uint32_t kLowerBits = (1U << (kRankShift - kContextBits)) - 1U;
  const auto& [first, second] = ranks[kOpenMpi];
  const bool is_open_mpi = fits(kOpenMpi) && ((first.rank | second.rank) & kLowerBits) != 0;
  if (is_open_mpi == fits(kMpich)) return {};
  return is_open_mpi ? "Open MPI" : "MPICH";
}

}  // namespace rocescope
