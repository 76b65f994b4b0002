// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reproducible bits.
#pragma once

#include <cstdint>

namespace compare
{

//! A bijection of 64 bits whose outputs for 0, 1, 2, … pass for random (the finaliser of splitmix64).
inline std::uint64_t mixed(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

} // namespace compare
