// Times that InfiniBand writes as a five-bit exponent: 4.096 us x 2^n (IBTA 9.7.6.1.3, 12.7).
#pragma once

#include <cstdint>

#include "rocescope/field.hpp"

namespace rocescope {

/// The time that a code of 0 to 31 stands for, in nanoseconds: timeouts of the communication manager.
[[nodiscard]] constexpr std::int64_t cm_timeout_ns(unsigned code) noexcept {
  return std::int64_t{4096} << (code & 31U);
}

/// The Local ACK Timeout of a code of 0 to 31, in nanoseconds; 0 means that the requester waits forever.
[[nodiscard]] constexpr std::int64_t local_ack_timeout_ns(unsigned code) noexcept {
  return (code & 31U) == 0 ? 0 : cm_timeout_ns(code);
}

inline constexpr ValueName kCmTimeoutNames[] = {
    {0, 0, "4.096 us"},   {1, 1, "8.192 us"},   {2, 2, "16.384 us"},   {3, 3, "32.768 us"},   {4, 4, "65.536 us"},
    {5, 5, "131.072 us"}, {6, 6, "262.144 us"}, {7, 7, "524.288 us"},  {8, 8, "1.049 ms"},    {9, 9, "2.097 ms"},
    {10, 10, "4.194 ms"}, {11, 11, "8.389 ms"}, {12, 12, "16.777 ms"}, {13, 13, "33.554 ms"}, {14, 14, "67.109 ms"},
    {15, 15, "134.2 ms"}, {16, 16, "268.4 ms"}, {17, 17, "536.9 ms"},  {18, 18, "1.074 s"},   {19, 19, "2.147 s"},
    {20, 20, "4.295 s"},  {21, 21, "8.590 s"},  {22, 22, "17.180 s"},  {23, 23, "34.360 s"},  {24, 24, "68.719 s"},
    {25, 25, "137.4 s"},  {26, 26, "274.9 s"},  {27, 27, "549.8 s"},   {28, 28, "1099.5 s"},  {29, 29, "2199.0 s"},
    {30, 30, "4398.0 s"}, {31, 31, "8796.1 s"}};

inline constexpr ValueName kLocalAckTimeoutNames[] = {
    {0, 0, "infinite"},   {1, 1, "8.192 us"},   {2, 2, "16.384 us"},   {3, 3, "32.768 us"},   {4, 4, "65.536 us"},
    {5, 5, "131.072 us"}, {6, 6, "262.144 us"}, {7, 7, "524.288 us"},  {8, 8, "1.049 ms"},    {9, 9, "2.097 ms"},
    {10, 10, "4.194 ms"}, {11, 11, "8.389 ms"}, {12, 12, "16.777 ms"}, {13, 13, "33.554 ms"}, {14, 14, "67.109 ms"},
    {15, 15, "134.2 ms"}, {16, 16, "268.4 ms"}, {17, 17, "536.9 ms"},  {18, 18, "1.074 s"},   {19, 19, "2.147 s"},
    {20, 20, "4.295 s"},  {21, 21, "8.590 s"},  {22, 22, "17.180 s"},  {23, 23, "34.360 s"},  {24, 24, "68.719 s"},
    {25, 25, "137.4 s"},  {26, 26, "274.9 s"},  {27, 27, "549.8 s"},   {28, 28, "1099.5 s"},  {29, 29, "2199.0 s"},
    {30, 30, "4398.0 s"}, {31, 31, "8796.1 s"}};

}  // namespace rocescope
