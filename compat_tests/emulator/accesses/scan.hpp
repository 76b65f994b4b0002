// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of one type through every loader, each byte of memory counted.
#pragma once

#include "calls.hpp"

#include "../../support/calls.hpp"

namespace compat
{

//! How the items of a scan come into the kernel.
enum class loader
{
  aligned,       //!< in bulk
  misaligned,    //!< by an item, as the output: in bulk, behind a short tile
  misaligned_in, //!< by an item, the output by two: in bulk, but stored item by item
  iterator,      //!< through a transform_iterator
  in_place       //!< in bulk, over the input
};

struct unchanged
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& item) const
  {
    return item;
  }
};

template <class T>
class scan_checker
{
public:
  explicit scan_checker(std::size_t count)
      : count_(count), items_(make_items<T>(count, 1)), init_(values<T>::make(0)),
        inclusive_(inclusive_reference<T, T>(items_, fold{})), exclusive_(exclusive_reference<T, T>(items_, init_, fold{}))
  {}

  //! Both kinds of scan under one seed.
  void check(loader how)
  {
    scan("inclusive_scan", inclusive_, how,
         [&](auto policy, auto first, T* out)
         { return thrust::inclusive_scan(policy, first, first + static_cast<std::ptrdiff_t>(count_), out, fold{}); });
    scan("exclusive_scan", exclusive_, how,
         [&](auto policy, auto first, T* out)
         { return thrust::exclusive_scan(policy, first, first + static_cast<std::ptrdiff_t>(count_), out, init_, fold{}); });
  }

private:
  template <class Call>
  void scan(const char* what, const std::vector<T>& expected, loader how, Call call)
  {
    const bool in_place = how == loader::in_place;
    const std::size_t bytes = count_ * sizeof(T);
    const std::size_t in_behind = how == loader::misaligned || how == loader::misaligned_in ? 1 : 0;
    const std::size_t out_behind = how == loader::misaligned ? 1 : how == loader::misaligned_in ? 2 : 0;
    placed<T> in(items_, in_behind);
    placed<T> separate(in_place ? 0 : count_, out_behind);
    placed<T>& out = in_place ? in : separate;
    const bool from_memory = how != loader::iterator;
    const std::size_t head_padding_of_lane =
        from_memory ? compat::head_padding_of_lane<T>(in.begin(), out.begin(), count_) : 0;
    const reheat::detail::one_tile_shape shape =
        scan_shape_of<T>(count_, head_padding_of_lane, from_memory && compat::misaligned_alike<T>(in.begin(), out.begin()));
    const std::size_t tile = shape.rows != 0 ? one_tile_items<T>(shape) : scan_tile<T>();
    const std::size_t head_padding = shape.rows != 0 ? head_padding_of_lane : head_padding_of_tile(in.begin());
    const std::size_t tiles = (count_ + head_padding + tile - 1) / tile;
    {
      const watched_scratch<T> scratch(stream_.get(), tiles);
      const watched_range input(in.begin(), bytes, content::written, "input");
      const auto run = [&](T* to)
      {
        const auto policy = reheat::par.on(stream_.get());
        if (how == loader::iterator)
        {
          call(policy, thrust::make_transform_iterator(in.begin(), unchanged{}), to);
        }
        else
        {
          call(policy, in.begin(), to);
        }
      };
      if (in_place)
      {
        run(in.begin());
        check_counts(input, bytes, 1, 1);
      }
      else
      {
        const watched_range output(out.begin(), bytes, content::never_written, "output");
        run(out.begin());
        check_counts(input, bytes, 1, 0);
        check_counts(output, bytes, 0, 1);
      }
      scratch.check(tiles - 1); // nobody needs the last tile's aggregate
    }
    check_same(what, expected, out.items());
  }

  std::size_t count_;
  std::vector<T> items_;
  T init_;
  std::vector<T> inclusive_, exclusive_;
  stream stream_;
};

template <class T>
void check_scan_accesses(loader how, std::size_t tile)
{
  for (const std::size_t count : tile_sweep(tile))
  {
    BOOST_TEST_CONTEXT(count << " items of " << sizeof(T) << " bytes")
    {
      scan_checker<T> checker(count);
      for_each_seed(access_seeds, [&] { checker.check(how); });
    }
  }
}

//! Streaming, and where Ts fit registers, a tile per block.
template <class T>
void check_scan_accesses(loader how)
{
  {
    const force_scans all(streaming_scans());
    check_scan_accesses<T>(how, scan_tile<T>());
  }
  if constexpr (reheat::detail::scans_in_registers_v<T>)
  {
    const force_scans all(one_tile_scans(64, 2));
    check_scan_accesses<T>(how, one_tile_items<T>({64, 2}));
  }
}

} // namespace compat
