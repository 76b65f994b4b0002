// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Selections and partitions of zip_iterators of pointers, which move as arrays, and to outputs that do not.

#include "../support/calls.hpp"
#include "../support/selections.hpp"

#include <reheat/detail/algorithms/select.cuh>

#include <thrust/copy.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/tuple.h>

#include <tuple>
#include <utility>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Is asked about tuples: their first item is the flag.
struct has_flag
{
  template <class Tuple>
  REHEAT_HOST_DEVICE bool operator()(const Tuple& tuple) const
  {
    return thrust::get<0>(tuple) % 2 == 1;
  }
};
struct has_no_flag
{
  template <class Tuple>
  REHEAT_HOST_DEVICE bool operator()(const Tuple& tuple) const
  {
    return thrust::get<0>(tuple) % 2 == 0;
  }
};
struct is_even_flag
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 0; }
};
struct plus_one
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x + 1; }
};

//! Arrays that begin so many items behind an aligned address each.
template <class... T>
class arrays
{
public:
  using zip = thrust::zip_iterator<thrust::tuple<T*...>>;

  arrays(const std::tuple<std::vector<T>...>& items, std::size_t behind) : placed_(place(items, behind, each())) {}

  zip begin() { return begin(each()); }
  std::tuple<std::vector<T>...> items() const { return items(each()); }

private:
  using each = std::index_sequence_for<T...>;

  //! Array i begins i items further behind.
  template <std::size_t... I>
  static std::tuple<placed<T>...> place(const std::tuple<std::vector<T>...>& items, std::size_t behind,
                                        std::index_sequence<I...>)
  {
    return {placed<T>(std::get<I>(items), behind == 0 ? std::size_t{0} : behind + I)...};
  }
  template <std::size_t... I>
  zip begin(std::index_sequence<I...>)
  {
    return zip(thrust::tuple<T*...>(std::get<I>(placed_).begin()...));
  }
  template <std::size_t... I>
  std::tuple<std::vector<T>...> items(std::index_sequence<I...>) const
  {
    return {std::get<I>(placed_).items()...};
  }

  std::tuple<placed<T>...> placed_;
};

//! The items of each array whose flags are odd, or even.
template <class... T>
std::tuple<std::vector<T>...> chosen_of(const std::tuple<std::vector<T>...>& items, const std::vector<u32>& flags)
{
  return std::apply([&](const auto&... each) { return std::tuple(selection_reference(each, flags)...); }, items);
}
template <class... T>
std::tuple<std::vector<T>...> in_place_of(const std::tuple<std::vector<T>...>& chosen,
                                          const std::tuple<std::vector<T>...>& items)
{
  std::tuple<std::vector<T>...> result(items);
  std::apply([&](auto&... each)
             { std::apply([&](const auto&... first) { ((each = in_place_reference(first, each)), ...); }, chosen); },
             result);
  return result;
}
//! `chosen`, and behind it as many others as there are items.
template <class... T>
std::tuple<std::vector<T>...> in_room(const std::tuple<std::vector<T>...>& chosen, std::size_t size)
{
  std::tuple<std::vector<T>...> result(chosen);
  std::apply([&](auto&... each) { (each.resize(size, values<T>::make(99)), ...); }, result);
  return result;
}
template <class Arrays>
void check_arrays(const char* what, const Arrays& expected, const Arrays& actual)
{
  std::apply([&](const auto&... wanted)
             { std::apply([&](const auto&... found) { (check_same(what, wanted, found), ...); }, actual); },
             expected);
}

template <class... T>
std::size_t zipped_tile()
{
  using zip = reheat::detail::zipped_pointers<thrust::zip_iterator<thrust::tuple<const T*...>>>;
  using source = reheat::detail::selection_source<zip, reheat::detail::no_stencil, has_flag>;
  return reheat::detail::zipped_tuning_for<source>{}(kernel_arch()).tile_items();
}

//! Zips of Ts, the first of which are the flags, at one size.
template <class... T>
class zips
{
public:
  using items_type = std::tuple<std::vector<T>...>;

  zips(std::size_t size, selected which, std::size_t in_behind, std::size_t out_behind)
      : size_(size), n_(static_cast<std::ptrdiff_t>(size)), in_behind_(in_behind), out_behind_(out_behind),
        flags_(make_flags<u32>(size, which)), items_(make_items<T>(size, 3)...)
  {
    using first = std::tuple_element_t<0, std::tuple<T...>>;
    std::get<0>(items_) = std::vector<first>(flags_.begin(), flags_.end());
    std::vector<u32> opposite = flags_;
    for (u32& flag : opposite)
    {
      flag ^= 1u;
    }
    chosen_ = chosen_of(items_, flags_);
    others_ = chosen_of(items_, opposite);
    found_ = static_cast<std::ptrdiff_t>(std::get<0>(chosen_).size());
    room_ = in_room(items_type(), size);
  }

  void copies() const
  {
    arrays<T...> in(items_, in_behind_);
    for_each_seed(2,
                  [&]
                  {
                    arrays<T...> out(room_, out_behind_);
                    const auto end = thrust::copy_if(reheat::par, in.begin(), in.begin() + n_, out.begin(), has_flag{});
                    BOOST_TEST((end - out.begin() == found_));
                    check_arrays("copy_if", in_room(chosen_, size_), out.items());
                  });
    check_arrays("inputs", items_, in.items());
  }
  void by_a_stencil() const
  {
    arrays<T...> in(items_, in_behind_), out(room_, out_behind_);
    placed<u32> stencil(flags_, in_behind_);
    const auto end =
        thrust::remove_copy_if(reheat::par, in.begin(), in.begin() + n_, stencil.begin(), out.begin(), is_even_flag{});
    BOOST_TEST((end - out.begin() == found_));
    check_arrays("remove_copy_if by a stencil", in_room(chosen_, size_), out.items());
  }
  void in_place() const
  {
    for_each_seed(2,
                  [&]
                  {
                    arrays<T...> both(items_, in_behind_);
                    const auto end = thrust::remove_if(reheat::par, both.begin(), both.begin() + n_, has_no_flag{});
                    BOOST_TEST((end - both.begin() == found_));
                    check_arrays("remove_if", in_place_of(chosen_, items_), both.items());
                  });
  }
  void parts() const
  {
    arrays<T...> in(items_, in_behind_);
    for_each_seed(2,
                  [&]
                  {
                    arrays<T...> out(room_, out_behind_), rejected(room_, in_behind_);
                    const auto ends = thrust::partition_copy(reheat::par, in.begin(), in.begin() + n_, out.begin(),
                                                             rejected.begin(), has_flag{});
                    BOOST_TEST((ends.first - out.begin() == found_));
                    BOOST_TEST((ends.second - rejected.begin() == n_ - found_));
                    check_arrays("selected", in_room(chosen_, size_), out.items());
                    check_arrays("rejected", in_room(others_, size_), rejected.items());
                  });
  }
  void parts_in_place() const
  {
    auto expected = chosen_;
    std::apply(
        [&](auto&... each) {
          std::apply([&](const auto&... behind) { (each.insert(each.end(), behind.begin(), behind.end()), ...); }, others_);
        },
        expected);
    for_each_seed(2,
                  [&]
                  {
                    arrays<T...> both(items_, in_behind_);
                    const auto middle = thrust::partition(reheat::par, both.begin(), both.begin() + n_, has_flag{});
                    BOOST_TEST((middle - both.begin() == found_));
                    check_arrays("partition", expected, both.items());
                  });
  }

private:
  std::size_t size_;
  std::ptrdiff_t n_, found_ = 0;
  std::size_t in_behind_, out_behind_;
  std::vector<u32> flags_;
  items_type items_, chosen_, others_, room_;
};

//! check(zips) at the borders of tiles, of all selections, and at changing alignments.
template <class... T, class Check>
void for_zips(Check check)
{
  const std::size_t tile = zipped_tile<T...>();
  std::size_t round = 0;
  for (const std::size_t size : {std::size_t(1), std::size_t(33), tile + 1, 3 * tile - 1, (emulated ? 9 : 160) * tile + 11})
  {
    for (const selected which : all_selections)
    {
      BOOST_TEST_CONTEXT(size << " items, selected " << static_cast<int>(which))
      {
        check(zips<T...>(size, which, round % 3 == 2 ? 1 : 0, round % 4));
      }
      ++round;
    }
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(zipped)

BOOST_AUTO_TEST_CASE(arrays_of_items_of_other_sizes)
{
  for_zips<u8, u32, u64>(
      [](const auto& each)
      {
        each.copies();
        each.by_a_stencil();
        each.in_place();
        each.parts();
        each.parts_in_place();
      });
}
BOOST_AUTO_TEST_CASE(four_arrays_and_items_that_fill_no_vectors)
{
  for_zips<u32, u8, words<3>, u32>(
      [](const auto& each)
      {
        each.copies();
        each.parts_in_place();
      });
}

BOOST_AUTO_TEST_CASE(outputs_and_inputs_of_any_other_kind)
{
  const std::size_t size = (emulated ? 5 : 160) * zipped_tile<u32, u64>() + 7;
  const auto n = static_cast<std::ptrdiff_t>(size);
  const std::vector<u32> flags = make_flags<u32>(size, selected::every_second);
  const std::vector<u64> items = make_items<u64>(size, 5);
  const std::vector<u32> odd = selection_reference(flags, flags);
  const std::vector<u64> kept = selection_reference(items, flags);
  const std::vector<double> as_double(odd.begin(), odd.end());
  const auto found = static_cast<std::ptrdiff_t>(odd.size());
  const thrust::device_vector<u32> first = to_device(flags);
  const thrust::device_vector<u64> second = to_device(items);
  const auto in = thrust::make_zip_iterator(first.begin(), second.begin()); // of device_vectors
  {
    thrust::device_vector<u32> out(odd.size());
    thrust::device_vector<u64> out_items(odd.size());
    const auto out_pairs = thrust::make_zip_iterator(out.begin(), out_items.begin());
    BOOST_TEST((thrust::copy_if(reheat::par, in, in + n, out_pairs, has_flag{}) - out_pairs == found));
    check_same("of device_vectors, first", odd, to_host(out));
    check_same("of device_vectors, second", kept, to_host(out_items));
  }
  {
    thrust::device_vector<double> out(odd.size()); // another type, and an iterator of no memory
    const auto out_pairs = thrust::make_zip_iterator(out.begin(), thrust::make_discard_iterator());
    BOOST_TEST((thrust::copy_if(reheat::par, in, in + n, out_pairs, has_flag{}) - out_pairs == found));
    check_same("doubles", as_double, to_host(out));
  }
  {
    thrust::device_vector<thrust::tuple<u32, u64>> out(odd.size()); // tuples in memory
    BOOST_TEST((thrust::copy_if(reheat::par, in, in + n, out.begin(), has_flag{}) == out.end()));
    const std::vector<thrust::tuple<u32, u64>> tuples = to_host(out);
    for (std::size_t i = 0; i < tuples.size(); ++i)
    {
      BOOST_REQUIRE((tuples[i] == thrust::tuple<u32, u64>(odd[i], kept[i])));
    }
  }
  {
    thrust::device_vector<u32> out(odd.size()), rejected(size - odd.size()); // one output of arrays, and one that is none
    thrust::device_vector<u64> out_items(odd.size());
    const auto ends =
        thrust::partition_copy(reheat::par, in, in + n, thrust::make_zip_iterator(out.begin(), out_items.begin()),
                               thrust::make_zip_iterator(rejected.begin(), thrust::make_discard_iterator()), has_flag{});
    BOOST_TEST((thrust::get<0>(ends.first.get_iterator_tuple()) == out.end()));
    BOOST_TEST((thrust::get<0>(ends.second.get_iterator_tuple()) == rejected.end()));
    check_same("selected", odd, to_host(out));
    check_same("selected, second", kept, to_host(out_items));
    std::vector<u32> even;
    for (const u32 flag : flags)
    {
      if (flag % 2 == 0)
      {
        even.push_back(flag);
      }
    }
    check_same("rejected", even, to_host(rejected));
  }
  {
    const auto computed =
        thrust::make_zip_iterator(first.begin(), thrust::make_transform_iterator(first.begin(), plus_one{})); // no pointer
    thrust::device_vector<u32> out(odd.size()), next(odd.size());
    const auto out_pairs = thrust::make_zip_iterator(out.begin(), next.begin());
    thrust::copy_if(reheat::par, computed, computed + n, out_pairs, has_flag{});
    std::vector<u32> expected = odd;
    for (u32& each : expected)
    {
      ++each;
    }
    check_same("computed", expected, to_host(next));
  }
  {
    thrust::device_vector<u32> out(odd.size()); // arrays by a stencil that is computed
    thrust::device_vector<u64> out_items(odd.size());
    const auto stencil = thrust::make_transform_iterator(first.begin(), plus_one{});
    const auto out_pairs = thrust::make_zip_iterator(out.begin(), out_items.begin());
    BOOST_TEST((thrust::copy_if(reheat::par, in, in + n, stencil, out_pairs, is_even_flag{}) - out_pairs == found));
    check_same("by a computed stencil, first", odd, to_host(out));
    check_same("by a computed stencil, second", kept, to_host(out_items));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
