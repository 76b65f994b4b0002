// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the options accumulate_in and gpu_to_gpu make of a call.
#pragma once

#include <reheat/detail/algorithms/reproducible.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/requirements.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/thrust_compat.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

//! The standard's functor of that kind on Ts.
template <detail::operator_kind Kind, class T>
auto functor_on()
{
  using detail::operator_kind;
  // clang-format off
  if constexpr (Kind == operator_kind::plus)            { return ::cuda::std::plus<T>{}; }
  else if constexpr (Kind == operator_kind::multiplies) { return ::cuda::std::multiplies<T>{}; }
  else if constexpr (Kind == operator_kind::bit_and)    { return ::cuda::std::bit_and<T>{}; }
  else if constexpr (Kind == operator_kind::bit_or)     { return ::cuda::std::bit_or<T>{}; }
  else if constexpr (Kind == operator_kind::bit_xor)    { return ::cuda::std::bit_xor<T>{}; }
  else if constexpr (Kind == operator_kind::minimum)    { return ::cuda::minimum<T>{}; }
  else                                                  { static_assert(Kind == operator_kind::maximum);
                                                          return ::cuda::maximum<T>{}; }
  // clang-format on
}

//! How a call accumulates that folds in Usual without options.
template <class Usual, class Wanted>
struct accumulation
{
  using type = Wanted;
  static_assert(std::is_constructible_v<Wanted, const Usual&>,
                "reheat: accumulate_in<A>: what the call folds does not convert to an A; take another type, or a policy "
                "without accumulate_in for this call");
  static_assert(!detail::is_number_v<Usual> || !detail::is_number_v<Wanted> || sizeof(Wanted) >= sizeof(Usual),
                "reheat: accumulate_in<A> is for types that are wider than the one in which the call folds anyhow, and A is "
                "narrower: results would lose what the items have; convert the items, or take a wider A");

  template <class T>
  static Wanted value(const T& value)
  {
    return static_cast<Wanted>(value);
  }
  //! A functor that names another type names this one instead.
  template <class Op>
  static auto functor(const Op& op)
  {
    using traits = detail::functor_traits<Op>;
    constexpr bool folds = detail::row_of(traits::kind).commutative;
    if constexpr (folds && !std::is_void_v<typename traits::operand>)
    {
      return functor_on<traits::kind, Wanted>();
    }
    else
    {
      static_assert(std::is_invocable_v<Op&, const Wanted&, const Wanted&>,
                    "reheat: accumulate_in<A>: the operator does not take two As");
      return op;
    }
  }
  template <class T>
  static detail::scan_without_init<Wanted> init(const detail::scan_without_init<T>&)
  {
    return {};
  }
  template <class T>
  static detail::scan_with_init<Wanted> init(const detail::scan_with_init<T>& given)
  {
    return {{value(given.value)}};
  }
};
template <class Usual>
struct accumulation<Usual, void>
{
  using type = Usual;

  template <class T>
  static const T& value(const T& value)
  {
    return value;
  }
  template <class Op>
  static const Op& functor(const Op& op)
  {
    return op;
  }
  template <class Init>
  static const Init& init(const Init& given)
  {
    return given;
  }
};
//! Of a call on a Derived.
template <class Derived, class Usual>
struct accumulation_of : accumulation<Usual, typename Derived::option::accumulator>
{
  static_assert(
      std::is_void_v<typename Derived::option::accumulator> || !is_rung_v<kernels_of<Derived>>,
      "reheat: a rung of the ladder folds in the type of the items, which accumulate_in would replace; use a policy "
      "without one of them for this call");
};

//! A functor beside the operator: the product of inner_product, which names a type like an operator.
template <class Accumulation, class Map>
auto map_in(const Map& map)
{
  if constexpr (std::is_void_v<typename detail::functor_traits<Map>::operand>)
  {
    return map;
  }
  else
  {
    return Accumulation::functor(map);
  }
}

//! Whether the policy asks for the same results on every GPU.
template <class Derived>
inline constexpr bool asks_gpu_to_gpu_v = Derived::option::determinism == detail::determinism::gpu_to_gpu;

//! Refuses a determinism that a rung of the ladder does not promise: blocks may be combined as they come.
template <class Derived, class Op, class Accum>
constexpr void check_rung()
{
  static_assert(Derived::option::determinism == detail::determinism::not_guaranteed || !is_rung_v<kernels_of<Derived>> ||
                    algorithms::is_reproducible_v<Op, Accum>,
                "reheat: a rung of the ladder folds in its own order, for which no determinism is promised where operations "
                "round; use a policy without gpu_to_gpu and run_to_run for this call");
}

//! For reductions: refuses what gpu_to_gpu asks for and the call can not keep.
template <class Derived, class Op, class Accum, class Item>
constexpr void check_reduction()
{
  constexpr bool asks = asks_gpu_to_gpu_v<Derived>;
  check_rung<Derived, Op, Accum>();
  constexpr bool exact = std::is_same_v<kernels_of<Derived>, kernels::exact_sums>; // which has refused all but sums
  static_assert(!asks || exact || algorithms::reduces_alike<Op, Accum, Item>(),
                "reheat: gpu_to_gpu is promised for reductions of numbers by the standard's operators. An operator of the "
                "program's, or a product of complex numbers, may be made of operations that are fused on some GPUs; use a "
                "policy without gpu_to_gpu for this call");
}

//! For calls by key or by segment: the same of exact_sums and gpu_to_gpu.
template <class Derived, class Op, class Accum>
constexpr void check_segments()
{
  refuse_exact_sums<Derived>();
  static_assert(!asks_gpu_to_gpu_v<Derived> || algorithms::is_reproducible_v<Op, Accum>,
                "reheat: gpu_to_gpu is promised for calls by key or by segment where no operation rounds: integers and "
                "minima and maxima by the standard's operators. Of others the tiles, and with them the order of roundings, "
                "follow from the architecture or from where the input is aligned; use a policy without gpu_to_gpu for this "
                "call");
}

//! For scans: the same, and how they associate.
template <class Derived, class Op, class Accum>
constexpr detail::scan_association check_scan()
{
  constexpr bool asks = asks_gpu_to_gpu_v<Derived>;
  refuse_exact_sums<Derived>();
  check_rung<Derived, Op, Accum>();
  static_assert(
      !asks || algorithms::scans_alike<Op, Accum>(),
      "reheat: gpu_to_gpu is promised for scans of numbers of up to 8 bytes by the standard's operators. An "
      "operator of the program's, or a product of complex numbers, may be made of operations that are fused on "
      "some GPUs, and the tiles of larger numbers do not fit all of them; use a policy without gpu_to_gpu for this "
      "call");
  return algorithms::scan_association_v<asks, Op, Accum>;
}

} // namespace calls
} // namespace thrust_backend
REHEAT_NAMESPACE_END
