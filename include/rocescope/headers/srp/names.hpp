// What the codes of SRP, the SCSI RDMA Protocol, are called (T10 SRP revision 16a; immediate data: SRP-2).
#pragma once

#include <cstdint>
#include <string_view>

#include "rocescope/field.hpp"

namespace rocescope {

/// What information units are; those of the target have the bit 0x80, or answer it with 0x40.
enum class SrpOpcode : std::uint8_t {
  kLoginRequest = 0x00,
  kTaskManagement = 0x01,
  kCommand = 0x02,
  kInitiatorLogout = 0x03,
  kCreditResponse = 0x41,
  kEventResponse = 0x42,
  kTargetLogout = 0x80,
  kCreditRequest = 0x81,
  kEventRequest = 0x82,
  kLoginResponse = 0xC0,
  kResponse = 0xC1,
  kLoginReject = 0xC2,
};

inline constexpr ValueName kSrpOpcodeNames[] = {
    {0x00, 0x00, "Login Request"},    {0x01, 0x01, "Task Management"}, {0x02, 0x02, "Command"},
    {0x03, 0x03, "Initiator Logout"}, {0x41, 0x41, "Credit Response"}, {0x42, 0x42, "Asynchronous Event Response"},
    {0x80, 0x80, "Target Logout"},    {0x81, 0x81, "Credit Request"},  {0x82, 0x82, "Asynchronous Event Request"},
    {0xC0, 0xC0, "Login Response"},   {0xC1, 0xC1, "Response"},        {0xC2, 0xC2, "Login Reject"}};

/// How a command names the memory of its data.
enum class SrpFormat : std::uint8_t {
  kNone = 0,
  kDirect = 1,     ///< one memory descriptor
  kIndirect = 2,   ///< a descriptor of the table of descriptors, and the first of these
  kImmediate = 3,  ///< none: the data stand behind the command
};
inline constexpr ValueName kSrpFormatNames[] = {
    {0, 0, "no data"}, {1, 1, "direct"}, {2, 2, "indirect"}, {3, 3, "immediate"}};

inline constexpr ValueName kSrpAttributeNames[] = {
    {0, 0, "simple"}, {1, 1, "head of queue"}, {2, 2, "ordered"}, {4, 4, "ACA"}};

inline constexpr ValueName kSrpTaskNames[] = {{0x01, 0x01, "Abort Task"},
                                              {0x02, 0x02, "Abort Task Set"},
                                              {0x04, 0x04, "Clear Task Set"},
                                              {0x08, 0x08, "Logical Unit Reset"},
                                              {0x40, 0x40, "Clear ACA"}};

/// The last byte of response data.
inline constexpr ValueName kSrpResponseNames[] = {{0, 0, "no failure"},
                                                  {2, 2, "invalid fields in the request"},
                                                  {4, 4, "task management function not supported"},
                                                  {5, 5, "task management function failed"}};

inline constexpr ValueName kSrpLoginRejectNames[] = {
    {0x0001'0000, 0x0001'0000, "unable to establish a channel"},
    {0x0001'0001, 0x0001'0001, "insufficient resources for a channel"},
    {0x0001'0002, 0x0001'0002, "requested length of information units too large"},
    {0x0001'0003, 0x0001'0003, "unable to associate the channel with an I_T nexus"},
    {0x0001'0004, 0x0001'0004, "unsupported format of data buffer descriptors"},
    {0x0001'0005, 0x0001'0005, "multiple channels not supported"},
    {0x0001'0006, 0x0001'0006, "limit of channels reached"}};

inline constexpr ValueName kSrpTargetLogoutNames[] = {{0, 0, "no reason"},
                                                      {1, 1, "inactive channel"},
                                                      {2, 2, "invalid type of information unit"},
                                                      {3, 3, "response without a request"},
                                                      {4, 4, "channel closed by a new login"},
                                                      {6, 6, "unsupported format of the data-out buffer descriptor"},
                                                      {7, 7, "unsupported format of the data-in buffer descriptor"},
                                                      {8, 8, "invalid length of an information unit"}};

inline constexpr ValueName kSrpChannelActionNames[] = {{0, 0, "close the others"}, {1, 1, "keep the others"}};
inline constexpr ValueName kSrpChannelResultNames[] = {
    {0, 0, "no other channels"}, {1, 1, "others were closed"}, {2, 2, "others were kept"}};

}  // namespace rocescope
