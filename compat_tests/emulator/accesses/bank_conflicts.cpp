// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Wavefronts of accesses to shared memory: as many as words of one bank meet among the lanes that go together.
#include "watch.hpp"

#include <reheat/detail/thread/items.cuh>

#include <algorithm>

using namespace compat;

namespace
{

constexpr unsigned room_items = 32 * 32;

//! Each lane stores one T at word `place(lane)`.
template <class T, class Place>
shared_traffic traffic_of(Place place)
{
  run_warp(
      [&]
      {
        simt::shared_memory memory;
        auto* const room = memory.array<unsigned>(room_items, 128);
        const T value{};
        keep(value);
        *reinterpret_cast<T*>(room + place(simt::lane_index())) = value;
      });
  return last_shared_traffic();
}

//! One instruction, `needed` wavefronts where `least` would do.
void check_store(const shared_traffic& traffic, unsigned needed, unsigned least)
{
  BOOST_TEST(traffic.loads == 0u);
  BOOST_TEST(traffic.stores == 1u);
  BOOST_TEST(traffic.wavefronts == needed);
  BOOST_TEST(traffic.least_wavefronts == least);
}

//! What walking over ItemsPerThread items each costs the threads of a warp.
template <unsigned ItemsPerThread, bool Writes>
shared_traffic traffic_of_walking()
{
  run_warp(
      []
      {
        simt::shared_memory memory;
        auto* const items = memory.array<unsigned>(32 * ItemsPerThread, 128);
        for (unsigned i = 0; i < ItemsPerThread; ++i)
        {
          items[i * 32 + simt::lane_index()] = i;
        }
        simt::sync_warp();
        auto* const own = items + simt::lane_index() * ItemsPerThread;
        reheat::detail::walk_items<Writes, ItemsPerThread>(own, ItemsPerThread, [](auto& item, unsigned) { keep(item); });
      });
  shared_traffic traffic = last_shared_traffic();
  traffic.stores -= ItemsPerThread; // those of the loop, without conflicts
  traffic.wavefronts -= ItemsPerThread;
  traffic.least_wavefronts -= ItemsPerThread;
  return traffic;
}

//! `ways` of 1 is no conflict.
template <unsigned Pieces>
void check_walk(unsigned ways)
{
  constexpr unsigned items_per_thread = 4 * Pieces;
  constexpr unsigned quarters = 4;
  const shared_traffic reading = traffic_of_walking<items_per_thread, false>();
  BOOST_TEST(reading.loads == Pieces);
  BOOST_TEST(reading.stores == 0u);
  BOOST_TEST(reading.wavefronts == quarters * Pieces * ways);
  BOOST_TEST(reading.least_wavefronts == quarters * Pieces);
  const shared_traffic writing = traffic_of_walking<items_per_thread, true>();
  BOOST_TEST(writing.loads == Pieces);
  BOOST_TEST(writing.stores == Pieces);
  BOOST_TEST(writing.wavefronts == 2 * quarters * Pieces * ways);
  BOOST_TEST(writing.least_wavefronts == 2 * quarters * Pieces);
}

} // namespace

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(bank_conflicts)

BOOST_AUTO_TEST_CASE(neighbouring_words_have_a_bank_each)
{
  check_store(traffic_of<unsigned>([](unsigned lane) { return lane; }), 1, 1);
  check_store(traffic_of<unsigned>([](unsigned lane) { return 31 * lane; }), 1, 1);
}

BOOST_AUTO_TEST_CASE(lanes_at_the_same_word_share_it)
{
  check_store(traffic_of<unsigned>([](unsigned) { return 5; }), 1, 1);
  check_store(traffic_of<std::uint8_t>([](unsigned lane) { return lane / 4; }), 1, 1);
}

BOOST_AUTO_TEST_CASE(words_of_one_bank_come_one_after_the_other)
{
  check_store(traffic_of<unsigned>([](unsigned lane) { return 2 * lane; }), 2, 1);
  check_store(traffic_of<unsigned>([](unsigned lane) { return 6 * lane; }), 2, 1);
  check_store(traffic_of<unsigned>([](unsigned lane) { return 4 * lane; }), 4, 1);
  check_store(traffic_of<std::uint8_t>([](unsigned lane) { return 32 * lane; }), 32, 1);
}

BOOST_AUTO_TEST_CASE(eight_byte_accesses_go_by_halves_of_a_warp)
{
  check_store(traffic_of<std::uint64_t>([](unsigned lane) { return 2 * lane; }), 2, 2);
  check_store(traffic_of<std::uint64_t>([](unsigned lane) { return 4 * lane; }), 4, 2);
}

BOOST_AUTO_TEST_CASE(sixteen_byte_accesses_go_by_quarters_of_a_warp)
{
  using quad = reheat::detail::vec16;
  check_store(traffic_of<quad>([](unsigned lane) { return 4 * lane; }), 4, 4);
  check_store(traffic_of<quad>([](unsigned lane) { return 8 * lane; }), 8, 4);
}

BOOST_AUTO_TEST_CASE(larger_structs_count_as_several_accesses)
{
  struct three_words
  {
    unsigned word[3];
  };
  check_store(traffic_of<three_words>([](unsigned lane) { return 3 * lane; }), 3, 3); // 3 is odd
  struct twelve_words
  {
    unsigned word[12];
  };
  check_store(traffic_of<twelve_words>([](unsigned lane) { return 12 * lane; }), 12, 12); // of 16 bytes each
}

BOOST_AUTO_TEST_CASE(walking_over_an_odd_number_of_pieces_has_no_conflicts_and_over_an_even_number_has)
{
  check_walk<1>(1);
  check_walk<3>(1);
  check_walk<5>(1);
  check_walk<7>(1);
  check_walk<2>(2);
  check_walk<6>(2);
  check_walk<4>(4);
}

BOOST_AUTO_TEST_CASE(lanes_that_stay_away_are_no_part_of_an_instruction)
{
  const auto some = [](unsigned lane) { return lane < 8 ? 32 * lane : 7 * 32; };
  check_store(traffic_of<unsigned>(some), 8, 1);
  run_warp(
      []
      {
        simt::shared_memory memory;
        auto* const items = memory.array<unsigned>(32 * 32);
        for (unsigned i = 0; i < 1 + simt::lane_index() % 2; ++i) // odd lanes twice
        {
          items[32 * simt::lane_index()] = i;
        }
      });
  const shared_traffic traffic = last_shared_traffic();
  BOOST_TEST(traffic.stores == 2u);
  BOOST_TEST(traffic.wavefronts == 32u + 16u);
  BOOST_TEST(traffic.least_wavefronts == 2u);
}

BOOST_AUTO_TEST_CASE(warps_of_all_blocks_add_up_and_each_launch_counts_anew)
{
  test::for_seeds(
      []
      {
        test::run(5, 64, 1024,
                  []
                  {
                    simt::shared_memory memory;
                    memory.array<unsigned>(128)[2 * simt::thread_index()] = 1;
                  });
        const shared_traffic traffic = last_shared_traffic();
        BOOST_TEST(traffic.stores == 10u);
        BOOST_TEST(traffic.wavefronts == 20u);
        BOOST_TEST(traffic.least_wavefronts == 10u);
      });
}

BOOST_AUTO_TEST_CASE(conflicts_are_named_by_their_line)
{
  int line = 0;
  run_warp(
      [&]
      {
        simt::shared_memory memory;
        auto* const items = memory.array<unsigned>(64);
        items[simt::lane_index()] = 1;
        line = __LINE__ + 1;
        items[2 * simt::lane_index()] = 2;
      });
  const std::string conflicts = last_bank_conflicts();
  test::check_contains(conflicts, test::line_text(file_name(__FILE__), line));
  test::check_contains(conflicts, ": 1 stores, 2 wavefronts, at least 1\n");
  BOOST_TEST(std::count(conflicts.begin(), conflicts.end(), '\n') == 1);
  run_thread([] {});
  BOOST_TEST(last_bank_conflicts() == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
