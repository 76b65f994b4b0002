// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A unit that is compiled with REHEAT_CHECK_OFFSETS, in a program whose other units are not: each call of segments looks at
//! its offsets, under any policy, unless it is being captured.

// Only support headers whose functions do not call reheat: other units have the same functions without the macro. (One
// does, environment_on, and nothing here calls it.)
#include "../support/machine.hpp"

#if !defined(REHEAT_EMULATED)
#  include "../support/graphs.hpp"
#endif

#include <cstdint>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#if !defined(REHEAT_CHECK_OFFSETS)
#  error "this unit is to be compiled with REHEAT_CHECK_OFFSETS"
#endif

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(checked)

namespace
{

using u32 = std::uint32_t;

//! `call` throws std::runtime_error that says `text`.
template <class Call>
void check_throws(const std::string& text, Call call)
{
  try
  {
    call();
    BOOST_ERROR("no error, expected: " << text);
  }
  catch (const std::runtime_error& error)
  {
    BOOST_TEST((std::string(error.what()).find(text) != std::string::npos), error.what());
  }
}

//! What a call on a stream adds to a graph.
template <class Enqueue>
std::size_t captured_nodes(stream& where, Enqueue enqueue)
{
#if defined(REHEAT_EMULATED)
  where.get()->begin_capture();
  enqueue();
  return where.get()->end_capture().node_count();
#else
  const graph captured(where, cudaStreamCaptureModeGlobal, enqueue);
  return nodes_of(captured);
#endif
}

} // namespace

BOOST_AUTO_TEST_CASE(each_call_refuses_offsets_that_descend_under_any_policy)
{
  const thrust::device_vector<u32> in(9, 1), at = to_device(std::vector<u32>{0, 5, 3, 9});
  thrust::device_vector<u32> out(9, 7);
  stream own;
  const std::string descent = ": offset 2 is 3, smaller than offset 1, which is 5";
  const auto check = [&](const auto& policy)
  {
    check_throws("reheat::segmented_reduce" + descent,
                 [&] { reheat::segmented_reduce(policy, in.begin(), at.begin(), at.end(), out.begin()); });
    check_throws("reheat::segmented_min_element" + descent,
                 [&] { reheat::segmented_min_element(policy, in.begin(), at.begin(), at.end(), out.begin()); });
    check_throws("reheat::segmented_inclusive_scan" + descent,
                 [&] { reheat::segmented_inclusive_scan(policy, in.begin(), at.begin(), at.end(), out.begin()); });
  };
  check(reheat::par);
  check(reheat::par.on(own.get()));
  check(reheat::par_nosync.on(own.get()));
  BOOST_TEST((to_host(out) == std::vector<u32>(9, 7)), "something was stored");
}

BOOST_AUTO_TEST_CASE(each_call_refuses_an_output_on_top_of_its_offsets)
{
  const thrust::device_vector<u32> in(9, 1);
  thrust::device_vector<u32> at = to_device(std::vector<u32>{0, 5, 7, 9});
  check_throws("the output overlaps the offsets",
               [&] { reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), at.begin() + 1); });
  check_throws("the output overlaps the offsets",
               [&] { reheat::segmented_inclusive_scan(reheat::par, in.begin(), at.begin(), at.end(), at.begin() + 1); });
  BOOST_TEST((to_host(at) == std::vector<u32>{0, 5, 7, 9}));
}

BOOST_AUTO_TEST_CASE(offsets_that_do_not_descend_pass_and_segments_of_one_size_have_none)
{
  const thrust::device_vector<u32> in(9, 1), at = to_device(std::vector<u32>{0, 5, 5, 9});
  thrust::device_vector<u32> out(3, 7);
  reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
  BOOST_TEST((to_host(out) == std::vector<u32>{5, 0, 4}));
  reheat::segmented_reduce(reheat::par, in.begin(), reheat::equal_segments{3, 3}, out.begin());
  BOOST_TEST((to_host(out) == std::vector<u32>{3, 3, 3}));
}

//! Otherwise the linker would keep one of two definitions of the same call.
BOOST_AUTO_TEST_CASE(the_units_calls_have_names_of_their_own)
{
  const std::string name = demangled(typeid(reheat::par));
  BOOST_TEST((name.find("::checked_") != std::string::npos), name);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_captured_is_not_checked)
{
  const thrust::device_vector<u32> in(9, 1), at = to_device(std::vector<u32>{0, 5, 3, 9});
  thrust::device_vector<u32> out(9, 7);
  stream own;
  const auto policy = reheat::par_nosync.on(own.get());
  BOOST_TEST(captured_nodes(own,
                            [&]
                            {
                              reheat::segmented_reduce(policy, in.begin(), at.begin(), at.end(), out.begin());
                              check_throws("a call that checks its offsets waits",
                                           [&] {
                                             reheat::segmented_reduce(policy.with(reheat::check_offsets), in.begin(),
                                                                      at.begin(), at.end(), out.begin());
                                           });
                            }) == 1u);
  BOOST_TEST(captured_nodes(own, [&]
                            { reheat::segmented_inclusive_scan(policy, in.begin(), at.begin(), at.end(), out.begin()); }) >=
             1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
