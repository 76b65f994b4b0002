// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The kernels in the shapes that they have on GPUs: many warps, several slots per lane, no bulk copies before sm_90. The
//! emulator's own shapes are small and leave those lines out.

#include "../support/calls.hpp"
#include "../support/compare.hpp"
#include "../support/reference.hpp"
#include "../support/reference_fold.hpp"
#include "../support/segments.hpp"
#include "../support/shapes.hpp"

#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/scan/few_tiles/kernel.cuh>
#include <reheat/detail/segments/collectives/keyed.cuh>
#include <reheat/detail/select/tuning.cuh>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(gpu_shapes)

namespace
{

namespace detail = reheat::detail;

inline constexpr unsigned shape_seeds = 3;

template <int Arch, class T>
void check_scan(std::size_t count)
{
  const std::vector<T> items = make_items<T>(count, 1);
  const T init = values<T>::make(0);
  const std::vector<T> inclusive = inclusive_reference<T, T>(items, fold{});
  const std::vector<T> exclusive = exclusive_reference<T, T>(items, init, fold{});
  const thrust::device_vector<T> in = to_device(items);
  for_each_seed(
      shape_seeds,
      [&]
      {
        thrust::device_vector<T> out(count);
        scan_in_shape<Arch, detail::scan_kind::inclusive>(raw(in), raw(out), count, detail::scan_without_init<T>{});
        check_same("inclusive scan", inclusive, to_host(out));
        scan_in_shape<Arch, detail::scan_kind::exclusive>(raw(in), raw(out), count, detail::scan_with_init<T>{init});
        check_same("exclusive scan", exclusive, to_host(out));
      });
}

//! From memory one item behind well aligned memory, to such memory and to the item behind: fewer items than stand before a
//! multiple of 128 bytes, and several tiles.
template <int Arch, class T>
void check_misaligned_scans()
{
  const std::size_t tile = detail::scan_tuning<sizeof(T)>{}(Arch).tile_items();
  for (const std::size_t count : {std::size_t{1}, 2 * tile + tile / 3})
  {
    const std::vector<T> items = make_items<T>(count, 1);
    const std::vector<T> expected = inclusive_reference<T, T>(items, fold{});
    placed<T> in(items, placement::misaligned);
    for (const std::size_t behind : {1, 2})
    {
      for_each_seed(shape_seeds,
                    [&]
                    {
                      placed<T> out(count, behind);
                      const T* const from = in.begin();
                      scan_in_shape<Arch, detail::scan_kind::inclusive>(from, out.begin(), count,
                                                                        detail::scan_without_init<T>{});
                      check_same("inclusive scan", expected, out.items());
                    });
    }
  }
}

//! Part of a tile, and several tiles.
template <int Arch, class T>
void check_scans()
{
  const std::size_t tile = detail::scan_tuning<sizeof(T)>{}(Arch).tile_items();
  BOOST_TEST_CONTEXT("sm_" << Arch / 10)
  {
    check_scan<Arch, T>(tile - 1);
    check_scan<Arch, T>(8 * tile + tile / 3);
  }
}

template <int Arch, class T>
void check_reduce(std::size_t count)
{
  const std::vector<T> items = make_items<T>(count, 1);
  const T init = values<T>::make(0);
  const T expected = reduce_reference<T>(items, init, fold{});
  const thrust::device_vector<T> in = to_device(items);
  for_each_seed(shape_seeds,
                [&]
                {
                  T actual = init;
                  reduce_in_shape<Arch>(raw(in), count, init, &actual);
                  check_result("reduction", count, expected, actual);
                });
}

//! Of reduce_by_key as below.
detail::scan_config by_key_shape(int arch)
{
  using accum = detail::segmented<affine<std::uint32_t>, detail::boundary_count>;
  return detail::segment_tuning<sizeof(accum), sizeof(std::uint32_t), sizeof(accum::value), false>{}(arch);
}

//! A scan by key and reduce_by_key, whose operator does not commute.
template <int Arch>
void check_by_key(std::size_t count, segments lengths, placement where, unsigned seeds)
{
  using key = std::uint32_t;
  using value = affine<std::uint32_t>;
  const std::vector<key> keys = make_keys(count, lengths, by_key_shape(Arch).tile_items());
  const std::vector<value> items = make_items<value>(count, 1);
  const std::vector<value> scanned = inclusive_by_key_reference<value, value>(keys, items, equal{}, fold{});
  const auto reduced = reduce_by_key_reference<value, value>(keys, items, equal{}, fold{});
  const std::size_t segments = reduced.first.size();
  placed<key> in_keys(keys, where);
  placed<value> in(items, where);
  const key* const first_key = in_keys.begin();
  const value* const first = in.begin();
  for_each_seed(seeds,
                [&]
                {
                  placed<value> out(count, where), sums(segments, where);
                  placed<key> keys_out(segments, where);
                  scan_by_key_in_shape<Arch>(first_key, first, out.begin(), count);
                  check_same("scan by key", scanned, out.items());
                  BOOST_TEST(reduce_by_key_in_shape<Arch>(first_key, first, keys_out.begin(), sums.begin(), count) ==
                             segments);
                  check_same("keys of reduce_by_key", reduced.first, keys_out.items());
                  check_same("sums of reduce_by_key", reduced.second, sums.items());
                });
}

//! Part of a tile, and several tiles.
template <int Arch>
void check_by_key()
{
  const std::size_t tile = by_key_shape(Arch).tile_items();
  BOOST_TEST_CONTEXT("sm_" << Arch / 10)
  {
    check_by_key<Arch>(tile - 1, segments::of_few, placement::misaligned, shape_seeds);
    check_by_key<Arch>(8 * tile + tile / 3, segments::of_few, placement::misaligned, shape_seeds);
    check_by_key<Arch>(8 * tile + tile / 3, segments::of_hundreds, placement::aligned, shape_seeds);
    check_by_key<Arch>(8 * tile + tile / 3, segments::of_one, placement::aligned, shape_seeds);
  }
}

//! Both extrema, each of which comes several times, and an inner product.
template <int Arch>
void check_commutative(std::size_t count)
{
  using u32 = std::uint32_t;
  std::vector<u32> items = make_items<u32>(count, 1);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = 1 + items[i] % (i < count / 2 ? 1000 : 1001);
  }
  placed<u32> in(items, placement::aligned), misaligned(items, placement::misaligned);
  const auto smallest = static_cast<std::size_t>(std::min_element(items.begin(), items.end()) - items.begin());
  const auto largest = static_cast<std::size_t>(std::max_element(items.begin(), items.end()) - items.begin());
  const u32 product = std::inner_product(items.begin(), items.end(), items.begin(), u32{5});
  const detail::keep_both<thrust::less<u32>> keep{};
  const u32* const first = in.begin();
  const u32* const other = misaligned.begin();
  for (const u32* const each : {first, other})
  {
    const bool aligned = each == first;
    const detail::mapped_items<const u32*, detail::to_candidates<u32>> candidates{each, aligned, {}};
    const detail::zipped_items<const u32*, const u32*, thrust::multiplies<u32>> pairs{first, each, true, aligned, {}};
    const detail::extrema_indices found =
        reduce_terms_in_shape<Arch, detail::candidates<u32>>(candidates, count, detail::extrema_indices{}, keep);
    BOOST_TEST(found.smallest == smallest);
    BOOST_TEST(found.largest == largest);
    const u32 actual = reduce_terms_in_shape<Arch, u32>(pairs, count, u32{5}, thrust::plus<u32>{});
    BOOST_TEST(actual == product);
  }
}

//! Sums of bytes, whose tiles are larger where blocks have many, and of numbers whose order shows; aligned or not.
template <int Arch, class T>
void check_sum(std::size_t count)
{
  std::vector<T> items;
  for (const std::uint32_t bits : make_items<std::uint32_t>(count, 1))
  {
    items.push_back(std::is_integral_v<T> ? static_cast<T>(bits) : static_cast<T>(bits % 2001) * T(0.37) - T(300));
  }
  const detail::reduce_config shape = detail::reduce_tuning_of<T, T, thrust::plus<T>>{}(Arch);
  const T init = T(3);
  const T expected = reduce_commutative<T>(items, shape, {detail::vector_items_v<T>, false}, init, thrust::plus<T>{});
  for (const placement where : {placement::aligned, placement::misaligned})
  {
    placed<T> in(items, where);
    check_result_bitwise("sum", count, expected, sum_in_shape<Arch>(static_cast<const T*>(in.begin()), count, init));
  }
}

//! One block, few small ones, a tile per block, many tiles.
template <int Arch, class T>
void check_sums()
{
  const detail::reduce_config shape = detail::reduce_tuning_of<T, T, thrust::plus<T>>{}(Arch);
  check_sum<Arch, T>(1);
  check_sum<Arch, T>(5 * 32 * shape.items_per_thread + 3);
  check_sum<Arch, T>(shape.single_block_items() - 1);
  check_sum<Arch, T>(shape.single_block_items() + 17);
  check_sum<Arch, T>(7 * shape.small_grid_threads * shape.items_per_thread + 1);
  check_sum<Arch, T>((shape.small_grid_max_blocks / 2 + 1) * shape.tile_items() + 5);
  check_sum<Arch, T>(shape.max_blocks * shape.tile_items() + 1);
  check_sum<Arch, T>(shape.max_blocks / 4 * 3 * shape.multi_tile_items() + 4);
  check_sum<Arch, T>((shape.max_blocks + 9) * shape.multi_tile_items() - 3);
}

constexpr std::size_t shared_bytes_of(int arch)
{
  return arch < 800 ? 64 * 1024 : arch >= 900 && arch < 1200 ? 227 * 1024 : 99 * 1024;
}

template <std::size_t ItemBytes>
void check_shapes()
{
  for (const int arch : {750, 800, 860, 890, 900, 1000, 1200})
  {
    BOOST_TEST_CONTEXT(ItemBytes << "-byte items, arch " << arch)
    {
      const detail::scan_config scan = detail::scan_tuning<ItemBytes>{}(arch);
      BOOST_TEST(detail::scan_tuning<ItemBytes>::shared_bound(scan) <= shared_bytes_of(arch));
      BOOST_TEST(scan.compute_threads % 32 == 0u);
      BOOST_TEST(scan.compute_threads >= 32u);
      BOOST_TEST(scan.items_per_thread >= 1u);
      BOOST_TEST(scan.stages >= scan.lookahead_tiles + 2);
      const detail::tile_copies copies = arch >= 900   ? detail::tile_copies::in_bulk
                                         : arch >= 800 ? detail::tile_copies::in_vec16
                                                       : detail::tile_copies::by_threads;
      BOOST_TEST((scan.copies == copies));
      BOOST_TEST((detail::segment_tuning<ItemBytes + 4, 4, ItemBytes, true>{}(arch).copies == copies));
      const detail::reduce_config reduce = detail::ordered_tuning<ItemBytes>{}(arch);
      BOOST_TEST(reduce.tile_items() * ItemBytes <= std::max<std::size_t>(32 * 1024, 64 * ItemBytes));
      BOOST_TEST(reduce.max_blocks <= reduce.warps() * 32 * reduce.slots_per_lane);
    }
  }
}

//! As scans by key and as reduce_by_key, whose aggregates count boundaries in 4 bytes.
template <std::size_t KeyBytes, std::size_t ValueBytes, bool HasKeyStages>
detail::scan_config keyed_shape(int arch)
{
  using tuning = detail::segment_tuning<ValueBytes <= 4 ? 8 : ValueBytes + 8, KeyBytes, ValueBytes, HasKeyStages>;
  const detail::scan_config shape = tuning{}(arch);
  BOOST_TEST_CONTEXT(KeyBytes << "-byte keys, " << ValueBytes << "-byte values, arch " << arch)
  {
    BOOST_TEST(tuning::shared_bound(shape) <= shared_bytes_of(arch));
    BOOST_TEST(shape.max_threads() <= 1024u);
    BOOST_TEST(shape.stages >= shape.lookahead_tiles + 2);
    BOOST_TEST(shape.items_per_thread >= 1u);
    BOOST_TEST(shape.items_per_thread <= 32u);
  }
  return shape;
}

template <std::size_t KeyBytes, std::size_t ValueBytes>
void check_keyed_shapes()
{
  for (const int arch : {750, 800, 860, 890, 900, 1000, 1200})
  {
    keyed_shape<KeyBytes, ValueBytes, true>(arch);
    keyed_shape<KeyBytes, ValueBytes, false>(arch);
  }
}

//! The shape of selections of zipped arrays. ItemBytes is the size of an item of each array together; PieceItems neighbours
//! fill whole vectors in each array.
template <std::size_t ItemBytes, unsigned PieceItems, std::size_t FlagBytes, detail::select_input Input,
          std::size_t WarpBytes>
void check_zipped_shape()
{
  using tuning = detail::select_tuning<ItemBytes, FlagBytes, Input, WarpBytes, 1, PieceItems>;
  for (const int arch : {750, 800, 860, 890, 900, 1000, 1200})
  {
    BOOST_TEST_CONTEXT(ItemBytes << " bytes, pieces of " << PieceItems << ", stencil of " << FlagBytes << ", arch " << arch)
    {
      const detail::scan_config shape = tuning{}(arch);
      BOOST_TEST(tuning::shared_bound(shape) <= shared_bytes_of(arch));
      BOOST_TEST(shape.max_threads() <= 1024u);
      BOOST_TEST(shape.stages >= shape.lookahead_tiles + 2);
      BOOST_TEST(!shape.in_scratch);
    }
  }
}
template <std::size_t ItemBytes, unsigned PieceItems>
void check_zipped_shapes()
{
  using detail::select_input;
  check_zipped_shape<ItemBytes, PieceItems, 0, select_input::memory, 0>();
  check_zipped_shape<ItemBytes, PieceItems, 0, select_input::memory, 32>();
  check_zipped_shape<ItemBytes, PieceItems, 1, select_input::memory, 32>();
  check_zipped_shape<ItemBytes, PieceItems, 1, select_input::iterator, 0>();
  check_zipped_shape<ItemBytes, PieceItems, 8, select_input::iterator, 32>();
}

//! That what was measured is what runs: a shape that does not fit is shrunk without a word.
template <std::size_t KeyBytes, std::size_t ValueBytes>
void check_measured(int arch, unsigned threads, unsigned items, unsigned stages)
{
  const detail::scan_config shape = keyed_shape<KeyBytes, ValueBytes, false>(arch);
  BOOST_TEST(shape.specialize_reduce_warps == (arch == 900));
  BOOST_TEST(shape.compute_threads == threads);
  BOOST_TEST(shape.items_per_thread == items);
  BOOST_TEST(shape.stages == stages);
}

template <std::size_t KeyBytes, std::size_t ValueBytes, bool HasKeyStages>
using large_tiles_by_key = detail::few_tiles_tuning<
    detail::segment_tuning<ValueBytes <= 4 ? 8 : ValueBytes + 8, KeyBytes, ValueBytes, HasKeyStages>, KeyBytes + ValueBytes,
    detail::few_tiles_size::large>;

//! A lane's neighbours have slots 32 apart, each value one of its own, in whole rows.
template <unsigned PerLane>
void check_slots()
{
  constexpr std::uint64_t row = 32 * PerLane, first = std::uint64_t{1} << 33;
  for (const std::uint64_t count : {std::uint64_t{1}, row - 1, row, 5 * row + 3})
  {
    const std::uint64_t slots = detail::slots_in_rows(count, PerLane);
    BOOST_TEST(slots == (PerLane == 1 ? count : (count + row - 1) / row * row));
    for (std::uint64_t value = 0; value < count; ++value)
    {
      const std::uint64_t lane = value % row / PerLane, neighbour = value % PerLane;
      const std::uint64_t expected = first + value / row * row + neighbour * 32 + lane;
      BOOST_TEST(detail::slot_of_value<PerLane>(first + value) == expected);
      BOOST_TEST(expected - first < slots);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(every_shape_fits_its_architecture)
{
  check_shapes<1>();
  check_shapes<4>();
  check_shapes<8>();
  check_shapes<12>();
  check_shapes<40>();
  check_shapes<128>();
  check_shapes<256>();
}

BOOST_AUTO_TEST_CASE(every_shape_by_key_fits_its_architecture)
{
  check_keyed_shapes<1, 1>();
  check_keyed_shapes<1, 8>();
  check_keyed_shapes<2, 4>();
  check_keyed_shapes<4, 4>();
  check_keyed_shapes<4, 8>();
  check_keyed_shapes<8, 1>();
  check_keyed_shapes<8, 4>();
  check_keyed_shapes<8, 8>();
  check_keyed_shapes<16, 40>();
  check_keyed_shapes<128, 4>();
}

BOOST_AUTO_TEST_CASE(every_shape_of_zipped_arrays_fits_its_architecture)
{
  check_zipped_shapes<3, 8>();
  check_zipped_shapes<5, 16>();
  check_zipped_shapes<8, 4>();
  check_zipped_shapes<10, 8>();
  check_zipped_shapes<13, 5>();
  check_zipped_shapes<16, 5>();
  check_zipped_shapes<17, 16>();
  check_zipped_shapes<18, 4>();
  check_zipped_shapes<33, 2>();
  check_zipped_shapes<37, 2>();
  check_zipped_shapes<65, 16>();
  check_zipped_shapes<101, 16>();
}

BOOST_AUTO_TEST_CASE(large_tiles_by_key_begin_and_end_where_they_were_measured)
{
  const auto check = [](auto tuning, std::uint64_t items, unsigned tiles, unsigned threads)
  {
    const detail::few_tiles_shape shape = detail::few_tiles_shape_for<decltype(tuning)>(900, items);
    BOOST_TEST(shape.tiles == tiles);
    BOOST_TEST(shape.block_threads == threads);
  };
  const large_tiles_by_key<4, 8, false> of_long_values{};
  check(of_long_values, 110 * 4032, 116, 320);
  check(of_long_values, 110 * 4032 + 1, 0, 0);
  check(of_long_values, 132 * 4032, 0, 0); // one wave of streaming
  check(of_long_values, 132 * 4032 + 1, 116, 384);
  check(of_long_values, 132 * 512 * 12, 132, 512);
  check(of_long_values, 132 * 512 * 12 + 1, 0, 0);
  const large_tiles_by_key<8, 8, false> of_long_pairs{};
  check(of_long_pairs, 2 * 132 * 3136, 0, 0); // two waves
  check(of_long_pairs, 2 * 132 * 3136 + 1, 259, 320);
  check(of_long_pairs, 264 * 512 * 10, 264, 512);
  check(of_long_pairs, 264 * 512 * 10 + 1, 0, 0);
  check(large_tiles_by_key<8, 8, true>{}, 1 << 19, 205, 256);
  check(large_tiles_by_key<8, 4, false>{}, 264 * 512 * 12, 264, 512);
}

BOOST_AUTO_TEST_CASE(reduce_by_key_has_the_shapes_that_were_measured)
{
  check_measured<4, 4>(900, 192, 28, 5);
  check_measured<4, 8>(900, 224, 18, 4);
  check_measured<8, 8>(900, 224, 14, 4);
  check_measured<1, 1>(900, 320, 32, 7);
  check_measured<4, 4>(800, 128, 20, 4);
  check_measured<4, 8>(800, 64, 28, 4);
  check_measured<8, 8>(800, 64, 22, 4);
  check_measured<1, 1>(800, 192, 32, 6);
}

BOOST_AUTO_TEST_CASE(values_of_a_lane_lie_a_warp_apart)
{
  check_slots<1>();
  check_slots<2>();
  check_slots<4>();
  check_slots<8>();
}

BOOST_AUTO_TEST_CASE(scans_with_bulk_copies_and_many_warps)
{
  check_scans<900, std::uint8_t>();
  check_scans<900, affine<std::uint32_t>>();
  check_scans<900, words<64>>();
  check_scans<1200, std::int32_t>();
}

BOOST_AUTO_TEST_CASE(scans_without_bulk_copies)
{
  check_scans<750, words<3>>();
  check_scans<800, std::int32_t>();
  check_scans<800, affine<std::uint32_t>>();
}

//! As many blocks as fit run, and none asks for a tile ahead. All tiles but the last come in 16-byte vectors.
BOOST_AUTO_TEST_CASE(scans_in_pieces_have_two_blocks_a_multiprocessor)
{
  using u32 = std::uint32_t;
  const detail::scan_config shape = detail::scan_tuning<sizeof(u32)>{}(800);
  const unsigned room = 2 * static_cast<unsigned>(reheat::emulator::device_properties().multiprocessors);
  for (const unsigned tiles : {room - 1, room + 1, 4 * room})
  {
    BOOST_TEST_CONTEXT(tiles << " tiles")
    {
      const std::size_t count = tiles * shape.tile_items() - 5;
      const std::vector<u32> items = make_items<u32>(count, 1);
      placed<u32> in(count + shape.tile_alignment, placement::aligned), out(count, placement::aligned);
      const unsigned head =
          detail::items_before_aligned(in.begin(), shape.tile_alignment).value(); // no short tile comes first
      std::copy(items.begin(), items.end(), in.begin() + head);
      const u32* const from = in.begin() + head;
      scan_in_shape<800, detail::scan_kind::inclusive>(from, out.begin(), count, detail::scan_without_init<u32>{});
      check_same("inclusive scan", inclusive_reference<u32, u32>(items, fold{}), out.items());
      BOOST_TEST(reheat::emulator::last_launch().blocks == std::min(tiles, room));
      BOOST_TEST(reheat::emulator::last_launch().prefetched_bytes == 0u);
      BOOST_TEST(reheat::emulator::last_launch().piece_loads == (tiles - 1) * shape.tile_items() * sizeof(u32) / 16);
    }
  }
}

BOOST_AUTO_TEST_CASE(scans_have_two_tiles_of_a_block_on_their_way)
{
  using u32 = std::uint32_t;
  const detail::scan_config shape = detail::scan_tuning<sizeof(u32)>{}(900);
  const std::vector<u32> items = make_items<u32>(12 * shape.stages * shape.tile_items());
  placed<u32> in(items, placement::aligned), out(items.size(), placement::aligned);
  std::uint64_t most = 0;
  for_each_seed(shape_seeds,
                [&]
                {
                  const u32* const from = in.begin();
                  scan_in_shape<900, detail::scan_kind::inclusive>(from, out.begin(), items.size(),
                                                                   detail::scan_without_init<u32>{});
                  most = std::max(most, reheat::emulator::last_launch().most_bulk_loads);
                });
  BOOST_TEST(most == 2u); // bulk loads, of one tile each
}

BOOST_AUTO_TEST_CASE(scans_of_misaligned_memory)
{
  check_misaligned_scans<900, std::uint8_t>();
  check_misaligned_scans<900, words<3>>();
  check_misaligned_scans<800, std::int32_t>();
}

BOOST_AUTO_TEST_CASE(scans_of_values_that_are_not_copied_by_their_bytes)
{
  check_scans<900, tracked<true>>();
  check_scans<800, tracked<false>>();
}

BOOST_AUTO_TEST_CASE(scans_of_more_tiles_than_a_group_with_several_slots_per_lane)
{
  const detail::scan_config shape = detail::scan_tuning<sizeof(words<64>)>{}(900);
  BOOST_TEST(shape.slots_per_lane > 1u);
  check_scan<900, words<64>>(shape.tile_items() * (shape.group_tiles() + 2) + 5);
}

BOOST_AUTO_TEST_CASE(scans_of_many_tiles_leave_the_place_of_one_block_to_other_kernels)
{
  const detail::scan_config shape = detail::scan_tuning<sizeof(std::uint32_t)>{}(0);
  const auto blocks_of_scan = [&](std::uint64_t tiles)
  {
    thrust::device_vector<std::uint32_t> items(tiles * shape.tile_items(), 1u);
    thrust::inclusive_scan(reheat::par, items.begin(), items.end(), items.begin());
    BOOST_TEST(items.back() == items.size());
    return reheat::emulator::last_launch().blocks;
  };
  BOOST_TEST(blocks_of_scan(shape.spare_sm_from_tiles) + 1 == blocks_of_scan(shape.spare_sm_from_tiles - 1));
}

BOOST_AUTO_TEST_CASE(scans_ask_for_their_first_wave_of_tiles)
{
  using u32 = std::uint32_t;
  const detail::scan_config shape = detail::scan_tuning<sizeof(u32)>{}(0);
  const std::size_t tile = shape.tile_items();
  const auto blocks_of_a_wave = [&]
  {
    thrust::device_vector<u32> items(100 * tile);
    thrust::inclusive_scan(reheat::par, items.begin(), items.end(), items.begin());
    return reheat::emulator::last_launch().blocks + 1; // one leaves room: 100 tiles are many
  };
  const std::size_t wave = blocks_of_a_wave(), enough = (shape.prefetch_from_half_waves * wave + 1) / 2;
  for (const std::size_t tiles : {enough - 1, enough})
  {
    const std::size_t asked_for = tiles == enough ? wave : 0;
    BOOST_TEST_CONTEXT(tiles << " tiles, " << wave << " at a time")
    {
      const std::vector<u32> items = make_items<u32>(tiles * tile);
      placed<u32> aligned(items, placement::aligned);
      thrust::inclusive_scan(reheat::par, aligned.begin(), aligned.end(), aligned.begin());
      BOOST_TEST(reheat::emulator::last_launch().prefetched_bytes == asked_for * tile * sizeof(u32));

      placed<u32> misaligned(items, placement::misaligned); // in two parts of tiles and the tiles between
      thrust::inclusive_scan(reheat::par, misaligned.begin(), misaligned.end() - tile, misaligned.begin());
      BOOST_TEST(reheat::emulator::last_launch().prefetched_bytes ==
                 (asked_for == 0 ? 0 : asked_for - 1) * tile * sizeof(u32));
    }
  }
}

BOOST_AUTO_TEST_CASE(by_key_with_bulk_copies_and_many_warps)
{
  check_by_key<900>();
}

BOOST_AUTO_TEST_CASE(by_key_without_bulk_copies)
{
  check_by_key<800>();
}

BOOST_AUTO_TEST_CASE(by_key_in_more_tiles_than_two_supergroups)
{
  const detail::scan_config shape = by_key_shape(0);
  const std::size_t tiles = 2 * shape.group_tiles() * shape.groups_per_supergroup + shape.group_tiles() + 3;
  for (const segments lengths : {segments::of_few, segments::of_hundreds, segments::of_all})
  {
    check_by_key<0>(tiles * shape.tile_items() + 5, lengths, placement::aligned, shape_seeds);
  }
}

BOOST_AUTO_TEST_CASE(by_key_in_more_tiles_than_a_group_with_several_slots_per_lane)
{
  const detail::scan_config shape = by_key_shape(800);
  BOOST_TEST(shape.slots_per_lane > 1u);
  check_by_key<800>(shape.tile_items() * (shape.group_tiles() + 2) + 5, segments::of_hundreds, placement::aligned, 1);
}

BOOST_AUTO_TEST_CASE(reductions_over_as_many_blocks_as_the_grid_may_have)
{
  const detail::reduce_config shape = detail::ordered_tuning<sizeof(words<64>)>{}(900);
  check_reduce<900, words<64>>(shape.tile_items() * 3 + 1);
  check_reduce<900, words<64>>(shape.tile_items() * (shape.max_blocks + 7) - 1);
  const detail::reduce_config smaller = detail::ordered_tuning<sizeof(words<3>)>{}(900);
  check_reduce<900, words<3>>(smaller.tile_items() * (smaller.max_blocks + 7) - 1);
}

BOOST_AUTO_TEST_CASE(sums_of_every_number_of_blocks)
{
  check_sums<900, std::uint8_t>();
  check_sums<900, float>();
}

BOOST_AUTO_TEST_CASE(striped_reductions_of_several_pieces_per_thread)
{
  const detail::reduce_config shape = detail::commutative_tuning<4, 16, detail::vector_kind::mapped>{}(900);
  BOOST_TEST(shape.items_per_thread == 4u * 4u);
  check_commutative<900>(shape.single_block_threads * shape.items_per_thread - 5);
  check_commutative<900>(3 * shape.tile_items() + 1);
  check_commutative<900>(std::size_t{2 * shape.max_blocks + 3} * shape.tile_items() - 1);
}

BOOST_AUTO_TEST_SUITE_END()
