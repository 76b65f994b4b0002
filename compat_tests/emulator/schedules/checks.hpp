// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the scenarios of all algorithms share: inputs, forms of calling, comparison, the count of launches.
#pragma once

#include "scenario.hpp"

#include "../../support/memory.hpp"
#include "../../support/reference.hpp"
#include "../../support/tiles.hpp"

#include <reheat/reheat.cuh>

#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/few_tiles/kernel.cuh>

#if REHEAT_SCHEDULES_WATCH
#  include <emulator/accesses/accesses.h>
#endif

#include <stdexcept>

namespace schedules
{

using namespace compat;

//! The most items that tiles of a size, with a block for each tile, hold under a tuning.
template <class Tuning, std::size_t ItemBytes, reheat::detail::few_tiles_size Size>
std::size_t most_items_of_few_tiles()
{
  using tuning = reheat::detail::few_tiles_tuning<Tuning, ItemBytes, Size>;
  return tuning::max_tiles(kernel_arch()) * tuning{}(kernel_arch()).tile_items();
}

template <class T>
std::string differing(const std::vector<T>& expected, const std::vector<T>& actual)
{
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    if (!values<T>::same(expected[i], actual[i]))
    {
      return "item " + std::to_string(i) + " of " + std::to_string(expected.size()) + " is wrong";
    }
  }
  return {};
}

//! Memory of exactly these items, from an address that is a multiple of 64, or one item behind it. Where accesses are
//! watched, one more item follows, which nobody may read.
template <class T>
class placed_items
{
public:
  placed_items(const std::vector<T>& items, bool misaligned)
      : count_(items.size()), begin_(misaligned), memory_(items.size() + begin_ + watched_behind)
  {
    std::copy(items.begin(), items.end(), data());
  }
  T* data() { return memory_.data() + begin_; }
  std::vector<T> items() { return std::vector<T>(data(), data() + count_); }

private:
  template <class Item>
  struct allocator
  {
    using value_type = Item;
    allocator() = default;
    template <class Other>
    allocator(const allocator<Other>&)
    {}
    Item* allocate(std::size_t count)
    {
      return static_cast<Item*>(::operator new(count * sizeof(Item), std::align_val_t(64)));
    }
    void deallocate(Item* memory, std::size_t) { ::operator delete(memory, std::align_val_t(64)); }
    friend bool operator==(const allocator&, const allocator&) { return true; }
    friend bool operator!=(const allocator&, const allocator&) { return false; }
  };

  static constexpr std::size_t watched_behind = REHEAT_SCHEDULES_WATCH;

  std::size_t count_;
  std::size_t begin_;
  std::vector<T, allocator<T>> memory_;
#if REHEAT_SCHEDULES_WATCH
  reheat::emulator::accesses::watched_range items_{data(), count_ * sizeof(T), reheat::emulator::accesses::content::written,
                                                   "items"};
  reheat::emulator::accesses::watched_range behind_{data() + count_, sizeof(T),
                                                    reheat::emulator::accesses::content::never_written, "behind the items"};
#endif
};

//! Passes an item through: what is not a pointer is loaded item by item.
struct unchanged
{
  template <class T>
  T operator()(const T& x) const
  {
    return x;
  }
};

//! A ledger that hands out memory full of words that carry the first launch's tag.
inline ledger dirty_memory()
{
  ledger book;
  book.content = std::uint64_t{1} << 32 | 1u;
  return book;
}

//! Such memory, given to a call as its scratch memory.
class dirty_block
{
public:
  dirty_block() : memory_(ledger_allocate(book_, bytes)) {}
  dirty_block(const dirty_block&) = delete;
  dirty_block& operator=(const dirty_block&) = delete;
  ~dirty_block() { ledger_free(book_, memory_, bytes); }

  reheat::runtime::environment_with<reheat::runtime::given_memory> environment() const
  {
    return {{"given", reheat::emulator::default_stream()}, {memory_, bytes}};
  }

private:
  static constexpr std::size_t bytes = 64 * 1024;
  ledger book_ = dirty_memory();
  void* memory_;
};

inline reheat::detail::workspace_header* header_of(reheat::runtime::workspace_lease& lease)
{
  if (lease.acquire(reheat::emulator::default_stream(), sizeof(reheat::detail::workspace_header), 0) !=
      reheat::runtime::success)
  {
    throw std::runtime_error("no memory for a workspace");
  }
  return static_cast<reheat::detail::workspace_header*>(lease.words());
}
inline std::uint32_t launch_count()
{
  reheat::runtime::workspace_lease lease;
  return header_of(lease)->epoch;
}
//! The next launch takes its workspace for one that has seen `launches` launches.
inline void set_launch_count(std::uint32_t launches)
{
  reheat::runtime::workspace_lease lease;
  header_of(lease)->epoch = launches;
}

} // namespace schedules
