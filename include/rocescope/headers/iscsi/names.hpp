// What the codes of iSCSI are called (RFC 7143), and of iSER (RFC 7145).
#pragma once

#include <cstdint>
#include <string_view>

#include "rocescope/field.hpp"

namespace rocescope {

/// What PDUs are (RFC 7143, 11.2.1.2); those of the target have the bit 0x20.
enum class IscsiOpcode : std::uint8_t {
  kNopOut = 0x00,
  kScsiCommand = 0x01,
  kTaskManagement = 0x02,
  kLogin = 0x03,
  kText = 0x04,
  kDataOut = 0x05,
  kLogout = 0x06,
  kSnack = 0x10,
  kNopIn = 0x20,
  kScsiResponse = 0x21,
  kTaskManagementResponse = 0x22,
  kLoginResponse = 0x23,
  kTextResponse = 0x24,
  kDataIn = 0x25,
  kLogoutResponse = 0x26,
  kReadyToTransfer = 0x31,
  kAsyncMessage = 0x32,
  kReject = 0x3F,
};

inline constexpr ValueName kIscsiOpcodeNames[] = {{0x00, 0x00, "NOP-Out"},
                                                  {0x01, 0x01, "SCSI Command"},
                                                  {0x02, 0x02, "Task Management"},
                                                  {0x03, 0x03, "Login"},
                                                  {0x04, 0x04, "Text"},
                                                  {0x05, 0x05, "SCSI Data-Out"},
                                                  {0x06, 0x06, "Logout"},
                                                  {0x10, 0x10, "SNACK"},
                                                  {0x1C, 0x1E, "vendor specific"},
                                                  {0x20, 0x20, "NOP-In"},
                                                  {0x21, 0x21, "SCSI Response"},
                                                  {0x22, 0x22, "Task Management Response"},
                                                  {0x23, 0x23, "Login Response"},
                                                  {0x24, 0x24, "Text Response"},
                                                  {0x25, 0x25, "SCSI Data-In"},
                                                  {0x26, 0x26, "Logout Response"},
                                                  {0x31, 0x31, "Ready To Transfer"},
                                                  {0x32, 0x32, "Asynchronous Message"},
                                                  {0x3C, 0x3E, "vendor specific"},
                                                  {0x3F, 0x3F, "Reject"}};

inline constexpr ValueName kIserTypeNames[] = {{1, 1, "control"}, {2, 2, "Hello"}, {3, 3, "HelloReply"}};

inline constexpr ValueName kIscsiAttributeNames[] = {
    {0, 0, "untagged"}, {1, 1, "simple"}, {2, 2, "ordered"}, {3, 3, "head of queue"}, {4, 4, "ACA"}};

/// RFC 7143, 11.4.3.
inline constexpr ValueName kIscsiResponseNames[] = {{0, 0, "command completed"}, {1, 1, "target failure"}};

inline constexpr ValueName kIscsiStageNames[] = {
    {0, 0, "security negotiation"}, {1, 1, "operational negotiation"}, {3, 3, "full feature phase"}};

/// Status class x 256 + status detail of a login (RFC 7143, 11.13.5).
inline constexpr ValueName kIscsiLoginNames[] = {{0x0000, 0x0000, "success"},
                                                 {0x0101, 0x0101, "target moved temporarily"},
                                                 {0x0102, 0x0102, "target moved permanently"},
                                                 {0x0200, 0x0200, "initiator error"},
                                                 {0x0201, 0x0201, "authentication failure"},
                                                 {0x0202, 0x0202, "authorization failure"},
                                                 {0x0203, 0x0203, "target not found"},
                                                 {0x0204, 0x0204, "target removed"},
                                                 {0x0205, 0x0205, "unsupported version"},
                                                 {0x0206, 0x0206, "too many connections"},
                                                 {0x0207, 0x0207, "missing parameter"},
                                                 {0x0208, 0x0208, "cannot include in session"},
                                                 {0x0209, 0x0209, "session type not supported"},
                                                 {0x020A, 0x020A, "session does not exist"},
                                                 {0x020B, 0x020B, "invalid during login"},
                                                 {0x0300, 0x0300, "target error"},
                                                 {0x0301, 0x0301, "service unavailable"},
                                                 {0x0302, 0x0302, "out of resources"}};

/// RFC 7143, 11.5.1.
inline constexpr ValueName kIscsiTaskNames[] = {
    {1, 1, "Abort Task"},         {2, 2, "Abort Task Set"},    {3, 3, "Clear ACA"},         {4, 4, "Clear Task Set"},
    {5, 5, "Logical Unit Reset"}, {6, 6, "Target Warm Reset"}, {7, 7, "Target Cold Reset"}, {8, 8, "Task Reassign"}};

/// RFC 7143, 11.6.1.
inline constexpr ValueName kIscsiTaskResponseNames[] = {{0, 0, "function complete"},
                                                        {1, 1, "task does not exist"},
                                                        {2, 2, "LUN does not exist"},
                                                        {3, 3, "task still allegiant"},
                                                        {4, 4, "task allegiance reassignment not supported"},
                                                        {5, 5, "task management function not supported"},
                                                        {6, 6, "function authorization failed"},
                                                        {255, 255, "function rejected"}};

/// RFC 7143, 11.14.1 and 11.15.1.
inline constexpr ValueName kIscsiLogoutReasonNames[] = {
    {0, 0, "close the session"}, {1, 1, "close the connection"}, {2, 2, "remove the connection for recovery"}};
inline constexpr ValueName kIscsiLogoutResponseNames[] = {
    {0, 0, "closed"}, {1, 1, "CID not found"}, {2, 2, "connection recovery not supported"}, {3, 3, "cleanup failed"}};

/// RFC 7143, 11.9.1.
inline constexpr ValueName kIscsiAsyncNames[] = {
    {0, 0, "SCSI asynchronous event"},     {1, 1, "target requests logout"},
    {2, 2, "target drops the connection"}, {3, 3, "target drops all connections"},
    {4, 4, "target requests negotiation"}, {5, 5, "all tasks of a LUN are aborted"},
    {255, 255, "vendor specific"}};

/// RFC 7143, 11.17.1.
inline constexpr ValueName kIscsiRejectNames[] = {{0x02, 0x02, "data digest error"},
                                                  {0x03, 0x03, "SNACK rejected"},
                                                  {0x04, 0x04, "protocol error"},
                                                  {0x05, 0x05, "command not supported"},
                                                  {0x06, 0x06, "too many immediate commands"},
                                                  {0x07, 0x07, "task in progress"},
                                                  {0x08, 0x08, "invalid data ACK"},
                                                  {0x09, 0x09, "invalid PDU field"},
                                                  {0x0A, 0x0A, "out of resources"},
                                                  {0x0B, 0x0B, "negotiation reset"},
                                                  {0x0C, 0x0C, "waiting for logout"}};

}  // namespace rocescope
