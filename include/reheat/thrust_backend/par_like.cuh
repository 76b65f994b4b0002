// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat's policy for one of Thrust's own, as other libraries return them.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/machine.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/detail/execute_with_allocator.h>
#include <thrust/execution_policy.h>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! What to know of the bases to which Thrust adds an allocator.
template <template <class> class Base>
struct thrust_base
{
  static constexpr bool known = false;
};

//! True if the policy carries only a stream: no allocator, and no dependencies (CCCL 2's `par.after`, recognisable because
//! it is not copyable).
template <class Policy>
inline constexpr bool has_a_stream_alone_v = std::is_copy_constructible_v<Policy>;
template <class Allocator, template <class> class Base>
inline constexpr bool has_a_stream_alone_v<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>> = false;

#if defined(REHEAT_EMULATED)

template <>
struct thrust_base<THRUST_NS_QUALIFIER::system::cpp::detail::execution_policy>
{
  static constexpr bool known = true;
  static constexpr bool waits = true;
};
//! The stream of one of Thrust's policies.
template <class Policy>
stream_type stream_like(const Policy&)
{
  return default_stream();
}

template <class Derived, std::enable_if_t<has_a_stream_alone_v<Derived>, int> = 0>
par_t par_like(const THRUST_NS_QUALIFIER::system::cpp::detail::execution_policy<Derived>&)
{
  return {};
}

#else

template <>
struct thrust_base<THRUST_NS_QUALIFIER::cuda_cub::execution_policy>
{
  static constexpr bool known = true;
  static constexpr bool waits = true;
};
template <>
struct thrust_base<THRUST_NS_QUALIFIER::cuda_cub::execute_on_stream_base>
{
  static constexpr bool known = true;
  static constexpr bool waits = true;
};
template <>
struct thrust_base<THRUST_NS_QUALIFIER::cuda_cub::execute_on_stream_nosync_base>
{
  static constexpr bool known = true;
  static constexpr bool waits = false;
};
//! The stream of one of Thrust's policies.
template <class Policy>
stream_type stream_like(const Policy& policy)
{
  return THRUST_NS_QUALIFIER::cuda_cub::stream(const_cast<Policy&>(policy)); // the lookup takes no constant
}

inline par_t par_like(const THRUST_NS_QUALIFIER::cuda_cub::par_t&)
{
  return {};
}
inline par_nosync_t par_like(const THRUST_NS_QUALIFIER::cuda_cub::par_nosync_t&)
{
  return {};
}
inline on_stream_t<true, no_option> par_like(const THRUST_NS_QUALIFIER::cuda_cub::execute_on_stream& policy)
{
  return on_stream_t<true, no_option>(stream_like(policy));
}
inline on_stream_t<false, no_option> par_like(const THRUST_NS_QUALIFIER::cuda_cub::execute_on_stream_nosync& policy)
{
  return on_stream_t<false, no_option>(stream_like(policy));
}
// A program's own class over one of Thrust's bases, or a tag: on the stream that get_stream gives for it.
template <class Derived, std::enable_if_t<has_a_stream_alone_v<Derived>, int> = 0>
auto par_like(const THRUST_NS_QUALIFIER::cuda_cub::execution_policy<Derived>& policy)
{
  if constexpr (std::is_same_v<Derived, THRUST_NS_QUALIFIER::cuda_cub::tag>)
  {
    static_cast<void>(policy);
    return par_t{};
  }
  else
  {
    return on_stream_t<true, no_option>(stream_like(THRUST_NS_QUALIFIER::detail::derived_cast(policy)));
  }
}
template <class Derived, std::enable_if_t<has_a_stream_alone_v<Derived>, int> = 0>
on_stream_t<false, no_option> par_like(const THRUST_NS_QUALIFIER::cuda_cub::execute_on_stream_nosync_base<Derived>& policy)
{
  return on_stream_t<false, no_option>(stream_like(THRUST_NS_QUALIFIER::detail::derived_cast(policy)));
}

#endif

//! Returns reheat's policy with the stream, the allocator and the waiting of `policy`.
//!
//! * One of Thrust's own, such as thrust::device and thrust::cuda::par_nosync(allocator).on(stream), or a class derived from
//!   one with an allocator, such as rmm::exec_policy. A reference to an allocator stays a reference; an allocator that
//!   `policy` holds is copied.
//! * A program's own class over thrust::cuda::execution_policy: the result has the stream that get_stream returns for
//!   it, and waits. Scratch memory comes from reheat, whatever its get_temporary_buffer does.
//! * reheat's policies are returned unchanged. On the GPU, policies of Thrust's other systems do not compile.
template <class Allocator, template <class> class Base, std::enable_if_t<thrust_base<Base>::known, int> = 0>
auto par_like(const THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>& policy)
{
  using result =
      THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator,
                                                          stream_base<thrust_base<Base>::waits, no_option>::template type>;
  auto copy = policy; // asking for the allocator takes no constant
  return result(copy.get_allocator()).on(stream_like(policy));
}
template <class Derived>
Derived par_like(const execution_policy<Derived>& policy)
{
  return THRUST_NS_QUALIFIER::detail::derived_cast(policy);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END
