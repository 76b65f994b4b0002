// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every kind of access counts for exactly its bytes.
#include "watch.hpp"

#include <vector>

using namespace compat;

namespace
{

__extension__ using wide = unsigned __int128;

//! Item 0 is read, item 1 written, item 2 both, item 3 neither.
template <class T>
void check_plain_accesses()
{
  T items[4] = {};
  const watched_range memory(items, sizeof(items), content::written, "items");
  run_thread(
      [&]
      {
        T copy = items[0];
        keep(copy);
        items[1] = copy;
        copy = items[2];
        keep(copy);
        items[2] = copy;
      });
  constexpr unsigned reads[] = {1, 0, 1, 0};
  constexpr unsigned writes[] = {0, 1, 1, 0};
  for (std::size_t i = 0; i < sizeof(items); ++i)
  {
    BOOST_TEST_CONTEXT(sizeof(T) << "-byte items, byte " << i)
    {
      BOOST_TEST(memory.reads_of(i) == reads[i / sizeof(T)]);
      BOOST_TEST(memory.writes_of(i) == writes[i / sizeof(T)]);
    }
  }
}

//! `body` works on a word of 5, leaves `left` there and gets 5, or does not care what it gets.
template <class Word, class Body>
void check_atomic(const char* what, Word left, unsigned reads, unsigned writes, Body body)
{
  alignas(16) Word word = 5;
  Word got = 5;
  const watched_range memory(&word, sizeof(word), content::written, what);
  run_thread([&] { got = body(&word); });
  BOOST_TEST_CONTEXT(what << " of " << sizeof(Word) << " bytes")
  {
    check_counts(memory, sizeof(word), reads, writes);
    BOOST_TEST((word == left));
    BOOST_TEST((got == Word(5)));
  }
}

template <class Word>
void check_atomics()
{
  constexpr int order = __ATOMIC_ACQ_REL;
  check_atomic<Word>("load", 5, 1, 0, [](Word* at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); });
  check_atomic<Word>("store", 7, 0, 1,
                     [](Word* at)
                     {
                       __atomic_store_n(at, Word(7), __ATOMIC_RELEASE);
                       return Word(5);
                     });
  check_atomic<Word>("exchange", 7, 0, 1, [](Word* at) { return __atomic_exchange_n(at, Word(7), order); });
  check_atomic<Word>("fetch_add", 8, 1, 1, [](Word* at) { return __atomic_fetch_add(at, Word(3), order); });
  check_atomic<Word>("fetch_sub", 2, 1, 1, [](Word* at) { return __atomic_fetch_sub(at, Word(3), order); });
  check_atomic<Word>("fetch_and", 4, 1, 1, [](Word* at) { return __atomic_fetch_and(at, Word(6), order); });
  check_atomic<Word>("fetch_or", 7, 1, 1, [](Word* at) { return __atomic_fetch_or(at, Word(6), order); });
  check_atomic<Word>("fetch_xor", 3, 1, 1, [](Word* at) { return __atomic_fetch_xor(at, Word(6), order); });
  check_atomic<Word>("fetch_nand", ~Word(4), 1, 1,
                     [](Word* at) { return __atomic_fetch_nand(at, Word(6), order) + Word(0); });
  const auto exchange_if = [](Word* at, Word expected, bool weak)
  { return __atomic_compare_exchange_n(at, &expected, Word(7), weak, order, __ATOMIC_ACQUIRE) ? Word(5) : expected; };
  for (const bool weak : {false, true})
  {
    check_atomic<Word>("compare_exchange that succeeds", 7, 1, 1, [&](Word* at) { return exchange_if(at, Word(5), weak); });
    check_atomic<Word>("compare_exchange that fails", 5, 1, 0, [&](Word* at) { return exchange_if(at, Word(6), weak); });
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(accesses)
BOOST_AUTO_TEST_SUITE(counting)

BOOST_AUTO_TEST_CASE(plain_accesses_of_any_width_count_for_each_of_their_bytes)
{
  check_plain_accesses<std::uint8_t>();
  check_plain_accesses<std::uint16_t>();
  check_plain_accesses<std::uint32_t>();
  check_plain_accesses<std::uint64_t>();
  check_plain_accesses<wide>();
}

BOOST_AUTO_TEST_CASE(structs_of_any_size_count_for_each_of_their_bytes)
{
  check_plain_accesses<bytes_of<3>>();
  check_plain_accesses<bytes_of<12>>();
  check_plain_accesses<bytes_of<16>>();
  check_plain_accesses<bytes_of<40>>();
  check_plain_accesses<bytes_of<256>>();
}

BOOST_AUTO_TEST_CASE(atomics_count_as_what_they_do)
{
  check_atomics<std::uint8_t>();
  check_atomics<std::uint16_t>();
  check_atomics<std::uint32_t>();
  check_atomics<std::uint64_t>();
  check_atomics<wide>();
}

BOOST_AUTO_TEST_CASE(memcpy_memmove_and_memset_count)
{
  for (const std::size_t bytes : {1, 12, 100})
  {
    unsigned char from[100] = {1};
    unsigned char to[100] = {};
    const watched_range source(from, sizeof(from), content::written, "source");
    const watched_range target(to, sizeof(to), content::written, "target");
    run_thread([&] { std::memcpy(to, from, bytes); });
    BOOST_TEST(to[0] == 1);
    run_thread([&] { std::memmove(to, from, bytes); });
    run_thread([&] { std::memset(to, 3, bytes); });
    BOOST_TEST(to[0] == 3);
    BOOST_TEST(source.reads().twice == bytes);
    BOOST_TEST(source.writes().never == sizeof(from));
    BOOST_TEST(target.writes().more == bytes);
    BOOST_TEST(target.writes_of(bytes - 1) == 3u);
    BOOST_TEST(target.reads().never == sizeof(to));
  }
}

BOOST_AUTO_TEST_CASE(accesses_through_volatile_pointers_and_at_odd_addresses_count)
{
  struct [[gnu::packed]] odd
  {
    char before;
    std::uint32_t word;
  } memory = {1, 2};
  volatile std::uint32_t word = 3;
  const watched_range packed(&memory, sizeof(memory), content::written, "packed");
  const watched_range restless(const_cast<const std::uint32_t*>(&word), sizeof(word), content::written, "volatile");
  run_thread(
      [&]
      {
        const std::uint32_t copy = memory.word;
        keep(copy);
        word = word + copy;
      });
  BOOST_TEST(packed.reads_of(0) == 0u);
  BOOST_TEST(packed.reads().once == 4u);
  check_counts(restless, sizeof(word), 1, 1);
}

BOOST_AUTO_TEST_CASE(bulk_copies_count_once_for_each_byte)
{
  constexpr unsigned bytes = 1024;
  alignas(16) unsigned char in[bytes] = {};
  alignas(16) unsigned char out[bytes] = {};
  const watched_range source(in, bytes, content::written, "source");
  const watched_range target(out, bytes, content::never_written, "target");
  unsigned launches = 0;
  test::for_seeds(
      [&]
      {
        run_warp(
            [&]
            {
              simt::shared_memory memory;
              auto* const stage = memory.array<unsigned char>(bytes, 16);
              auto* const full = memory.array<simt::mbarrier>(1);
              if (simt::thread_index() == 0)
              {
                simt::mbarrier_init(*full, 1);
                simt::mbarrier_init_fence();
                simt::mbarrier_arrive_expect(*full, bytes);
                simt::bulk_load(stage, in, bytes, *full);
                simt::mbarrier_wait(*full, 0);
                simt::bulk_store(out, stage, bytes);
                simt::bulk_commit();
                simt::bulk_wait<0>();
              }
            });
        ++launches;
        check_counts(source, bytes, launches, 0);
        check_counts(target, bytes, 0, launches);
      });
}

BOOST_AUTO_TEST_CASE(accesses_of_all_threads_add_up_to_255)
{
  unsigned item = 1;
  const watched_range memory(&item, sizeof(item), content::written, "item");
  const auto read = [&]
  {
    const unsigned copy = item;
    keep(copy);
  };
  test::run(3, 40, 0, read);
  check_counts(memory, sizeof(item), 120, 0);
  test::run(9, 96, 0, read);
  check_counts(memory, sizeof(item), 255, 0);
}

BOOST_AUTO_TEST_CASE(the_host_does_not_count)
{
  unsigned items[3] = {1, 2, 3};
  const watched_range memory(&items[1], sizeof(unsigned), content::never_written, "item");
  keep(items[0] + items[1] + items[2]);
  items[1] = 4;
  std::memset(items, 0, sizeof(items));
  run_thread(
      [&]
      {
        items[0] = 1;
        items[2] = items[0];
      });
  check_counts(memory, sizeof(unsigned), 0, 0);
}

BOOST_AUTO_TEST_CASE(after_a_reset_counts_start_anew_and_what_was_written_stays_so)
{
  unsigned item = 0;
  watched_range memory(&item, sizeof(item), content::never_written, "item");
  run_thread([&] { item = 1; });
  memory.reset();
  check_counts(memory, sizeof(item), 0, 0);
  run_thread([&] { keep(unsigned(item)); });
  check_counts(memory, sizeof(item), 1, 0);
}

BOOST_AUTO_TEST_CASE(a_report_sums_up)
{
  unsigned char items[10] = {};
  const watched_range memory(items, sizeof(items), content::written, "ten items");
  run_thread(
      [&]
      {
        std::memset(items, 1, 7);
        std::memset(items, 1, 3);
        std::memset(items, 1, 1);
        keep(bytes_of<1>(*reinterpret_cast<bytes_of<1>*>(items)));
      });
  BOOST_TEST(memory.report() ==
             "ten items, 10 bytes: read: 9 never, 1 once; written: 3 never, 4 once, 2 twice, 1 more often");
}

BOOST_AUTO_TEST_CASE(memory_is_watched_once)
{
  unsigned char items[10] = {};
  const watched_range memory(items, 5, content::written, "items");
  BOOST_CHECK_THROW(watched_range(items + 4, 1, content::written, "within"), test::emulator::error);
  {
    const watched_range behind(items + 5, 5, content::written, "behind");
  }
  const watched_range again(items + 5, 5, content::written, "behind");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
