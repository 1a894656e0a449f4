// RPC over RDMA, RPC behind it, and what NFS calls are about.
#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/nfs/rpc_walk.hpp"

namespace rocescope::dissectors {

void dissect_rpc(Dissection& d, NfsVersion version) noexcept { rpc::take_rpc(d, version); }
void dissect_rpc_over_rdma(Dissection& d, NfsVersion version) noexcept { rpc::take_rpc_over_rdma(d, version); }

}  // namespace rocescope::dissectors
