// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Whether some item satisfies a predicate: stops early.
//!
//! Parts of the range are reduced one after the other, each several times as large as the one before, and the host looks
//! between them. The predicate may be called for items behind the first one that decides.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cuda/std/functional>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! The parts that are reduced between two looks at the result.
struct early_stop_tuning
{
  std::uint64_t first_items; //!< a multiple of the items of every vector
  unsigned growth;           //!< of each part over the one before
};

//! On GPUs the first part takes about as long to read as to launch. Few parts follow, because each costs a launch and a
//! wait: 2^28 items take four. The emulator's parts are small, so that small inputs have several.
constexpr early_stop_tuning early_stop(int arch)
{
  return arch == detail::emulated_arch ? early_stop_tuning{256, 4} : early_stop_tuning{std::uint64_t{1} << 18, 16};
}

//! Returns 1 for an item for which the predicate returns `Wanted`, else 0. The predicate gets a copy of the item, so that it
//! may take a T&, as in Thrust.
template <class Predicate, bool Wanted>
struct answer_term
{
  Predicate predicate;

  template <class T>
  REHEAT_DEVICE unsigned operator()(T& item, std::uint64_t)
  {
    return static_cast<bool>(predicate(item)) == Wanted ? 1u : 0u;
  }
};

//! Returns whether the predicate says `Wanted` of some item; of no items at once, without a wait.
template <bool Wanted, class Environment, class InputIt, class Predicate>
bool any_of(const Environment& env, InputIt in, std::uint64_t items, Predicate predicate)
{
  if (items == 0)
  {
    return false;
  }
  const auto some_hit = [&]
  {
    const auto terms = mapped_items_of(env, in, answer_term<Predicate, Wanted>{predicate});
    const early_stop_tuning tuning = early_stop(simt::arch);
    std::uint64_t part = tuning.first_items;
    for (std::uint64_t begin = 0; begin < items; part *= tuning.growth) // each part is a launch and a wait
    {
      const std::uint64_t end = begin + (part < items - begin ? part : items - begin);
      if (reduce_terms<unsigned>(env, terms, begin, end, 0u, ::cuda::std::bit_or<unsigned>{}) != 0)
      {
        return true;
      }
      begin = end;
    }
    return false;
  };
  return return_from_device<detail::value_of<InputIt>>(env, items, "", some_hit);
}

} // namespace algorithms
REHEAT_NAMESPACE_END
