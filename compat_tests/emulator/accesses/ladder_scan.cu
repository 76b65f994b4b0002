// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What each of the ladder's scans costs, counted: launches, accesses to input and output, barriers, bank conflicts. With
//! REHEAT_LADDER_TABLE in the environment the figures are printed as well.

#include "calls.hpp"

#include "../../support/calls.hpp"

#include <reheat/ladder.cuh>

#include <thrust/functional.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace compat;

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(ladder_scan)

namespace
{

namespace rungs = reheat::ladder;
using item = std::uint32_t;

constexpr std::size_t part = reheat::detail::ladder::chunk_tuning<sizeof(item), 128>{}(0).block_threads;
constexpr std::size_t tile = reheat::detail::ladder::one_pass_tuning<sizeof(item)>{}(0).tile_items();
constexpr unsigned tile_threads = reheat::detail::ladder::one_pass_tuning<sizeof(item)>{}(0).block_threads;

//! How often bytes of one range are accessed: from the least to the most.
struct times
{
  unsigned least;
  unsigned most;
  friend bool operator==(const times& x, const times& y) { return x.least == y.least && x.most == y.most; }
  std::string text() const
  {
    return least == most ? std::to_string(most) : std::to_string(least) + "-" + std::to_string(most);
  }
};

//! The figures of an inclusive scan of `sweep_items` words to other memory, and of the launch that scans a single part.
struct figures
{
  const char* rung;
  std::size_t launches;
  times input_reads;
  times output_writes;
  times output_reads;
  unsigned barriers;  //!< of the block, per thread and part or tile, with those that end a launch
  unsigned conflicts; //!< wavefronts for each that would do, where that is worst
};

//! One part of the sums, several of the items, the last one not whole.
constexpr std::size_t sweep_items = 7 * part + part / 3;

// What a scan of one pass does at the end of a launch: it draws once more, and retires.
const std::vector<figures> expected = {
    {"scan_then_fan_serial", 3, {1, 1}, {2, 2}, {1, 1}, 0, 1},
    {"scan_then_fan_shared", 3, {1, 1}, {2, 2}, {1, 1}, 2, 1},
    {"scan_then_fan_warps", 3, {1, 1}, {2, 2}, {1, 1}, 3, 1},
    {"scan_then_fan_kogge_stone", 3, {1, 1}, {2, 2}, {1, 1}, 3, 1},
    {"scan_then_fan_padded", 3, {1, 1}, {2, 2}, {1, 1}, 3, 1},
    {"scan_then_fan_recursive", 3, {1, 1}, {2, 2}, {1, 1}, 3, 1},
    {"scan_then_fan_shuffle", 3, {1, 1}, {2, 2}, {1, 1}, 3, 1},
    {"scan_then_fan_predicated", 3, {1, 1}, {2, 2}, {1, 1}, 3, 1},
    {"reduce_then_scan_recursive", 3, {2, 2}, {1, 1}, {0, 0}, 3, 1},
    {"reduce_then_scan_two_pass", 3, {2, 2}, {1, 1}, {0, 0}, 3, 1},
    {"chained_scan", 1, {1, 1}, {1, 1}, {0, 0}, 7, 1},
    {"decoupled_lookback", 1, {1, 1}, {1, 1}, {0, 0}, 7, 1},
    {"hillis_steele_global", 3, {1, 1}, {2, 9}, {6, 13}, 15, 1},
    {"hillis_steele_shared", 3, {1, 1}, {2, 2}, {1, 1}, 15, 1},
};

template <class Count>
times range_of(std::size_t bytes, Count count)
{
  times result{~0u, 0};
  for (std::size_t i = 0; i < bytes; ++i)
  {
    result.least = std::min(result.least, count(i));
    result.most = std::max(result.most, count(i));
  }
  return result;
}

//! Rounded: lanes that come to a line another number of times are counted with the wrong turn of the others. From the lines
//! "…: 4 stores, 8 wavefronts, at least 4".
unsigned worst_conflict(const std::string& conflicts)
{
  unsigned worst = 1;
  const std::string before = ", at least ";
  for (std::size_t at = conflicts.find(before); at != std::string::npos; at = conflicts.find(before, at + 1))
  {
    const std::size_t number = conflicts.rfind(", ", at - 1) + 2;
    const unsigned needed = static_cast<unsigned>(std::stoul(conflicts.substr(number)));
    const unsigned least = static_cast<unsigned>(std::stoul(conflicts.substr(at + before.size())));
    worst = std::max(worst, (needed + least / 2) / least);
  }
  return worst;
}

template <class Rung>
figures count_figures(const char* name, std::size_t one_part)
{
  figures result{};
  result.rung = name;
  const std::vector<item> items = make_items<item>(sweep_items, 1);
  placed<item> in(items, placement::aligned), out(sweep_items, placement::aligned);
  stream on;
  {
    const watched_range input(in.begin(), sweep_items * sizeof(item), content::written, "input");
    const watched_range output(out.begin(), sweep_items * sizeof(item), content::never_written, "output");
    thrust::inclusive_scan(reheat::par.on(on.get()).with(Rung{}), in.begin(), in.end(), out.begin(), thrust::plus<item>{});
    const std::size_t bytes = sweep_items * sizeof(item);
    result.launches = on.get()->launch_count();
    result.input_reads = range_of(bytes, [&](std::size_t byte) { return input.reads_of(byte); });
    result.output_writes = range_of(bytes, [&](std::size_t byte) { return output.writes_of(byte); });
    result.output_reads = range_of(bytes, [&](std::size_t byte) { return output.reads_of(byte); });
    BOOST_TEST(input.writes().never == bytes);
  }
  check_same(name, inclusive_reference<item, item>(items, fold{}), out.items());
  // Misaligned: here the compiler halves 16-byte vectors, and halves meet in banks.
  placed<item> few(make_items<item>(one_part, 1), placement::misaligned);
  thrust::inclusive_scan(reheat::par.on(on.get()).with(Rung{}), few.begin(), few.end(), few.begin(), thrust::plus<item>{});
  const reheat::emulator::counters launch = reheat::emulator::last_launch();
  const unsigned threads = one_part == tile ? tile_threads : static_cast<unsigned>(part);
  BOOST_TEST(launch.blocks == 1u);
  BOOST_TEST(launch.barriers % threads == 0u);
  result.barriers = static_cast<unsigned>(launch.barriers / threads);
  result.conflicts = worst_conflict(last_bank_conflicts());
  return result;
}

std::string row_of(const figures& f)
{
  return std::string(f.rung) + "\t" + std::to_string(f.launches) + "\t" + f.input_reads.text() + "\t" +
         f.output_writes.text() + "\t" + f.output_reads.text() + "\t" + std::to_string(f.barriers) + "\t" +
         std::to_string(f.conflicts);
}

template <class Rung>
void check_figures(const char* name, const figures& wanted)
{
  const bool by_tiles = wanted.launches == 1;
  for_each_seed(3, [&] { BOOST_TEST(row_of(count_figures<Rung>(name, by_tiles ? tile : part)) == row_of(wanted)); });
  if (std::getenv("REHEAT_LADDER_TABLE") != nullptr)
  {
    std::printf("%s\n", row_of(wanted).c_str());
  }
}

//! Exclusive scans keep their intermediate values elsewhere: the output is written once and never read.
template <class Rung>
void check_exclusive(const char* name, unsigned input_reads)
{
  const std::vector<item> items = make_items<item>(sweep_items, 1);
  placed<item> in(items, placement::misaligned), out(sweep_items, placement::misaligned);
  BOOST_TEST_CONTEXT(name)
  {
    const std::size_t bytes = sweep_items * sizeof(item);
    const watched_range input(in.begin(), bytes, content::written, "input");
    const watched_range output(out.begin(), bytes, content::never_written, "output");
    thrust::exclusive_scan(reheat::par.with(Rung{}), in.begin(), in.end(), out.begin(), item{7}, thrust::plus<item>{});
    check_counts(input, bytes, input_reads, 0);
    check_counts(output, bytes, 0, 1);
  }
  check_same(name, exclusive_reference<item, item>(items, item{7}, fold{}), out.items());
}

} // namespace

BOOST_AUTO_TEST_CASE(every_rung_has_its_figures)
{
  if (std::getenv("REHEAT_LADDER_TABLE") != nullptr)
  {
    std::printf("rung\tlaunches\tinput reads\toutput writes\toutput reads\tbarriers\tbank conflicts\n");
  }
  std::size_t row = 0;
#define CHECK_FIGURES(NAME, WHAT) check_figures<rungs::NAME##_t>(#NAME, expected.at(row++));
  REHEAT_LADDER_SCANS(CHECK_FIGURES)
#undef CHECK_FIGURES
  BOOST_TEST(row == expected.size());
}

BOOST_AUTO_TEST_CASE(exclusive_scans_write_their_output_once_and_never_read_it)
{
  std::size_t row = 0;
#define CHECK_EXCLUSIVE(NAME, WHAT) check_exclusive<rungs::NAME##_t>(#NAME, expected.at(row++).input_reads.most);
  REHEAT_LADDER_SCANS(CHECK_EXCLUSIVE)
#undef CHECK_EXCLUSIVE
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
