// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Selections across ranks: each rank keeps those of its part, and knows where they are among all.

#include "../support/compare.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"

#include <thrust/copy.h>
#include <thrust/remove.h>

#include <algorithm>
#include <cstdint>
#include <utility>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(selections)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using reheat::gather_order;

struct is_multiple
{
  u32 of;
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % of == 0; }
};

inline constexpr u32 untouched = 0xabcdef01u;

//! What a rank's call says: the end of its copies, and where they are.
using place = reheat::place_across;

//! Checks `call(policy, first, last, stencil, out)`, which returns the place of the rank's copies: all together they are
//! `expected`.
template <class Call>
void check_selection(const char* what, const std::vector<u32>& items, const std::vector<u32>& stencil,
                     const std::vector<u32>& expected, const cut& parts, gather_order order, Call call)
{
  const auto memory = to_device(items), flags = to_device(stencil);
  std::vector<std::vector<u32>> own(parts.parts.size());
  std::vector<place> places(parts.parts.size());
  on_ranks(parts.ranks(), order,
           [&](reheat::ranks& ranks)
           {
             const auto rank = static_cast<std::size_t>(ranks.rank());
             const std::size_t begin = parts.begin(ranks.rank()), end = parts.end(ranks.rank());
             auto out = to_device(std::vector<u32>(end - begin + 1, untouched));
             places[rank] = call(reheat::par_nosync.across(ranks), raw(memory) + begin, raw(memory) + end,
                                 raw(flags) + begin, raw(out));
             wait_for_all_streams();
             own[rank] = to_host(out);
           });
  std::vector<u32> found;
  for (std::size_t rank = 0; rank < places.size(); ++rank)
  {
    const place& each = places[rank];
    const bool right = each.global_index == found.size() && each.total == expected.size() && each.count < own[rank].size();
    BOOST_TEST(right, what << ": the place of rank " << rank << " is wrong");
    if (!right)
    {
      return;
    }
    const auto end = own[rank].begin() + static_cast<std::ptrdiff_t>(each.count);
    found.insert(found.end(), own[rank].begin(), end);
    BOOST_TEST(std::count(end, own[rank].end(), untouched) == own[rank].end() - end, what << " wrote behind its copies");
  }
  check_same(what, expected, found);
}

template <class Selection>
place place_of(const Selection& found, const u32* out)
{
  return {static_cast<u64>(found.end - out), found.global_index, found.total};
}
//! What `call(place)` leaves on the device.
template <class Call>
place left_by(Call call)
{
  thrust::device_vector<place> result(1);
  call(raw(result));
  wait_for_all_streams();
  return to_host(result)[0];
}

} // namespace

BOOST_AUTO_TEST_CASE(items_that_are_selected_or_rejected)
{
  for_each_cut(
      [](const cut& parts, gather_order order)
      {
        const std::vector<u32> items = make_items<u32>(parts.items()), stencil = make_items<u32>(parts.items(), 99);
        for (const u32 of : {1u, 3u, 0x7fffffffu}) // all, some, none
        {
          const is_multiple wanted{of};
          std::vector<u32> selected, rejected, flagged, unflagged;
          for (std::size_t i = 0; i < items.size(); ++i)
          {
            (wanted(items[i]) ? selected : rejected).push_back(items[i]);
            (wanted(stencil[i]) ? flagged : unflagged).push_back(items[i]);
          }
          const auto check = [&](const char* what, const std::vector<u32>& expected, auto call)
          { check_selection(what, items, stencil, expected, parts, order, call); };
          check("copy_if_across", selected,
                [&](const auto& policy, auto first, auto last, auto, auto out)
                { return place_of(reheat::copy_if_across(policy, first, last, out, wanted), out); });
          check("copy_if_across with a stencil", flagged,
                [&](const auto& policy, auto first, auto last, auto flags, auto out)
                { return place_of(reheat::copy_if_across(policy, first, last, flags, out, wanted), out); });
          check("remove_copy_if_across", rejected,
                [&](const auto& policy, auto first, auto last, auto, auto out)
                { return place_of(reheat::remove_copy_if_across(policy, first, last, out, wanted), out); });
          check("remove_copy_if_across with a stencil", unflagged,
                [&](const auto& policy, auto first, auto last, auto flags, auto out)
                { return place_of(reheat::remove_copy_if_across(policy, first, last, flags, out, wanted), out); });
          check("copy_if_across_into", selected,
                [&](const auto& policy, auto first, auto last, auto, auto out)
                { return left_by([&](place* to) { reheat::copy_if_across_into(policy, first, last, out, wanted, to); }); });
          check("copy_if_across_into with a stencil", flagged,
                [&](const auto& policy, auto first, auto last, auto flags, auto out) {
                  return left_by([&](place* to)
                                 { reheat::copy_if_across_into(policy, first, last, flags, out, wanted, to); });
                });
          check("remove_copy_if_across_into", rejected,
                [&](const auto& policy, auto first, auto last, auto, auto out) {
                  return left_by([&](place* to)
                                 { reheat::remove_copy_if_across_into(policy, first, last, out, wanted, to); });
                });
          check("remove_copy_if_across_into with a stencil", unflagged,
                [&](const auto& policy, auto first, auto last, auto flags, auto out) {
                  return left_by([&](place* to)
                                 { reheat::remove_copy_if_across_into(policy, first, last, flags, out, wanted, to); });
                });
        }
      });
}

BOOST_AUTO_TEST_CASE(in_place_and_by_either_kernel)
{
  const cut parts{{60, 0, 5000, 1}};
  const std::vector<u32> items = make_items<u32>(parts.items());
  const is_multiple wanted{3};
  for_each_seed(5,
                [&]
                {
                  auto memory = to_device(items);
                  std::vector<place> places(parts.parts.size());
                  on_ranks(parts.ranks(), gather_order::in_stream,
                           [&](reheat::ranks& ranks)
                           {
                             u32* const first = raw(memory) + parts.begin(ranks.rank());
                             places[static_cast<std::size_t>(ranks.rank())] =
                                 place_of(reheat::copy_if_across(reheat::par.across(ranks), first,
                                                                 raw(memory) + parts.end(ranks.rank()), first, wanted),
                                          first);
                           });
                  std::vector<u32> expected, found;
                  std::copy_if(items.begin(), items.end(), std::back_inserter(expected), wanted);
                  const std::vector<u32> host = to_host(memory);
                  for (std::size_t rank = 0; rank < places.size(); ++rank)
                  {
                    const auto begin = host.begin() + static_cast<std::ptrdiff_t>(parts.begin(static_cast<int>(rank)));
                    BOOST_TEST(places[rank].global_index == found.size());
                    found.insert(found.end(), begin, begin + static_cast<std::ptrdiff_t>(places[rank].count));
                  }
                  check_same("copy_if_across in place", expected, found);
                });
}

BOOST_AUTO_TEST_CASE(without_a_place_ranks_need_not_call_together)
{
  check_on_ranks(3, gather_order::in_stream,
                 [](reheat::ranks& ranks)
                 {
                   if (ranks.rank() == 1)
                   {
                     return; // nobody waits for it
                   }
                   const auto policy = reheat::par.across(ranks);
                   const std::vector<u32> items = make_items<u32>(500, static_cast<std::size_t>(ranks.rank()));
                   const auto memory = to_device(items);
                   const is_multiple wanted{3};
                   const auto check = [&](const std::vector<u32>& expected, auto call)
                   {
                     thrust::device_vector<u32> out(items.size() + 1);
                     const u32* const end = call(raw(memory), raw(memory) + items.size(), raw(out));
                     if (to_host(out, 0, static_cast<std::size_t>(end - raw(out))) != expected)
                     {
                       throw std::runtime_error("a copy is wrong");
                     }
                   };
                   std::vector<u32> selected, rejected, others;
                   std::copy_if(items.begin(), items.end(), std::back_inserter(selected), wanted);
                   std::remove_copy_if(items.begin(), items.end(), std::back_inserter(rejected), wanted);
                   std::remove_copy(items.begin(), items.end(), std::back_inserter(others), items[7]);
                   check(selected, [&](const u32* first, const u32* last, u32* out)
                         { return thrust::copy_if(policy, first, last, out, wanted); });
                   check(selected, [&](const u32* first, const u32* last, u32* out)
                         { return thrust::copy_if(policy, first, last, first, out, wanted); });
                   check(rejected, [&](const u32* first, const u32* last, u32* out)
                         { return thrust::remove_copy_if(policy, first, last, out, wanted); });
                   check(rejected, [&](const u32* first, const u32* last, u32* out)
                         { return thrust::remove_copy_if(policy, first, last, first, out, wanted); });
                   check(others, [&](const u32* first, const u32* last, u32* out)
                         { return thrust::remove_copy(policy, first, last, out, items[7]); });
                 });
}

BOOST_AUTO_TEST_CASE(different_selections_are_named)
{
  for (const auto order : {gather_order::in_stream, gather_order::on_host})
  {
    const auto failures = failures_of_ranks(
        2, order,
        [](reheat::ranks& ranks)
        {
          thrust::device_vector<u32> items(10, 1), out(10);
          const auto policy = reheat::par.across(ranks);
          if (ranks.rank() == 0)
          {
            static_cast<void>(reheat::copy_if_across(policy, raw(items), raw(items) + 10, raw(out), is_multiple{3}));
          }
          else
          {
            static_cast<void>(reheat::remove_copy_if_across(policy, raw(items), raw(items) + 10, raw(out), is_multiple{3}));
          }
        });
    for (const auto& failure : failures)
    {
      const std::string text = text_of(failure);
      BOOST_TEST(text.find("rank 0 made call 1, reheat::copy_if_across, with values of 8 bytes") != std::string::npos, text);
      BOOST_TEST(text.find("rank 1 made call 1, reheat::remove_copy_if_across") != std::string::npos, text);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
