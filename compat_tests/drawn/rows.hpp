// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tables of drawn calls: each row has the call beside what it has to give.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace compat::drawn
{

//! `call(policy, places)` makes it; `give(sources, outcome)` works out what it leaves, on the host. `facts`: of the table.
template <class Call, class Give>
struct row
{
  const char* name;
  unsigned facts;
  Call call;
  Give give;
};
template <class Call, class Give>
row(const char*, unsigned, Call, Give) -> row<Call, Give>;

//! Predicates of items and of keys.
struct is_large
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x) const { return x > 1; }
};
struct is_set
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t key) const { return key != 0; }
};

template <class... Rows>
std::vector<std::string> names_of(const std::tuple<Rows...>& rows)
{
  return std::apply([](const auto&... each) { return std::vector<std::string>{each.name...}; }, rows);
}
template <class... Rows>
std::vector<unsigned> facts_of(const std::tuple<Rows...>& rows)
{
  return std::apply([](const auto&... each) { return std::vector<unsigned>{each.facts...}; }, rows);
}
//! Calls `visit` with row number `wanted`.
template <class... Rows, class Visit>
void visit_row(const std::tuple<Rows...>& rows, std::size_t wanted, Visit visit)
{
  std::apply(
      [&](const auto&... each)
      {
        std::size_t at = 0;
        ((at++ == wanted ? visit(each) : void()), ...);
      },
      rows);
}

} // namespace compat::drawn
