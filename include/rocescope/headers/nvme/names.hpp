// What the codes in capsules of NVMe over Fabrics are called.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "rocescope/field.hpp"

namespace rocescope {

/// Opcodes of the admin queue (NVMe Base 2.0, figure 138).
inline constexpr ValueName kNvmeAdminOpcodeNames[] = {{0x00, 0x00, "Delete I/O Submission Queue"},
                                                      {0x01, 0x01, "Create I/O Submission Queue"},
                                                      {0x02, 0x02, "Get Log Page"},
                                                      {0x04, 0x04, "Delete I/O Completion Queue"},
                                                      {0x05, 0x05, "Create I/O Completion Queue"},
                                                      {0x06, 0x06, "Identify"},
                                                      {0x08, 0x08, "Abort"},
                                                      {0x09, 0x09, "Set Features"},
                                                      {0x0A, 0x0A, "Get Features"},
                                                      {0x0C, 0x0C, "Asynchronous Event Request"},
                                                      {0x0D, 0x0D, "Namespace Management"},
                                                      {0x10, 0x10, "Firmware Commit"},
                                                      {0x11, 0x11, "Firmware Image Download"},
                                                      {0x14, 0x14, "Device Self-test"},
                                                      {0x15, 0x15, "Namespace Attachment"},
                                                      {0x18, 0x18, "Keep Alive"},
                                                      {0x19, 0x19, "Directive Send"},
                                                      {0x1A, 0x1A, "Directive Receive"},
                                                      {0x1C, 0x1C, "Virtualization Management"},
                                                      {0x1D, 0x1D, "NVMe-MI Send"},
                                                      {0x1E, 0x1E, "NVMe-MI Receive"},
                                                      {0x20, 0x20, "Capacity Management"},
                                                      {0x24, 0x24, "Lockdown"},
                                                      {0x7C, 0x7C, "Doorbell Buffer Config"},
                                                      {0x7F, 0x7F, "Fabrics"},
                                                      {0x80, 0x80, "Format NVM"},
                                                      {0x81, 0x81, "Security Send"},
                                                      {0x82, 0x82, "Security Receive"},
                                                      {0x84, 0x84, "Sanitize"},
                                                      {0x86, 0x86, "Get LBA Status"},
                                                      {0xC0, 0xFF, "vendor specific"}};

/// Opcodes of I/O queues (NVM Command Set 1.0, figure 22; Zoned Namespaces 1.1).
inline constexpr ValueName kNvmeIoOpcodeNames[] = {{0x00, 0x00, "Flush"},
                                                   {0x01, 0x01, "Write"},
                                                   {0x02, 0x02, "Read"},
                                                   {0x04, 0x04, "Write Uncorrectable"},
                                                   {0x05, 0x05, "Compare"},
                                                   {0x08, 0x08, "Write Zeroes"},
                                                   {0x09, 0x09, "Dataset Management"},
                                                   {0x0C, 0x0C, "Verify"},
                                                   {0x0D, 0x0D, "Reservation Register"},
                                                   {0x0E, 0x0E, "Reservation Report"},
                                                   {0x11, 0x11, "Reservation Acquire"},
                                                   {0x15, 0x15, "Reservation Release"},
                                                   {0x19, 0x19, "Copy"},
                                                   {0x79, 0x79, "Zone Management Send"},
                                                   {0x7A, 0x7A, "Zone Management Receive"},
                                                   {0x7D, 0x7D, "Zone Append"},
                                                   {0x7F, 0x7F, "Fabrics"},
                                                   {0x80, 0xFF, "vendor specific"}};

/// Commands of opcode 0x7F (NVMe over Fabrics 1.1a, figure 10).
inline constexpr ValueName kNvmeFabricsNames[] = {
    {0x00, 0x00, "Property Set"},           {0x01, 0x01, "Connect"},
    {0x04, 0x04, "Property Get"},           {0x05, 0x05, "Authentication Send"},
    {0x06, 0x06, "Authentication Receive"}, {0x08, 0x08, "Disconnect"},
    {0xC0, 0xFF, "vendor specific"}};

/// Messages of authentication: type and ID (NVMe Base 2.0, 8.13.5).
inline constexpr ValueName kNvmeAuthMessageNames[] = {
    {0x0000, 0x0000, "AUTH_Negotiate"},       {0x00F0, 0x00F0, "AUTH_Failure2"},
    {0x00F1, 0x00F1, "AUTH_Failure1"},        {0x0101, 0x0101, "DH-HMAC-CHAP_Challenge"},
    {0x0102, 0x0102, "DH-HMAC-CHAP_Reply"},   {0x0103, 0x0103, "DH-HMAC-CHAP_Success1"},
    {0x0104, 0x0104, "DH-HMAC-CHAP_Success2"}};
inline constexpr ValueName kNvmeAuthReasonNames[] = {{0x01, 0x01, "Authentication failure"}};
inline constexpr ValueName kNvmeAuthExplanationNames[] = {{0x01, 0x01, "Authentication failed"},
                                                          {0x02, 0x02, "Authentication protocol not usable"},
                                                          {0x03, 0x03, "Secure channel concatenation mismatch"},
                                                          {0x04, 0x04, "Hash function not usable"},
                                                          {0x05, 0x05, "DH group not usable"},
                                                          {0x06, 0x06, "Incorrect payload"},
                                                          {0x07, 0x07, "Incorrect protocol message"}};

/// Of records of discovery log pages (NVMe over Fabrics 1.1a, figures 34, 35 and 46).
inline constexpr ValueName kNvmeTransportNames[] = {
    {0x01, 0x01, "RDMA"}, {0x02, 0x02, "Fibre Channel"}, {0x03, 0x03, "TCP"}, {0xFE, 0xFE, "Intra-host"}};
inline constexpr ValueName kNvmeAddressFamilyNames[] = {{0x01, 0x01, "IPv4"},
                                                        {0x02, 0x02, "IPv6"},
                                                        {0x03, 0x03, "InfiniBand"},
                                                        {0x04, 0x04, "Fibre Channel"},
                                                        {0xFE, 0xFE, "Intra-host"}};
inline constexpr ValueName kNvmeSubsystemNames[] = {{0x01, 0x01, "Referral to another discovery service"},
                                                    {0x02, 0x02, "NVM subsystem"},
                                                    {0x03, 0x03, "Current discovery subsystem"}};
inline constexpr ValueName kNvmeRdmaQpNames[] = {{0x01, 0x01, "Reliable Connected"}, {0x02, 0x02, "Reliable Datagram"}};
inline constexpr ValueName kNvmeRdmaProviderNames[] = {{0x01, 0x01, "none"},
                                                       {0x02, 0x02, "InfiniBand"},
                                                       {0x03, 0x03, "RoCE"},
                                                       {0x04, 0x04, "RoCEv2"},
                                                       {0x05, 0x05, "iWARP"}};
inline constexpr ValueName kNvmeRdmaCmNames[] = {{0x01, 0x01, "RDMA_CM"}};

inline constexpr std::uint8_t kNvmeFabricsOpcode = 0x7F;
enum class NvmeFabrics : std::uint8_t {
  kPropertySet = 0x00,
  kConnect = 0x01,
  kPropertyGet = 0x04,
  kAuthenticationSend = 0x05,
  kAuthenticationReceive = 0x06,
  kDisconnect = 0x08,
};

/// Properties of a controller, by their offset (NVMe Base 2.0, figure 35).
inline constexpr ValueName kNvmePropertyNames[] = {{0x00, 0x00, "Controller Capabilities"},
                                                   {0x08, 0x08, "Version"},
                                                   {0x14, 0x14, "Controller Configuration"},
                                                   {0x1C, 0x1C, "Controller Status"},
                                                   {0x20, 0x20, "NVM Subsystem Reset"}};

/// Log pages of Get Log Page (NVMe Base 2.0, figure 202).
inline constexpr ValueName kNvmeLogPageNames[] = {{0x01, 0x01, "Error Information"},
                                                  {0x02, 0x02, "SMART / Health Information"},
                                                  {0x03, 0x03, "Firmware Slot Information"},
                                                  {0x04, 0x04, "Changed Namespace List"},
                                                  {0x05, 0x05, "Commands Supported and Effects"},
                                                  {0x06, 0x06, "Device Self-test"},
                                                  {0x07, 0x07, "Telemetry Host-Initiated"},
                                                  {0x08, 0x08, "Telemetry Controller-Initiated"},
                                                  {0x09, 0x09, "Endurance Group Information"},
                                                  {0x0C, 0x0C, "Asymmetric Namespace Access"},
                                                  {0x0D, 0x0D, "Persistent Event Log"},
                                                  {0x70, 0x70, "Discovery"},
                                                  {0x80, 0x80, "Reservation Notification"},
                                                  {0x81, 0x81, "Sanitize Status"},
                                                  {0xC0, 0xFF, "vendor specific"}};

/// Features of Get and Set Features (NVMe Base 2.0, figure 317).
inline constexpr ValueName kNvmeFeatureNames[] = {{0x01, 0x01, "Arbitration"},
                                                  {0x02, 0x02, "Power Management"},
                                                  {0x04, 0x04, "Temperature Threshold"},
                                                  {0x05, 0x05, "Error Recovery"},
                                                  {0x06, 0x06, "Volatile Write Cache"},
                                                  {0x07, 0x07, "Number of Queues"},
                                                  {0x0A, 0x0A, "Write Atomicity Normal"},
                                                  {0x0B, 0x0B, "Asynchronous Event Configuration"},
                                                  {0x0E, 0x0E, "Timestamp"},
                                                  {0x0F, 0x0F, "Keep Alive Timer"},
                                                  {0x10, 0x10, "Host Controlled Thermal Management"},
                                                  {0x80, 0x80, "Software Progress Marker"},
                                                  {0x81, 0x81, "Host Identifier"},
                                                  {0x82, 0x82, "Reservation Notification Mask"},
                                                  {0x83, 0x83, "Reservation Persistence"},
                                                  {0x84, 0x84, "Namespace Write Protection"},
                                                  {0xC0, 0xFF, "vendor specific"}};

/// What Identify asks for, its CNS (NVMe Base 2.0, figure 273).
inline constexpr ValueName kNvmeIdentifyNames[] = {{0x00, 0x00, "namespace"},
                                                   {0x01, 0x01, "controller"},
                                                   {0x02, 0x02, "active namespaces"},
                                                   {0x03, 0x03, "namespace descriptors"},
                                                   {0x04, 0x04, "NVM sets"},
                                                   {0x05, 0x05, "namespace of a command set"},
                                                   {0x06, 0x06, "controller of a command set"},
                                                   {0x07, 0x07, "active namespaces of a command set"},
                                                   {0x08, 0x08, "namespace of all command sets"},
                                                   {0x10, 0x10, "allocated namespaces"},
                                                   {0x11, 0x11, "allocated namespace"},
                                                   {0x12, 0x12, "controllers of a namespace"},
                                                   {0x13, 0x13, "controllers"}};

/// Status Code Type x 256 + Status Code (NVMe Base 2.0, figures 93 to 98). Command specific codes of fabrics and I/O commands share
/// numbers from 0x180 on: those of Connect are in kNvmeConnectStatusNames.
inline constexpr ValueName kNvmeStatusNames[] = {{0x000, 0x000, "Successful Completion"},
                                                 {0x001, 0x001, "Invalid Command Opcode"},
                                                 {0x002, 0x002, "Invalid Field in Command"},
                                                 {0x003, 0x003, "Command ID Conflict"},
                                                 {0x004, 0x004, "Data Transfer Error"},
                                                 {0x005, 0x005, "Aborted due to Power Loss"},
                                                 {0x006, 0x006, "Internal Error"},
                                                 {0x007, 0x007, "Abort Requested"},
                                                 {0x008, 0x008, "Aborted due to SQ Deletion"},
                                                 {0x009, 0x009, "Aborted due to Failed Fused Command"},
                                                 {0x00A, 0x00A, "Aborted due to Missing Fused Command"},
                                                 {0x00B, 0x00B, "Invalid Namespace or Format"},
                                                 {0x00C, 0x00C, "Command Sequence Error"},
                                                 {0x00D, 0x00D, "Invalid SGL Segment Descriptor"},
                                                 {0x00E, 0x00E, "Invalid Number of SGL Descriptors"},
                                                 {0x00F, 0x00F, "Data SGL Length Invalid"},
                                                 {0x010, 0x010, "Metadata SGL Length Invalid"},
                                                 {0x011, 0x011, "SGL Descriptor Type Invalid"},
                                                 {0x012, 0x012, "Invalid Use of Controller Memory Buffer"},
                                                 {0x013, 0x013, "PRP Offset Invalid"},
                                                 {0x014, 0x014, "Atomic Write Unit Exceeded"},
                                                 {0x015, 0x015, "Operation Denied"},
                                                 {0x016, 0x016, "SGL Offset Invalid"},
                                                 {0x018, 0x018, "Host Identifier Inconsistent Format"},
                                                 {0x019, 0x019, "Keep Alive Timer Expired"},
                                                 {0x01A, 0x01A, "Keep Alive Timeout Invalid"},
                                                 {0x01B, 0x01B, "Aborted due to Preempt and Abort"},
                                                 {0x01C, 0x01C, "Sanitize Failed"},
                                                 {0x01D, 0x01D, "Sanitize In Progress"},
                                                 {0x01E, 0x01E, "SGL Data Block Granularity Invalid"},
                                                 {0x01F, 0x01F, "Command Not Supported for Queue in CMB"},
                                                 {0x020, 0x020, "Namespace is Write Protected"},
                                                 {0x021, 0x021, "Command Interrupted"},
                                                 {0x022, 0x022, "Transient Transport Error"},
                                                 {0x080, 0x080, "LBA Out of Range"},
                                                 {0x081, 0x081, "Capacity Exceeded"},
                                                 {0x082, 0x082, "Namespace Not Ready"},
                                                 {0x083, 0x083, "Reservation Conflict"},
                                                 {0x084, 0x084, "Format In Progress"},
                                                 {0x0C0, 0x0FF, "vendor specific"},
                                                 {0x100, 0x100, "Completion Queue Invalid"},
                                                 {0x101, 0x101, "Invalid Queue Identifier"},
                                                 {0x102, 0x102, "Invalid Queue Size"},
                                                 {0x103, 0x103, "Abort Command Limit Exceeded"},
                                                 {0x105, 0x105, "Asynchronous Event Request Limit Exceeded"},
                                                 {0x106, 0x106, "Invalid Firmware Slot"},
                                                 {0x107, 0x107, "Invalid Firmware Image"},
                                                 {0x108, 0x108, "Invalid Interrupt Vector"},
                                                 {0x109, 0x109, "Invalid Log Page"},
                                                 {0x10A, 0x10A, "Invalid Format"},
                                                 {0x10D, 0x10D, "Feature Identifier Not Saveable"},
                                                 {0x10E, 0x10E, "Feature Not Changeable"},
                                                 {0x10F, 0x10F, "Feature Not Namespace Specific"},
                                                 {0x115, 0x115, "Namespace Insufficient Capacity"},
                                                 {0x116, 0x116, "Namespace Identifier Unavailable"},
                                                 {0x118, 0x118, "Namespace Already Attached"},
                                                 {0x119, 0x119, "Namespace Is Private"},
                                                 {0x11A, 0x11A, "Namespace Not Attached"},
                                                 {0x11D, 0x11D, "Device Self-test In Progress"},
                                                 {0x180, 0x180, "Conflicting Attributes"},
                                                 {0x181, 0x181, "Invalid Protection Information"},
                                                 {0x182, 0x182, "Attempted Write to Read Only Range"},
                                                 {0x1B8, 0x1B8, "Zone Boundary Error"},
                                                 {0x1B9, 0x1B9, "Zone Is Full"},
                                                 {0x1BA, 0x1BA, "Zone Is Read Only"},
                                                 {0x1BB, 0x1BB, "Zone Is Offline"},
                                                 {0x1BC, 0x1BC, "Zone Invalid Write"},
                                                 {0x1C0, 0x1FF, "vendor specific"},
                                                 {0x280, 0x280, "Write Fault"},
                                                 {0x281, 0x281, "Unrecovered Read Error"},
                                                 {0x282, 0x282, "End-to-end Guard Check Error"},
                                                 {0x283, 0x283, "End-to-end Application Tag Check Error"},
                                                 {0x284, 0x284, "End-to-end Reference Tag Check Error"},
                                                 {0x285, 0x285, "Compare Failure"},
                                                 {0x286, 0x286, "Access Denied"},
                                                 {0x287, 0x287, "Deallocated or Unwritten Logical Block"},
                                                 {0x2C0, 0x2FF, "vendor specific"},
                                                 {0x300, 0x300, "Internal Path Error"},
                                                 {0x301, 0x301, "Asymmetric Access Persistent Loss"},
                                                 {0x302, 0x302, "Asymmetric Access Inaccessible"},
                                                 {0x303, 0x303, "Asymmetric Access Transition"},
                                                 {0x360, 0x360, "Controller Pathing Error"},
                                                 {0x370, 0x370, "Host Pathing Error"},
                                                 {0x371, 0x371, "Command Aborted By Host"},
                                                 {0x700, 0x7FF, "vendor specific"}};

namespace detail {
inline constexpr ValueName kNvmeFabricsOnlyStatusNames[] = {{0x180, 0x180, "Connect Incompatible Format"},
                                                            {0x181, 0x181, "Connect Controller Busy"},
                                                            {0x182, 0x182, "Connect Invalid Parameters"},
                                                            {0x183, 0x183, "Connect Restart Discovery"},
                                                            {0x184, 0x184, "Connect Invalid Host"},
                                                            {0x185, 0x185, "Invalid Queue Type"},
                                                            {0x190, 0x190, "Discover Restart"},
                                                            {0x191, 0x191, "Authentication Required"}};

constexpr bool is_of_fabrics_only(const ValueName& status) {
  return std::ranges::count(kNvmeFabricsOnlyStatusNames, status.first, &ValueName::first) > 0;
}
inline constexpr std::size_t kNvmeFabricsStatuses =
    std::size(kNvmeFabricsOnlyStatusNames) + std::size(kNvmeStatusNames) -
    static_cast<std::size_t>(std::ranges::count_if(kNvmeStatusNames, is_of_fabrics_only));
}  // namespace detail

/// The same of fabrics commands, some of which differ (NVMe over Fabrics 1.1a, figure 15).
inline constexpr auto kNvmeFabricsStatusNames = [] {
  std::array<ValueName, detail::kNvmeFabricsStatuses> names{};
  const auto others = std::ranges::remove_copy_if(kNvmeStatusNames, names.begin(), detail::is_of_fabrics_only);
  std::ranges::copy(detail::kNvmeFabricsOnlyStatusNames, others.out);
  std::ranges::sort(names, {}, &ValueName::first);
  return names;
}();

/// Why the target rejects a connection, in the private data of a REJ (NVMe over RDMA 1.0, figure 11).
inline constexpr ValueName kNvmeRejectNames[] = {{1, 1, "Invalid Private Data Length"},
                                                 {2, 2, "Invalid RECFMT"},
                                                 {3, 3, "Invalid QID"},
                                                 {4, 4, "Invalid HSQSIZE"},
                                                 {5, 5, "Invalid HRQSIZE"},
                                                 {6, 6, "No Resources"},
                                                 {7, 7, "Invalid IRD"},
                                                 {8, 8, "Invalid ORD"}};

/// `status`: Status Code Type x 256 + Status Code, 11 bits. Empty: it has no name.
[[nodiscard]] constexpr std::string_view nvme_status_name(std::uint32_t status, bool fabrics) noexcept {
  return fabrics ? name_of(kNvmeFabricsStatusNames, status) : name_of(kNvmeStatusNames, status);
}

}  // namespace rocescope
