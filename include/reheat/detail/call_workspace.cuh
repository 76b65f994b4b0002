// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scratch memory of a launch whose blocks exchange values.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/zeros.cuh>
#include <reheat/detail/runtime/runtime.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What a launch needs besides its input and output.
struct workspace_size
{
  std::size_t word_bytes;  //!< of header and slots, which start as zeros
  std::size_t value_bytes; //!< of values and of blocks' scratch memory, which may hold anything

  bool is_nothing() const { return word_bytes + value_bytes == 0; }
};
//! For `slots` slots, and for `block_bytes` bytes of each block where shared memory is too small for its items.
template <class Accum>
workspace_size workspace_of_slots(std::uint64_t slots, unsigned blocks = 0, std::size_t block_bytes = 0)
{
  return {slots == 0 && block_bytes == 0 ? 0 : workspace_word_bytes<Accum>(slots),
          values_and_scratch_bytes(workspace_value_bytes<Accum>(slots), blocks, block_bytes)};
}

//! Words and values in one block, which may hold anything: also words of an earlier call with a tag that looks current.
class scratch_layout
{
public:
  explicit scratch_layout(const workspace_size& size)
      : words_end_((size.word_bytes + alignment - 1) / alignment * alignment), bytes_(words_end_ + size.value_bytes)
  {}
  //! Of a block at any address.
  std::size_t bytes() const { return bytes_ == 0 ? 0 : bytes_ + alignment; }
  void* words(void* block) const
  {
    return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(block) + alignment - 1) / alignment * alignment);
  }
  void* values(void* block) const { return static_cast<unsigned char*>(words(block)) + words_end_; }

private:
  static constexpr std::size_t alignment = 256;
  std::size_t words_end_;
  std::size_t bytes_;
};

//! Enqueues zeros for the words: a kernel, and not a fill by CUDA's runtime, behind which no launch may start early. (A
//! template, so that programs without such calls do not have the kernel.)
template <class Environment>
void enqueue_zeros(const Environment& env, void* words, std::size_t bytes)
{
  const std::uint64_t count = bytes / sizeof(std::uint64_t);
  const unsigned blocks = static_cast<unsigned>((count + zeros_per_block - 1) / zeros_per_block);
  runtime::launch(env, {blocks, zeros_block_threads, 0, runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                  &store_zeros_kernel<std::uint64_t>, static_cast<std::uint64_t*>(words), count);
}

[[noreturn]] REHEAT_COLD inline void refuse_block(const runtime::environment& env, std::size_t given, std::size_t needed)
{
  runtime::fail(runtime::invalid_value,
                runtime::format_message("%s: %zu bytes of temporary memory were given, and the call needs %zu; ask for the "
                                        "size with the same arguments and no memory",
                                        env.caller, given, needed)
                    .text);
}

//! Calls `launch(workspace<Accum>)`, which enqueues the launch. A launch that needs nothing gets no memory. A call that only
//! asks for sizes (runtime::measured_memory, runtime::measured_scratch) launches nothing.
template <class Accum, class Environment, class Launch>
void with_workspace(const Environment& env, const workspace_size& size, Launch launch)
{
  using source = typename Environment::source;
  if constexpr (std::is_same_v<source, runtime::measured_memory>)
  {
    const std::size_t bytes = scratch_layout(size).bytes();
    *env.scratch.bytes = bytes > *env.scratch.bytes ? bytes : *env.scratch.bytes;
  }
  else if constexpr (std::is_same_v<source, runtime::measured_scratch>)
  {
    const runtime::measured_scratch& least = env.scratch;
    *least.word_bytes = size.word_bytes > *least.word_bytes ? size.word_bytes : *least.word_bytes;
    *least.value_bytes = size.value_bytes > *least.value_bytes ? size.value_bytes : *least.value_bytes;
  }
  else if (size.is_nothing())
  {
    launch(workspace<Accum>{});
  }
  else if constexpr (std::is_same_v<source, runtime::given_memory>)
  {
    const scratch_layout layout(size);
    const runtime::given_memory& given = env.scratch;
    if (layout.bytes() > given.bytes)
    {
      refuse_block(env, given.bytes, layout.bytes());
    }
    if (size.word_bytes != 0)
    {
      enqueue_zeros(env, layout.words(given.memory), size.word_bytes);
    }
    void* const words = size.word_bytes != 0 ? layout.words(given.memory) : nullptr;
    launch(make_workspace<Accum>(words, layout.values(given.memory)));
  }
  else if constexpr (std::is_same_v<source, runtime::taken_scratch>)
  {
    launch(make_workspace<Accum>(env.scratch.words, env.scratch.values));
  }
  else
  {
    const runtime::call_scratch<source> scratch(env, env.scratch, size.word_bytes, size.value_bytes);
    launch(make_workspace<Accum>(scratch.words(), scratch.values()));
  }
}

} // namespace detail
REHEAT_NAMESPACE_END
