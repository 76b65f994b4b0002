// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the block steps of the ladder's reductions cost, counted in blocks of the size that they have on GPUs: reads of the
//! input, barriers, shuffles, wavefronts in shared memory, and who works in the first step of the tree. With the environment
//! variable REHEAT_LADDER_TABLE the table is printed, separated by tabs.

#include "calls.hpp"

#include <reheat/ladder.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(ladder_reduce)

namespace
{

namespace rungs = reheat::detail::ladder;
using u32 = std::uint32_t;

//! The shape of GPUs, on the emulator.
template <class Tuning>
struct gpu_tuning
{
  constexpr rungs::rung_config operator()(int, std::size_t value_bytes) const { return Tuning{}(900, value_bytes); }
};
template <class Step>
using gpu_step =
    rungs::block_step<gpu_tuning<typename Step::tuning>, typename Step::place, typename Step::load, typename Step::tree>;

//! Of one launch in which every block has one tile.
struct figures
{
  unsigned reads;           //!< of each byte of the input
  unsigned barriers;        //!< of the block, per thread
  unsigned warp_barriers;   //!< all threads'
  unsigned shuffles;        //!< likewise
  unsigned wavefronts;      //!< in shared memory, per block
  unsigned least;           //!< without bank conflicts
  unsigned first_lanes = 0; //!< that work in the first step of the tree
  unsigned first_warps = 0; //!< in which they are
};

void check_figures(const char* name, const figures& expected, const figures& actual)
{
  BOOST_TEST_CONTEXT(name)
  {
    BOOST_TEST(actual.reads == expected.reads);
    BOOST_TEST(actual.barriers == expected.barriers);
    BOOST_TEST(actual.warp_barriers == expected.warp_barriers);
    BOOST_TEST(actual.shuffles == expected.shuffles);
    BOOST_TEST(actual.wavefronts == expected.wavefronts);
    BOOST_TEST(actual.least == expected.least);
    BOOST_TEST(actual.first_lanes == expected.first_lanes);
    BOOST_TEST(actual.first_warps == expected.first_warps);
  }
  if (std::getenv("REHEAT_LADDER_TABLE") != nullptr)
  {
    std::printf("%s\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\n", name, actual.reads, actual.barriers, actual.warp_barriers,
                actual.shuffles, actual.wavefronts, actual.least, actual.first_lanes, actual.first_warps);
  }
}

unsigned applied[1024]; //!< times each thread of a block has applied the operator

struct counted_plus
{
  u32 operator()(u32 x, u32 y) const
  {
    ++applied[simt::thread_index()];
    return x + y;
  }
};

//! The launch of a step over `items` items as `tiles` tiles, with everything watched.
template <class Step>
figures run_step(std::size_t items, std::size_t tiles)
{
  const rungs::rung_config c = Step::config(0, sizeof(u32));
  const std::vector<u32> in = make_items<u32>(items);
  std::vector<u32> sums(tiles), work(Step::place::needs_copy ? items : 0);
  const watched_range input(in.data(), items * sizeof(u32), content::written, "input");
  std::fill(std::begin(applied), std::end(applied), 0u);
  rungs::launch_step<Step>(environment_on(nullptr, "step"), c, in.data(), items, tiles, work.data(), counted_plus{},
                           rungs::to_sums<u32>{sums.data()});
  check_counts(input, items * sizeof(u32), 1, 0);
  u32 sum = 0, expected = 0;
  std::for_each(sums.begin(), sums.end(), [&](u32 x) { sum += x; });
  std::for_each(in.begin(), in.end(), [&](u32 x) { expected += x; });
  BOOST_TEST(sum == expected);

  const reheat::emulator::counters counted = reheat::emulator::last_launch();
  const shared_traffic traffic = last_shared_traffic();
  const std::uint64_t threads = tiles * c.block_threads;
  figures result{};
  result.reads = input.reads_of(0);
  result.barriers = static_cast<unsigned>(counted.barriers / threads);
  result.warp_barriers = static_cast<unsigned>(counted.warp_barriers / tiles);
  result.shuffles = static_cast<unsigned>(counted.shuffles / tiles);
  result.wavefronts = static_cast<unsigned>(traffic.wavefronts / tiles);
  result.least = static_cast<unsigned>(traffic.least_wavefronts / tiles);
  return result;
}

template <class Rung>
void check_rung(const char* name, const figures& expected)
{
  using step = gpu_step<typename Rung::step>;
  constexpr unsigned threads = step::template threads<u32>();
  figures actual = run_step<step>(2 * 2 * threads, step::load::items_per_thread == 1 && !step::load::strides ? 4 : 2);
  // One item per thread: whoever applies the operator, works in the tree. Later steps are for some of those of the first;
  // but lanes that shuffle go on until their partner lies beyond the warp, which those of the first step never see.
  (void)run_step<step>(threads, 1);
  const unsigned least = std::is_same_v<typename step::tree, rungs::warp_then_warp_tree> ? 5 : 1;
  for (unsigned warp = 0; warp * simt::warp_lanes < threads; ++warp)
  {
    const unsigned* const lanes = applied + warp * simt::warp_lanes;
    const auto working = static_cast<unsigned>(
        std::count_if(lanes, lanes + simt::warp_lanes, [&](unsigned times) { return times >= least; }));
    actual.first_lanes += working;
    actual.first_warps += working != 0 ? 1 : 0;
  }
  check_figures(name, expected, actual);
}

//! The first launch of a sum by matrix units; fragments are laid out in the emulator's own way, so wavefronts say nothing.
template <bool Accumulates, class Item>
void check_matrix_rung(const char* name, const figures& expected)
{
  using tuning = gpu_tuning<rungs::tuning_256>;
  using shape = simt::matrix_shape<Item>;
  using sum_type = typename shape::sum_type;
  constexpr unsigned threads = tuning{}(0, sizeof(Item)).block_threads;
  constexpr unsigned warps = threads / simt::warp_lanes;
  constexpr std::size_t tiles = 2 * 3 * warps; // of two blocks
  const std::vector<Item> in = make_items<Item>(tiles * shape::depth * shape::columns);
  std::vector<sum_type> sums(2);
  const watched_range input(in.data(), in.size() * sizeof(Item), content::written, "input");
  simt::shared_counter counter;
  const rungs::matrix_shared<Item> layout(counter, warps);
  static_cast<void>(layout);
  reheat::runtime::launch(environment_on(nullptr, "step"), {2, threads, counter.bytes()},
                          &rungs::ladder_reduce_matrix_kernel<tuning, Accumulates, Item, const Item*>, in.data(), in.size(),
                          tiles, rungs::is_matrix_aligned(in.data()), sums.data());
  check_counts(input, in.size() * sizeof(Item), 1, 0);
  const reheat::emulator::counters counted = reheat::emulator::last_launch();
  figures actual{};
  actual.reads = input.reads_of(0);
  actual.barriers = static_cast<unsigned>(counted.barriers / (2 * threads));
  check_figures(name, expected, actual);
}

} // namespace

BOOST_AUTO_TEST_CASE(steps_cost_what_the_ladder_says)
{
  using namespace reheat::ladder;
  if (std::getenv("REHEAT_LADDER_TABLE") != nullptr)
  {
    std::printf("rung\treads\tbarriers per thread\twarp barriers\tshuffles\twavefronts\twithout conflicts\t"
                "lanes in step 1\twarps in step 1\n");
  }
  // reads, barriers, warp barriers, shuffles, wavefronts, without conflicts, lanes and warps of the first step
  check_rung<reduce_multiple_kernels_t>("reduce_multiple_kernels", {1, 8, 0, 0, 0, 0, 128, 8});
  check_rung<reduce0_interleaved_modulo_t>("reduce0_interleaved_modulo", {1, 8, 0, 0, 150, 150, 128, 8});
  check_rung<reduce1_interleaved_strided_t>("reduce1_interleaved_strided", {1, 8, 0, 0, 150, 45, 128, 4});
  check_rung<reduce2_sequential_addressing_t>("reduce2_sequential_addressing", {1, 8, 0, 0, 45, 45, 128, 4});
  check_rung<reduce3_first_add_on_load_t>("reduce3_first_add_on_load", {1, 8, 0, 0, 45, 45, 128, 4});
  check_rung<reduce4_last_warp_shuffle_t>("reduce4_last_warp_shuffle", {1, 3, 0, 160, 30, 30, 128, 4});
  check_rung<reduce5_unrolled_t>("reduce5_unrolled", {1, 3, 0, 160, 30, 30, 128, 4});
  check_rung<reduce6_grid_stride_t>("reduce6_grid_stride", {1, 3, 0, 160, 30, 30, 128, 4});
  check_rung<reduce7_warp_then_warp_t>("reduce7_warp_then_warp", {1, 1, 0, 1440, 9, 9, 128, 8});
  check_matrix_rung<false, double>("reduce_tensor_core_16", {1, 1, 0, 0, 0, 0});
  check_matrix_rung<true, double>("reduce_tensor_core_256", {1, 1, 0, 0, 0, 0});
  check_rung<reduce_halving_global_t>("reduce_halving_global", {1, 7, 0, 0, 0, 0, 64, 2});
  check_rung<reduce_halving_static_shared_t>("reduce_halving_static_shared", {1, 7, 0, 0, 29, 29, 64, 2});
  check_rung<reduce_halving_dynamic_shared_t>("reduce_halving_dynamic_shared", {1, 7, 0, 0, 29, 29, 64, 2});
  check_rung<reduce_atomic_finish_t>("reduce_atomic_finish", {1, 7, 0, 0, 29, 29, 64, 2});
  check_rung<reduce_warp_synchronous_t>("reduce_warp_synchronous", {1, 2, 192, 0, 29, 29, 64, 2});
  check_rung<reduce_shuffle_t>("reduce_shuffle", {1, 2, 0, 160, 14, 14, 64, 2});
  check_rung<reduce_cooperative_groups_t>("reduce_cooperative_groups", {1, 1, 0, 800, 5, 5, 64, 4});
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
