// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sorts in CUDA graphs, with keys of 2 bytes that only a GPU has, of so many keys that they are sorted as spread ones, on a
//! busy GPU, and of more than 2^32 items, which needs some 22 GB of GPU memory. Not part of the emulated build.

#include "../support/busy.hpp"
#include "../support/calls.hpp"
#include "../support/graphs.hpp"
#include "../support/large.hpp"
#include "../support/raw_graphs.hpp"
#include "../support/sort_keys.hpp"

#include <reheat/device.cuh>

#include <thrust/equal.h>
#include <thrust/functional.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>

#include <cub/util_type.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! The calls that are captured.
enum class sort_call
{
  sort,
  sort_by_key,
  sort_objects, //!< values that are gathered
  device_pairs, //!< with the caller's memory
  device_words  //!< the same, of keys of 8 bytes, whose upper half is an item
};
constexpr sort_call all_calls[] = {sort_call::sort, sort_call::sort_by_key, sort_call::sort_objects, sort_call::device_pairs,
                                   sort_call::device_words};
constexpr sort_call device_calls_of_sorts[] = {sort_call::device_pairs, sort_call::device_words};
constexpr bool uses_given_memory(sort_call which)
{
  return which == sort_call::device_pairs || which == sort_call::device_words;
}
//! Of device_words: so many keys, if they are uniform, are sorted as spread ones.
constexpr std::size_t spread_items = reheat::detail::sort_tuning<sizeof(u64), 0>{}(900).spread_from_items + 5;

//! One of these calls, of a fixed number of keys that change.
class replayed_sort
{
public:
  replayed_sort(sort_call which, std::size_t size)
      : which_(which), size_(size), keys_(size), keys_in_(size), values_(size), values_in_(size), objects_(size),
        words_(which == sort_call::device_words ? size : 0), words_in_(words_.size())
  {
    std::size_t bytes = 0;
    if (uses_given_memory(which_))
    {
      call_device(nullptr, bytes, nullptr);
      memory_.resize(bytes);
    }
  }
  //! `flips`: bits that are the other way in all items.
  void set(keys kind, u32 flips = 0)
  {
    items_ = make_sort_keys<u32>(size_, kind);
    for (u32& item : items_)
    {
      item ^= flips;
    }
    own_ = make_items<u32>(size_, 3);
    own_objects_ = make_items<words<3>>(size_, 3);
    wait_for_all_streams();
    for (u32* const to : {raw(keys_), raw(keys_in_)}) // graphs know the addresses
    {
      copy_bytes(to, items_.data(), size_ * sizeof(u32));
    }
    for (u32* const to : {raw(values_), raw(values_in_)})
    {
      copy_bytes(to, own_.data(), size_ * sizeof(u32));
    }
    copy_bytes(raw(objects_), own_objects_.data(), size_ * sizeof(words<3>));
    own_words_.clear();
    for (std::size_t i = 0; i < words_.size(); ++i)
    {
      own_words_.push_back(u64{items_[i]} << 32 | (items_[i] ^ 0x12345678u));
    }
    for (u64* const to : {raw(words_), raw(words_in_)})
    {
      copy_bytes(to, own_words_.data(), words_.size() * sizeof(u64));
    }
  }
  void enqueue(stream& where)
  {
    const auto policy = reheat::par_nosync.on(where.get());
    u32* const first = raw(keys_);
    std::size_t bytes = memory_.size();
    switch (which_)
    {
      case sort_call::sort:
        thrust::sort(policy, first, first + size_);
        break;
      case sort_call::sort_by_key:
        thrust::sort_by_key(policy, first, first + size_, raw(values_));
        break;
      case sort_call::sort_objects:
        thrust::sort_by_key(policy, first, first + size_, raw(objects_));
        break;
      default:
        call_device(raw(memory_), bytes, where.get());
    }
  }
  void check(const std::string& what) const
  {
    const std::string call = what + ", call " + std::to_string(static_cast<int>(which_));
    const std::vector<std::size_t> places = sorted_places(items_, true);
    check_same(call + ", keys", which_ == sort_call::device_words ? items_ : at_places(items_, places), to_host(keys_));
    const bool moved = which_ == sort_call::sort_by_key || which_ == sort_call::device_pairs;
    check_same(call + ", words", at_places(own_words_, words_.empty() ? std::vector<std::size_t>{} : places),
               to_host(words_));
    check_same(call + ", values", moved ? at_places(own_, places) : own_, to_host(values_));
    check_same(call + ", objects", which_ == sort_call::sort_objects ? at_places(own_objects_, places) : own_objects_,
               to_host(objects_));
  }

  //! Nothing has been sorted.
  void check_untouched(const std::string& what) const
  {
    check_same(what + ", keys", items_, to_host(keys_));
    check_same(what + ", words", own_words_, to_host(words_));
    check_same(what + ", values", own_, to_host(values_));
  }
  //! Where calls with given memory find what `to` has elsewhere.
  std::vector<moved_range> moves(replayed_sort& to)
  {
    const std::size_t bytes = size_ * sizeof(u32);
    return {{raw(keys_in_), raw(to.keys_in_), bytes},
            {raw(keys_), raw(to.keys_), bytes},
            {raw(values_in_), raw(to.values_in_), bytes},
            {raw(values_), raw(to.values_), bytes},
            {raw(words_in_), raw(to.words_in_), words_.size() * sizeof(u64)},
            {raw(words_), raw(to.words_), words_.size() * sizeof(u64)},
            {raw(memory_), raw(to.memory_), memory_.size()}};
  }

private:
  void call_device(void* memory, std::size_t& bytes, reheat::stream_type where)
  {
    if (which_ == sort_call::device_words)
    {
      require(reheat::DeviceRadixSort::SortKeys(memory, bytes, raw(words_in_), raw(words_), size_, 0, 64, where),
              "call a device-wide function");
      return;
    }
    require(reheat::DeviceRadixSort::SortPairs(memory, bytes, raw(keys_in_), raw(keys_), raw(values_in_), raw(values_),
                                               size_, 0, 32, where),
            "call a device-wide function");
  }

  sort_call which_;
  std::size_t size_;
  std::vector<u32> items_, own_;
  std::vector<words<3>> own_objects_;
  thrust::device_vector<u32> keys_, keys_in_, values_, values_in_;
  thrust::device_vector<words<3>> objects_;
  std::vector<u64> own_words_;
  thrust::device_vector<u64> words_, words_in_;
  thrust::device_vector<unsigned char> memory_;
};

//! Whether keys of 2 bytes are in order. What is no number is in the order of its bits, which a conversion would change.
template <class Half>
void check_halves(const std::vector<Half>& sorted, bool ascending)
{
  std::vector<key_order> order;
  bool has_descended = false;
  float last = ascending ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  for (const Half& key : sorted)
  {
    u16 bits;
    std::memcpy(&bits, &key, sizeof bits);
    const bool is_zero = (bits & 0x7fff) == 0, negative = !is_zero && bits >> 15 != 0;
    order.push_back({1, negative ? 0xffffu ^ bits : 0x8000u | (is_zero ? 0u : bits)});
    const float number = static_cast<float>(key);
    has_descended = has_descended || (ascending ? number < last : last < number);
    last = number == number ? number : last;
  }
  std::vector<std::size_t> places(sorted.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  check_same(type_name<Half>(), places, sorted_places(order, ascending));
  BOOST_TEST(!has_descended, type_name<Half>());
}
template <class Half>
void sort_halves()
{
  std::vector<Half> items;
  for (u32 bits = 0; bits < 1u << 16; ++bits)
  {
    const u16 mixed = static_cast<u16>(bits * 40503u);
    Half key;
    std::memcpy(static_cast<void*>(&key), &mixed, sizeof mixed);
    items.push_back(key);
  }
  thrust::device_vector<Half> data = to_device(items);
  thrust::sort(reheat::par, data.begin(), data.end());
  check_halves(to_host(data), true);
  thrust::stable_sort(reheat::par, data.begin(), data.end(), ::cuda::std::greater<>());
  check_halves(to_host(data), false);
}
//! Zeros of both signs keep the input's order, wherever they are: among all blocks' keys, or one beside many of the other.
template <class Half>
void sort_zeros_of_halves(std::size_t size, std::size_t negative_every)
{
  std::vector<Half> items;
  for (std::size_t i = 0; i < size; ++i)
  {
    const bool is_zero = i % 5 != 2;
    items.push_back(
        static_cast<Half>(is_zero ? (i % negative_every == 1 ? -0.0f : 0.0f) : static_cast<float>(i % 401) - 200.0f));
  }
  std::vector<Half> expected = items;
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Half& x, const Half& y) { return static_cast<float>(x) < static_cast<float>(y); });
  thrust::device_vector<Half> data = to_device(items);
  thrust::sort(reheat::par, data.begin(), data.end());
  const std::vector<Half> sorted = to_host(data);
  BOOST_TEST(std::memcmp(sorted.data(), expected.data(), size * sizeof(Half)) == 0, type_name<Half>() << ", " << size);
}

} // namespace

BOOST_AUTO_TEST_SUITE(sorts_gpu)

BOOST_AUTO_TEST_CASE(each_call_is_captured_in_every_mode_cloned_and_replayed_with_other_keys)
{
  stream capturing;
  for (const std::size_t size : {std::size_t{500}, std::size_t{300001}})
  {
    for (const sort_call which : all_calls)
    {
      replayed_sort one(which, size);
      for (const cudaStreamCaptureMode mode : capture_modes)
      {
        one.set(keys::uniform);
        cudaGraph_t copy = nullptr;
        graph captured(capturing, mode, [&] { one.enqueue(capturing); });
        require(cudaGraphClone(&copy, captured.get()), "clone a graph");
        const executable replay(captured);
        captured.destroy();
        raw_graph clone(copy);
        clone.instantiate();
        for (const keys kind : all_keys)
        {
          one.set(kind);
          static_cast<int>(kind) % 2 == 0 ? replay.launch(capturing) : clone.launch(capturing);
          capturing.synchronise();
          one.check("a replay of " + std::to_string(size));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(device_wide_sorts_run_in_child_graphs_and_behind_conditions)
{
  stream capturing;
  for (const sort_call which : device_calls_of_sorts)
  {
    for (const std::size_t size : {std::size_t{500}, std::size_t{300001}, spread_items})
    {
      if (size == spread_items && which != sort_call::device_words)
      {
        continue;
      }
      replayed_sort one(which, size);
      raw_graph parent(new_graph());
      one.set(keys::uniform);
      {
        const graph captured(capturing, cudaStreamCaptureModeRelaxed, [&] { one.enqueue(capturing); });
        add_child(parent.get(), captured.get());
      }
      parent.instantiate();
      parent.launch(capturing);
      capturing.synchronise();
      one.check("a child of " + std::to_string(size));
      for (const bool holds : {false, true})
      {
        raw_graph outer(new_graph());
        capture_into(add_condition(outer.get(), holds), capturing, [&] { one.enqueue(capturing); });
        outer.instantiate();
        one.set(keys::uniform);
        outer.launch(capturing);
        capturing.synchronise();
        const std::string what = "behind a condition, " + std::to_string(size);
        holds ? one.check(what) : one.check_untouched(what);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_clone_with_other_pointers_sorts_beside_its_original)
{
  stream capturing, other;
  for (const sort_call which : device_calls_of_sorts)
  {
    const std::size_t size = which == sort_call::device_words ? spread_items : 300001;
    replayed_sort original(which, size), moved(which, size);
    const graph captured(capturing, cudaStreamCaptureModeGlobal, [&] { original.enqueue(capturing); });
    cudaGraph_t copy = nullptr;
    require(cudaGraphClone(&copy, captured.get()), "clone a graph");
    raw_graph clone(copy);
    BOOST_TEST(move_pointers(copy, original.moves(moved)) >= 3u); // memory, input and output
    clone.instantiate();
    const executable replay(captured);
    original.set(keys::uniform);
    moved.set(keys::uniform, 0x5a5a1234u);
    for (int turn = 0; turn < 20; ++turn)
    {
      replay.launch(capturing);
      clone.launch(other);
    }
    wait_for_all_streams();
    original.check("the original");
    moved.check("the clone");
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_is_refused_and_the_capture_goes_on)
{
  stream capturing;
  const std::vector<u32> items = make_sort_keys<u32>(300001, keys::uniform);
  thrust::device_vector<u32> data = to_device(items);
  u32* const first = raw(data);
  const auto waits = reheat::par.on(capturing.get());
  const graph captured(capturing, cudaStreamCaptureModeGlobal,
                       [&]
                       {
                         check_refused("sort", "reheat::sort: this policy waits",
                                       [&] { thrust::sort(waits, first, first + items.size()); });
                         check_refused("sort_by_key", "reheat::sort_by_key: this policy waits",
                                       [&] { thrust::sort_by_key(waits, first, first + 1000, first + 1000); });
                       });
  BOOST_TEST(nodes_of(captured) == 0u);
  check_same("refused", items, to_host(data));
}

BOOST_AUTO_TEST_CASE(all_halves_and_bfloats)
{
  sort_halves<__half>();
  sort_halves<__nv_bfloat16>();
}

BOOST_AUTO_TEST_CASE(zeros_of_halves_keep_their_order)
{
  for (const std::size_t size :
       {std::size_t{3000}, std::size_t{16384}, std::size_t{16385}, std::size_t{1000003}, std::size_t{3000001}})
  {
    for (const std::size_t negative_every : {std::size_t{3}, size / 2 + 1})
    {
      sort_zeros_of_halves<__half>(size, negative_every);
      sort_zeros_of_halves<__nv_bfloat16>(size, negative_every);
    }
  }
}

namespace
{

template <class Key>
struct make_key
{
  keys which;
  REHEAT_HOST_DEVICE Key operator()(std::size_t index) const { return key_of<Key>(key_bits(which, index)); }
};
//! Comparisons that Thrust has a merge sort for: the reference, in which nothing of ours takes part.
template <class Key>
struct below
{
  REHEAT_HOST_DEVICE bool operator()(Key x, Key y) const { return x < y; }
};
template <class Key>
struct above
{
  REHEAT_HOST_DEVICE bool operator()(Key x, Key y) const { return y < x; }
};

template <class Key>
thrust::device_vector<Key> make_keys_on_gpu(std::size_t size, keys which)
{
  thrust::device_vector<Key> made(size);
  thrust::tabulate(thrust::device, made.begin(), made.end(), make_key<Key>{which});
  if (which == keys::ascending)
  {
    thrust::stable_sort(thrust::device, made.begin(), made.end(), below<Key>{});
  }
  if (which == keys::descending)
  {
    thrust::stable_sort(thrust::device, made.begin(), made.end(), above<Key>{});
  }
  return made;
}

template <class T>
void check_equal_on_gpu(const std::string& what, const thrust::device_vector<T>& expected,
                        const thrust::device_vector<T>& actual)
{
  BOOST_TEST(thrust::equal(thrust::device, expected.begin(), expected.end(), actual.begin()), what);
}

//! Keys alone and with values, in both orders.
template <class Key>
void check_distributions(std::size_t size)
{
  for (const keys kind : all_keys)
  {
    const std::string what =
        type_name<Key>() + ", " + std::to_string(size) + " keys, kind " + std::to_string(static_cast<int>(kind));
    const thrust::device_vector<Key> in = make_keys_on_gpu<Key>(size, kind);
    thrust::device_vector<u32> own(size), values(size);
    thrust::sequence(thrust::device, own.begin(), own.end());
    for (const bool ascending : {true, false})
    {
      thrust::device_vector<Key> expected = in, actual = in;
      thrust::device_vector<u32> expected_values = own;
      values = own;
      if (ascending)
      {
        thrust::stable_sort_by_key(thrust::device, expected.begin(), expected.end(), expected_values.begin(), below<Key>{});
        thrust::sort(reheat::par, actual.begin(), actual.end());
        check_equal_on_gpu(what, expected, actual);
        actual = in;
        thrust::stable_sort_by_key(reheat::par, actual.begin(), actual.end(), values.begin());
      }
      else
      {
        thrust::stable_sort_by_key(thrust::device, expected.begin(), expected.end(), expected_values.begin(), above<Key>{});
        thrust::sort(reheat::par, actual.begin(), actual.end(), thrust::greater<Key>());
        check_equal_on_gpu(what + ", descending", expected, actual);
        actual = in;
        thrust::stable_sort_by_key(reheat::par, actual.begin(), actual.end(), values.begin(), thrust::greater<Key>());
      }
      check_equal_on_gpu(what + ", keys of pairs", expected, actual);
      check_equal_on_gpu(what + ", values of pairs", expected_values, values);
    }
  }
}

//! Zeros of both signs among few other numbers: a sort that is not stable might leave them in any order.
struct make_zero_or_small
{
  REHEAT_HOST_DEVICE float operator()(std::size_t index) const
  {
    const std::uint64_t bits = mix(index);
    return bits % 3 == 0 ? 0.0f : bits % 3 == 1 ? -0.0f : static_cast<float>(bits >> 40) * 0x1p-24f - 0.5f;
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(many_keys_of_every_distribution)
{
  check_distributions<u16>((1 << 16) + 12345); // counters cannot reach their limit
  for (const std::size_t size : {(std::size_t{1} << 22) + 12345, (std::size_t{1} << 24) + 12345})
  {
    check_distributions<u16>(size);
    check_distributions<u32>(size);
    check_distributions<std::int64_t>(size);
    check_distributions<u64>(size);
  }
}

BOOST_AUTO_TEST_CASE(twenty_sorts_of_zeros_of_both_signs_on_a_busy_gpu_give_the_same_bits)
{
  for (const std::size_t size : {std::size_t{3000}, std::size_t{1000003}, (std::size_t{1} << 24) + 12345})
  {
    thrust::device_vector<float> in(size), first(size), again(size);
    thrust::tabulate(thrust::device, in.begin(), in.end(), make_zero_or_small{});
    first = in;
    thrust::sort(reheat::par, first.begin(), first.end());
    stream own, busy;
    unsigned wrong = 0;
    for (unsigned run = 0; run < 20; ++run)
    {
      again = in;
      wait_for_all_streams();
      spin<<<1 + 13 * run % 120, 1024, 0, busy.get()>>>(2000000); // about a millisecond
      thrust::sort(reheat::par.on(own.get()), again.begin(), again.end());
      busy.synchronise();
      const u32* const x = reinterpret_cast<const u32*>(raw(first));
      const u32* const y = reinterpret_cast<const u32*>(raw(again));
      wrong += !thrust::equal(thrust::device, x, x + size, y);
    }
    BOOST_TEST(wrong == 0u, size << " items: " << wrong << " of 20 runs differ");
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace
{

constexpr u64 count = more_than_2_32;

//! Keys in rounds: `period` of them in a row have each of the values from 0 on once. Values are the rounds' numbers, as
//! bytes, so those of equal keys count up.
template <class Key>
struct in_rounds
{
  u64 period;
  const u64* begins; //!< where each key begins when they are sorted

  REHEAT_HOST_DEVICE Key key(u64 index) const { return static_cast<Key>(index * 37 % period); }
  REHEAT_HOST_DEVICE std::uint8_t value(u64 index) const { return static_cast<std::uint8_t>(index / period); }
  //! The key at a place of the sorted ones.
  __device__ u64 key_at(u64 place) const
  {
    u64 key = place / (count / period + 1);
    while (key + 1 < period && begins[key + 1] <= place)
    {
      ++key;
    }
    return key;
  }
};
template <class Key>
struct put_rounds
{
  in_rounds<Key> made;
  Key* keys;
  std::uint8_t* values; //!< or null
  __device__ void operator()(u64 index) const
  {
    keys[index] = made.key(index);
    if (values != nullptr)
    {
      values[index] = made.value(index);
    }
  }
};
template <class Key>
struct count_wrong_rounds
{
  in_rounds<Key> made;
  const Key* keys;
  const std::uint8_t* values;
  unsigned long long* wrong;
  __device__ void operator()(u64 place) const
  {
    const u64 key = made.key_at(place);
    if (keys[place] != key || (values != nullptr && values[place] != static_cast<std::uint8_t>(place - made.begins[key])))
    {
      atomicAdd(wrong, 1ull);
    }
  }
};

template <class Key>
void sort_rounds(u64 period, bool with_values)
{
  std::vector<u64> counts(period, 0), begins(1, 0);
  for (u64 i = 0; i < period; ++i)
  {
    counts[i * 37 % period] = count / period + (i < count % period ? 1 : 0);
  }
  for (const u64 each : counts)
  {
    begins.push_back(begins.back() + each);
  }
  const thrust::device_vector<u64> table = to_device(begins);
  const in_rounds<Key> made{period, raw(table)};
  thrust::device_vector<unsigned long long> wrong(1, 0);
  thrust::device_vector<Key> keys(count);
  thrust::device_vector<std::uint8_t> values(with_values ? count : 0);
  std::uint8_t* const own = with_values ? raw(values) : nullptr;
  for_each_index(count, put_rounds<Key>{made, raw(keys), own});
  with_values ? thrust::stable_sort_by_key(reheat::par, keys.begin(), keys.end(), values.begin())
              : thrust::sort(reheat::par, keys.begin(), keys.end());
  for_each_index(count, count_wrong_rounds<Key>{made, raw(keys), own, raw(wrong)});
  BOOST_TEST(to_host(wrong)[0] == 0u, type_name<Key>() << (with_values ? ", pairs" : ", keys"));
}

} // namespace

BOOST_AUTO_TEST_SUITE(large_sorts, *boost::unit_test::label("large"))

BOOST_AUTO_TEST_CASE(more_than_2_32_keys)
{
  sort_rounds<std::uint8_t>(251, false); // by filling
  sort_rounds<u16>(65536, false);        // from counts
  sort_rounds<u16>(1, false);            // of a single key
  sort_rounds<u32>(65536, false);        // by passes
}

BOOST_AUTO_TEST_CASE(more_than_2_32_pairs_stay_stable)
{
  sort_rounds<std::uint8_t>(251, true);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
