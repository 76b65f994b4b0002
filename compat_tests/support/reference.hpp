// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the calls must give, one item after the other, in the accumulator types of Thrust's CUDA backend. Exact for every
//! associative operator; floating-point sums that round need reference_fold.hpp.
#pragma once

#include "operators.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace compat
{

//! Item `i` of the input of T for i in [0, count).
template <class T>
std::vector<T> make_items(std::size_t count, std::size_t first = 0)
{
  std::vector<T> items;
  items.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items.push_back(values<T>::make(first + i));
  }
  return items;
}

//! The type in which a call with an initial value accumulates.
template <class Op, class Init, class In>
using accumulator = std::decay_t<std::invoke_result_t<Op, Init, In>>;

template <class Accum, class In, class Init, class Op>
Init reduce_reference(const std::vector<In>& items, Init init, Op op)
{
  if (items.empty())
  {
    return init;
  }
  Accum sum = static_cast<Accum>(items[0]);
  for (std::size_t i = 1; i < items.size(); ++i)
  {
    sum = static_cast<Accum>(op(sum, static_cast<Accum>(items[i])));
  }
  return static_cast<Init>(op(init, sum));
}

template <class Accum, class Out, class In, class Op>
std::vector<Out> inclusive_reference(const std::vector<In>& items, Op op)
{
  std::vector<Out> result;
  result.reserve(items.size());
  if (items.empty())
  {
    return result;
  }
  Accum sum = static_cast<Accum>(items[0]);
  result.push_back(static_cast<Out>(sum));
  for (std::size_t i = 1; i < items.size(); ++i)
  {
    sum = static_cast<Accum>(op(sum, static_cast<Accum>(items[i])));
    result.push_back(static_cast<Out>(sum));
  }
  return result;
}

template <class Accum, class Out, class In, class Init, class Op>
std::vector<Out> inclusive_reference(const std::vector<In>& items, Init init, Op op)
{
  std::vector<Out> result;
  result.reserve(items.size());
  Accum sum = static_cast<Accum>(init);
  for (const In& item : items)
  {
    sum = static_cast<Accum>(op(sum, static_cast<Accum>(item)));
    result.push_back(static_cast<Out>(sum));
  }
  return result;
}

template <class Accum, class Out, class In, class Init, class Op>
std::vector<Out> exclusive_reference(const std::vector<In>& items, Init init, Op op)
{
  std::vector<Out> result;
  result.reserve(items.size());
  Accum sum = static_cast<Accum>(init);
  for (const In& item : items)
  {
    result.push_back(static_cast<Out>(sum));
    sum = static_cast<Accum>(op(sum, static_cast<Accum>(item)));
  }
  return result;
}

template <class Accum, class Out, class Key, class In, class Equal, class Op>
std::vector<Out> inclusive_by_key_reference(const std::vector<Key>& keys, const std::vector<In>& items, Equal same, Op op)
{
  std::vector<Out> result;
  result.reserve(items.size());
  for (std::size_t begin = 0; begin < items.size();)
  {
    std::size_t end = begin + 1;
    Accum sum = static_cast<Accum>(items[begin]);
    result.push_back(static_cast<Out>(sum));
    for (; end < items.size() && same(keys[end - 1], keys[end]); ++end)
    {
      sum = static_cast<Accum>(op(sum, static_cast<Accum>(items[end])));
      result.push_back(static_cast<Out>(sum));
    }
    begin = end;
  }
  return result;
}

template <class Out, class Key, class In, class Init, class Equal, class Op>
std::vector<Out> exclusive_by_key_reference(const std::vector<Key>& keys, const std::vector<In>& items, Init init,
                                            Equal same, Op op)
{
  std::vector<Out> result;
  result.reserve(items.size());
  Init sum = init;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    sum = i == 0 || !same(keys[i - 1], keys[i]) ? init : static_cast<Init>(op(sum, static_cast<Init>(items[i - 1])));
    result.push_back(static_cast<Out>(sum));
  }
  return result;
}

//! The keys and the values of the segments.
template <class Accum, class Out, class Key, class In, class Equal, class Op>
std::pair<std::vector<Key>, std::vector<Out>> reduce_by_key_reference(const std::vector<Key>& keys,
                                                                      const std::vector<In>& items, Equal same, Op op)
{
  const std::vector<Accum> scanned = inclusive_by_key_reference<Accum, Accum>(keys, items, same, op);
  std::pair<std::vector<Key>, std::vector<Out>> result;
  for (std::size_t i = 0; i < keys.size(); ++i)
  {
    if (i == 0 || !same(keys[i - 1], keys[i]))
    {
      result.first.push_back(keys[i]);
    }
    if (i + 1 == keys.size() || !same(keys[i], keys[i + 1]))
    {
      result.second.push_back(static_cast<Out>(scanned[i]));
    }
  }
  return result;
}

} // namespace compat
