// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Which determinism a program asks for in CCCL's words, which CCCL has since 3.1. Its classes are named here and not
//! included: a program that passes one has included its definition.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <type_traits>
#include <utility>

#if __has_include(<cuda/__execution/require.h>)
#  define REHEAT_HAS_ENVIRONMENTS 1
namespace cuda
{
namespace execution
{
inline namespace _LIBCUDACXX_ABI_NAMESPACE
{
struct __get_requirements_t; // of <cuda/execution>: asks for what an environment requires
namespace determinism
{
struct __get_determinism_t; // of <cuda/execution>: asks for a determinism
} // namespace determinism
} // namespace _LIBCUDACXX_ABI_NAMESPACE
} // namespace execution
} // namespace cuda
#else
#  define REHEAT_HAS_ENVIRONMENTS 0
#endif

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! How much alike results have to be that round.
enum class determinism
{
  not_guaranteed, //!< nothing is asked
  run_to_run,     //!< in every run on one GPU
  gpu_to_gpu      //!< on every GPU
};

#if REHEAT_HAS_ENVIRONMENTS

template <class, template <class...> class Expression, class... Types>
inline constexpr bool is_valid_impl = false;
template <template <class...> class Expression, class... Types>
inline constexpr bool is_valid_impl<std::void_t<Expression<Types...>>, Expression, Types...> = true;
//! Whether the expression compiles for these types.
template <template <class...> class Expression, class... Types>
inline constexpr bool is_valid_v = is_valid_impl<void, Expression, Types...>;

using requirements_query = ::cuda::execution::__get_requirements_t;
using determinism_query = ::cuda::execution::determinism::__get_determinism_t;

//! What the environment answers to a query.
template <class Env, class Query>
using answer_of = decltype(std::declval<const Env&>().query(std::declval<const Query&>()));

//! Of a T that answers to determinism_query.
template <class T>
constexpr determinism determinism_of()
{
  using answer = std::decay_t<answer_of<T, determinism_query>>;
  using level = std::decay_t<decltype(answer::value)>;
  return answer::value == level::__gpu_to_gpu   ? determinism::gpu_to_gpu
         : answer::value == level::__run_to_run ? determinism::run_to_run
                                                : determinism::not_guaranteed;
}

//! What the requirements of an environment ask for.
template <class Env>
constexpr determinism required_determinism()
{
  if constexpr (is_valid_v<answer_of, Env, requirements_query>)
  {
    using requirements = std::decay_t<answer_of<Env, requirements_query>>;
    if constexpr (is_valid_v<answer_of, requirements, determinism_query>)
    {
      return determinism_of<requirements>();
    }
  }
  return determinism::not_guaranteed;
}

//! Whether a T is a determinism, such as cuda::execution::determinism::gpu_to_gpu.
template <class T>
constexpr bool is_determinism()
{
  if constexpr (is_valid_v<answer_of, T, determinism_query>)
  {
    return std::is_same_v<std::decay_t<answer_of<T, determinism_query>>, T>;
  }
  else
  {
    return false;
  }
}

//! Whether a T is what cuda::execution::require makes of determinisms alone.
template <class T>
inline constexpr bool requires_determinisms_v = false;
template <template <class, class> class Property, template <class...> class Env, class Determinism, class... Others>
inline constexpr bool
    requires_determinisms_v<Property<requirements_query, Env<Determinism, Others...>>> = is_determinism<Determinism>() &&
                                                                                         (is_determinism<Others>() && ...);

#endif

} // namespace detail
REHEAT_NAMESPACE_END
