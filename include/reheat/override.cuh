// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! For programs that stay as they are: with `nvcc -include reheat/override.cuh`, or the CMake target reheat::override, every
//! reduction, scan, search, selection and radix sort on one of Thrust's own CUDA policies runs on reheat's kernels, with the
//! same stream, allocator and waiting. Those policies are: none, with device iterators; `thrust::device`;
//! `thrust::cuda::par` and `thrust::cuda::par_nosync`, with `.on(stream)`, an allocator, or both; and classes derived from
//! one with an allocator, such as `rmm::exec_policy`. Calls on host policies, on policies that a program makes of its own,
//! and all other algorithms are Thrust's as before. If such an algorithm calls one of these on the same policy, that call is
//! accelerated, too.
//!
//! For all translation units of a program: instances of one call of Thrust's have one name, and the linker keeps one of
//! them. Macros that configure Thrust belong on the command line: in a source they come after this header. Where nvcc does
//! not compile, the header is empty. With -DREHEAT_PASSTHROUGH it is nothing but reheat.cuh.
#pragma once

#if defined(REHEAT_EMULATED)
#  error "reheat: override.cuh is for Thrust's CUDA policies; on the emulator, pass reheat::par"
#endif

#if defined(__CUDACC__)
#  include <reheat/reheat.cuh>
#endif

#if defined(__CUDACC__) && !defined(REHEAT_PASSTHROUGH)

#  include <type_traits>
#  include <utility>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! Whether Policy is a policy type of Thrust. Thrust passes a class derived from one as that base.
template <class Policy>
inline constexpr bool is_thrusts_own = std::is_same_v<Policy, THRUST_NS_QUALIFIER::cuda_cub::tag> ||
                                       std::is_same_v<Policy, THRUST_NS_QUALIFIER::cuda_cub::par_t> ||
                                       std::is_same_v<Policy, THRUST_NS_QUALIFIER::cuda_cub::par_nosync_t> ||
                                       std::is_same_v<Policy, THRUST_NS_QUALIFIER::cuda_cub::execute_on_stream> ||
                                       std::is_same_v<Policy, THRUST_NS_QUALIFIER::cuda_cub::execute_on_stream_nosync>;
template <class Allocator, template <class> class Base>
inline constexpr bool is_thrusts_own<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>> =
    thrust_base<Base>::known;

//! The policy as Thrust passes it on, for the call that it is made for.
template <class Policy>
Policy& for_this_call(Policy&& policy)
{
  return policy;
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

// In the namespace of Thrust's policies, where argument-dependent lookup finds them. These overloads take the exact policy
// type and therefore beat Thrust's, which take its base. Other numbers of arguments still go to Thrust.
#  define REHEAT_IN_PLACE_OF_THRUSTS(algorithm)                                                                             \
    REHEAT_EXEC_CHECK_DISABLE                                                                                               \
    template <class Policy, class... Arguments,                                                                             \
              std::enable_if_t<::reheat::thrust_backend::is_thrusts_own<Policy>, int> = 0,                                  \
              class Accelerated = decltype(::reheat::thrust_backend::par_like(std::declval<const Policy&>()))>              \
    REHEAT_HOST_DEVICE auto algorithm(Policy& policy, Arguments... arguments)                                               \
        ->decltype(::reheat::thrust_backend::algorithm(std::declval<Accelerated&>(), arguments...))                         \
    {                                                                                                                       \
      REHEAT_PARALLEL_OR_SEQUENTIAL(                                                                                        \
          (::reheat::thrust_backend::algorithm(                                                                             \
              ::reheat::thrust_backend::for_this_call(::reheat::thrust_backend::par_like(policy)), arguments...)),          \
          (THRUST_NS_QUALIFIER::algorithm(THRUST_NS_QUALIFIER::seq, arguments...)));                                        \
    }

THRUST_NAMESPACE_BEGIN
namespace cuda_cub
{

REHEAT_IN_PLACE_OF_THRUSTS(all_of)
REHEAT_IN_PLACE_OF_THRUSTS(any_of)
REHEAT_IN_PLACE_OF_THRUSTS(copy_if)
REHEAT_IN_PLACE_OF_THRUSTS(count)
REHEAT_IN_PLACE_OF_THRUSTS(count_if)
REHEAT_IN_PLACE_OF_THRUSTS(equal)
REHEAT_IN_PLACE_OF_THRUSTS(exclusive_scan)
REHEAT_IN_PLACE_OF_THRUSTS(exclusive_scan_by_key)
REHEAT_IN_PLACE_OF_THRUSTS(find)
REHEAT_IN_PLACE_OF_THRUSTS(find_if)
REHEAT_IN_PLACE_OF_THRUSTS(find_if_not)
REHEAT_IN_PLACE_OF_THRUSTS(inclusive_scan)
REHEAT_IN_PLACE_OF_THRUSTS(inclusive_scan_by_key)
REHEAT_IN_PLACE_OF_THRUSTS(inner_product)
REHEAT_IN_PLACE_OF_THRUSTS(is_partitioned)
REHEAT_IN_PLACE_OF_THRUSTS(is_sorted)
REHEAT_IN_PLACE_OF_THRUSTS(is_sorted_until)
REHEAT_IN_PLACE_OF_THRUSTS(max_element)
REHEAT_IN_PLACE_OF_THRUSTS(min_element)
REHEAT_IN_PLACE_OF_THRUSTS(minmax_element)
REHEAT_IN_PLACE_OF_THRUSTS(mismatch)
REHEAT_IN_PLACE_OF_THRUSTS(none_of)
REHEAT_IN_PLACE_OF_THRUSTS(partition)
REHEAT_IN_PLACE_OF_THRUSTS(partition_copy)
REHEAT_IN_PLACE_OF_THRUSTS(partition_point)
REHEAT_IN_PLACE_OF_THRUSTS(reduce)
REHEAT_IN_PLACE_OF_THRUSTS(reduce_by_key)
REHEAT_IN_PLACE_OF_THRUSTS(remove)
REHEAT_IN_PLACE_OF_THRUSTS(remove_copy)
REHEAT_IN_PLACE_OF_THRUSTS(remove_copy_if)
REHEAT_IN_PLACE_OF_THRUSTS(remove_if)
REHEAT_IN_PLACE_OF_THRUSTS(sort)
REHEAT_IN_PLACE_OF_THRUSTS(sort_by_key)
REHEAT_IN_PLACE_OF_THRUSTS(stable_partition)
REHEAT_IN_PLACE_OF_THRUSTS(stable_partition_copy)
REHEAT_IN_PLACE_OF_THRUSTS(stable_sort)
REHEAT_IN_PLACE_OF_THRUSTS(stable_sort_by_key)
REHEAT_IN_PLACE_OF_THRUSTS(transform_exclusive_scan)
REHEAT_IN_PLACE_OF_THRUSTS(transform_inclusive_scan)
REHEAT_IN_PLACE_OF_THRUSTS(transform_reduce)
REHEAT_IN_PLACE_OF_THRUSTS(unique)
REHEAT_IN_PLACE_OF_THRUSTS(unique_by_key)
REHEAT_IN_PLACE_OF_THRUSTS(unique_by_key_copy)
REHEAT_IN_PLACE_OF_THRUSTS(unique_copy)
REHEAT_IN_PLACE_OF_THRUSTS(unique_count)
#  if REHEAT_THRUST_HAS_REDUCE_INTO
REHEAT_IN_PLACE_OF_THRUSTS(reduce_into)
#  endif

} // namespace cuda_cub
THRUST_NAMESPACE_END

#  undef REHEAT_IN_PLACE_OF_THRUSTS

#endif
