// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scratch memory of a launch whose blocks exchange values.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/runtime/runtime.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What a launch needs besides its input and output.
struct workspace_size
{
  std::uint64_t slots;         //!< for values that blocks publish
  unsigned blocks = 0;         //!< of the grid
  std::size_t block_bytes = 0; //!< for each block, where shared memory is too small for its items
};

//! Calls `launch(workspace<Accum>)`, which enqueues the launch. A launch that needs nothing gets no memory.
template <class Accum, class Environment, class Launch>
void with_workspace(const Environment& env, const workspace_size& size, Launch launch)
{
  if (size.slots == 0 && size.block_bytes == 0)
  {
    launch(workspace<Accum>{});
    return;
  }
  const runtime::call_scratch scratch(env, workspace_word_bytes<Accum>(size.slots),
                                      workspace_value_bytes<Accum>(size.slots, size.blocks, size.block_bytes));
  launch(make_workspace<Accum>(scratch.words(), scratch.values()));
}

} // namespace detail
REHEAT_NAMESPACE_END
