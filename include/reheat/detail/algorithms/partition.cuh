// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Partitions: the items that a predicate selects, and those that it rejects. The predicate is asked as by selections.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/select/partition.cuh>
#include <reheat/detail/select/return_rejected.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/three_way.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Enqueues the stores of the selected and of the rejected items, and of the number of selected ones to `count_out`, or
//! measures them; items >= 1. Part of a call. Outputs are what kernels take.
template <detail::rejected_order Order, class Environment, class InputIt, class StencilIt, class SelectedIt,
          class RejectedIt, class CountIt, class Predicate>
void enqueue_partition(const Environment& env, InputIt in, StencilIt stencil, SelectedIt out, RejectedIt rejected,
                       CountIt count_out, std::uint64_t items, Predicate predicate)
{
  const auto input = unwrap_items(env, in);
  const auto flags = unwrap_stencil(env, stencil);
  using source = detail::partition_source<std::remove_cv_t<decltype(input)>, std::remove_cv_t<decltype(flags)>, Predicate>;
  using sink = detail::partition_sink<Order, SelectedIt, RejectedIt, CountIt>;
  detail::enqueue_scan<detail::scan_kind::inclusive>(env, source{{input, flags, predicate}},
                                                     sink{{out, count_out}, rejected}, items, detail::add_selected{},
                                                     detail::scan_without_init<detail::selected_count>{});
}

//! The same with the rejected items in their order, and outputs as the caller has them. If one output is discarded, it is a
//! selection of what the other one gets: partitions move items one by one, unless both outputs are arrays.
template <class Environment, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class CountIt,
          class Predicate>
void enqueue_partition_copy(const Environment& env, InputIt in, StencilIt stencil, SelectedIt out, RejectedIt rejected,
                            CountIt count_out, std::uint64_t items, Predicate predicate)
{
  if constexpr (detail::is_discarded_v<RejectedIt>)
  {
    enqueue_select(env, in, stencil, out, count_out, items, predicate);
  }
  else if constexpr (detail::is_discarded_v<SelectedIt>)
  {
    enqueue_select(env, in, stencil, rejected, detail::count_of_others<CountIt>{count_out, items}, items,
                   detail::rejected_by<Predicate>{predicate});
  }
  else
  {
    enqueue_partition<detail::rejected_order::kept>(env, in, stencil, unwrap_output(env, out), unwrap_output(env, rejected),
                                                    count_out, items, predicate);
  }
}

//! Stores the selected items from `out` on and the others from `rejected` on, both in their order, and returns the number of
//! selected ones; items >= 1. One launch.
template <class Environment, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class Predicate>
std::uint64_t partition_copy(const Environment& env, InputIt in, StencilIt stencil, SelectedIt out, RejectedIt rejected,
                             std::uint64_t items, Predicate predicate)
{
  return return_from_device<detail::value_of<InputIt>>(
      env, items, "; reheat::partition_copy_into leaves the number on the device",
      [&]
      {
        return runtime::result_on_host<std::uint64_t, runtime::result_wait::synchronize>(
            env, [&](std::uint64_t* selected)
            { enqueue_partition_copy(env, in, stencil, out, rejected, selected, items, predicate); });
      });
}

//! The same, with the number of selected items stored to `count_out`. Of no items that is 0, and nothing else is stored.
template <class Environment, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class CountIt,
          class Predicate>
void partition_copy_into(const Environment& env, InputIt in, StencilIt stencil, SelectedIt out, RejectedIt rejected,
                         CountIt count_out, std::uint64_t items, Predicate predicate)
{
  enqueue_with_count<detail::value_of<InputIt>>(
      env, count_out, items,
      [&](auto count_output) { enqueue_partition_copy(env, in, stencil, out, rejected, count_output, items, predicate); });
}

//! Stores the selected items from `out` on, in their order, and the others behind them, the last one first. Their number
//! goes to `count_out`; of no items that is 0.
template <class Environment, class InputIt, class StencilIt, class OutputIt, class CountIt, class Predicate>
void partition_reversed_into(const Environment& env, InputIt in, StencilIt stencil, OutputIt out, CountIt count_out,
                             std::uint64_t items, Predicate predicate)
{
  enqueue_with_count<detail::value_of<InputIt>>(env, count_out, items,
                                                [&](auto count_output)
                                                {
                                                  const auto output = unwrap_output(env, out);
                                                  enqueue_partition<detail::rejected_order::reversed>(
                                                      env, in, stencil, output,
                                                      output + static_cast<detail::index_of<OutputIt>>(items), count_output,
                                                      items, predicate);
                                                });
}

//! Stores the items that `first_part` selects from `first` on, those of the others that `second_part` selects from `second`
//! on, and the rest from `rest` on, all in their order. The numbers of the selected ones go to `counts_out` and the place
//! behind it; of no items they are 0.
template <class Environment, class InputIt, class FirstIt, class SecondIt, class RestIt, class CountIt, class First,
          class Second>
void partition_three_ways_into(const Environment& env, InputIt in, FirstIt first, SecondIt second, RestIt rest,
                               CountIt counts_out, std::uint64_t items, First first_part, Second second_part)
{
  enqueue_and_maybe_wait<detail::value_of<InputIt>>(
      env, items,
      [&]
      {
        const auto counts = detail::unwrap(env, counts_out);
        if (items == 0)
        {
          enqueue_no_items_selected(env, counts);
          enqueue_no_items_selected(env, counts + 1);
          return;
        }
        const auto input = detail::unwrap_input(env, in);
        const auto firsts = detail::unwrap(env, first);
        const auto seconds = detail::unwrap(env, second);
        const auto others = detail::unwrap(env, rest);
        using source = detail::three_way_source<std::remove_cv_t<decltype(input)>, First, Second>;
        using sink = detail::three_way_sink<std::remove_cv_t<decltype(firsts)>, std::remove_cv_t<decltype(seconds)>,
                                            std::remove_cv_t<decltype(others)>, std::remove_cv_t<decltype(counts)>>;
        detail::enqueue_scan<detail::scan_kind::inclusive>(env, source{{input, {}, first_part}, second_part},
                                                           sink{firsts, seconds, others, counts}, items, detail::add_parts{},
                                                           detail::scan_without_init<detail::part_count>{});
      });
}

//! How the rejected items of a partition in place wait in scratch memory, in an array for each T: behind the values of the
//! scan, and a count.
template <class... T>
class partition_layout
{
public:
  partition_layout(std::size_t scan_bytes, std::uint64_t items) : count_at_(up(scan_bytes))
  {
    std::size_t at = count_at_ + sizeof(std::uint64_t), i = 0;
    for (const std::size_t bytes : {sizeof(T)...})
    {
      array_at_[i++] = up(at);
      at = up(at) + items * bytes + sizeof(detail::vec16);
    }
    bytes_ = at;
  }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t* count(void* block) const { return reinterpret_cast<std::uint64_t*>(at(block, count_at_)); }
  template <std::size_t I = 0>
  auto array(void* block) const
  {
    return reinterpret_cast<::cuda::std::tuple_element_t<I, ::cuda::std::tuple<T...>>*>(at(block, array_at_[I]));
  }

private:
  static constexpr std::size_t alignment = 256;
  static_assert(((alignof(T) <= alignment) && ...));
  static std::size_t up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
  //! Of no block, while memory is measured, null.
  static unsigned char* at(void* block, std::size_t bytes)
  {
    return block == nullptr ? nullptr : static_cast<unsigned char*>(block) + bytes;
  }
  std::size_t count_at_;
  std::size_t array_at_[sizeof...(T)];
  std::size_t bytes_;
};

//! Enqueues the copy of the rejected items to behind the selected ones, and of the number of these to `count_out`.
template <class Environment, class It, class T, class CountIt>
void enqueue_return(const Environment& env, It range, T* rejected, std::uint64_t items, const std::uint64_t* count,
                    CountIt count_out)
{
  const auto kernel = &detail::return_rejected_kernel<It, T, CountIt>;
  constexpr bool in_vectors = detail::moves_in_vec16_v<It, T>;
  const std::uint64_t needed = in_vectors ? (items * sizeof(T) - 1) / detail::return_block_bytes + 1
                                          : (items - 1) / detail::return_block_items + 1,
                      resident = runtime::prepare(kernel, detail::return_block_threads, 0).blocks;
  runtime::launch(env,
                  {static_cast<unsigned>(needed < resident ? needed : resident), detail::return_block_threads, 0,
                   runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                  kernel, range, rejected, items, count, count_out);
}

//! The memory of a partition in place, and where its rejected items wait: those of an iterator.
template <class It>
struct waiting_items
{
  using item = detail::value_of<It>;
  using layout = partition_layout<item>;
  static auto place(const layout& where, void* block)
  {
    using waiting = std::conditional_t<detail::is_bitwise_copyable_v<item>, item*, detail::constructing_output<item>>;
    return waiting{where.array(block)};
  }
  template <class Environment, class CountIt>
  static void enqueue_return_of_all(const Environment& env, It range, const layout& where, void* block, std::uint64_t items,
                                    CountIt count_out)
  {
    enqueue_return(env, range, where.array(block), items, where.count(block), count_out);
  }
};
//! Those of arrays.
template <class... T>
struct waiting_items<detail::zipped_pointers<THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<T*...>>>>
{
  using zip = THRUST_NS_QUALIFIER::zip_iterator<::cuda::std::tuple<T*...>>;
  using arrays = detail::zipped_pointers<zip>;
  using layout = partition_layout<T...>;
  static arrays place(const layout& where, void* block) { return place(where, block, std::index_sequence_for<T...>()); }
  template <class Environment, class CountIt>
  static void enqueue_return_of_all(const Environment& env, const arrays& range, const layout& where, void* block,
                                    std::uint64_t items, CountIt count_out)
  {
    enqueue_return_of(env, range, where, block, items, count_out, std::index_sequence_for<T...>());
  }

private:
  template <std::size_t... I>
  static arrays place(const layout& where, void* block, std::index_sequence<I...>)
  {
    return arrays(zip(::cuda::std::tuple<T*...>(where.template array<I>(block)...)));
  }
  template <class Environment, class CountIt, std::size_t... I>
  static void enqueue_return_of(const Environment& env, const arrays& range, const layout& where, void* block,
                                std::uint64_t items, CountIt count_out, std::index_sequence<I...>)
  {
    const auto each = [&](auto* array, auto* rejected, auto last)
    {
      if constexpr (decltype(last)::value)
      {
        enqueue_return(env, array, rejected, items, where.count(block), count_out);
      }
      else
      {
        enqueue_return(env, array, rejected, items, where.count(block), detail::no_count{});
      }
    };
    (each(range.template array<I>(), where.template array<I>(block), std::bool_constant<I + 1 == sizeof...(T)>()), ...);
  }
};

//! Enqueues a partition in place. Two launches: the scan, which stores selected items in place and the others to scratch
//! memory; and the copy of these to behind the selected ones, with their number to `count_out`. (Of zipped pointers, a copy
//! for each.) `count_out` is what kernels take.
template <class Environment, class It, class StencilIt, class CountIt, class Predicate>
void enqueue_partition_in_place(const Environment& env, It first, StencilIt stencil, CountIt count_out, std::uint64_t items,
                                Predicate predicate)
{
  const auto range = unwrap_output(env, first);
  using waiting = waiting_items<std::remove_cv_t<decltype(range)>>;
  using layout_type = typename waiting::layout;
  using unwrapping = typename Environment::unwrapping;

  const auto partition = [&](const auto& with, const layout_type& layout, void* block)
  {
    enqueue_partition<detail::rejected_order::kept>(with, first, stencil, range, waiting::place(layout, block),
                                                    layout.count(block), items, predicate);
  };
  std::size_t word_bytes = 0, value_bytes = 0;
  partition(runtime::environment_with<runtime::measured_scratch, unwrapping>{env, {&word_bytes, &value_bytes}},
            layout_type(0, items), nullptr);

  // At once for both launches: a call holds its stream's memory once. The words stay as the scan leaves them.
  const layout_type layout(value_bytes, items);
  const runtime::call_scratch<typename Environment::source> scratch(env, env.scratch, word_bytes, layout.bytes());
  partition(runtime::environment_with<runtime::taken_scratch, unwrapping>{env, {scratch.words(), scratch.values()}}, layout,
            scratch.values());
  waiting::enqueue_return_of_all(env, range, layout, scratch.values(), items, count_out);
}

//! Moves the selected items to the front of their range and the others behind them, both in their order, and returns the
//! number of selected ones; items >= 1. Needs scratch memory for all items. If there is none, the range stays as it is.
template <class Environment, class It, class StencilIt, class Predicate>
std::uint64_t partition(const Environment& env, It first, StencilIt stencil, std::uint64_t items, Predicate predicate)
{
  return return_from_device<detail::value_of<It>>(
      env, items, "; reheat::partition_into leaves the number on the device",
      [&]
      {
        return runtime::result_on_host<std::uint64_t, runtime::result_wait::synchronize>(
            env,
            [&](std::uint64_t* selected) { enqueue_partition_in_place(env, first, stencil, selected, items, predicate); });
      });
}

//! The same, with the number of selected items stored to `count_out`. Of no items that is 0, and nothing else is stored.
template <class Environment, class It, class StencilIt, class CountIt, class Predicate>
void partition_into(const Environment& env, It first, StencilIt stencil, CountIt count_out, std::uint64_t items,
                    Predicate predicate)
{
  enqueue_with_count<detail::value_of<It>>(
      env, count_out, items,
      [&](auto count_output) { enqueue_partition_in_place(env, first, stencil, count_output, items, predicate); });
}

} // namespace algorithms
REHEAT_NAMESPACE_END
