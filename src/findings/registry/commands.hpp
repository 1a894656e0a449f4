// Findings: commands of the protocols above RoCE.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kCommandInfos[] = {
    {FindingId::kQueueRefused, "queue_refused", Severity::kError, FindingRole::kEnd, "commands",
     "a target refused a host or a queue",
     R"(A Connect command of NVMe over Fabrics failed, or a Login of iSER, or Negotiate, Session Setup or Tree
        Connect of SMB, or Open of RNBD: the connection of the CM was accepted, and the target refused the
        queue, the session or the share, with a status.)",
     R"(Exact: the status is the one in the response. At least so many where the capture missed packets. What the
        status stands for in this target, its log says.)",
     "The host has no access to the subsystem or to the target, or too few queues.",
     R"(Connect Invalid Host: the host's NQN is not among those that the subsystem allows. Connect Invalid Parameters:
        the subsystem's NQN does not exist on that port, or the queue's ID or size is wrong. Authentication Required: give
        the host its secret. Of iSER, authorization failure: the initiator's name is not among those that the target
        allows (ACL). Authentication failure: the secrets of CHAP differ. Target not found, service unavailable: the
        target's name is not there, or it is switched off. Of SMB, STATUS_LOGON_FAILURE: the user or the password is
        wrong. STATUS_BAD_NETWORK_NAME: there is no such share.)"},
    {FindingId::kIoFailed, "io_failed", Severity::kError, FindingRole::kOther, "commands", "I/O commands failed",
     R"(The target answered commands of an I/O queue (NVMe-oF), or READ, WRITE or COMMIT (NFS), or reads, writes, flushes and
        the like of SCSI (iSER, SRP), or Read, Write or Flush (SMB), or IO of RNBD, with a status other than
        success. Or it answered other calls of NFS or SMB with a status of a server in trouble, such as IO, NOSPC, STALE or
        STATUS_DISK_FULL. A status that a file does not exist does not count, nor one that asks the client to try again
        (DELAY, GRACE, OLD_STATEID), nor a Unit Attention of SCSI, nor the end of a file or a lock (SMB).)",
     R"(Exact: the status is the one in the response. At least so many where the capture missed packets.)",
     R"(The application gets an I/O error, or the host tries again on another path. The network carried the command and
        its answer: it is not the cause, except for Data Transfer Error and statuses of paths.)",
     R"(See the status. Internal Error, Unrecovered Read Error, Write Fault: look at the device behind the target. LBA
        Out of Range: host and target disagree on the size. Statuses of paths: see the target's state (ANA). Of NFS: IO
        is the server's disk, NOSPC and DQUOT are full ones, STALE is a file that is gone.
        Of SCSI the status is that of the sense data: Medium Error is the disk; Busy, Task Set Full a target with too
        much to do.)"},
    {FindingId::kCommandRefused, "command_refused", Severity::kNote, FindingRole::kOther, "commands",
     "commands other than I/O failed",
     R"(The target answered commands of an admin queue of NVMe, other than Connect, with a status other than success. Or
        it answered so what moves no data over iSER or SRP: other commands of SCSI, task management, Logout.)",
     R"(Exact: the status is the one in the response. At least so many where the capture missed packets.)",
     R"(Most often a host asks for what the target does not have, such as a log page or a feature, and goes on without
        it.)",
     "Nothing, if the host works. Else compare the command with what the target supports (Identify, Inquiry)."},
    {FindingId::kSlowTarget, "slow_target", Severity::kWarning, FindingRole::kOther, "commands", "a slow target",
     R"(Of the commands of an I/O queue (NVMe-oF), of READs, WRITEs and COMMITs (NFS), or of reads, writes and flushes of SCSI
        (iSER, SRP), or of Reads, Writes and Flushes of SMB or RNBD, at least three, and one in a
        hundred, took 20 ms or longer. At least four fifths of that they waited for the target: it had acknowledged the
        command and sent neither data nor its response, or it had all data and sent no response.)",
     R"(The times are those of the capture. A command counts where it and its response were seen. Packets that were lost
        between the target and the place of the capture, without anything that shows it, look like a slow target: then
        slow_target is wrong, and a capture at the target tells the difference.)",
     "Neither another network nor another host makes these commands faster.",
     R"(Look at the device behind the target: its latency and its queue. commands.csv has each command with its parts.)"},
    {FindingId::kCommandsResent, "commands_resent", Severity::kWarning, FindingRole::kConsequence, "commands",
     "commands waited for packets that were sent again",
     R"(Packets of commands, of their data or of their responses were sent again, and most of the time of these commands
        went into that.)",
     R"(At least so many: packets of which only the copy was seen look like slow ones where nothing shows the loss.)",
     "The network, or the receiver of these packets, makes the commands slow, not the target.",
     "See the losses of the same connection: packet_loss_before, packet_loss_after, timeout_recovery."},
    {FindingId::kCommandsAborted, "commands_aborted", Severity::kWarning, FindingRole::kOther, "requests",
     "commands were aborted, or a unit was reset",
     R"(An initiator of SCSI (iSER, SRP) asked the target to abort commands, or to reset a logical unit or the target: task
        management. It gave up waiting, as a rule, before the target answered.)",
     R"(Exact: the requests are in the capture. At least so many where it missed packets. Why the initiator asked, no packet
        says.)",
     R"(Linux asks for an abort when a command took longer than its timeout (30 s for a disk), and for a reset when the abort
        does not help. The application waits all that time, and may get an I/O error.)",
     R"(Look for what held the command: commands.csv says since when it waited, slow_target and the findings of losses why.
        A target that takes too long for a while: its device, or its queue. See also the kernel's log of the initiator.)"},
};

}  // namespace rocescope::findings
