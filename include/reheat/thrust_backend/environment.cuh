// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! From a policy to the environment of a call.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/message.h>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/detail/execute_with_allocator.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/detail/temporary_buffer.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

//! Values that blocks exchange and that fit no word, and arrays that fit no shared memory, lie in memory of the allocator
//! that a policy carries. Words come from the stream, as without an allocator: they have to be zeros, or what kernels left
//! there, and memory of the allocator would have to be filled in front of each launch.
template <class Policy>
struct allocator_memory
{
  Policy* policy;
};

//! `bytes` bytes from the policy's allocator, for one call.
template <class Policy>
class user_buffer
{
public:
  user_buffer(const environment& env, Policy& policy, std::size_t bytes)
      : env_(env), policy_(policy), bytes_(static_cast<std::ptrdiff_t>(bytes + alignment)), memory_(get(policy, bytes_))
  {}
  user_buffer(const user_buffer&) = delete;
  user_buffer& operator=(const user_buffer&) = delete;
  //! The allocator may give the memory to another stream at once. A call that waits therefore waits now, instead of at its
  //! end. Under a policy that does not wait, the allocator has to hand out memory in the order of the stream.
  ~user_buffer()
  {
    if (env_.waits)
    {
      const status_type outcome = wait(env_.stream);
      if (call_scope* const scope = call_scope::current())
      {
        scope->has_waited(outcome);
      }
    }
    try
    {
      THRUST_NS_QUALIFIER::return_temporary_buffer(policy_, memory_, bytes_);
    }
    catch (...) // an allocator that can not free after an asynchronous error must not end the program
    {}
  }

  void* get() const
  {
    const auto address = reinterpret_cast<std::uintptr_t>(THRUST_NS_QUALIFIER::raw_pointer_cast(memory_));
    return reinterpret_cast<void*>((address + alignment - 1) / alignment * alignment);
  }

private:
  static constexpr std::size_t alignment = 256;

  static auto get(Policy& policy, std::ptrdiff_t bytes)
  {
    return THRUST_NS_QUALIFIER::get_temporary_buffer<unsigned char>(policy, bytes).first;
  }

  const environment& env_;
  Policy& policy_;
  std::ptrdiff_t bytes_;
  decltype(get(std::declval<Policy&>(), 0)) memory_;
};

template <class Policy>
class call_scratch<allocator_memory<Policy>>
{
public:
  call_scratch(const environment& env, const allocator_memory<Policy>& source, std::size_t word_bytes,
               std::size_t value_bytes)
  {
    if (value_bytes != 0)
    {
      values_.emplace(env, *source.policy, value_bytes);
    }
    words_.emplace(env, stream_memory{}, word_bytes, 0);
  }
  call_scratch(const call_scratch&) = delete;
  call_scratch& operator=(const call_scratch&) = delete;

  void* words() const { return words_->words(); }
  void* values() const { return values_ ? values_->get() : nullptr; }

private:
  std::optional<user_buffer<Policy>> values_;        // goes back last: other threads need not wait for this call …
  std::optional<call_scratch<stream_memory>> words_; // … to get the words of the stream
};

} // namespace runtime

namespace thrust_backend
{
namespace calls
{

//! Where calls on a policy take scratch memory from.
template <class Policy>
struct scratch_source
{
  using type = runtime::stream_memory;
  static type of(Policy&) { return {}; }
};
template <class Allocator, template <class> class Base>
struct scratch_source<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>>
{
  using policy_type = THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>;
  using type = runtime::allocator_memory<policy_type>;
  static type of(policy_type& policy) { return {&policy}; }
};

//! The kernels that the policy asks for.
template <class Derived>
using kernels_of = typename Derived::option::kernels;
template <class Kernels>
inline constexpr bool is_rung_v = std::is_base_of_v<kernels_option, Kernels>;
template <>
inline constexpr bool is_rung_v<kernels::standard> = false;
template <>
inline constexpr bool is_rung_v<kernels::exact_sums> = false;

//! For calls that fold by other kernels than exact sums have.
template <class Derived>
constexpr void refuse_exact_sums()
{
  static_assert(
      !std::is_same_v<kernels_of<Derived>, kernels::exact_sums>,
      "reheat: exact_sums serves reduce, reduce_into, transform_reduce and inner_product. A scan, or a reduction by "
      "key or by segment, would need one exact accumulator for every output, of 80 bytes for float and 536 for "
      "double, in place of one for the call; use a policy without exact_sums for this call");
}

//! What a call on the policy runs with. `caller` is the public function.
template <class Derived>
auto environment_of(const char* caller, execution_policy<Derived>& exec, runtime::algorithm which = runtime::algorithm::none)
{
  using source = scratch_source<Derived>;
  Derived& policy = THRUST_NS_QUALIFIER::detail::derived_cast(exec);
  return runtime::environment_with<typename source::type, unwrap_contiguous>{
      {caller, stream_of(policy), waits_always(policy), Derived::option::early_starts, which, &raise}, source::of(policy)};
}
template <class Derived>
auto environment_of(runtime::algorithm which, execution_policy<Derived>& exec)
{
  return environment_of(runtime::name_of(which), exec, which);
}

//! `call(environment)` of a call that needs scratch memory for all its items. It comes from the library's pool, if that
//! keeps so much (memory_cuda.cpp). More would come and go in 3140 us for 1 GB, and in 840 us by cudaMalloc and cudaFree
//! (NVIDIA H100), so it comes as Thrust's own algorithms on the policy get theirs: by cudaMalloc under `par`, in the
//! stream's order under `par_nosync`. While the call is captured the memory is the graph's. `which` is the algorithm, or the
//! name of a call that Thrust does not have.
template <class Which, class Derived, class Call>
auto with_memory_for_items(Which which, execution_policy<Derived>& exec, std::uint64_t items, std::size_t item_bytes,
                           Call call)
{
  const auto env = environment_of(which, exec);
  bool pooled = items <= runtime::always_pooled_bytes / item_bytes;
  if (!pooled)
  {
    std::size_t most = 0;
    runtime::check_in(env, runtime::max_pooled_bytes(&most), env.caller);
    pooled = items <= most / item_bytes;
  }
  if (!pooled && !env.waits)
  {
    runtime::check_in(env, runtime::is_capturing(env.stream, &pooled), env.caller);
  }
  if (pooled)
  {
    return call(env);
  }
  using as_thrust = runtime::environment_with<runtime::allocator_memory<Derived>, unwrap_contiguous>;
  return call(as_thrust{env, {&THRUST_NS_QUALIFIER::detail::derived_cast(exec)}});
}

[[noreturn]] REHEAT_COLD inline void refuse_negative_range(const runtime::environment& env, long long items)
{
  const runtime::call_scope scope(env); // a profiler shows the call that was refused
  throw std::runtime_error(runtime::format_message("%s: the range ends %lld items before it begins; pass (first, last) with "
                                                   "first <= last",
                                                   env.caller, -items)
                               .text);
}
//! How many items [first, last) has. Throws std::runtime_error if it ends before it begins.
template <class It>
std::uint64_t items_of(const runtime::environment& env, It first, It last)
{
  const auto items = last - first;
  if (items < 0)
  {
    refuse_negative_range(env, static_cast<long long>(items));
  }
  return static_cast<std::uint64_t>(items);
}
//! The same, but none if it ends before it begins, as some of Thrust's algorithms take it.
template <class It>
std::uint64_t items_or_none(It first, It last)
{
  const auto items = last - first;
  return items < 0 ? 0 : static_cast<std::uint64_t>(items);
}
//! `it`, so many items further on.
template <class It>
It advanced(It it, std::uint64_t items)
{
  return it + static_cast<detail::index_of<It>>(items);
}

} // namespace calls
} // namespace thrust_backend
REHEAT_NAMESPACE_END
