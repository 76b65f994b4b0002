// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ladder's scans: every rung gives the reference for every kind of call, size, place and type that it serves.

#include "../support/calls.hpp"
#include "../support/tiles.hpp"

#include <reheat/ladder.cuh>

#include <thrust/functional.h>

#include <cmath>

using namespace compat;

BOOST_AUTO_TEST_SUITE(ladder)
BOOST_AUTO_TEST_SUITE(scan)

namespace
{

namespace rungs = reheat::ladder;
using reheat::detail::has_identity_element_v;
using reheat::detail::identity_element;
using u32 = std::uint32_t;

// ---- calls of all rungs, without their types -----------------------------------------------------------------------------

//! The forms of calling one rung for Ts in memory.
template <class T>
struct rung_calls
{
  const char* name;
  std::ptrdiff_t max_items; //!< it is slow
  void (*inclusive)(const T* first, const T* last, T* out);
  void (*inclusive_from)(const T* first, const T* last, T* out, T init);
  void (*exclusive_from)(const T* first, const T* last, T* out, T init);
};

template <class T, class Op, class Rung>
rung_calls<T> calls_of(const char* name)
{
  constexpr bool slow = std::is_same_v<Rung, rungs::scan_then_fan_serial_t> && !emulated;
  return {name, slow ? 1 << 16 : 1 << 30,
          [](const T* first, const T* last, T* out)
          { thrust::inclusive_scan(reheat::par.with(Rung{}), first, last, out, Op{}); },
          [](const T* first, const T* last, T* out, T init)
          { thrust::inclusive_scan(reheat::par.with(Rung{}), first, last, out, init, Op{}); },
          [](const T* first, const T* last, T* out, T init)
          { thrust::exclusive_scan(reheat::par.with(Rung{}), first, last, out, init, Op{}); }};
}

template <class Rung>
inline constexpr bool pads_v =
    std::is_same_v<Rung, rungs::scan_then_fan_padded_t> || std::is_same_v<Rung, rungs::scan_then_fan_recursive_t>;

//! All rungs that serve Op.
template <class T, class Op>
const std::vector<rung_calls<T>>& all_rungs()
{
  static const std::vector<rung_calls<T>> all = []
  {
    std::vector<rung_calls<T>> result;
#define ADD_RUNG(NAME, WHAT)                                                                                                \
  if constexpr (!pads_v<rungs::NAME##_t> || has_identity_element_v<Op, T>)                                                  \
  {                                                                                                                         \
    result.push_back(calls_of<T, Op, rungs::NAME##_t>(#NAME));                                                              \
  }
    REHEAT_LADDER_SCANS(ADD_RUNG)
#undef ADD_RUNG
    return result;
  }();
  return all;
}

// ---- sizes --------------------------------------------------------------------------------------------------------------

//! Items of a part, and how many blocks stride over parts at most.
template <class T>
reheat::detail::ladder::chunk_shape shape_of_parts()
{
  return reheat::detail::ladder::chunk_tuning<sizeof(T), 128>{}(kernel_arch());
}

template <class T>
std::vector<std::size_t> part_sizes()
{
  const std::size_t part = shape_of_parts<T>().block_threads;
  return {1, 2, 31, 32, 33, part - 1, part, part + 1, 2 * part, 5 * part + part / 2};
}

//! More parts than blocks, more sums than a part, more tiles than a window of the look-back.
template <class T>
std::vector<std::size_t> large_sizes()
{
  const std::size_t part = shape_of_parts<T>().block_threads, blocks = shape_of_parts<T>().max_blocks;
  return {2 * part * blocks + part / 2, part * part + 7};
}

// ---- checks -------------------------------------------------------------------------------------------------------------

//! Every form of one rung for `items`, in place and not.
template <class T>
void check_forms(const rung_calls<T>& rung, const std::vector<T>& items, unsigned seeds, placement where)
{
  const std::size_t count = items.size();
  if (static_cast<std::ptrdiff_t>(count) > rung.max_items)
  {
    return;
  }
  const T init = values<T>::make(0);
  const std::vector<T> inclusive = inclusive_reference<T, T>(items, fold{});
  const std::vector<T> inclusive_from = inclusive_reference<T, T>(items, init, fold{});
  const std::vector<T> exclusive_from = exclusive_reference<T, T>(items, init, fold{});
  placed<T> in(items, where), out(count, where);
  BOOST_TEST_CONTEXT(rung.name)
  {
    for_each_seed(seeds,
                  [&]
                  {
                    rung.inclusive(in.begin(), in.end(), out.begin());
                    check_same("inclusive_scan", inclusive, out.items());
                    rung.inclusive_from(in.begin(), in.end(), out.begin(), init);
                    check_same("inclusive_scan with an initial value", inclusive_from, out.items());
                    rung.exclusive_from(in.begin(), in.end(), out.begin(), init);
                    check_same("exclusive_scan", exclusive_from, out.items());
                    placed<T> both(items, where);
                    rung.inclusive(both.begin(), both.end(), both.begin());
                    check_same("inclusive_scan in place", inclusive, both.items());
                    placed<T> other(items, where);
                    rung.exclusive_from(other.begin(), other.end(), other.begin(), init);
                    check_same("exclusive_scan in place", exclusive_from, other.items());
                  });
  }
}

template <class T, class Op>
void check_rungs(const std::vector<std::size_t>& sizes, unsigned seeds, placement where)
{
  for (const std::size_t count : sizes)
  {
    const std::vector<T> items = make_items<T>(count, 1);
    for (const rung_calls<T>& rung : all_rungs<T, Op>())
    {
      check_forms(rung, items, seeds, where);
    }
  }
}

//! A rung that serves types which are not copied by their bytes.
template <class T, class Rung>
void check_one(const char* name, const std::vector<std::size_t>& sizes, unsigned seeds)
{
  const rung_calls<T> rung = calls_of<T, fold, Rung>(name);
  for (const std::size_t count : sizes)
  {
    check_forms(rung, make_items<T>(count, 1), seeds, placement::aligned);
  }
}

//! From an iterator to an iterator, every item read and written as often as the rung says.
template <class Rung>
void check_iterators(const char* name, std::size_t count)
{
  const std::vector<u32> items = make_items<u32>(count);
  const std::vector<u32> expected = exclusive_reference<u32, u32>(items, 5u, plus{});
  BOOST_TEST_CONTEXT(name)
  {
    for_each_seed(3,
                  [&]
                  {
                    watched_output<u32> out(count);
                    const auto first = generated<u32>();
                    thrust::exclusive_scan(reheat::par.with(Rung{}), first, first + static_cast<std::ptrdiff_t>(count),
                                           out.begin(), 5u, thrust::plus<u32>{});
                    check_same("exclusive_scan", expected, out.items());
                    out.check("exclusive_scan");
                  });
  }
}

//! Positive, and no two sums round alike.
std::vector<float> make_rounding_items(std::size_t count)
{
  std::vector<float> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = 0.5f + static_cast<float>(mix(i) % 1000003) / 1000003.0f;
  }
  return items;
}

void check_sums(const rung_calls<float>& rung, const std::vector<float>& items)
{
  placed<float> in(items, placement::aligned), out(items.size(), placement::aligned);
  rung.inclusive(in.begin(), in.end(), out.begin());
  const std::vector<float> actual = out.items();
  long double exact = 0;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    exact += items[i];
    const long double bound = sum_bound<float>(i + 1, exact);
    if (!(std::fabs(actual[i] - exact) <= bound))
    {
      BOOST_ERROR(rung.name << ", " << items.size() << " floats: item " << i << " is " << describe(actual[i])
                            << ", which is further from " << static_cast<double>(exact) << " than "
                            << static_cast<double>(bound));
      return;
    }
  }
  BOOST_TEST(true);
}

//! e ⊕ x is x for numbers of every kind, bit for bit.
template <class T, class Op>
void check_identity(const char* what, Op op)
{
  using limits = std::numeric_limits<T>;
  const std::vector<T> numbers = {T(0), T(1), T(3), limits::max(), limits::lowest(), static_cast<T>(-T(0))};
  std::vector<T> folded;
  for (const T x : numbers)
  {
    folded.push_back(static_cast<T>(op(identity_element<Op, T>(), x)));
  }
  check_bitwise(what, numbers, folded);
}

template <class T>
void check_identities()
{
  check_identity<T>("plus", thrust::plus<T>{});
  check_identity<T>("plus", thrust::plus<void>{});
  check_identity<T>("multiplies", thrust::multiplies<T>{});
  check_identity<T>("minimum", thrust::minimum<T>{});
  check_identity<T>("maximum", thrust::maximum<T>{});
}
template <class T>
void check_bit_identities()
{
  check_identity<T>("bit_and", thrust::bit_and<T>{});
  check_identity<T>("bit_or", thrust::bit_or<T>{});
  check_identity<T>("bit_xor", thrust::bit_xor<T>{});
}

} // namespace

// ---- all rungs ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_rung_sums_words_of_every_size)
{
  check_rungs<u32, thrust::plus<u32>>(part_sizes<u32>(), 10, placement::aligned);
}

BOOST_AUTO_TEST_CASE(every_rung_sums_words_of_many_parts)
{
  check_rungs<u32, thrust::plus<u32>>(large_sizes<u32>(), 2, placement::aligned);
}

BOOST_AUTO_TEST_CASE(every_rung_sums_misaligned_words)
{
  const std::size_t part = shape_of_parts<u32>().block_threads;
  check_rungs<u32, thrust::plus<u32>>({1, part, 3 * part + 1, 20 * part}, 2, placement::misaligned);
}

BOOST_AUTO_TEST_CASE(rungs_keep_the_order_of_operands)
{
  using map = affine<u32>;
  check_rungs<map, fold>(part_sizes<map>(), 6, placement::aligned);
  check_rungs<map, fold>(large_sizes<map>(), 1, placement::aligned);
}

BOOST_AUTO_TEST_CASE(rungs_serve_items_of_twelve_bytes)
{
  using item = words<3>;
  const std::size_t part = shape_of_parts<item>().block_threads;
  check_rungs<item, fold>({1, 33, part, 4 * part + 5}, 2, placement::aligned);
  check_rungs<item, fold>({4 * part + 5}, 2, placement::misaligned);
}

BOOST_AUTO_TEST_CASE(rungs_go_from_iterator_to_iterator_and_assign_each_item_once)
{
  const std::size_t part = shape_of_parts<u32>().block_threads;
  for (const std::size_t count : {std::size_t(1), part + 1, 6 * part + 7})
  {
#define CHECK_ITERATORS(NAME, WHAT) check_iterators<rungs::NAME##_t>(#NAME, count);
    REHEAT_LADDER_SCANS(CHECK_ITERATORS)
#undef CHECK_ITERATORS
  }
}

BOOST_AUTO_TEST_CASE(sums_of_floats_are_within_the_bound)
{
  const std::size_t part = shape_of_parts<float>().block_threads;
  for (const std::size_t count : {part, 8 * part + 9, part * (emulated ? part : 60)})
  {
    const std::vector<float> items = make_rounding_items(count);
    for (const rung_calls<float>& rung : all_rungs<float, thrust::plus<float>>())
    {
      for_each_seed(2, [&] { check_sums(rung, items); });
    }
  }
}

// ---- what some rungs serve ----------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(rungs_without_shuffles_serve_objects)
{
  using object = tracked<false>;
  const std::size_t part = shape_of_parts<object>().block_threads;
  const std::vector<std::size_t> sizes = {1, 33, part, 4 * part + 5, 40 * part};
  check_one<object, rungs::scan_then_fan_serial_t>("scan_then_fan_serial", sizes, 2);
  check_one<object, rungs::scan_then_fan_kogge_stone_t>("scan_then_fan_kogge_stone", sizes, 2);
  check_one<object, rungs::chained_scan_t>("chained_scan", sizes, 2);
  check_one<object, rungs::decoupled_lookback_t>("decoupled_lookback", sizes, 2);
  check_one<object, rungs::hillis_steele_global_t>("hillis_steele_global", sizes, 2);
}

BOOST_AUTO_TEST_CASE(large_items_make_small_parts)
{
  using item = words<64>;
  check_one<item, rungs::scan_then_fan_kogge_stone_t>("scan_then_fan_kogge_stone", {1, 300}, 2);
  check_one<item, rungs::decoupled_lookback_t>("decoupled_lookback", {1, 3000}, 2);
}

BOOST_AUTO_TEST_CASE(identity_elements_change_nothing)
{
  check_identities<int>();
  check_identities<u32>();
  check_identities<std::uint64_t>();
  check_identities<float>();
  check_identities<double>();
  check_bit_identities<int>();
  check_bit_identities<u32>();
  static_assert(!has_identity_element_v<fold, u32> && !has_identity_element_v<thrust::plus<int>, float> &&
                has_identity_element_v<std::plus<>, u32>);
}

BOOST_AUTO_TEST_CASE(padding_does_not_turn_a_negative_zero_into_a_positive_one)
{
  const std::vector<float> items(200, -0.0f);
  for (const rung_calls<float>& rung : all_rungs<float, thrust::plus<float>>())
  {
    placed<float> in(items, placement::aligned), out(items.size(), placement::aligned);
    rung.inclusive(in.begin(), in.end(), out.begin());
    check_bitwise(rung.name, items, out.items());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
