// The files of the profile. `rocescope.*` are fields of the plugin, in dissectors/wireshark. {0} is the filter that findings have
// for CNPs, {1} that for CE marks.
#include <fmt/format.h>

#include "cli/wireshark_profile.hpp"
#include "findings/filters.hpp"

namespace rocescope::cli {
namespace {

// @name@filter@[background][foreground]; the first that matches decides.
constexpr std::string_view kColors = R"profile(# RoCE, by rocescope
@RoCE damaged@rocescope.icrc.status == "bad" || rocescope.verdict.damaged@[52428,0,0][65535,65535,65535]
@RoCE sent again, lost after the capture point@rocescope.verdict.retransmission && rocescope.verdict.lost == "after"@[63479,34695,13107][0,0,0]
@RoCE sent again, lost before the capture point@rocescope.verdict.retransmission && rocescope.verdict.lost == "before"@[63479,26214,26214][0,0,0]
@RoCE sent again@rocescope.verdict.retransmission || rocescope.verdict.read_response_retransmission@[63479,45874,45874][0,0,0]
@RoCE RNR NAK@infiniband.aeth.syndrome.opcode == 1@[52428,39321,65535][0,0,0]
@RoCE NAK@infiniband.aeth.syndrome.opcode == 3@[65535,13107,39321][65535,65535,65535]
@RoCE packets before it not seen@rocescope.verdict.gap || rocescope.verdict.read_response_gap@[65535,55769,26214][0,0,0]
@RoCE out of order@rocescope.verdict.out_of_order || rocescope.verdict.used_psn@[65535,65535,39321][0,0,0]
@RoCE CNP@{0}@[26214,52428,65535][0,0,0]
@RoCE marked by a switch (CE)@infiniband && {1}@[45874,58981,65535][0,0,0]
@RoCE@infiniband@[61166,64250,61166][0,0,0]
)profile";

// Column formats: %Cus:FIELD:occurrence:resolved. The Info column says opcode, queue pair and verdict: it needs the room.
constexpr std::string_view kPreferences = R"profile(# RoCE, by rocescope
gui.column.format: 
	"No.", "%m",
	"Time", "%t",
	"Source", "%s",
	"Destination", "%d",
	"Conn.", "%Cus:rocescope.connection:0:R",
	"PSN", "%Cus:infiniband.bth.psn:0:R",
	"Msg.", "%Cus:rocescope.message.id:0:R",
	"Msg. time", "%Cus:rocescope.message.time:0:R",
	"Length", "%L",
	"Info", "%i"
)profile";

// Pixels of these columns, and of the packet details beside the bytes.
constexpr std::string_view kRecent = R"profile(# RoCE, by rocescope
gui.geometry_main_lower_pane: 900
column.width: %m, 68, %t, 96, %s, 104, %d, 104, "%Cus:rocescope.connection", 44, "%Cus:infiniband.bth.psn", 72, "%Cus:rocescope.message.id", 40, "%Cus:rocescope.message.time", 92, %L, 52, %i, 760
)profile";

// They take the payload of any SEND for theirs: what is theirs, Wireshark knows by the service that the connection was made for.
constexpr std::string_view kHeuristics = R"profile(# RoCE, by rocescope
smcr_infiniband,0
smb_direct_infiniband,0
rpcrdma_infiniband,0
nvme_rdma,0
lnet_ib,0
iser_infiniband,0
eth_over_ib,0
mellanox_eoib,0
sdp_infiniband,0
fc_infiniband,0
drbd_rdma,0
)profile";

constexpr std::string_view kButtons = R"profile(# RoCE, by rocescope
"TRUE","Trouble","rocescope.note || rocescope.finding","Packets with a verdict that is not the usual one"
"TRUE","Sent again","rocescope.verdict.retransmission || rocescope.verdict.read_response_retransmission",""
"TRUE","Lost","rocescope.verdict.lost || rocescope.verdict.gap || rocescope.verdict.read_response_gap",""
"TRUE","NAK","infiniband.aeth.syndrome.opcode == 1 || infiniband.aeth.syndrome.opcode == 3","RNR NAKs as well"
"TRUE","Congestion","{0} || (infiniband && {1})","CNPs and CE marks"
"TRUE","Damaged","rocescope.icrc.status == \x22bad\x22",""
"TRUE","Slow","rocescope.message.time > 0.001","Messages that took longer than a millisecond"
)profile";

constexpr std::string_view kGraphs = R"profile(# RoCE, by rocescope
"Enabled","All RoCE packets","infiniband","#2e3436","Line","Packets","","None","1"
"Enabled","Sent again","rocescope.verdict.retransmission","#cc0000","Bar","Packets","","None","1"
"Disabled","NAKs","infiniband.aeth.syndrome.opcode == 3","#75507b","Dot","Packets","","None","1"
"Disabled","CNPs","{0}","#3465a4","Bar","Packets","","None","1"
"Disabled","Time of messages, mean","rocescope.message.time","#4e9a06","Line","AVG(Y Field)","rocescope.message.time","None","1"
"Disabled","Time of messages, longest","rocescope.message.time","#f57900","Dot","MAX(Y Field)","rocescope.message.time","None","1"
)profile";

}  // namespace

std::span<const ProfileFile> profile_files() {
  using findings::kCnpFilter;
  using findings::kMarkedFilter;
  static const ProfileFile kFiles[] = {{"colorfilters", fmt::format(kColors, kCnpFilter, kMarkedFilter)},
                                       {"preferences", std::string(kPreferences)},
                                       {"heuristic_protos", std::string(kHeuristics)},
                                       {"dfilter_buttons", fmt::format(kButtons, kCnpFilter, kMarkedFilter)},
                                       {"io_graphs", fmt::format(kGraphs, kCnpFilter, kMarkedFilter)}};
  return kFiles;
}

ProfileFile first_recent_file() { return {"recent", std::string(kRecent)}; }

}  // namespace rocescope::cli
