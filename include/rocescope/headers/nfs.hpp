// NFS 3 and 4 in RPC, as far as our users ask: what a call is about, and the status of its reply. All numbers are big-endian words of
// XDR; opaque bytes stand behind their length, padded to 4.
//
// NFS 3 (RFC 1813): a file handle, and of READ, WRITE and COMMIT an offset (8 bytes) and a count.
// NFS 4 (RFC 8881, 16.2): a tag, the minor version, a count of operations, and these:
//   the operation, and its arguments    SEQUENCE: 32 bytes; PUTFH: a file handle; READ: a state ID (16 bytes), an offset, a count;
//                                       WRITE: the same with how stable it must be before the count; COMMIT: an offset, a count
// A callback of NFS 4 (RFC 8881, 20) has an identifier of the callback behind the minor version.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/nfs/names.hpp"

namespace rocescope {

struct NfsFileHandle : HeaderView<NfsFileHandle> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsFileHandle;
  static constexpr std::string_view kName = "nfs.fh";
  static constexpr std::string_view kTitle = "NFS file handle";
  static constexpr std::string_view kReference = "RFC 1813 2.5, RFC 8881 4";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("nfs.fh.length", "Length", 0, 32),
      field::bytes("nfs.fhandle", "File handle", 32),
  };
  using HeaderView::HeaderView;
};

/// Of READ, WRITE and COMMIT of NFS 3.
struct NfsRange3 : HeaderView<NfsRange3> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsRange3;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 3 range";
  static constexpr std::string_view kReference = "RFC 1813 3.3";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("nfs.offset3", "Offset", 0, 64),
      field::number("nfs.count3", "Count", 64, 32),
  };
  using HeaderView::HeaderView;
};

struct NfsTag : HeaderView<NfsTag> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsTag;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 tag";
  static constexpr std::string_view kReference = "RFC 8881 16.2";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {field::number("rocescope.nfs.tag.length", "Length of the tag", 0, 32)};
  using HeaderView::HeaderView;
};

struct NfsCompound : HeaderView<NfsCompound> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsCompound;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 COMPOUND";
  static constexpr std::string_view kReference = "RFC 8881 16.2";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("nfs.minorversion", "Minor version", 0, 32),
      field::number("rocescope.nfs.operations", "Operations", 32, 32),
  };
  using HeaderView::HeaderView;
};

struct NfsCallbackCompound : HeaderView<NfsCallbackCompound> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsCallbackCompound;
  static constexpr std::string_view kName = "nfs.cb";
  static constexpr std::string_view kTitle = "NFS 4 CB_COMPOUND";
  static constexpr std::string_view kReference = "RFC 8881 20.2";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      field::number("nfs.minorversion", "Minor version", 0, 32),
      field::hex("rocescope.nfs.cb.ident", "Callback identifier", 32, 32),
      field::number("rocescope.nfs.operations", "Operations", 64, 32),
  };
  using HeaderView::HeaderView;
};

/// One of a COMPOUND, up to the first that is not there for others.
struct NfsOperation : HeaderView<NfsOperation> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsOperation;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 operation";
  static constexpr std::string_view kReference = "RFC 8881 18";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {field::number("nfs.opcode", "Operation", 0, 32).named(kNfs4OperationNames)};
  using HeaderView::HeaderView;
};

struct NfsCallback : HeaderView<NfsCallback> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsCallback;
  static constexpr std::string_view kName = "nfs.cb";
  static constexpr std::string_view kTitle = "NFS 4 callback";
  static constexpr std::string_view kReference = "RFC 8881 20";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {field::number("nfs.cb.operation", "Operation", 0, 32).named(kNfs4CallbackNames)};
  using HeaderView::HeaderView;
};

/// The arguments of SEQUENCE and CB_SEQUENCE.
struct NfsSequence : HeaderView<NfsSequence> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsSequence;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 sequence";
  static constexpr std::string_view kReference = "RFC 8881 18.46, 20.9";
  static constexpr std::size_t kSize = 32;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("nfs.session_id4", "Session", 0, 128),
      field::hex("nfs.seqid", "Sequence", 128, 32),
      field::number("nfs.slotid", "Slot", 160, 32),
      field::number("nfs.high_slotid", "Highest slot", 192, 32),
      field::number("rocescope.nfs.cache", "Cache the reply", 224, 32),
  };
  using HeaderView::HeaderView;
};

/// Of READ.
struct NfsRead4 : HeaderView<NfsRead4> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsRead4;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 READ";
  static constexpr std::string_view kReference = "RFC 8881 18.22";
  static constexpr std::size_t kSize = 28;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("nfs.stateid", "State ID", 0, 128),
      field::number("nfs.offset4", "Offset", 128, 64),
      field::number("nfs.count4", "Count", 192, 32),
  };
  using HeaderView::HeaderView;
};

/// Of WRITE.
struct NfsWrite4 : HeaderView<NfsWrite4> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsWrite4;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 WRITE";
  static constexpr std::string_view kReference = "RFC 8881 18.32";
  static constexpr std::size_t kSize = 32;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("nfs.stateid", "State ID", 0, 128),
      field::number("nfs.offset4", "Offset", 128, 64),
      field::number("nfs.stable_how4", "Stable how", 192, 32),
      field::number("nfs.write.data_length", "Length", 224, 32),
  };
  using HeaderView::HeaderView;
};

/// Of COMMIT.
struct NfsCommit4 : HeaderView<NfsCommit4> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsCommit4;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 COMMIT";
  static constexpr std::string_view kReference = "RFC 8881 18.3";
  static constexpr std::size_t kSize = 12;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("nfs.offset4", "Offset", 0, 64),
      field::number("nfs.count4", "Count", 64, 32),
  };
  using HeaderView::HeaderView;
};

/// With which the results of NFS 3 begin.
struct NfsStatus3 : HeaderView<NfsStatus3> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsStatus3;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 3 status";
  static constexpr std::string_view kReference = "RFC 1813 2.6";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {field::number("nfs.status3", "Status", 0, 32).named(kNfsStatusNames)};
  using HeaderView::HeaderView;
};

/// The same of NFS 4: of the last operation that was carried out.
struct NfsStatus4 : HeaderView<NfsStatus4> {
  static constexpr HeaderKind kKind = HeaderKind::kNfsStatus4;
  static constexpr std::string_view kName = "nfs";
  static constexpr std::string_view kTitle = "NFS 4 status";
  static constexpr std::string_view kReference = "RFC 8881 15.1";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {field::number("nfs.status", "Status", 0, 32).named(kNfsStatusNames)};
  using HeaderView::HeaderView;
};

}  // namespace rocescope
