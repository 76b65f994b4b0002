// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions under many schedules.
#include "checks.hpp"

#include "../../support/exact.hpp"

#include <thrust/reduce.h>

#include <cuda_bf16.h>

namespace schedules::reduce
{
namespace
{

template <class T, class Op, class Policy>
std::string check(const Policy& policy, draw& choose, std::size_t tiles)
{
  const std::size_t count = choose.items(reduce_shape<T, T, Op>().tile_items(), tiles);
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  placed_items<T> in(items, choose.flip());
  const T init = values<T>::make(0);
  const T actual = thrust::reduce(policy, in.data(), in.data() + count, init, Op{});
  return values<T>::same(reduce_reference<T>(items, init, fold{}), actual) ? "" : "the result is wrong";
}

//! More tiles than blocks, in either association.
std::string commutative(draw& choose)
{
  return check<std::uint32_t, thrust::plus<std::uint32_t>>(reheat::par, choose, 80);
}
std::string in_order(draw& choose)
{
  return check<affine<std::uint32_t>, fold>(reheat::par, choose, 80);
}
std::string flagged(draw& choose)
{
  return check<words<10>, fold>(reheat::par, choose, 80);
}
std::string objects(draw& choose)
{
  return check<tracked<false>, fold>(reheat::par, choose, 50);
}

//! Exactly so many tiles.
std::string in_order_of(draw& choose, std::size_t tiles)
{
  using T = affine<std::uint32_t>;
  const std::vector<T> items = make_items<T>(tiles * reduce_tile<T>(), choose.below(1000));
  placed_items<T> in(items, choose.flip());
  const T init = values<T>::make(0);
  const T actual = thrust::reduce(reheat::par, in.data(), in.data() + items.size(), init, fold{});
  return values<T>::same(reduce_reference<T>(items, init, fold{}), actual) ? "" : "the result is wrong";
}

std::string mixed_types(draw& choose)
{
  for (unsigned i = 0; i < 5; ++i)
  {
    const std::string wrong = choose.flip() ? commutative(choose) : in_order(choose);
    if (!wrong.empty())
    {
      return wrong;
    }
  }
  return {};
}

//! Ever smaller launches, as of scan; each block has a slot.
std::string end_of_count(draw& choose)
{
  std::string wrong = in_order_of(choose, 12) + in_order_of(choose, 8) + in_order_of(choose, 4);
  set_launch_count(reheat::detail::last_epoch - 1);
  wrong += in_order_of(choose, 2) + in_order_of(choose, 16) + in_order_of(choose, 8) + in_order_of(choose, 4);
  return wrong;
}

//! Numbers of any exponent or of the same, now and then one that is infinite.
template <class Number, class T>
std::string exactly(draw& choose)
{
  constexpr std::uint64_t fraction = (std::uint64_t{1} << (Number::digits - 1)) - 1;
  const std::size_t tile = 64 * 2 * 16 / sizeof(T); // of the emulator's row of exact_tuning
  const std::size_t count = choose.items(tile, 12);
  const bool same_exponent = choose.flip();
  const auto number = [&]
  {
    const std::uint64_t bits = (std::uint64_t{choose.below(1u << 30)} << 34) ^
                               (std::uint64_t{choose.below(1u << 30)} << 17) ^ choose.below(1u << 30);
    const std::uint64_t magnitude =
        same_exponent ? (bits & fraction) | (Number::infinity / 2 & ~fraction) : bits & (Number::infinity - 1u);
    return Number::of(magnitude | (choose.flip() ? Number::sign : 0u));
  };
  std::vector<T> items;
  for (std::size_t i = 0; i < count; ++i)
  {
    items.push_back(number());
  }
  const bool is_infinite = choose.below(8) == 0 && count != 0;
  const auto infinite =
      static_cast<typename Number::bits_type>(Number::infinity | (is_infinite && choose.flip() ? Number::sign : 0));
  if (is_infinite)
  {
    items[choose.below(count)] = Number::of(infinite);
  }
  placed_items<T> in(items, choose.flip());
  const T init = number();
  const T actual = thrust::reduce(reheat::par.with(reheat::exact_sums), in.data(), in.data() + count, init);
  items.push_back(init);
  const bool right = is_infinite ? Number::bits(actual) == infinite : is_nearest_to_sum<Number>(items, actual);
  return right ? "" : "the result is wrong";
}
std::string exact_floats(draw& choose)
{
  return exactly<ieee_number<float, 24>, float>(choose);
}
std::string exact_doubles(draw& choose)
{
  return exactly<ieee_number<double, 53>, double>(choose);
}
std::string exact_bfloat16s(draw& choose)
{
  return exactly<ieee_number<__nv_bfloat16, 8>, __nv_bfloat16>(choose);
}

std::string memory_of_the_caller(draw& choose)
{
  using T = affine<std::uint32_t>;
  const std::vector<T> items = make_items<T>(choose.items(reduce_tile<T>(), 20), choose.below(1000));
  placed_items<T> in(items, choose.flip());
  T actual = values<T>::make(1);
  const T init = values<T>::make(0);
  const dirty_block block;
  reheat::detail::enqueue_reduce_into<T>(block.environment(), in.data(), items.size(), &actual,
                                         reheat::detail::init_value<T>{init}, fold{});
  return values<T>::same(reduce_reference<T>(items, init, fold{}), actual) ? "" : "the result is wrong";
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"reduce/striped", "fold", commutative},
      {"reduce/in_order", "slots fold", in_order},
      {"reduce/flagged", "slots fold", flagged},
      {"reduce/objects", "slots fold", objects},
      {"reduce/mixed_types", "fold workspace", mixed_types},
      {"reduce/end_of_count", "workspace", end_of_count},
      {"reduce/exact_floats", "exact", exact_floats},
      {"reduce/exact_doubles", "exact", exact_doubles},
      {"reduce/exact_bfloat16s", "exact", exact_bfloat16s},
      {"reduce/memory_of_the_caller", "given", memory_of_the_caller},
  };
  return all;
}

} // namespace schedules::reduce
