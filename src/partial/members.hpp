// The members of plain structs and the names of enumerators, as the compiler knows them: whatever is added to a struct of a report is
// written, read and described with the others.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace rocescope::partial {
namespace detail {

struct Anything {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

inline constexpr std::size_t kMostMembers = 48;

/// How many members a T is initialised from; a base counts as one. At least `least`, fewer than `end`: halving costs the compiler least.
/// A wrong number would not compile in with_members().
template <class T, std::size_t least = 0, std::size_t end = kMostMembers + 2>
consteval std::size_t members_in() {
  constexpr std::size_t kMiddle = (least + end) / 2;
  if constexpr (kMiddle == least) {
    return least;
  } else if constexpr (takes<T>(std::make_index_sequence<kMiddle>())) {
    return members_in<T, kMiddle, end>();
  } else {
    return members_in<T, least, kMiddle>();
  }
}

/// Calls `function` with all members of `value`, a struct of public members without a base.
template <class T, class Function>
constexpr decltype(auto) with_members(T& value, Function&& function) {
  constexpr std::size_t kCount = members_in<std::remove_const_t<T>>();
  static_assert(kCount <= kMostMembers, "a struct of more members than this function lists: lengthen its list");
  if constexpr (kCount == 1) {
    auto& [m1] = value;
    return function(m1);
  } else if constexpr (kCount == 2) {
    auto& [m1, m2] = value;
    return function(m1, m2);
  } else if constexpr (kCount == 3) {
    auto& [m1, m2, m3] = value;
    return function(m1, m2, m3);
  } else if constexpr (kCount == 4) {
    auto& [m1, m2, m3, m4] = value;
    return function(m1, m2, m3, m4);
  } else if constexpr (kCount == 5) {
    auto& [m1, m2, m3, m4, m5] = value;
    return function(m1, m2, m3, m4, m5);
  } else if constexpr (kCount == 6) {
    auto& [m1, m2, m3, m4, m5, m6] = value;
    return function(m1, m2, m3, m4, m5, m6);
  } else if constexpr (kCount == 7) {
    auto& [m1, m2, m3, m4, m5, m6, m7] = value;
    return function(m1, m2, m3, m4, m5, m6, m7);
  } else if constexpr (kCount == 8) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8);
  } else if constexpr (kCount == 9) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9);
  } else if constexpr (kCount == 10) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10);
  } else if constexpr (kCount == 11) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11);
  } else if constexpr (kCount == 12) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12);
  } else if constexpr (kCount == 13) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13);
  } else if constexpr (kCount == 14) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14);
  } else if constexpr (kCount == 15) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
  } else if constexpr (kCount == 16) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
  } else if constexpr (kCount == 17) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17);
  } else if constexpr (kCount == 18) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18);
  } else if constexpr (kCount == 19) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19);
  } else if constexpr (kCount == 20) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20);
  } else if constexpr (kCount == 21) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21);
  } else if constexpr (kCount == 22) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                    m22);
  } else if constexpr (kCount == 23) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23] =
        value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23);
  } else if constexpr (kCount == 24) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24);
  } else if constexpr (kCount == 25) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25);
  } else if constexpr (kCount == 26) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26);
  } else if constexpr (kCount == 27) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27);
  } else if constexpr (kCount == 28) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28);
  } else if constexpr (kCount == 29) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29);
  } else if constexpr (kCount == 30) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30);
  } else if constexpr (kCount == 31) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31);
  } else if constexpr (kCount == 32) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32);
  } else if constexpr (kCount == 33) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33);
  } else if constexpr (kCount == 34) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34);
  } else if constexpr (kCount == 35) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35);
  } else if constexpr (kCount == 36) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36);
  } else if constexpr (kCount == 37) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37);
  } else if constexpr (kCount == 38) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38);
  } else if constexpr (kCount == 39) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39);
  } else if constexpr (kCount == 40) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40);
  } else if constexpr (kCount == 41) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41);
  } else if constexpr (kCount == 42) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42);
  } else if constexpr (kCount == 43) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
                    m43);
  } else if constexpr (kCount == 44) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44] =
        value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
                    m43, m44);
  } else if constexpr (kCount == 45) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44,
           m45] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
                    m43, m44, m45);
  } else if constexpr (kCount == 46) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45,
           m46] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
                    m43, m44, m45, m46);
  } else if constexpr (kCount == 47) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45,
           m46, m47] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
                    m43, m44, m45, m46, m47);
  } else if constexpr (kCount == 48) {
    auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45,
           m46, m47, m48] = value;
    return function(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
                    m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42,
                    m43, m44, m45, m46, m47, m48);
  }
}

/// Only its members' addresses are asked for: there is none.
template <class T>
extern const T kNowhere;

template <class T>
struct Address {
  T* address;
};
template <class T>
Address(T*) -> Address<T>;

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
/// A tuple that costs the compiler little.
template <std::size_t index, class T>
struct At {
  T value;
};
template <class Indices, class... T>
struct Values;
template <std::size_t... index, class... T>
struct Values<std::index_sequence<index...>, T...> : At<index, T>... {};
template <std::size_t index, class T>
consteval T value_at(const At<index, T>& at) {
  return at.value;
}

template <class T>
inline constexpr auto kAddresses = with_members(kNowhere<T>, []<class... Member>(const Member&... member) {
  return Values<std::index_sequence_for<Member...>, const Member*...>{{&member}...};
});
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

// g++ says "... {(& kNowhere<Flow>.Flow::source)}]", clang "... {&kNowhere.source}]"; of values "... values = {Transport::kRc, (Transport)9}]",
// where clang has < and > as brackets.
template <Address address>
consteval const char* text_of_address() {
  return __PRETTY_FUNCTION__;
}
template <class T>
consteval const char* text_of_type() {
  return __PRETTY_FUNCTION__;
}
template <auto... values>
constexpr const char* text_of_values() {
  return __PRETTY_FUNCTION__;
}

constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The last name in what the compiler says, before closing brackets.
constexpr std::string_view last_name(std::string_view text) noexcept {
  while (!text.empty() && !is_letter(text.back())) text.remove_suffix(1);
  std::size_t start = text.size();
  while (start > 0 && is_letter(text[start - 1])) --start;
  return text.substr(start);
}

template <class T, std::size_t index>
inline constexpr std::string_view kMemberName = last_name(text_of_address<Address{value_at<index>(kAddresses<T>)}>());

template <class T, std::size_t... index>
consteval std::array<std::string_view, sizeof...(index)> member_names(std::index_sequence<index...>) {
  return {kMemberName<T, index>...};
}
/// The names of all members.
template <class T>
inline constexpr auto kMemberNames = member_names<T>(std::make_index_sequence<members_in<T>()>());

template <class Enum, std::size_t... value>
constexpr std::string_view text_of_enumeration(std::index_sequence<value...>) {
  return text_of_values<static_cast<Enum>(value)...>();
}

}  // namespace detail

/// Of an enumeration: by value, the names of its enumerators; empty where there is none.
using EnumeratorNames = std::vector<std::string_view>;
/// Values that may have an enumerator: of 16 bits the lowest.
template <class Enum>
requires(sizeof(Enum) <= 2) inline constexpr std::size_t kEnumerable = sizeof(Enum) == 1 ? 256 : 512;

namespace detail {
/// Of text_of_enumeration() with `count` values.
[[nodiscard]] EnumeratorNames names_in(std::string_view text, std::size_t count);
}  // namespace detail

template <class Enum>
const EnumeratorNames& enumerators() {
  static const EnumeratorNames kNames = detail::names_in(
      detail::text_of_enumeration<Enum>(std::make_index_sequence<kEnumerable<Enum>>()), kEnumerable<Enum>);
  return kNames;
}

/// A struct of public members without a base.
template <class T>
concept Plain = std::is_aggregate_v<T> && std::is_class_v<T>;

/// Calls `function(name, member)` for each member of `value`.
template <class T, class Function>
constexpr void visit_members(T& value, Function&& function) {
  using Struct = std::remove_const_t<T>;
  detail::with_members(value, [&](auto&... member) {
    const std::string_view* name = detail::kMemberNames<Struct>.data();
    (function(*name++, member), ...);
  });
}

}  // namespace rocescope::partial
