// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The golden bits: sums and scans in the shapes of GPUs have the bits that are recorded.

#include "../support/calls.hpp"
#include "../support/compare.hpp"
#include "../support/golden.hpp"
#include "../support/reference_fold.hpp"
#include "../support/shapes.hpp"

using namespace compat;

BOOST_AUTO_TEST_SUITE(association_v1)

namespace
{

using association::fold;
using association::golden_row;

constexpr int gpu_arch = 900; // of any other, the same rows
using reheat::detail::mapped_items;
using reheat::detail::scan_kind;
using reheat::detail::zipped_items;

struct square_at
{
  template <class T>
  T operator()(const T& value, std::uint64_t) const
  {
    return value * value;
  }
};

struct times
{
  template <class T>
  T operator()(const T& left, const T& right) const
  {
    return left * right;
  }
};

template <class Map, class T>
std::vector<T> mapped(const std::vector<T>& items, Map map)
{
  std::vector<T> made;
  for (const T& item : items)
  {
    made.push_back(map(item));
  }
  return made;
}

//! Of a reduction.
template <fold Which, class T>
T reduced_by_reference(const std::vector<T>& items)
{
  namespace detail = reheat::detail;
  const T init = association::init<T>();
  const std::plus<T> plus;
  if constexpr (Which == fold::reduce)
  {
    return reduce_commutative<T>(items, detail::reduce_tuning_of<T, T, std::plus<T>>{}(gpu_arch),
                                 {detail::vector_items_v<T>, false}, init, plus);
  }
  else if constexpr (Which == fold::reduce_any_op)
  {
    return reduce_ordered<T>(items, detail::reduce_tuning_of<T, T, association::any_op>{}(gpu_arch), init, plus);
  }
  else
  {
    using terms = std::conditional_t<Which == fold::transform_reduce, mapped_items<const T*, int>,
                                     zipped_items<const T*, const T*, int>>;
    return reduce_commutative<T>(mapped(items, association::square{}),
                                 typename detail::mapped_vector_input<T, terms, std::plus<T>>::tuning{}(gpu_arch),
                                 {terms::vector_items, true}, init, plus);
  }
}

//! By the documented order of operands, item by item.
template <fold Which, class T>
std::vector<T> by_reference(const std::vector<T>& items)
{
  const T init = association::init<T>();
  const std::plus<T> plus;
  if constexpr (Which == fold::inclusive_scan)
  {
    return scan_in_association_v1<T>(items, gpu_arch, {}, true, plus);
  }
  else if constexpr (Which == fold::exclusive_scan)
  {
    return scan_in_association_v1<T>(items, gpu_arch, init, false, plus);
  }
  else if constexpr (Which == fold::transform_inclusive_scan)
  {
    return scan_in_association_v1<T>(mapped(items, association::square{}), gpu_arch, {}, true, plus);
  }
  else if constexpr (Which == fold::transform_exclusive_scan)
  {
    return scan_in_association_v1<T>(mapped(items, association::factor{}), gpu_arch, init, false, times{});
  }
  else
  {
    return {reduced_by_reference<Which>(items)};
  }
}

//! A reduction by the kernels, in the shape that they have on a GPU.
template <fold Which, class T>
T reduced_by_kernels(const T* in, std::uint64_t count)
{
  namespace detail = reheat::detail;
  const T init = association::init<T>();
  const auto op = detail::rounding_alike<T>(std::plus<T>{});
  if constexpr (Which == fold::reduce)
  {
    return sum_in_shape<gpu_arch, T>(in, count, init);
  }
  else if constexpr (Which == fold::reduce_any_op)
  {
    T result = init;
    detail::enqueue_reduce<shape_of<detail::reduce_tuning_of<T, T, association::any_op>, gpu_arch>, T>(
        environment_on(nullptr, "association"), in, count, detail::init_value<T>{init}, association::any_op{}, &result);
    return result;
  }
  else if constexpr (Which == fold::transform_reduce)
  {
    return reduce_terms_in_shape<gpu_arch, T>(mapped_items<const T*, square_at>{in, detail::is_aligned(in), {}}, count, init,
                                              op);
  }
  else
  {
    return reduce_terms_in_shape<gpu_arch, T>(
        zipped_items<const T*, const T*, std::multiplies<T>>{in, in, detail::is_aligned(in), detail::is_aligned(in), {}},
        count, init, op);
  }
}

//! A scan by the kernels, in the shape that they have on `Arch`. `streaming`: whatever the number of items.
template <int Arch, fold Which, class T>
void scan_by_kernels(const T* in, std::uint64_t count, T* out, bool streaming)
{
  namespace detail = reheat::detail;
  const auto plus = detail::rounding_alike<T>(std::plus<T>{});
  const detail::scan_with_init<T> init{{association::init<T>()}};
  const auto through = [in](auto map)
  {
    using source = detail::mapped_source<const T*, decltype(map), T>;
    return detail::indexed_input<source>(source{in, map});
  };
  if constexpr (Which == fold::inclusive_scan)
  {
    scan_in_association_v1_of<Arch, scan_kind::inclusive>(in, out, count, plus, detail::scan_without_init<T>{}, streaming);
  }
  else if constexpr (Which == fold::exclusive_scan)
  {
    scan_in_association_v1_of<Arch, scan_kind::exclusive>(in, out, count, plus, init, streaming);
  }
  else if constexpr (Which == fold::transform_inclusive_scan)
  {
    scan_in_association_v1_of<Arch, scan_kind::inclusive>(through(association::square{}), out, count, plus,
                                                          detail::scan_without_init<T>{}, streaming);
  }
  else
  {
    static_assert(Which == fold::transform_exclusive_scan);
    scan_in_association_v1_of<Arch, scan_kind::exclusive>(through(association::factor{}), out, count, times{}, init,
                                                          streaming);
  }
}

template <fold Which, class T>
std::vector<T> by_kernels(const std::vector<T>& items)
{
  if constexpr (Which < fold::inclusive_scan)
  {
    return {reduced_by_kernels<Which>(items.data(), items.size())};
  }
  else
  {
    std::vector<T> out(items.size());
    scan_by_kernels<gpu_arch, Which>(items.data(), items.size(), out.data(), false);
    return out;
  }
}

//! Scans of so many tiles and a bit, aligned and not, in the tiles of one architecture.
template <int Arch, fold Which, class T>
void check_tiles(std::size_t tiles)
{
  BOOST_TEST_CONTEXT("sm_" << Arch / 10 << ", " << sizeof(T) << " bytes")
  {
    const force_scans all(streaming_scans());
    const std::vector<T> items =
        association::items<T>(tiles * reheat::detail::fixed_scan_tuning<sizeof(T)>{}(gpu_arch).tile_items() + 77);
    const std::vector<T> expected = by_reference<Which>(items);
    for (const std::size_t behind : {0, 1, 5})
    {
      placed<T> in(items, behind), out(items.size(), behind / 2);
      const T* const from = in.begin();
      scan_by_kernels<Arch, Which>(from, items.size(), out.begin(), true);
      check_bitwise("a scan in scan association v1", expected, out.items());
    }
  }
}

template <class Compute>
void check_rows(const char* by, std::uint64_t most, Compute compute)
{
  for (const golden_row& row : association::golden_rows)
  {
    if (row.items <= most)
    {
      association::with_types(row,
                              [&](auto which, auto zero)
                              {
                                using type = decltype(zero);
                                std::array<std::vector<type>, association::sizes(0).size()> results;
                                for (std::size_t i = 0; i < results.size(); ++i)
                                {
                                  results[i] = compute(which, association::items<type>(association::sizes(row.items)[i]));
                                }
                                check_hash(row, by, association::hash(results));
                              });
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(the_documented_order_has_the_recorded_bits)
{
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::uint64_t most = 1000000; // no kernel runs: a sanitizer would watch the reference alone, for 40 s
#else
  constexpr std::uint64_t most = ~std::uint64_t{0};
#endif
  check_rows("the documented order", most,
             [](auto which, const auto& items) { return by_reference<decltype(which)::value>(items); });
}

BOOST_AUTO_TEST_CASE(kernels_in_the_shape_of_a_gpu_have_the_recorded_bits)
{
  check_rows("the kernels", 100000, [](auto which, const auto& items) { return by_kernels<decltype(which)::value>(items); });
}

BOOST_AUTO_TEST_CASE(tiles_of_every_architecture_associate_scans_alike)
{
  check_tiles<750, fold::inclusive_scan, __half>(2);
  check_tiles<750, fold::transform_inclusive_scan, float>(3);
  check_tiles<750, fold::exclusive_scan, double>(3);
  check_tiles<800, fold::inclusive_scan, float>(3);
  check_tiles<800, fold::transform_exclusive_scan, double>(3);
  check_tiles<900, fold::inclusive_scan, float>(8);
  check_tiles<900, fold::transform_inclusive_scan, double>(8);
  check_tiles<1000, fold::exclusive_scan, float>(3);
  check_tiles<1200, fold::inclusive_scan, double>(4);
}

BOOST_AUTO_TEST_SUITE_END()
