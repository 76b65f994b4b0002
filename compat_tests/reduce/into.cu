// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions whose result stays on the device: what each call form assigns, to which outputs, under which policies.

#include "../support/calls.hpp"
#include "../support/memory.hpp"
#include "../support/tiles.hpp"

#include <thrust/functional.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/version.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(reduce)
BOOST_AUTO_TEST_SUITE(into)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Around one block, around two, and many.
std::vector<std::size_t> some_sizes()
{
  const std::size_t tile = reduce_shape<u32, u32, thrust::plus<u32>>().tile_items();
  return {1, 33, tile - 1, tile, tile + 1, 2 * tile + 1, 20 * tile + 5};
}

struct negate_it
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return ~x; }
};

template <class T>
T only(const thrust::device_vector<T>& result)
{
  return to_host(result)[0];
}

//! The three forms through one policy.
template <class Policy>
void check_forms(const std::string& what, Policy&& policy)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    const u32 sum = reduce_reference<u32>(items, 0u, plus{});
    thrust::device_vector<u32> out(1);
    const auto check = [&](const char* form, u32 expected)
    {
      check_result(what + ", " + form, size, expected, only(out));
      out[0] = 77;
    };
    reheat::reduce_into(policy, in.begin(), in.end(), out.begin());
    check("reduce_into of 4", sum);
    reheat::reduce_into(policy, in.begin(), in.end(), out.begin(), 1u);
    check("reduce_into of 5", sum + 1);
    reheat::reduce_into(policy, in.begin(), in.end(), out.begin(), 2u, plus{});
    check("reduce_into of 6", sum + 2);
    reheat::reduce_into(policy, raw(in), raw(in) + size, raw(out), 3u, thrust::plus<u32>());
    check("reduce_into of 6, pointers", sum + 3);
#if THRUST_VERSION >= 300100
    thrust::reduce_into(policy, in.begin(), in.end(), out.begin());
    check("thrust's of 4", sum);
    thrust::reduce_into(policy, in.begin(), in.end(), out.begin(), 1u);
    check("thrust's of 5", sum + 1);
    thrust::reduce_into(policy, in.begin(), in.end(), out.begin(), 2u, plus{});
    check("thrust's of 6", sum + 2);
#endif
  }
}

//! check_forms, and on the emulator: one launch each on `where`, and a wait each if the policy waits.
template <class Policy>
void check_forms_on([[maybe_unused]] reheat::stream_type where, [[maybe_unused]] bool waits, const std::string& what,
                    Policy&& policy)
{
#if defined(REHEAT_EMULATED)
  where->clear();
#endif
  check_forms(what, policy);
#if defined(REHEAT_EMULATED)
  const std::size_t calls = (THRUST_VERSION >= 300100 ? 7 : 4) * some_sizes().size();
  BOOST_TEST(where->launch_count() == calls, what << ": launches");
  BOOST_TEST(where->synchronisation_count() == (waits ? calls : 0), what << ": waits");
#endif
}

REHEAT_KERNEL(32) reduce_into_from_device_code(const u32* in, int count, u32* out)
{
  reheat::reduce_into(reheat::par, in, in + count, out);
  reheat::reduce_into(reheat::par_nosync, in, in + count, out + 1, 5u);
  reheat::reduce_into(reheat::par, in, in + count, out + 2, 6u, plus{});
}

} // namespace

// ---- forms and policies -------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_form_and_policy_leaves_the_result_on_the_device)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  check_forms_on(default_stream(), true, "par", reheat::par);
  check_forms_on(default_stream(), false, "par_nosync", reheat::par_nosync);
  check_forms_on(own.get(), true, "par.on(stream)", reheat::par.on(own.get()));
  const auto constant = reheat::par_nosync.on(own.get());
  check_forms_on(own.get(), false, "a const par_nosync.on(stream)", constant);
  check_forms_on(own.get(), true, "par(allocator).on(stream)", reheat::par(allocator).on(own.get()));
  check_forms_on(own.get(), false, "par_nosync(allocator).on(stream)", reheat::par_nosync(allocator).on(own.get()));
  own.synchronise();
  BOOST_TEST(book.allocations == 0u);
}

BOOST_AUTO_TEST_CASE(an_empty_range_gives_the_initial_value)
{
  const thrust::device_vector<u32> in(3, 1u);
  thrust::device_vector<u32> out(1, 77u);
  thrust::device_vector<double> wide(1, 77.0);
  reheat::reduce_into(reheat::par, in.begin(), in.begin(), out.begin());
  check_result("reduce_into of 4", 0, 0u, only(out));
  reheat::reduce_into(reheat::par, in.begin(), in.begin(), out.begin(), 5u);
  check_result("reduce_into of 5", 0, 5u, only(out));
  reheat::reduce_into(reheat::par_nosync, in.begin(), in.begin(), wide.begin(), 6u, plus{});
  check_result("reduce_into of 6", 0, 6.0, only(wide));
  reheat::reduce_into(reheat::par, in.begin(), in.begin(), thrust::make_discard_iterator(), 5u);
}

BOOST_AUTO_TEST_CASE(a_negative_range_is_an_error)
{
  const thrust::device_vector<u32> in(3, 1u);
  thrust::device_vector<u32> out(1, 77u);
  BOOST_CHECK_THROW(reheat::reduce_into(reheat::par, in.end(), in.begin(), out.begin()), std::runtime_error);
  BOOST_CHECK_THROW(reheat::reduce_into(reheat::par, in.end(), in.begin(), out.begin(), 5u), std::runtime_error);
  BOOST_CHECK_THROW(reheat::reduce_into(reheat::par_nosync, in.end(), in.begin(), out.begin(), 6u, plus{}),
                    std::runtime_error);
  check_result("the output", 0, 77u, only(out));
}

BOOST_AUTO_TEST_CASE(device_code_reduces_in_the_calling_thread)
{
  const int count = 100;
  const std::vector<u32> items = make_items<u32>(count);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(3);
  reheat::runtime::launch(environment_on(default_stream()), {1, 1}, &reduce_into_from_device_code, raw(in), count, raw(out));
  const u32 sum = reduce_reference<u32>(items, 0u, plus{});
  check_same("reduce_into", std::vector<u32>{sum, sum + 5, sum + 6}, to_host(out));
}

// ---- outputs and operators ----------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_output_may_be_any_iterator_and_is_written_once)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    const u32 sum = reduce_reference<u32>(items, 9u, plus{});
    for_each_seed(3,
                  [&]
                  {
                    watched_output<u32> watched(1);
                    reheat::reduce_into(reheat::par, in.begin(), in.end(), watched.begin(), 9u);
                    watched.check("a write-only output");
                    check_same("a write-only output", std::vector<u32>{sum}, watched.items());
                  });
    thrust::device_vector<u32> out(1);
    reheat::reduce_into(reheat::par, in.begin(), in.end(), thrust::make_transform_output_iterator(out.begin(), negate_it{}),
                        9u);
    check_result("a transformed output", size, ~sum, only(out));
    reheat::reduce_into(reheat::par, in.begin(), in.end(), thrust::make_discard_iterator(), 9u);
  }
}

BOOST_AUTO_TEST_CASE(the_output_may_have_another_type_than_the_initial_value)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> in = to_device(items);
    u32 sum = 3;
    for (const u8 item : items)
    {
      sum += item;
    }
    thrust::device_vector<u64> wide(1);
    thrust::device_vector<double> real(1);
    reheat::reduce_into(reheat::par, in.begin(), in.end(), wide.begin(), 3u);
    check_result("to a wider integer", size, u64{sum}, only(wide));
    reheat::reduce_into(reheat::par, in.begin(), in.end(), real.begin(), 3u, thrust::plus<u32>());
    check_result("to a real", size, static_cast<double>(sum), only(real));
  }
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_and_objects_are_assigned)
{
  const auto check = [](auto example, std::size_t size)
  {
    using value = decltype(example);
    const std::vector<value> items = make_items<value>(size, 1);
    const value init = values<value>::make(0);
    const thrust::device_vector<value> in = to_device(items);
    thrust::device_vector<value> out = to_device(std::vector<value>{init});
    reheat::reduce_into(reheat::par, raw(in), raw(in) + size, raw(out), init, fold{});
    check_result("reduce_into", size, reduce_reference<value>(items, init, fold{}), only(out));
  };
  for (const std::size_t size : some_sizes())
  {
    check(values<affine<u32>>::make(0), size);
    check(values<words<3>>::make(0), size);
    check(values<tracked<false>>::make(0), size);
  }
}

BOOST_AUTO_TEST_CASE(a_reduction_can_begin_with_a_value_that_earlier_work_leaves_on_the_device)
{
  namespace detail = reheat::detail;
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> first(1), out(3);
    thrust::fill(first.begin(), first.end(), 77u);
    wait_for_all_streams();
    stream own;
    const auto env = environment_on(own.get());
    const detail::future_init_value<u32, const u32*> init{raw(first)};
    reheat::reduce_into(reheat::par_nosync.on(own.get()), raw(in), raw(in) + size, raw(first), 3u);
    reheat::algorithms::reduce_into<u32>(env, raw(in), size, raw(out), init, plus{});
    reheat::algorithms::reduce_into<u32>(env, raw(in), size, out.begin() + 1, init, thrust::minimum<u32>());
    reheat::algorithms::reduce_into<u32>(env, raw(in), 0, raw(out) + 2, init, plus{});
    own.synchronise();
    const u32 left = reduce_reference<u32>(items, 3u, plus{});
    const std::vector<u32> expected{reduce_reference<u32>(items, left, plus{}),
                                    reduce_reference<u32>(items, left, thrust::minimum<u32>()), left};
    check_same("reduce_into", expected, to_host(out));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
