// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! unique and its like under many schedules: at every alignment, to other memory and in place.
#include "checks.hpp"

#include "../../support/iterators.hpp"
#include "../../support/runs.hpp"

#include <reheat/detail/simt/simt.cuh>

#include <thrust/unique.h>

#include <algorithm>
#include <iterator>

namespace schedules::uniques
{
namespace
{

// As selections.cu has it: ThreadSanitizer does not know the order that outputs in place rely on.
#if defined(__SANITIZE_THREAD__) && !REHEAT_SCHEDULES_WATCH
inline constexpr bool in_place = false;
#else
inline constexpr bool in_place = true;
#endif

run_lengths some_lengths(draw& choose)
{
  return all_run_lengths[choose.below(std::size(all_run_lengths))];
}

template <class T>
std::vector<T> runs_behind(std::size_t others, const std::vector<T>& items)
{
  std::vector<T> all(others, T(99));
  all.insert(all.end(), items.begin(), items.end());
  return all;
}
template <class T>
std::vector<T> with_kept(std::vector<T> before, std::size_t first, const std::vector<T>& kept)
{
  std::copy(kept.begin(), kept.end(), before.begin() + static_cast<std::ptrdiff_t>(first));
  return before;
}

struct same_item
{
  template <class T>
  bool operator()(const T& x, const T& y) const
  {
    return x == y;
  }
};

template <class T, std::size_t ValueBytes = 0>
std::size_t few_tiles_items()
{
  return most_items_of_few_tiles<reheat::detail::unique_tuning<sizeof(T), ValueBytes>, sizeof(T) + ValueBytes,
                                 reheat::detail::few_tiles_size::large>();
}

//! Items that are equal if their bits are. There are up to so many, or some tiles that are streamed.
template <class T, std::size_t (*MaxItems)() = nullptr>
std::string items(draw& choose)
{
  constexpr std::size_t vector = 16 / sizeof(T);
  const std::size_t count = MaxItems != nullptr ? choose.items(MaxItems() / 8, 8) : choose.items(unique_tile<T>(), 12),
                    skipped = choose.below(vector), first = choose.below(vector);
  const std::vector<T> items = make_runs<T>(count, some_lengths(choose)), kept = unique_reference(items, items, same_item{});
  const std::vector<T> before = runs_behind(skipped, items), room(first + count, T(77));
  placed_items<T> in(before, false), out(room, false);
  T* const begin = in.data() + skipped;
  if (in_place && choose.flip())
  {
    return thrust::unique(reheat::par, begin, begin + count) != begin + kept.size()
               ? "the number of items is wrong"
               : differing(with_kept(before, skipped, kept), in.items());
  }
  return thrust::unique_copy(reheat::par, begin, begin + count, out.data() + first) != out.data() + first + kept.size()
             ? "the number of items is wrong"
             : differing(with_kept(room, first, kept), out.items());
}

//! Places of items, and their runs beside. Counts how often a place and the one before it are compared, in this order.
struct counted_neighbours
{
  const std::uint32_t* runs;
  unsigned* asked;
  bool operator()(std::uint32_t previous, std::uint32_t own) const
  {
    asked[own] += own == previous + 1 ? 1 : 2;
    return runs[previous] == runs[own];
  }
};

template <class Value, std::size_t (*MaxItems)() = nullptr>
std::string by_key(draw& choose)
{
  const std::size_t count =
      MaxItems != nullptr ? choose.items(MaxItems() / 8, 8) : choose.items(unique_tile<std::uint32_t, sizeof(Value)>(), 12);
  const std::vector<std::uint32_t> runs = make_runs<std::uint32_t>(count, some_lengths(choose));
  std::vector<std::uint32_t> places(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    places[i] = static_cast<std::uint32_t>(i);
  }
  const std::vector<Value> values_of_places = make_items<Value>(count, choose.below(1000));
  std::vector<unsigned> asked(count, 0), once(count, 1);
  once[0] = 0;
  placed_items<std::uint32_t> keys(places, choose.flip()), other_keys(places, choose.flip());
  placed_items<Value> items(values_of_places, choose.flip()), other_items(values_of_places, choose.flip());
  const bool stays = in_place && choose.flip();
  placed_items<std::uint32_t>& keys_out = stays ? keys : other_keys;
  placed_items<Value>& out = stays ? items : other_items;
  const std::vector<std::uint32_t> kept_keys = unique_reference(runs, places, same_item{});
  const auto ends = thrust::unique_by_key_copy(reheat::par, keys.data(), keys.data() + count, items.data(), keys_out.data(),
                                               out.data(), counted_neighbours{runs.data(), asked.data()});
  if (ends.first != keys_out.data() + kept_keys.size() || ends.second != out.data() + kept_keys.size())
  {
    return "the number of keys is wrong";
  }
  if (asked != once)
  {
    return "neighbours were not compared once, in their order";
  }
  const std::string wrong = differing(with_kept(places, 0, kept_keys), keys_out.items());
  return !wrong.empty()
             ? wrong
             : differing(with_kept(values_of_places, 0, unique_reference(runs, values_of_places, same_item{})), out.items());
}

//! Its assignment takes a while, in which other threads may go on. A copy that is made meanwhile is broken.
class slow_item
{
public:
  explicit slow_item(std::uint32_t number = 0) : number_(number) {}
  slow_item(const slow_item& other) : number_(other.number()) {}
  slow_item& operator=(const slow_item& other)
  {
    const std::uint32_t number = other.number();
    settled_ = false;
    for (int turn = 0; turn < 16 && reheat::emulator::in_kernel(); ++turn)
    {
      static_cast<void>(reheat::simt::load_relaxed(&number_)); // other threads run
    }
    number_ = number;
    settled_ = true;
    return *this;
  }
  std::uint32_t number() const { return settled_ ? number_ : 0xbadu; }
  bool operator==(const slow_item& other) const { return number() == other.number(); }

private:
  std::uint32_t number_;
  bool settled_ = true;
};

//! Items, one of which is watched. The next tile reads it a second time. That read waits until somebody has assigned to the
//! item, or for very long. Nobody may assign to it before.
class delayed_items
{
public:
  struct watch
  {
    slow_item* item;
    unsigned reads = 0;
    bool is_assigned = false;
  };
  class reference
  {
  public:
    reference(slow_item* item, watch* watched) : item_(item), watched_(watched) {}
    operator slow_item() const
    {
      if (item_ == watched_->item && ++watched_->reads == 2)
      {
        unsigned turns = 0;
        for (std::uint32_t word = 0; turns < 20000 && !watched_->is_assigned; ++turns)
        {
          static_cast<void>(reheat::simt::load_relaxed(&word)); // other threads run
        }
      }
      return *item_;
    }
    const reference& operator=(const slow_item& value) const
    {
      watched_->is_assigned = watched_->is_assigned || item_ == watched_->item;
      *item_ = value;
      return *this;
    }

  private:
    slow_item* item_;
    watch* watched_;
  };
  using value_type = slow_item;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  delayed_items(slow_item* items, watch* watched) : items_(items), watched_(watched) {}
  reference operator[](std::ptrdiff_t distance) const { return reference(items_ + distance, watched_); }
  reference operator*() const { return (*this)[0]; }
  delayed_items operator+(std::ptrdiff_t distance) const { return {items_ + distance, watched_}; }
  std::ptrdiff_t operator-(const delayed_items& other) const { return items_ - other.items_; }
  bool operator==(const delayed_items& other) const { return items_ == other.items_; }
  bool operator!=(const delayed_items& other) const { return items_ != other.items_; }
  delayed_items& operator++() // Thrust's sequential algorithm, which is compiled, too, goes from item to item
  {
    ++items_;
    return *this;
  }

private:
  slow_item* items_;
  watch* watched_;
};

//! In place, the item before a tile is read as late as can be. All items of a few tiles stay where they are, and the first
//! item of the next tile equals the one before it.
std::string slow_items(draw& choose)
{
  const std::size_t tile = unique_tile<slow_item>(), from = (1 + choose.below(4)) * tile;
  const std::size_t count = from + choose.items(tile, 4);
  std::vector<std::uint32_t> numbers = make_runs<std::uint32_t>(count, run_lengths::of_one);
  for (std::size_t i = from; i < std::min(count, from + 3); ++i)
  {
    numbers[i] = numbers[i - 1];
  }
  std::vector<slow_item> items;
  for (const std::uint32_t number : numbers)
  {
    items.emplace_back(number);
  }
  const std::vector<std::uint32_t> kept = unique_reference(numbers, numbers, same_item{});
  std::vector<slow_item> separate(items);
  delayed_items::watch watched{&items[from - 1]};
  const delayed_items in(items.data(), &watched);
  const std::ptrdiff_t found =
      in_place ? thrust::unique(reheat::par, in, in + static_cast<std::ptrdiff_t>(count)) - in
               : thrust::unique_copy(reheat::par, items.data(), items.data() + count, separate.data()) - separate.data();
  if (found != static_cast<std::ptrdiff_t>(kept.size()))
  {
    return "the number of items is wrong";
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
  {
    if ((in_place ? items : separate)[i].number() != kept[i])
    {
      return "item " + std::to_string(i) + " is wrong";
    }
  }
  return {};
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"uniques/bytes", "unique", items<std::uint8_t>},
      {"uniques/words", "unique", items<std::uint32_t>},
      {"uniques/by_key", "unique", by_key<std::uint32_t>},
      {"uniques/bytes_of_few_tiles", "few_tiles", items<std::uint8_t, few_tiles_items<std::uint8_t>>},
      {"uniques/by_key_of_few_tiles", "few_tiles", by_key<std::uint32_t, few_tiles_items<std::uint32_t, 4>>},
      {"uniques/slow_items", "unique", slow_items},
  };
  return all;
}

} // namespace schedules::uniques
