#include "dissectors/ulp/forms.hpp"
#include "rocescope/headers/rpc.hpp"

namespace rocescope {

/// Of the version that there is, with all of it that must be: with no chunks the RPC message follows, which has the same XID.
bool has_form_of_rpc(Bytes start, std::uint64_t length) noexcept {
  constexpr std::size_t kEmptyLists = RpcOverRdma::kSize + 3 * RpcListEnd::kSize;
  constexpr std::uint64_t kMostCredits = 4096;
  if ((length != 0 && length < kEmptyLists) || start.size() < kEmptyLists) return false;
  const auto word = [&](std::size_t at) { return load_big_endian(start.data() + at, 4); };
  if (word(4) != RpcOverRdma::kVersion || word(8) == 0 || word(8) > kMostCredits || word(12) > RpcOverRdma::kNoMsg)
    return false;
  constexpr std::uint64_t kMostSegments = 1024;
  if (word(16) == 1) return word(20) < length || length == 0;  // a read chunk with its position
  if (word(16) != 0) return false;
  if (word(20) == 1) return word(24) > 0 && word(24) <= kMostSegments;
  if (word(20) != 0) return false;
  if (word(24) == 1) return start.size() < kEmptyLists + 4 || (word(28) > 0 && word(28) <= kMostSegments);
  if (word(24) != 0 || word(12) != RpcOverRdma::kMsg) return false;
  return start.size() >= kEmptyLists + 8 && word(kEmptyLists) == word(0) && word(kEmptyLists + 4) <= 1;
}

}  // namespace rocescope
