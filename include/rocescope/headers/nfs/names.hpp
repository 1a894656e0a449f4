// What the codes of RPC and NFS are called.
#pragma once

#include <cstdint>
#include <string_view>

#include "rocescope/field.hpp"

namespace rocescope {

/// Programs of RPC (IANA). That of the backchannel may be another number: the client chooses it (RFC 8881, 2.10.3.1).
inline constexpr std::uint32_t kNfsProgram = 100'003;
inline constexpr std::uint32_t kMountProgram = 100'005;
inline constexpr std::uint32_t kNfsAclProgram = 100'227;
inline constexpr std::uint32_t kNfsCallbackProgram = 0x4000'0000;
inline constexpr ValueName kRpcProgramNames[] = {
    {100'000, 100'000, "PORTMAP"},
    {kNfsProgram, kNfsProgram, "NFS"},
    {kMountProgram, kMountProgram, "MOUNT"},
    {100'021, 100'021, "NLM"},
    {100'024, 100'024, "STAT"},
    {kNfsAclProgram, kNfsAclProgram, "NFSACL"},
    {kNfsCallbackProgram, kNfsCallbackProgram, "NFS CB"},
};

/// Procedures of MOUNT (RFC 1813, appendix I).
inline constexpr ValueName kMountProcedureNames[] = {{0, 0, "NULL"}, {1, 1, "MNT"},     {2, 2, "DUMP"},
                                                     {3, 3, "UMNT"}, {4, 4, "UMNTALL"}, {5, 5, "EXPORT"}};
/// Procedures of NFS 4 (RFC 8881, 16), and of its callbacks.
inline constexpr ValueName kNfs4ProcedureNames[] = {{0, 0, "NULL"}, {1, 1, "COMPOUND"}};
inline constexpr ValueName kNfsCallbackProcedureNames[] = {{0, 0, "CB_NULL"}, {1, 1, "CB_COMPOUND"}};

enum class NfsVersion : std::uint8_t { kUnknown = 0, k3 = 3, k4 = 4 };

inline constexpr std::uint32_t kNfs3Read = 6;  ///< procedures of NFS 3
inline constexpr std::uint32_t kNfs3Write = 7;
inline constexpr std::uint32_t kNfs3Commit = 21;
inline constexpr std::uint32_t kNfs4Commit = 5;  ///< operations of NFS 4
inline constexpr std::uint32_t kNfs4GetAttributes = 9;
inline constexpr std::uint32_t kNfs4PutFileHandle = 22;
inline constexpr std::uint32_t kNfs4PutPublicFileHandle = 23;
inline constexpr std::uint32_t kNfs4PutRootFileHandle = 24;
inline constexpr std::uint32_t kNfs4Read = 25;
inline constexpr std::uint32_t kNfs4RestoreFileHandle = 31;
inline constexpr std::uint32_t kNfs4SaveFileHandle = 32;
inline constexpr std::uint32_t kNfs4Write = 38;
inline constexpr std::uint32_t kNfs4Sequence = 53;
inline constexpr std::uint32_t kNfs4CallbackSequence = 11;  ///< a callback of NFS 4

/// Procedures of NFS 3 (RFC 1813, 3).
inline constexpr ValueName kNfs3ProcedureNames[] = {
    {0, 0, "NULL"},       {1, 1, "GETATTR"},   {2, 2, "SETATTR"},       {3, 3, "LOOKUP"},   {4, 4, "ACCESS"},
    {5, 5, "READLINK"},   {6, 6, "READ"},      {7, 7, "WRITE"},         {8, 8, "CREATE"},   {9, 9, "MKDIR"},
    {10, 10, "SYMLINK"},  {11, 11, "MKNOD"},   {12, 12, "REMOVE"},      {13, 13, "RMDIR"},  {14, 14, "RENAME"},
    {15, 15, "LINK"},     {16, 16, "READDIR"}, {17, 17, "READDIRPLUS"}, {18, 18, "FSSTAT"}, {19, 19, "FSINFO"},
    {20, 20, "PATHCONF"}, {21, 21, "COMMIT"},
};
/// Procedures of the side protocol of NFS 3 for access control lists.
inline constexpr ValueName kNfsAclProcedureNames[] = {
    {0, 0, "NULL"},
    {1, 1, "GETACL"},
    {2, 2, "SETACL"},
};
/// Operations of a COMPOUND of NFS 4 (RFC 7530, 16; RFC 8881, 18; RFC 7862, 15; RFC 8276, 8).
inline constexpr ValueName kNfs4OperationNames[] = {
    {3, 3, "ACCESS"},
    {4, 4, "CLOSE"},
    {5, 5, "COMMIT"},
    {6, 6, "CREATE"},
    {7, 7, "DELEGPURGE"},
    {8, 8, "DELEGRETURN"},
    {9, 9, "GETATTR"},
    {10, 10, "GETFH"},
    {11, 11, "LINK"},
    {12, 12, "LOCK"},
    {13, 13, "LOCKT"},
    {14, 14, "LOCKU"},
    {15, 15, "LOOKUP"},
    {16, 16, "LOOKUPP"},
    {17, 17, "NVERIFY"},
    {18, 18, "OPEN"},
    {19, 19, "OPENATTR"},
    {20, 20, "OPEN_CONFIRM"},
    {21, 21, "OPEN_DOWNGRADE"},
    {22, 22, "PUTFH"},
    {23, 23, "PUTPUBFH"},
    {24, 24, "PUTROOTFH"},
    {25, 25, "READ"},
    {26, 26, "READDIR"},
    {27, 27, "READLINK"},
    {28, 28, "REMOVE"},
    {29, 29, "RENAME"},
    {30, 30, "RENEW"},
    {31, 31, "RESTOREFH"},
    {32, 32, "SAVEFH"},
    {33, 33, "SECINFO"},
    {34, 34, "SETATTR"},
    {35, 35, "SETCLIENTID"},
    {36, 36, "SETCLIENTID_CONFIRM"},
    {37, 37, "VERIFY"},
    {38, 38, "WRITE"},
    {39, 39, "RELEASE_LOCKOWNER"},
    {40, 40, "BACKCHANNEL_CTL"},
    {41, 41, "BIND_CONN_TO_SESSION"},
    {42, 42, "EXCHANGE_ID"},
    {43, 43, "CREATE_SESSION"},
    {44, 44, "DESTROY_SESSION"},
    {45, 45, "FREE_STATEID"},
    {46, 46, "GET_DIR_DELEGATION"},
    {47, 47, "GETDEVICEINFO"},
    {48, 48, "GETDEVICELIST"},
    {49, 49, "LAYOUTCOMMIT"},
    {50, 50, "LAYOUTGET"},
    {51, 51, "LAYOUTRETURN"},
    {52, 52, "SECINFO_NO_NAME"},
    {53, 53, "SEQUENCE"},
    {54, 54, "SET_SSV"},
    {55, 55, "TEST_STATEID"},
    {56, 56, "WANT_DELEGATION"},
    {57, 57, "DESTROY_CLIENTID"},
    {58, 58, "RECLAIM_COMPLETE"},
    {59, 59, "ALLOCATE"},
    {60, 60, "COPY"},
    {61, 61, "COPY_NOTIFY"},
    {62, 62, "DEALLOCATE"},
    {63, 63, "IO_ADVISE"},
    {64, 64, "LAYOUTERROR"},
    {65, 65, "LAYOUTSTATS"},
    {66, 66, "OFFLOAD_CANCEL"},
    {67, 67, "OFFLOAD_STATUS"},
    {68, 68, "READ_PLUS"},
    {69, 69, "SEEK"},
    {70, 70, "WRITE_SAME"},
    {71, 71, "CLONE"},
    {72, 72, "GETXATTR"},
    {73, 73, "SETXATTR"},
    {74, 74, "LISTXATTRS"},
    {75, 75, "REMOVEXATTR"},
};
/// Operations of a CB_COMPOUND (RFC 8881, 20; RFC 7862, 16).
inline constexpr ValueName kNfs4CallbackNames[] = {
    {3, 3, "CB_GETATTR"},
    {4, 4, "CB_RECALL"},
    {5, 5, "CB_LAYOUTRECALL"},
    {6, 6, "CB_NOTIFY"},
    {7, 7, "CB_PUSH_DELEG"},
    {8, 8, "CB_RECALL_ANY"},
    {9, 9, "CB_RECALLABLE_OBJ_AVAIL"},
    {10, 10, "CB_RECALL_SLOT"},
    {11, 11, "CB_SEQUENCE"},
    {12, 12, "CB_WANTS_CANCELLED"},
    {13, 13, "CB_NOTIFY_LOCK"},
    {14, 14, "CB_NOTIFY_DEVICEID"},
    {15, 15, "CB_OFFLOAD"},
};
/// nfsstat3 and nfsstat4 (RFC 1813, 2.6; RFC 8881, 15.1; RFC 7862, 11).
inline constexpr ValueName kNfsStatusNames[] = {
    {0, 0, "OK"},
    {1, 1, "PERM"},
    {2, 2, "NOENT"},
    {5, 5, "IO"},
    {6, 6, "NXIO"},
    {13, 13, "ACCES"},
    {17, 17, "EXIST"},
    {18, 18, "XDEV"},
    {19, 19, "NODEV"},
    {20, 20, "NOTDIR"},
    {21, 21, "ISDIR"},
    {22, 22, "INVAL"},
    {27, 27, "FBIG"},
    {28, 28, "NOSPC"},
    {30, 30, "ROFS"},
    {31, 31, "MLINK"},
    {63, 63, "NAMETOOLONG"},
    {66, 66, "NOTEMPTY"},
    {69, 69, "DQUOT"},
    {70, 70, "STALE"},
    {71, 71, "REMOTE"},
    {10001, 10001, "BADHANDLE"},
    {10002, 10002, "NOT_SYNC"},
    {10003, 10003, "BAD_COOKIE"},
    {10004, 10004, "NOTSUPP"},
    {10005, 10005, "TOOSMALL"},
    {10006, 10006, "SERVERFAULT"},
    {10007, 10007, "BADTYPE"},
    {10008, 10008, "DELAY"},
    {10009, 10009, "SAME"},
    {10010, 10010, "DENIED"},
    {10011, 10011, "EXPIRED"},
    {10012, 10012, "LOCKED"},
    {10013, 10013, "GRACE"},
    {10014, 10014, "FHEXPIRED"},
    {10015, 10015, "SHARE_DENIED"},
    {10016, 10016, "WRONGSEC"},
    {10017, 10017, "CLID_INUSE"},
    {10018, 10018, "RESOURCE"},
    {10019, 10019, "MOVED"},
    {10020, 10020, "NOFILEHANDLE"},
    {10021, 10021, "MINOR_VERS_MISMATCH"},
    {10022, 10022, "STALE_CLIENTID"},
    {10023, 10023, "STALE_STATEID"},
    {10024, 10024, "OLD_STATEID"},
    {10025, 10025, "BAD_STATEID"},
    {10026, 10026, "BAD_SEQID"},
    {10027, 10027, "NOT_SAME"},
    {10028, 10028, "LOCK_RANGE"},
    {10029, 10029, "SYMLINK"},
    {10030, 10030, "RESTOREFH"},
    {10031, 10031, "LEASE_MOVED"},
    {10032, 10032, "ATTRNOTSUPP"},
    {10033, 10033, "NO_GRACE"},
    {10034, 10034, "RECLAIM_BAD"},
    {10035, 10035, "RECLAIM_CONFLICT"},
    {10036, 10036, "BADXDR"},
    {10037, 10037, "LOCKS_HELD"},
    {10038, 10038, "OPENMODE"},
    {10039, 10039, "BADOWNER"},
    {10040, 10040, "BADCHAR"},
    {10041, 10041, "BADNAME"},
    {10042, 10042, "BAD_RANGE"},
    {10043, 10043, "LOCK_NOTSUPP"},
    {10044, 10044, "OP_ILLEGAL"},
    {10045, 10045, "DEADLOCK"},
    {10046, 10046, "FILE_OPEN"},
    {10047, 10047, "ADMIN_REVOKED"},
    {10048, 10048, "CB_PATH_DOWN"},
    {10049, 10049, "BADIOMODE"},
    {10050, 10050, "BADLAYOUT"},
    {10051, 10051, "BAD_SESSION_DIGEST"},
    {10052, 10052, "BADSESSION"},
    {10053, 10053, "BADSLOT"},
    {10054, 10054, "COMPLETE_ALREADY"},
    {10055, 10055, "CONN_NOT_BOUND_TO_SESSION"},
    {10056, 10056, "DELEG_ALREADY_WANTED"},
    {10057, 10057, "BACK_CHAN_BUSY"},
    {10058, 10058, "LAYOUTTRYLATER"},
    {10059, 10059, "LAYOUTUNAVAILABLE"},
    {10060, 10060, "NOMATCHING_LAYOUT"},
    {10061, 10061, "RECALLCONFLICT"},
    {10062, 10062, "UNKNOWN_LAYOUTTYPE"},
    {10063, 10063, "SEQ_MISORDERED"},
    {10064, 10064, "SEQUENCE_POS"},
    {10065, 10065, "REQ_TOO_BIG"},
    {10066, 10066, "REP_TOO_BIG"},
    {10067, 10067, "REP_TOO_BIG_TO_CACHE"},
    {10068, 10068, "RETRY_UNCACHED_REP"},
    {10069, 10069, "UNSAFE_COMPOUND"},
    {10070, 10070, "TOO_MANY_OPS"},
    {10071, 10071, "OP_NOT_IN_SESSION"},
    {10072, 10072, "HASH_ALG_UNSUPP"},
    {10074, 10074, "CLIENTID_BUSY"},
    {10075, 10075, "PNFS_IO_HOLE"},
    {10076, 10076, "SEQ_FALSE_RETRY"},
    {10077, 10077, "BAD_HIGH_SLOT"},
    {10078, 10078, "DEADSESSION"},
    {10079, 10079, "ENCR_ALG_UNSUPP"},
    {10080, 10080, "PNFS_NO_LAYOUT"},
    {10081, 10081, "NOT_ONLY_OP"},
    {10082, 10082, "WRONG_CRED"},
    {10083, 10083, "WRONG_TYPE"},
    {10084, 10084, "DIRDELEG_UNAVAIL"},
    {10085, 10085, "REJECT_DELEG"},
    {10086, 10086, "RETURNCONFLICT"},
    {10087, 10087, "DELEG_REVOKED"},
    {10088, 10088, "PARTNER_NOTSUPP"},
    {10089, 10089, "PARTNER_NO_AUTH"},
    {10090, 10090, "UNION_NOTSUPP"},
    {10091, 10091, "OFFLOAD_DENIED"},
    {10092, 10092, "WRONG_LFS"},
    {10093, 10093, "BADLABEL"},
    {10094, 10094, "OFFLOAD_NO_REQS"},
};
/// Of a reply that was accepted (RFC 5531, 9).
inline constexpr ValueName kRpcAcceptNames[] = {
    {0, 0, "SUCCESS"},      {1, 1, "PROG_UNAVAIL"}, {2, 2, "PROG_MISMATCH"},
    {3, 3, "PROC_UNAVAIL"}, {4, 4, "GARBAGE_ARGS"}, {5, 5, "SYSTEM_ERR"},
};

}  // namespace rocescope
