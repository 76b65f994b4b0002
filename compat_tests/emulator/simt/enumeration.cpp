// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Enumerated schedules of small kernels, whose classes can be counted by hand. An actor is a warp of one thread.
#include "run.h"

#include <emulator/enumeration.h>

#include <array>
#include <set>
#include <vector>

using namespace test;

namespace
{

using word = std::uint32_t;

//! Blocks of one thread that all start at once; `body` is run once per class, after the words have become zeros.
template <class Body>
emulator::enumeration enumerated(unsigned blocks, std::vector<word>& words, Body body,
                                 const emulator::enumeration_plan& plan = {}, unsigned block_threads = 1)
{
  return emulator::enumerate(plan,
                             [&]
                             {
                               std::fill(words.begin(), words.end(), word{0});
                               run_together(blocks, block_threads, 64, body);
                               return std::string();
                             });
}

//! Exactly this many classes, each in one execution, and nothing found.
void check_classes(const emulator::enumeration& done, std::uint64_t classes)
{
  BOOST_TEST(done.found == "");
  BOOST_TEST(done.complete);
  BOOST_TEST(done.classes == classes);
  BOOST_TEST(done.executions == classes);
}

std::uint64_t binomial(unsigned n, unsigned k)
{
  return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k;
}

//! Programs that choose each operation by the values they have read, and their executions one by one.
class drawn_program
{
public:
  static constexpr unsigned actors = 3, each = 3, words = 2;

  struct operation
  {
    unsigned at, kind; // 0, 1: a load; 2: a store; 3: an addition
    word operand;
  };
  explicit drawn_program(std::uint64_t seed) : seed_(seed) {}

  operation next(unsigned actor, unsigned number, word read) const
  {
    const std::uint64_t bits = mix(mix(mix(seed_ + 1) + 4 * actor + number) + read);
    return {static_cast<unsigned>(bits % words), static_cast<unsigned>(bits >> 8) % 4,
            static_cast<word>(bits >> 16) % 3 + 1};
  }

  //! How many classes there are, by all interleavings.
  std::size_t classes() const
  {
    std::set<std::set<std::array<unsigned, 4>>> all;
    explore({}, {}, all);
    return all.size();
  }

private:
  struct state
  {
    unsigned done[actors] = {};
    word read[actors] = {}, value[words] = {};
    unsigned writes[words] = {};
  };
  using history = std::set<std::array<unsigned, 4>>; // actor, number, word and kind, writes of the word before

  static std::uint64_t mix(std::uint64_t x)
  {
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    return x ^ x >> 33;
  }
  void explore(const state& now, const history& before, std::set<history>& all) const
  {
    bool ends = true;
    for (unsigned actor = 0; actor < actors; ++actor)
    {
      if (now.done[actor] == each)
      {
        continue;
      }
      ends = false;
      state after = now;
      history so_far = before;
      const operation that = next(actor, after.done[actor], after.read[actor]);
      so_far.insert({actor, after.done[actor]++, 4 * that.at + (that.kind < 2 ? 0 : that.kind), after.writes[that.at]});
      word& value = after.value[that.at];
      after.read[actor] = that.kind == 2 ? after.read[actor] : value;
      value = that.kind < 2 ? value : that.kind == 2 ? that.operand : value + that.operand;
      after.writes[that.at] += that.kind < 2 ? 0 : 1;
      explore(after, so_far, all);
    }
    if (ends)
    {
      all.insert(before);
    }
  }

  std::uint64_t seed_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(enumeration)

BOOST_AUTO_TEST_CASE(operations_on_different_words_commute)
{
  std::vector<word> words(4);
  check_classes(enumerated(4, words,
                           [&]
                           {
                             for (word i = 1; i <= 5; ++i)
                             {
                               simt::store_relaxed(&words[simt::block_index()], i);
                             }
                           }),
                1);
}

BOOST_AUTO_TEST_CASE(loads_of_one_word_commute)
{
  std::vector<word> words(1);
  check_classes(enumerated(4, words, [&] { (void)simt::load_relaxed(&words[0]); }), 1);
}

BOOST_AUTO_TEST_CASE(additions_of_two_actors_interleave_in_every_way)
{
  std::vector<word> words(1);
  for (unsigned each = 1; each <= 6; ++each)
  {
    const auto add = [&]
    {
      for (unsigned i = 0; i < each; ++i)
      {
        simt::fetch_add(&words[0], word{1});
      }
    };
    check_classes(enumerated(2, words, add), binomial(2 * each, each));
  }
}

BOOST_AUTO_TEST_CASE(additions_of_n_actors_come_in_every_order)
{
  std::vector<word> words(1);
  std::uint64_t factorial = 1;
  for (unsigned actors = 1; actors <= 5; ++actors)
  {
    factorial *= actors;
    std::set<std::vector<unsigned>> orders;
    std::vector<unsigned> order;
    emulator::set_device_properties({3, 2});
    const emulator::enumeration done = emulator::enumerate(
        {},
        [&]
        {
          words[0] = 0;
          order.assign(actors, 0);
          run_together(actors, 1, 0, [&] { order[simt::block_index()] = simt::fetch_add(&words[0], word{1}); });
          orders.insert(order);
          return std::string();
        });
    check_classes(done, factorial);
    BOOST_TEST(orders.size() == factorial);
    BOOST_TEST(done.actors == actors);
    BOOST_TEST(done.operations == actors);
  }
}

BOOST_AUTO_TEST_CASE(each_of_n_readers_comes_before_or_after_the_writer)
{
  std::vector<word> words(1);
  for (unsigned readers = 1; readers <= 5; ++readers)
  {
    check_classes(enumerated(readers + 1, words,
                             [&] {
                               simt::block_index() == 0 ? simt::store_relaxed(&words[0], word{1})
                                                        : (void)simt::load_relaxed(&words[0]);
                             }),
                  std::uint64_t{1} << readers);
  }
}

BOOST_AUTO_TEST_CASE(of_four_combinations_of_two_loads_after_two_stores_one_is_no_execution)
{
  std::vector<word> words(2);
  std::set<std::pair<word, word>> seen;
  word first = 0, second = 0;
  const auto body = [&]
  {
    const unsigned own = simt::block_index();
    simt::store_relaxed(&words[own], word{1});
    (own == 0 ? first : second) = simt::load_relaxed(&words[1 - own]);
  };
  const emulator::enumeration done = emulator::enumerate({},
                                                         [&]
                                                         {
                                                           words = {0, 0};
                                                           run_together(2, 1, 0, body);
                                                           seen.insert({first, second});
                                                           return std::string();
                                                         });
  check_classes(done, 3);
  BOOST_TEST(seen.size() == 3u);
  BOOST_TEST(seen.count({0, 0}) == 0u);
}

BOOST_AUTO_TEST_CASE(drawn_programs_have_as_many_classes_as_their_interleavings_fall_into)
{
  std::vector<word> words(drawn_program::words);
  std::set<std::uint64_t> different;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
  {
    const drawn_program program(seed);
    const auto body = [&]
    {
      word read = 0;
      for (unsigned number = 0; number < drawn_program::each; ++number)
      {
        const drawn_program::operation that = program.next(simt::block_index(), number, read);
        word* const at = &words[that.at];
        switch (that.kind)
        {
          case 2:
            simt::store_relaxed(at, that.operand);
            break;
          case 3:
            read = simt::fetch_add(at, that.operand);
            break;
          default:
            read = simt::load_relaxed(at);
        }
      }
    };
    const emulator::enumeration done = enumerated(drawn_program::actors, words, body);
    BOOST_TEST_CONTEXT("program " << seed)
    {
      BOOST_TEST(done.found == "");
      BOOST_TEST(done.classes == program.classes());
      BOOST_TEST(done.executions == done.classes);
      different.insert(done.classes);
    }
  }
  BOOST_TEST(different.size() > 50u);
}

BOOST_AUTO_TEST_CASE(who_comes_next_where_it_does_not_matter_does_not_change_the_classes)
{
  std::vector<word> words(2);
  const auto body = [&]
  {
    simt::store_relaxed(&words[simt::block_index() % 2], simt::block_index() + 1);
    (void)simt::load_relaxed(&words[1 - simt::block_index() % 2]);
  };
  const std::uint64_t classes = enumerated(4, words, body).classes;
  BOOST_TEST(classes > 20u);
  emulator::enumeration_plan plan;
  for (plan.rule = 1; plan.rule <= 20; ++plan.rule)
  {
    const emulator::enumeration done = enumerated(4, words, body, plan);
    BOOST_TEST(done.found == "");
    BOOST_TEST(done.classes == classes);
  }
}

BOOST_AUTO_TEST_CASE(a_poll_looks_in_vain_once_or_not_at_all)
{
  std::vector<word> words(2);
  const auto body = [&]
  {
    if (simt::block_index() == 0)
    {
      simt::store_relaxed(&words[1], word{1}); // which nobody looks at
      simt::store_relaxed(&words[0], word{1});
      return;
    }
    while (simt::load_relaxed(&words[0]) == 0)
    {
      simt::backoff();
    }
  };
  check_classes(enumerated(2, words, body), 2);
}

//! Block 0 looks at the words of all others, which it may have seen before or after they were written, but waits for all.
BOOST_AUTO_TEST_CASE(a_poll_of_n_words_that_has_failed_waits_for_all_or_for_any)
{
  std::vector<word> words(3);
  const auto body = [&]
  {
    const unsigned block = simt::block_index();
    if (block != 0)
    {
      simt::store_relaxed(&words[block - 1], word{1});
      return;
    }
    for (;;)
    {
      word all = 1;
      for (const word& each : words)
      {
        all &= simt::load_relaxed(&each);
      }
      if (all != 0)
      {
        return;
      }
      simt::backoff();
    }
  };
  check_classes(enumerated(4, words, body), 8); // which words the first look has found
  emulator::enumeration_plan plan;
  plan.looks = emulator::next_look::any_written;
  const emulator::enumeration done = enumerated(4, words, body, plan);
  BOOST_TEST(done.found == "");
  BOOST_TEST(done.complete);
  BOOST_TEST(done.classes > 8u);
}

BOOST_AUTO_TEST_CASE(what_barriers_of_a_block_order_has_one_order)
{
  std::vector<word> words(1);
  const auto body = [&](bool barrier)
  {
    return [&words, barrier]
    {
      simt::shared_memory memory;
      simt::mbarrier* const handed_over = memory.array<simt::mbarrier>(1);
      if (simt::thread_index() == 0)
      {
        simt::mbarrier_init(*handed_over, 1);
      }
      simt::sync_block();
      if (simt::thread_index() == 0)
      {
        simt::store_relaxed(&words[0], word{1});
        simt::mbarrier_arrive(*handed_over);
      }
      else if (simt::thread_index() == 32)
      {
        if (barrier)
        {
          simt::mbarrier_wait(*handed_over, 0);
        }
        (void)simt::load_relaxed(&words[0]);
      }
    };
  };
  check_classes(enumerated(1, words, body(true), {}, 64), 1);
  check_classes(enumerated(1, words, body(false), {}, 64), 2);
  emulator::enumeration_plan plan;
  plan.actors = emulator::actor_unit::block;
  check_classes(enumerated(1, words, body(false), plan, 64), 1);
}

BOOST_AUTO_TEST_CASE(a_block_is_one_actor_whose_threads_operate_together)
{
  std::vector<word> words(64);
  emulator::enumeration_plan plan;
  plan.actors = emulator::actor_unit::block;
  const auto body = [&]
  {
    word* const own = &words[simt::thread_index()];
    simt::block_index() == 0 ? simt::store_relaxed(own, word{1}) : (void)simt::load_relaxed(own);
  };
  check_classes(enumerated(2, words, body, plan, 64), 2);
}

BOOST_AUTO_TEST_CASE(a_deadlock_of_one_class_is_found)
{
  std::vector<word> words(2);
  const auto body = [&]
  {
    if (simt::block_index() == 0)
    {
      simt::store_relaxed(&words[0], word{1});
      if (simt::load_relaxed(&words[1]) == 0) // otherwise the other block has been told nothing
      {
        simt::store_relaxed(&words[0], word{2});
      }
      return;
    }
    if (simt::load_relaxed(&words[0]) == 1)
    {
      simt::store_relaxed(&words[1], word{1});
    }
    while (simt::load_relaxed(&words[0]) == 1)
    {
      simt::backoff();
    }
  };
  const emulator::enumeration done = enumerated(2, words, body);
  check_contains(done.found, "deadlock: no thread can go on");
}

BOOST_AUTO_TEST_CASE(a_value_that_is_stored_behind_its_flag_is_missed)
{
  std::vector<word> words(1);
  for (const bool behind : {false, true})
  {
    int value = 0, seen = 0;
    const auto body = [&]
    {
      if (simt::block_index() == 0)
      {
        value = behind ? 0 : 1;
        simt::store_release(&words[0], word{1});
        value = 1;
      }
      else if (simt::load_acquire(&words[0]) != 0)
      {
        seen = value;
      }
      else
      {
        seen = 1;
      }
    };
    const emulator::enumeration done = emulator::enumerate({},
                                                           [&]
                                                           {
                                                             words[0] = 0;
                                                             value = 0;
                                                             run_together(2, 1, 0, body);
                                                             return std::string(seen == 1 ? "" : "missed");
                                                           });
    BOOST_TEST(done.found == (behind ? "missed" : ""));
  }
}

BOOST_AUTO_TEST_CASE(a_block_that_cannot_start_yet_has_no_operations_yet)
{
  std::vector<word> words(1);
  const auto add = [&]
  {
    simt::fetch_add(&words[0], word{1});
    simt::fetch_add(&words[0], word{1});
  };
  const auto with_places = [&](unsigned places)
  {
    emulator::enumeration_plan plan;
    plan.resident_blocks = places;
    return emulator::enumerate(plan,
                               [&]
                               {
                                 words[0] = 0;
                                 run(3, 1, 0, add);
                                 return std::string();
                               });
  };
  check_classes(with_places(1), 1);
  check_classes(with_places(3), 90);
  BOOST_TEST(!with_places(2).complete);
  BOOST_TEST(with_places(1).actors == 3u);
}

//! Enumerates two launches that overlap, of two blocks each. Both kernels add to `sum`.
template <class Earlier, class Later>
emulator::enumeration enumerated_overlap(word& sum, Earlier earlier, Later later)
{
  const auto launch = [](auto& kernel)
  {
    using body_type = std::decay_t<decltype(kernel)>;
    emulator::launch(
        nullptr, {"overlapping", 2, 1, 0, false, true, true}, [](void* body) { (*static_cast<body_type*>(body))(); },
        &kernel,
        [](const void* body) -> std::shared_ptr<void>
        { return std::make_shared<body_type>(*static_cast<const body_type*>(body)); });
  };
  emulator::enumeration_plan plan;
  plan.overlaps = true;
  return emulator::enumerate(plan,
                             [&]
                             {
                               sum = 0;
                               launch(earlier);
                               const bool was_put_off = sum == 0;
                               launch(later);
                               return std::string(was_put_off && sum == 4 ? "" : "the sum is wrong");
                             });
}

BOOST_AUTO_TEST_CASE(launches_that_overlap_have_the_orders_that_their_waits_leave)
{
  word sum = 0;
  const auto add = [&] { simt::fetch_add(&sum, word{1}); };
  const auto waits = [=]
  {
    simt::grid_dependency_wait();
    add();
  };
  const auto lets_start_and_waits = [=]
  {
    simt::grid_dependency_wait();
    simt::trigger_dependent_launch();
    add();
  };
  const auto adds_and_lets_start = [=]
  {
    simt::grid_dependency_wait();
    add();
    simt::trigger_dependent_launch();
  };
  const auto waits_late = [=]
  {
    add();
    simt::grid_dependency_wait();
  };
  check_classes(enumerated_overlap(sum, waits, waits), 2 * 2);
  check_classes(enumerated_overlap(sum, lets_start_and_waits, waits), 2 * 2);
  check_classes(enumerated_overlap(sum, lets_start_and_waits, waits_late), 4 * 3 * 2);
  check_classes(enumerated_overlap(sum, waits, waits_late), 2 * 2);               // starts when the other has ended
  check_classes(enumerated_overlap(sum, adds_and_lets_start, waits_late), 2 * 2); // when the other has added
}

BOOST_AUTO_TEST_CASE(launches_that_overlap_have_one_shape)
{
  const auto nothing = [](void*) {};
  const emulator::argument_copier copy = [](const void*) -> std::shared_ptr<void> { return std::make_shared<int>(0); };
  emulator::enumeration_plan plan;
  plan.overlaps = true;
  const auto found_of = [&](const emulator::launch_shape& later, emulator::argument_copier how)
  {
    return emulator::enumerate(plan,
                               [&]
                               {
                                 int argument = 0;
                                 emulator::launch(nullptr, {"earlier", 2, 1, 0}, nothing, &argument, how);
                                 emulator::launch(nullptr, later, nothing, &argument, how);
                                 return std::string();
                               })
        .found;
  };
  const std::string shape = "launches overlap if they have as many blocks and threads, and the later one starts early";
  BOOST_TEST(found_of({"later", 3, 1, 0, false, true, true}, copy).find(shape) != std::string::npos);
  BOOST_TEST(found_of({"later", 2, 1, 0}, copy).find(shape) != std::string::npos);
  BOOST_TEST(found_of({"later", 2, 1, 0}, nullptr).find("without a way to copy") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_failure_that_the_execution_does_not_let_out_is_found)
{
  std::vector<word> words(1);
  const auto done = emulator::enumerate({},
                                        [&]
                                        {
                                          try
                                          {
                                            run_together(2, 1, 64, [&] { throw emulator::error("of a kernel"); });
                                          }
                                          catch (const emulator::error&)
                                          {}
                                          return std::string();
                                        });
  BOOST_TEST(done.found.find("of a kernel") != std::string::npos, done.found);
  const auto odd = emulator::enumerate({}, []() -> std::string { throw 1; });
  BOOST_TEST(odd.found.find("an exception") != std::string::npos, odd.found);
}

BOOST_AUTO_TEST_CASE(a_bound_is_kept_and_told)
{
  std::vector<word> words(1);
  const auto add = [&]
  {
    for (unsigned i = 0; i < 6; ++i)
    {
      simt::fetch_add(&words[0], word{1});
    }
  };
  emulator::enumeration_plan plan;
  plan.max_executions = 100;
  const emulator::enumeration some = enumerated(2, words, add, plan);
  BOOST_TEST(some.executions + some.abandoned == 100u);
  BOOST_TEST(!some.complete);
}

BOOST_AUTO_TEST_CASE(other_launches_of_an_execution_run_as_the_seed_says)
{
  std::vector<word> words(1);
  emulator::enumeration_plan plan;
  plan.launch = 1;
  unsigned launches = 0;
  const auto add = [&] { simt::fetch_add(&words[0], word{1}); };
  check_classes(emulator::enumerate(plan,
                                    [&]
                                    {
                                      ++launches;
                                      run(5, 32, 0, add);
                                      run_together(3, 1, 0, add);
                                      return std::string();
                                    }),
                6);
  BOOST_TEST(launches == 6u);
}

BOOST_AUTO_TEST_CASE(a_poll_without_backoff_is_reported)
{
  std::vector<word> words(1);
  const emulator::enumeration done = enumerated(1, words,
                                                [&]
                                                {
                                                  while (simt::load_relaxed(&words[0]) == 0)
                                                  {}
                                                });
  check_contains(done.found, "no progress");
}

BOOST_AUTO_TEST_SUITE_END()
