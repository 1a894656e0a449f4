// Findings: commands of the protocols above RoCE.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kCommandInfos[] = {
    {FindingId::kQueueRefused, "queue_refused", Severity::kError, FindingRole::kEnd, "commands",
     "a target refused a host or a queue",
     R"(A Connect command of NVMe over Fabrics failed, or authentication, or a Login of iSER, or Negotiate, Session Setup
        or Tree Connect of SMB, or Open of RNBD: the connection of the CM was accepted, and the target refused the
        queue, the session or the share, with a status; or the host did not believe the target.)",
     R"(Exact: the status is the one in the response, the reason of authentication the one in its message. At least so many
        where the capture missed packets. What the status stands for in this target, its log says.)",
     "The host has no access to the subsystem or to the target, or too few queues.",
     R"(Connect Invalid Host: the host's NQN is not among those that the subsystem allows. Connect Invalid Parameters:
        the subsystem's NQN does not exist on that port, or the queue's ID or size is wrong. Authentication Required:
        give the host its secret. Authentication failed (DH-HMAC-CHAP): mostly the secrets differ. Of iSER,
        authorization failure: the initiator's name is not among those that the target allows (ACL). Authentication
        failure: the secrets of CHAP differ. Target not found, service unavailable: the target's name is not there, or
        it is switched off. Of SMB, STATUS_LOGON_FAILURE: the user or the password is wrong. STATUS_BAD_NETWORK_NAME:
        there is no such share.)"},
    {FindingId::kIoFailed, "io_failed", Severity::kError, FindingRole::kOther, "commands", "I/O commands failed",
     R"(The target answered commands of an I/O queue (NVMe-oF), or READ, WRITE or COMMIT (NFS), or reads, writes, flushes and
        the like of SCSI (iSER, SRP), or Read, Write or Flush (SMB), or IO of RNBD, with a status other than
        success. Or it answered other calls of NFS or SMB with a status of a server in trouble, such as IO, NOSPC, STALE or
        STATUS_DISK_FULL. A status that a file does not exist does not count, nor one that asks the client to try again
        (DELAY, GRACE, OLD_STATEID), nor a Unit Attention of SCSI, nor the end of a file or a lock (SMB).)",
     R"(Exact: the status is the one in the response. At least so many where the capture missed packets, or responses were
        seen without their commands: not all of those show what they answer.)",
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
     R"(The times are those of the capture. A command counts where it and its response were seen. What the target sent may have been
        lost between it and the place of the capture, and come again within its ACK timeout: some devices start that when the first of
        several packets is sent. So where the target lost packets there, a wait of a sixteenth of that timeout or longer does not
        count (unknown in commands.csv), nor one with data that came again. Where nothing in the capture
        shows a loss, or no handshake the timeout, it looks like a slow target: then slow_target is wrong, and a capture at the
        target tells the difference. Nothing is said where the network was slow as often (slow_network). Of data that a READ fetched,
        the time from the capture to the target and back is the network's (data), as the quickest ACK of the commands before shows it;
        as long as there are less than eight, it is unknown.)",
     "Neither another network nor another host makes these commands faster.",
     R"(Look at the device behind the target: its latency and its queue. commands.csv has each command with its parts.)"},
    {FindingId::kSlowNetwork, "slow_network", Severity::kWarning, FindingRole::kOther, "commands",
     "a slow network, or a target that acknowledges late",
     R"(Of the same commands as slow_target has, at least three, and one in a hundred, took 20 ms or longer. At least four fifths of
        that went by on the way: until the first ACK of the command and, where a READ fetched its data, once more as long as the
        quickest ACK takes. No packet of it was sent again.)",
     R"(The times are those of the capture, so what the network does between the initiator and the place of the capture does not show.
        An ACK that comes behind the first data or the response says nothing: then the time is unknown. Where ACKs are missing, a later
        one counts that covers the command as well: then part of the time is the target's. The adapter of the target sends
        the ACK, of SoftRoCE its processor: a busy one looks like a slow network, and a capture at the target tells the difference.)",
     "A quicker device behind the target does not make these commands faster.",
     R"(Compare ack_latency of the connections that share a way: where its least is large, the way is long; where it varies, packets wait
        in queues (ecn_marked, pause). Capture at the target as well: merge says how long the network takes.)"},
    {FindingId::kCommandsResent, "commands_resent", Severity::kWarning, FindingRole::kConsequence, "commands",
     "commands waited for packets that were sent again",
     R"(Packets of commands, of their data or of their responses were sent again, and most of the time of these commands
        went into that.)",
     R"(At least so many: where only the copy of a packet was seen and nothing shows the loss, the packet looks like a slow one.)",
     "The network, or the receiver of these packets, makes the commands slow, not the target.",
     "See the losses of the same connection: packet_loss_before, packet_loss_after, timeout_recovery."},
    {FindingId::kCommandsUnanswered, "commands_unanswered", Severity::kWarning, FindingRole::kOther, "commands",
     "commands were never answered",
     R"(The target acknowledged commands of an I/O queue (NVMe-oF), READs, WRITEs or COMMITs (NFS), or reads, writes or flushes of
        SCSI (iSER, SRP) or RNBD, and sent no response until a side disconnected (DREQ), the oldest for one second or longer. Or it
        sent none in the capture, which saw packets of both hosts for ten seconds or longer after the oldest.)",
     R"(Exact for what the capture shows; behind its end a response may come. Nothing is said where the capture missed packets, for responses
        may be among these, or where the initiator aborted commands (commands_aborted).)",
     R"(The application hangs. A host of NVMe gives up after a while (30 s with Linux), disconnects, connects again and sends the
        commands anew.)",
     R"(The network brought the commands: look at the target, and at the device behind it. Did nothing at all come from the target
        in that time, it may be down. commands.csv has the commands, with the outcome outstanding.)"},
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
    {FindingId::kCommandsRetried, "commands_retried", Severity::kNote, FindingRole::kConsequence, "commands",
     "commands were issued again",
     R"(A command for data (NVMe-oF, NFS, iSER, SRP, SMB, RNBD) asks for the same as one before it: the same operation, target or file,
        place and length. That one had failed; or, but for SMB, it had no response, and waited for one second or longer. The new one
        came within three minutes, on the same connection. It also counts on another connection between the same addresses: of NFS
        with the same XID; of NVMe-oF, iSER, SRP and NFS where that connection was there before and leads to the same target, whose
        name its login says. Each is a new command: packets that an adapter sent again are retransmissions.)",
     R"(Exact, but for why: whether a driver, a file system or the application tries again, or only wants the same once more, no packet
        says. At least so many where the capture missed packets, and where too many commands that failed or waited would have to be
        remembered (16,384, or 64 that ask for the same). A command without a response counts where the capture missed nothing, and
        once no response can come: when its ID is used again, when the capture ends, or when its connection is evicted three minutes
        later. Not found are tries on another connection whose login was not captured, tries on a new one (but for NFS), to another
        address of the target (multipath), or split into commands of other sizes, and some where a connection was evicted
        (--idle-timeout, --max-connections).)",
     R"(Where somebody above RoCE works around an error or a silence, the application waits for the sum of all tries, which is longer
        than the latency of any of them.)",
     R"(Look for why the first try failed: io_failed has the status; commands_aborted and commands_unanswered have commands without a response.
        The text has the packets of the first two tries; commands.csv has the outcome of each.)"},
    {FindingId::kCreditStarvation, "credit_starvation", Severity::kWarning, FindingRole::kOther, "times",
     "a sender waited for credits of SMB Direct",
     R"(A side of SMB Direct used the last credit that its peer had granted, had more to send, and sent it only after the peer
        granted more, or never. All such times together are 1 ms or longer. The header of its last message says that it had more to
        send, since fragments were missing; or it sent within 1 ms of the grant.)",
     R"(At least so often: who waits with whole messages, and sends them later than 1 ms, is not counted. Counted only from
        the Negotiate of SMB Direct on, and no longer once a message shows that a grant was not seen. A capture far from the
        waiting side sees the times shifted by the way between both.)",
     "The sender, or the server behind it, could do more than it is let. Neither the disk nor the network is slow.",
     R"(Give the receiver more receive buffers: of Linux, /proc/fs/cifs/smbd_receive_credit_max of the client, of Windows the
        settings of SMB Direct (SmbServer, SmbClient). A receiver that grants late is a busy one: look at its processor.)"},
    {FindingId::kQueueFull, "queue_full", Severity::kNote, FindingRole::kOther, "times", "a full queue of commands",
     R"(An initiator had as many commands outstanding as the queue of NVMe over Fabrics holds, or as the login of SRP or the
        session of RTRS allows, at least three times. A next command has to wait for a response.)",
     R"(Exact: each time is a command after which the queue was full. Nothing is said where the capture missed packets: a command
        whose response was missed looks outstanding. Whether another command waited, no packet shows.)",
     "Commands wait in the initiator, where no capture sees them: the latency of the application is longer than that here.",
     R"(If the target is slow (slow_target), commands only wait longer in a longer queue. If it is not, ask for a longer queue
        (nvme connect --queue-size), or for more queues.)"},
    {FindingId::kKeepAliveLate, "keep_alive_late", Severity::kWarning, FindingRole::kOther, "times",
     "a host was silent for longer than its keep-alive timeout",
     R"(A host of NVMe over Fabrics sent no command on its admin queue for longer than the Keep Alive Timeout that its Connect
        named, and then sent one.)",
     R"(Nothing is said where an I/O queue to this target was in use before and after: controllers may take its commands for
        signs of life, and hosts then send no others. Wrong where the capture missed the Keep Alive commands in between. Linux sends one in half of the timeout, so that two
        of them are missing.)",
     "A controller that hears nothing for so long takes the host for dead and ends the association: all queues are lost.",
     R"(Look at the host: a suspended machine, a starved processor. Or at losses on the admin queue's connection:
        packet_loss_before, timeout_recovery.)"},
    {FindingId::kKeepAliveMissing, "keep_alive_missing", Severity::kWarning, FindingRole::kOther, "times",
     "no keep-alive for longer than promised, then the end",
     R"(A host of NVMe over Fabrics sent no command, on any of its queues to this target, for longer than the Keep Alive Timeout
        that its Connect named. Then a side disconnected the admin queue (DREQ).)",
     R"(Nothing is said where the capture missed packets, or did not see the Connect or the DREQ. That the silence is why the
        association ended is likely, but no packet says it.)",
     R"(A controller that hears nothing for so long takes the host for dead and ends the association: all queues are lost, and
        I/O waits until the host connects again.)",
     R"(Look at the host at the beginning of the silence: a suspended machine, a starved processor, a path that was taken away
        before the disconnect. Its kernel's log has what it gave up.)"},
    {FindingId::kSmallIo, "small_io", Severity::kNote, FindingRole::kOther, "commands", "most I/O is very small",
     R"(Of 1,000 or more I/O commands (NVMe-oF, NFS, iSER, SRP, SMB, RNBD) with data, nine tenths are about less than 4,096
        bytes.)",
     "Exact: the lengths are those in the commands. At least so many where the capture missed packets.",
     "Each command costs a request, a response and the target's work, whatever its length. File systems write 4,096 bytes anyway.",
     "Look at the application: buffer, merge, or write larger records."},
    {FindingId::kUnalignedIo, "unaligned_io", Severity::kNote, FindingRole::kOther, "commands", "unaligned I/O",
     R"(Of 100 or more commands of block storage (NVMe-oF, iSER, SRP, RNBD) with data, a tenth or more, of 4,096 bytes or
        longer, do not begin at a multiple of 4,096 bytes of the device.)",
     R"(Exact: the addresses are those in the commands, the size of a block is the length of the data by the number of blocks. At
        least so many where the capture missed packets.)",
     "Most devices write 4,096 bytes at once: what begins elsewhere makes them read, change and write two of these.",
     "Look at partitions, LVM and file systems on the device: their beginning should be a multiple of 1 MiB."},
    {FindingId::kInCapsuleUnused, "in_capsule_unused", Severity::kNote, FindingRole::kOther, "commands",
     "a READ fetched data that fit into the command",
     R"(Of 100 or more Writes of a queue of NVMe over Fabrics, a tenth or more left their data to a READ of the target, although
        a Write before them on the same queue had as many bytes or more with it (in-capsule data), and succeeded.)",
     R"(Exact: what the target takes, the Write before shows. At least so many where the capture missed packets. Linux puts data
        into a command only if they lie in few pieces of memory (nvmet takes up to 4).)",
     "Each such Write waits for a round trip more, and the target has one READ more to do.",
     R"(Look at how the application writes: many small buffers at once (writev), or pages that are not contiguous. If it costs
        too much, larger writes change more than in-capsule data do.)"},
    {FindingId::kInCapsuleRefused, "in_capsule_refused", Severity::kError, FindingRole::kOther, "commands",
     "the target refused data in the capsule",
     R"(The target of NVMe over Fabrics answered I/O commands that had their data with them (in-capsule data) with SGL Offset
        Invalid or Data SGL Length Invalid: it takes none in the capsule, or not so many bytes.)",
     R"(Exact: the status is the one in the response. At least so many where the capture missed packets. Data SGL Length
        Invalid also says that command and data differ in length.)",
     "The application gets an I/O error, or the host tries again on another path, with the same result.",
     R"(Compare what the host sends with what the target allows: IOCCSZ and ICDOFF of Identify Controller, of Linux
        param_inline_data_size of the port, of SPDK in_capsule_data_size. A target that was configured anew while the host
        stayed connected allows less than it said: connect again.)"},
    {FindingId::kOneBusyQueue, "one_busy_queue", Severity::kNote, FindingRole::kOther, "commands",
     "one queue is full while others idle",
     R"(A host has three or more I/O queues of NVMe over Fabrics to a target. One of them carried 95 % or more of their commands
        with data, 10,000 or more, and was full at least three times: commands waited for room in it, while the other queues
        had room.)",
     R"(Nothing is said where the capture missed packets, or where a queue connected again. That a queue was full is exact: see
        queue_full.)",
     R"(One queue is one connection: one processor of the host and of the target, one path through the network. The others
        cannot help.)",
     R"(Linux has a queue for each processor, and an application uses that of the processor on which it runs: spread it over
        processors (fio: numjobs, cpus_allowed_policy=split), or look what holds it on one (taskset, cgroups, an event loop).)"},
};

}  // namespace rocescope::findings
