// Which library sends through UCX, by the tags of its messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rocescope {

/// Libraries of MPI put the rank of the sender into the tag, each at a place of its own: of the messages among all processes (the context
/// of MPI_COMM_WORLD) it is one number for each side of a connection.
///
///                63          48 47      40 39      32 31      20 19        0
///     Open MPI   | tag                   | rank                 | context  |
///     MPICH      | context     | rank                | tag                 |
///
/// (Open MPI 4.1, ompi/mca/pml/ucx/pml_ucx_request.h; MPICH 4.0, src/mpid/ch4/netmod/ucx/ucx_types.h)
struct UcxTags {
  /// Of a side's messages, as one library has it.
  struct Ranks {
    std::uint32_t rank = 0;  ///< of the first
    std::uint32_t tags = 0;  ///< of the world
    bool differs = false;    ///< that of a later one
  };
  enum : std::size_t { kOpenMpi, kMpich };
  std::array<std::array<Ranks, 2>, 2> ranks;  ///< by library and sender

  void observe(std::size_t sender, std::uint64_t tag) noexcept;
  /// `other` is of one direction, whose side 0 is side 1 here.
  void join(const UcxTags& other) noexcept;
  /// "Open MPI" or "MPICH", if several tags of each side have the form of only this library; else empty.
  [[nodiscard]] std::string_view library() const noexcept;

 private:
  [[nodiscard]] bool fits(std::size_t library) const noexcept;
};

}  // namespace rocescope
