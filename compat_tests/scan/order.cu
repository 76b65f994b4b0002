// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans: every item takes part once and in order, whatever the schedule; and the same bits come out every time.

#include "../support/calls.hpp"
#include "../support/epoch.hpp"
#include "../support/reference_fold.hpp"

#include <cmath>
#include <thread>

using namespace compat;

BOOST_AUTO_TEST_SUITE(scan)
BOOST_AUTO_TEST_SUITE(order)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct itself
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& value) const
  {
    return value;
  }
};

//! Floats whose sums round.
template <class Real>
std::vector<Real> make_reals(std::size_t count)
{
  std::vector<Real> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = static_cast<Real>(static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.3);
  }
  return items;
}

template <class Real>
void scan_reals(const Real* in, std::size_t size, Real* out, bool inclusive, Real init)
{
  if (inclusive)
  {
    thrust::inclusive_scan(reheat::par, in, in + size, out, plus{});
  }
  else
  {
    thrust::exclusive_scan(reheat::par, in, in + size, out, init, plus{});
  }
}

template <class Real>
std::vector<Real> scan_reals(const thrust::device_vector<Real>& in, bool inclusive, Real init)
{
  thrust::device_vector<Real> out(in.size());
  scan_reals(raw(in), in.size(), raw(out), inclusive, init);
  return to_host(out);
}

//! The documented order of operands, bit for bit, from memory so many items behind a well aligned address to other.
template <class Real>
void check_documented_order(std::size_t size, unsigned seeds, std::size_t in_behind = 0, std::size_t out_behind = 0)
{
  const std::vector<Real> items = make_reals<Real>(size);
  const Real init = static_cast<Real>(0.1);
  placed<Real> in(items, in_behind), out(size, out_behind);
  for_both_strategies<Real>(size,
                            [&]
                            {
                              for (const bool inclusive : {true, false})
                              {
                                const std::optional<Real> left = inclusive ? std::optional<Real>() : init;
                                const std::vector<Real> expected =
                                    scan_in_documented_order<Real>(items, in.begin(), out.begin(), left, inclusive, plus{});
                                for_each_seed(seeds,
                                              [&]
                                              {
                                                scan_reals<Real>(in.begin(), size, out.begin(), inclusive, init);
                                                check_bitwise(inclusive ? "inclusive_scan in the documented order"
                                                                        : "exclusive_scan in the documented order",
                                                              expected, out.items());
                                              });
                              }
                            });
}

//! A scan with gpu_to_gpu from memory so many items behind a well aligned address to other.
template <class Real, class Op>
std::vector<Real> scan_everywhere(const std::vector<Real>& items, std::size_t in_behind, std::size_t out_behind,
                                  const std::optional<Real>& init, bool transforms)
{
  const auto everywhere = reheat::par.with(reheat::gpu_to_gpu);
  placed<Real> in(items, in_behind), out(items.size(), out_behind);
  const Real* const first = in.begin();
  const Real* const last = first + items.size();
  if (transforms)
  {
    init ? thrust::transform_exclusive_scan(everywhere, first, last, out.begin(), itself{}, *init, Op{})
         : thrust::transform_inclusive_scan(everywhere, first, last, out.begin(), itself{}, Op{});
  }
  else
  {
    init ? thrust::exclusive_scan(everywhere, first, last, out.begin(), *init, Op{})
         : thrust::inclusive_scan(everywhere, first, last, out.begin(), Op{});
  }
  return out.items();
}

//! Scan association v1, bit for bit, from and to every address.
template <class Real, class Op, class HostOp>
void check_every_address(std::size_t size)
{
  const std::vector<Real> items = make_reals<Real>(size);
  for_both_strategies<Real>(
      size,
      [&]
      {
        for (const std::optional<Real>& init : {std::optional<Real>(), std::optional<Real>(static_cast<Real>(0.1))})
        {
          const std::vector<Real> expected = scan_in_association_v1<Real>(items, kernel_arch(), init, !init, HostOp{});
          for (std::size_t behind = 0; behind * sizeof(Real) <= 32; ++behind)
          {
            for (const std::size_t out_behind : {behind, std::size_t{0}, behind + 1})
            {
              BOOST_TEST_CONTEXT(behind << " and " << out_behind << " items behind an aligned address")
              {
                check_bitwise("a scan", expected, scan_everywhere<Real, Op>(items, behind, out_behind, init, false));
                check_bitwise("a transformed scan", expected,
                              scan_everywhere<Real, Op>(items, behind, out_behind, init, true));
              }
            }
          }
        }
      });
}

//! Sizes around the head of `head` items that stands before the first tile that is aligned, or whole tiles behind it.
inline std::vector<std::size_t> sizes_around(std::size_t head, std::size_t tile)
{
  std::vector<std::size_t> sizes{1, head, head + 1, head + tile - 1, head + tile, head + tile + 1, 3 * tile};
  if (head > 1)
  {
    sizes.push_back(head - 1);
  }
  return sizes;
}

//! Inputs at every address, modulo `bytes`, and outputs that are misaligned alike, otherwise, and not at all.
template <class T>
void check_every_misalignment(std::size_t bytes, unsigned seeds)
{
  const std::size_t step = bytes > 16 ? 7 : 1; // on a GPU there are up to 127
  for (std::size_t behind = 1; behind * sizeof(T) % bytes != 0 && behind < bytes; behind += step)
  {
    placed<T> probe(1, behind);
    const std::size_t head = items_before_multiple(probe.begin(), bytes);
    for (const std::size_t size : sizes_around(head, scan_tile<T>()))
    {
      const std::vector<T> items = make_items<T>(size, 1);
      const T init = values<T>::make(0);
      const std::vector<T> inclusive = inclusive_reference<T, T>(items, fold{});
      const std::vector<T> exclusive = exclusive_reference<T, T>(items, init, fold{});
      for_both_strategies<T>(size,
                             [&]
                             {
                               for_each_seed(
                                   seeds,
                                   [&]
                                   {
                                     placed<T> in(items, behind);
                                     for (const std::size_t out_behind : {behind, behind + 1, std::size_t{0}})
                                     {
                                       placed<T> out(size, out_behind);
                                       thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), fold{});
                                       check_same("inclusive_scan", inclusive, out.items());
                                       thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), init, fold{});
                                       check_same("exclusive_scan", exclusive, out.items());
                                     }
                                     thrust::exclusive_scan(reheat::par, in.begin(), in.end(), in.begin(), init, fold{});
                                     check_same("exclusive_scan in place", exclusive, in.items());
                                   });
                             });
    }
  }
}

//! Shapes of small scans: one warp or several, all numbers of rows, and one of those that GPUs have.
template <class T>
std::vector<reheat::detail::one_tile_shape> one_tile_shapes()
{
  const unsigned rows = reheat::detail::one_tile_max_rows(sizeof(T));
  return {{32, 1}, {64, rows}, {96, 2}, {512, rows}};
}

//! Every shape of a small scan, at the boundaries of its tiles.
template <class T>
void check_one_tile_scans(unsigned seeds)
{
  for (const reheat::detail::one_tile_shape shape : one_tile_shapes<T>())
  {
    const force_scans all(one_tile_scans(shape.block_threads, shape.rows));
    for (const std::size_t size : one_tile_sizes<T>(shape))
    {
      if (shape.block_threads <= 96 || size < 3 * one_tile_items<T>(shape)) // the others are too many threads for tests
      {
        check_scans<T>(size, seeds, size % 2 == 0 ? placement::aligned : placement::misaligned);
      }
    }
  }
}

//! No farther from the exact sums than a sum of log2(n) levels may be.
template <class Real>
void check_error(std::size_t size)
{
  const std::vector<Real> items = make_reals<Real>(size);
  const std::vector<Real> actual = scan_reals(to_device(items), true, Real(0));
  long double exact = 0, magnitude = 0;
  for (std::size_t i = 0; i < size; ++i)
  {
    exact += items[i];
    magnitude += std::fabs(static_cast<long double>(items[i]));
    const long double error = std::fabs(actual[i] - exact), bound = sum_bound<Real>(i + 1, magnitude);
    if (error > bound)
    {
      BOOST_ERROR("inclusive_scan of " << type_name<Real>() << ", " << size << " items: index " << i << ": expected "
                                       << exact << ", actual " << describe(actual[i]) << ", error " << error << ", bound "
                                       << bound);
      return;
    }
  }
  BOOST_TEST(true);
}

//! One scan of `size` items of T through its reference: a step of a sequence of calls.
template <class T, class Policy>
void scan_once(const Policy& policy, std::size_t size, std::size_t first)
{
  const std::vector<T> items = make_items<T>(size, first);
  const thrust::device_vector<T> in = to_device(items);
  thrust::device_vector<T> out(size);
  thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), fold{});
  check_same("inclusive_scan", inclusive_reference<T, T>(items, fold{}), to_host(out));
}

//! The first launch of the next count must not take what the first of this one has left behind for its own.
template <class T>
void check_wrap()
{
  reheat::trim_workspaces(); // a new workspace begins with launch 1
  stream own;
  const auto policy = reheat::par.on(own.get());
  scan_once<T>(policy, 20 * scan_tile<T>(), 0);
  set_launch_count(own.get(), reheat::detail::last_epoch - 2);
  scan_once<u32>(policy, 2 * scan_tile<u32>(), 1);
  scan_once<u32>(policy, 2 * scan_tile<u32>(), 2); // the last of the count
  scan_once<T>(policy, 20 * scan_tile<T>(), 3);    // the first of the next
}

} // namespace

// ---- order and completeness ---------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(intervals_meet_at_every_boundary)
{
  for (const std::size_t size : boundary_sizes(scan_tile<interval>()))
  {
    check_scans<interval>(size, many_seeds, placement::aligned);
  }
}

BOOST_AUTO_TEST_CASE(intervals_meet_across_groups_of_tiles)
{
  const std::size_t tile = scan_tile<interval>(), group = scan_group<interval>();
  for (const std::size_t size : group_sizes(tile, group))
  {
    check_scans<interval>(size, size == group + 1 ? many_seeds : 5, placement::aligned);
  }
}

BOOST_AUTO_TEST_CASE(intervals_meet_across_supergroups)
{
  const reheat::detail::scan_config shape = scan_shape<interval>();
  const std::size_t group = scan_group<interval>();
  // On the GPU a supergroup is 10^8 items: large.cu goes there.
  const std::size_t supergroup = group * (shape.groups_per_supergroup < 8 ? shape.groups_per_supergroup : 2);
  check_scans<interval>(supergroup - 1, 2, placement::aligned);
  check_scans<interval>(supergroup + 1, many_seeds / 2, placement::aligned); // two calls for each seed
  check_scans<interval>(2 * supergroup + group + 5, 5, placement::aligned);
}

BOOST_AUTO_TEST_CASE(intervals_meet_through_iterators)
{
  for (const std::size_t size : few_sizes(scan_tile<interval>()))
  {
    const std::vector<interval> items = make_items<interval>(size, 1);
    const std::vector<interval> expected = inclusive_reference<interval, interval>(items, fold{});
    for_each_seed(many_seeds,
                  [&]
                  {
                    thrust::device_vector<interval> out(size);
                    const auto in = generated<interval>(1);
                    thrust::inclusive_scan(reheat::par, in, in + static_cast<std::ptrdiff_t>(size), out.begin(), fold{});
                    check_same("inclusive_scan", expected, to_host(out));
                  });
  }
}

BOOST_AUTO_TEST_CASE(affine_maps_compose_in_order)
{
  for (const std::size_t size : boundary_sizes(scan_tile<affine<u32>>()))
  {
    check_scans<affine<u32>>(size, 20, placement::aligned);
    check_scans<affine<u32>>(size, 5, placement::misaligned);
  }
}

BOOST_AUTO_TEST_CASE(affine_maps_compose_in_order_across_groups_of_tiles)
{
  for (const std::size_t size : group_sizes(scan_tile<affine<u32>>(), scan_group<affine<u32>>()))
  {
    check_scans<affine<u32>>(size, 3, placement::aligned);
    check_scans<affine<u32>>(size, 1, placement::misaligned);
  }
}

BOOST_AUTO_TEST_CASE(matrices_multiply_in_order)
{
  for (const std::size_t size : few_sizes(scan_tile<matrix>()))
  {
    check_scans<matrix>(size, 20, placement::aligned);
  }
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_behind_heads_of_every_length)
{
  check_every_misalignment<u8>(scan_shape<u8>().tile_alignment, 1);
  check_every_misalignment<affine<std::uint16_t>>(scan_shape<u32>().tile_alignment, 2);
  check_every_misalignment<affine<u32>>(scan_shape<u64>().tile_alignment, 2);
  check_every_misalignment<words<3>>(scan_shape<words<3>>().tile_alignment, 2);
  check_every_misalignment<words<10>>(scan_shape<words<10>>().tile_alignment, 2);
}

BOOST_AUTO_TEST_CASE(one_tile_scans_keep_the_order_of_operands)
{
  check_one_tile_scans<affine<u32>>(4);
  check_one_tile_scans<words<3>>(2);
  check_one_tile_scans<u8>(2);
}

BOOST_AUTO_TEST_CASE(one_tile_scans_fold_many_tiles)
{
  // A warp's share of the wait: one group of tiles, two, and some of the second.
  using T = affine<u32>;
  const std::size_t group = 32 * scan_shape<T>().slots_per_lane;
  for (const unsigned threads : {32u, 64u})
  {
    const force_scans all(one_tile_scans(threads, 1));
    for (const std::size_t tiles : {group, group + 1, group + 2, 2 * group + 1, 4 * group + group / 2})
    {
      check_scans<T>(tiles * one_tile_items<T>({threads, 1}) - 5, 2, placement::aligned);
    }
  }
}

BOOST_AUTO_TEST_CASE(texts_concatenate_in_order)
{
  for (const std::size_t size : few_sizes(scan_tile<text>()))
  {
    check_scans<text>(size, 20, placement::aligned);
  }
}

BOOST_AUTO_TEST_CASE(in_place_scans_keep_order)
{
  using T = affine<u32>;
  for (const std::size_t size : few_sizes(scan_tile<T>()))
  {
    const std::vector<T> items = make_items<T>(size, 1);
    const std::vector<T> expected = inclusive_reference<T, T>(items, fold{});
    for_each_seed(many_seeds,
                  [&]
                  {
                    thrust::device_vector<T> data = to_device(items);
                    thrust::inclusive_scan(reheat::par, raw(data), raw(data) + size, raw(data), fold{});
                    check_same("inclusive_scan in place", expected, to_host(data));
                  });
  }
}

// ---- the same bits ------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(f32_sums_follow_the_documented_order)
{
  for (const std::size_t size : boundary_sizes(scan_tile<float>()))
  {
    check_documented_order<float>(size, many_seeds / 2); // two calls for each seed
  }
}

BOOST_AUTO_TEST_CASE(f32_sums_follow_the_documented_order_across_groups_of_tiles)
{
  const std::size_t tile = scan_tile<float>(), group = scan_group<float>();
  for (const std::size_t size : group_sizes(tile, group))
  {
    check_documented_order<float>(size, 3);
  }
  check_documented_order<float>(7 * group + 3 * tile + 1, 2); // two supergroups, on the emulator
}

BOOST_AUTO_TEST_CASE(f32_sums_of_one_tile_scans_follow_the_documented_order)
{
  for (const reheat::detail::one_tile_shape shape : one_tile_shapes<float>())
  {
    const force_scans all(one_tile_scans(shape.block_threads, shape.rows));
    for (const std::size_t size : one_tile_sizes<float>(shape))
    {
      if (shape.block_threads <= 96 || size < 3 * one_tile_items<float>(shape))
      {
        check_documented_order<float>(size, 3);
      }
    }
  }
  const force_scans all(one_tile_scans(64, 1));
  const std::size_t group = 32 * scan_shape<float>().slots_per_lane;
  check_documented_order<float>((4 * group + group / 2) * one_tile_items<float>({64, 1}) + 1, 2);
}

BOOST_AUTO_TEST_CASE(f64_sums_follow_the_documented_order)
{
  for (const std::size_t size : few_sizes(scan_tile<double>()))
  {
    check_documented_order<double>(size, many_seeds / 5);
  }
  check_documented_order<double>(scan_group<double>() + 1, 3);
}

BOOST_AUTO_TEST_CASE(sums_of_misaligned_inputs_follow_the_documented_order)
{
  const std::size_t tile = scan_tile<float>();
  for (const std::size_t behind : {1, 2, 3, 4, 5, 31})
  {
    for (const std::size_t size : {std::size_t{2}, tile, 5 * tile + 77})
    {
      check_documented_order<float>(size, 3, behind, behind);
      check_documented_order<float>(size, 3, behind, 0);
      check_documented_order<float>(size, 3, behind, behind + 1);
    }
  }
  check_documented_order<float>(scan_group<float>() + tile, 2, 1, 1);
}

BOOST_AUTO_TEST_CASE(gpu_to_gpu_has_the_same_bits_at_every_address)
{
  for (const std::size_t size : {std::size_t{200}, 4 * scan_tile<float>() + 77})
  {
    check_every_address<float, thrust::plus<float>, std::plus<float>>(size);
    check_every_address<double, thrust::plus<>, std::plus<double>>(size);
    check_every_address<double, thrust::multiplies<double>, std::multiplies<double>>(size);
  }
  check_every_address<__half, thrust::plus<__half>, std::plus<__half>>(3 * scan_tile<__half>() + 5);
  check_every_address<__nv_bfloat16, thrust::plus<__nv_bfloat16>, std::plus<__nv_bfloat16>>(777);
  check_every_address<float, thrust::plus<float>, std::plus<float>>(scan_group<float>() + scan_tile<float>() + 1);
}

BOOST_AUTO_TEST_CASE(tiles_that_are_cut_at_an_alignment_have_other_bits)
{
  forced_scan how = streaming_scans();
  how.cuts_at_alignment = true;
  const force_scans all(how);
  const std::vector<float> items = make_reals<float>(4 * scan_tile<float>() + 77);
  const auto scan = [&](std::size_t behind)
  { return scan_everywhere<float, thrust::plus<float>>(items, behind, behind, {}, false); };
  BOOST_TEST(scan(0) != scan(1)); // so the case above would fail
}

BOOST_AUTO_TEST_CASE(the_output_and_in_place_do_not_change_a_bit)
{
  const force_scans all(streaming_scans()); // rows of small scans are shifted where the output allows it
  const std::size_t size = 5 * scan_tile<float>() + 77;
  const std::vector<float> items = make_reals<float>(size);
  for (const std::size_t behind : {std::size_t{0}, std::size_t{1}})
  {
    placed<float> from(items, behind), to(size, behind);
    thrust::inclusive_scan(reheat::par, from.begin(), from.end(), to.begin(), plus{});
    const std::vector<float> expected = to.items();
    for_each_seed(20,
                  [&]
                  {
                    for (const std::size_t out_behind : {0, 1, 2})
                    {
                      placed<float> out(size, out_behind);
                      thrust::inclusive_scan(reheat::par, from.begin(), from.end(), out.begin(), plus{});
                      check_bitwise("to another address", expected, out.items());
                    }
                    placed<float> in(items, behind);
                    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), in.begin(), plus{});
                    check_bitwise("in place", expected, in.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(a_longer_input_does_not_change_a_bit_of_what_stands_before)
{
  const force_scans all(streaming_scans()); // the shape of smaller ones follows from their size
  const std::size_t size = scan_group<float>() + 2 * scan_tile<float>();
  const std::vector<float> items = make_reals<float>(size);
  const std::vector<float> whole = scan_reals(to_device(items), true, 0.0f);
  for (const std::size_t part : {std::size_t(1), std::size_t(33), scan_tile<float>() + 1, scan_group<float>() - 1})
  {
    const std::vector<float> first(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(part));
    check_bitwise("a part", std::vector<float>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(part)),
                  scan_reals(to_device(first), true, 0.0f));
  }
}

BOOST_AUTO_TEST_CASE(sums_are_within_the_error_bound)
{
  for (const forced_scan& how : {streaming_scans(), one_tile_scans(64, 2)})
  {
    const force_scans all(how);
    check_error<float>(scan_group<float>() * (how.streaming ? 3 : 1) + 1);
    check_error<double>(scan_group<double>() * (how.streaming ? 3 : 1) + 1);
  }
}

BOOST_AUTO_TEST_CASE(negative_zero_and_infinities_survive)
{
  const std::size_t size = 2 * scan_tile<float>() + 5;
  std::vector<float> items(size, -0.0f);
  check_bitwise("negative zeros", items, scan_reals(to_device(items), true, 0.0f));
  items[size - 3] = std::numeric_limits<float>::infinity();
  std::vector<float> expected = items;
  expected[size - 2] = expected[size - 1] = items[size - 3];
  check_bitwise("one infinity", expected, scan_reals(to_device(items), true, 0.0f));
}

// ---- sequences of calls -------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_of_many_types_and_sizes_share_a_workspace)
{
  // Whatever one call leaves in the slots, the next must not take for its own: types of one to eight words, sizes up and
  // down.
  for_each_seed(10,
                [&]
                {
                  stream own;
                  const auto policy = reheat::par.on(own.get());
                  for (std::size_t round = 0; round < 12; ++round)
                  {
                    const std::uint64_t bits = mix(round);
                    const force_scans all(round % 2 == 0 ? streaming_scans() : one_tile_scans(32, 1 + round % 4 / 2));
                    const auto size = [&](std::size_t tile) { return 1 + (bits >> 8) % (6 * tile); };
                    scan_once<u32>(policy, size(scan_tile<u32>()), round);
                    scan_once<u64>(policy, size(scan_tile<u64>()), round);
                    scan_once<u8>(policy, size(scan_tile<u8>()), round);
                    scan_once<words<3>>(policy, size(scan_tile<words<3>>()), round);
                    scan_once<words<8>>(policy, size(scan_tile<words<8>>()), round);
                    scan_once<words<9>>(policy, size(scan_tile<words<9>>()), round);
                  }
                });
}

BOOST_AUTO_TEST_CASE(repeated_calls_with_changed_data_are_not_confused)
{
  for_each_seed(5,
                [&]
                {
                  for (std::size_t round = 0; round < 40; ++round)
                  {
                    scan_once<u32>(reheat::par, 3 * scan_tile<u32>() + 1, 1000 * round);
                  }
                });
}

BOOST_AUTO_TEST_CASE(the_count_of_launches_may_wrap)
{
  for (const forced_scan& how : {streaming_scans(), one_tile_scans(32, 1)})
  {
    const force_scans all(how);
    for_each_seed(10,
                  []
                  {
                    check_wrap<u64>();
                    check_wrap<words<9>>();
                  });
  }
}

BOOST_AUTO_TEST_CASE(two_host_threads_share_a_stream)
{
  stream shared;
  std::vector<std::string> failures(2);
  const auto work = [&](std::size_t thread)
  {
    const auto policy = reheat::par.on(shared.get());
    for (std::size_t round = 0; round < 30; ++round)
    {
      const std::size_t size = 1 + mix(round + thread) % (8 * scan_tile<u32>());
      const std::vector<u32> items = make_items<u32>(size, thread * 1000 + round);
      const thrust::device_vector<u32> in = to_device(items);
      thrust::device_vector<u32> out(size);
      thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), plus{});
      if (to_host(out) != inclusive_reference<u32, u32>(items, plus{}))
      {
        failures[thread] = "round " + std::to_string(round) + ", " + std::to_string(size) + " items: wrong result";
      }
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  BOOST_TEST(failures[0] == "");
  BOOST_TEST(failures[1] == "");
}

BOOST_AUTO_TEST_CASE(two_host_threads_use_streams_of_their_own)
{
  std::vector<std::string> failures(2);
  const auto work = [&](std::size_t thread)
  {
    stream own;
    const auto policy = reheat::par.on(own.get());
    for (std::size_t round = 0; round < 30; ++round)
    {
      const std::size_t size = 1 + mix(round * 3 + thread) % (8 * scan_tile<u32>());
      const std::vector<u32> items = make_items<u32>(size, thread * 1000 + round);
      const thrust::device_vector<u32> in = to_device(items);
      thrust::device_vector<u32> out(size);
      thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), plus{});
      if (to_host(out) != inclusive_reference<u32, u32>(items, plus{}))
      {
        failures[thread] = "round " + std::to_string(round) + ", " + std::to_string(size) + " items: wrong result";
      }
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  BOOST_TEST(failures[0] == "");
  BOOST_TEST(failures[1] == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
