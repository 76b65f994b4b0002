// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls of reheat::DeviceReduce, DeviceScan and DeviceSegmentedReduce under many schedules, with memory of the caller's
//! that is full of words with plausible tags.
#include "checks.hpp"

#include "../../support/device_calls.hpp"
#include "../../support/offsets.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace schedules::device
{
namespace
{

using word = std::uint32_t;

//! Exactly as much memory as a call asks for. Where accesses are watched, a kernel may read only what kernels have written.
class callers_memory
{
public:
  callers_memory(draw& choose, std::size_t bytes)
      : block_(bytes, offsets[choose.below(std::size(offsets))], all_contents[choose.below(std::size(all_contents))])
  {}
  void* get() { return block_.get(); }
  std::size_t bytes() const { return block_.bytes(); }
  bool is_sound() const { return block_.is_sound(); }

private:
  static constexpr std::size_t offsets[] = {0, 1, 8, 100, 255};

  temp_block block_;
#if REHEAT_SCHEDULES_WATCH
  reheat::emulator::accesses::watched_range watched_{
      block_.get(), block_.bytes(), reheat::emulator::accesses::content::never_written, "the caller's memory"};
#endif
};

template <class Call>
std::size_t bytes_for(Call call)
{
  std::size_t bytes = 0;
  return call(nullptr, bytes) == reheat::runtime::success ? bytes : 0;
}

//! Calls with that memory, which may be larger than the call asks for.
template <class Call>
std::string run_in(callers_memory& memory, Call call)
{
  std::size_t bytes = memory.bytes();
  if (call(memory.get(), bytes) != reheat::runtime::success)
  {
    return "the call failed";
  }
  return memory.is_sound() ? "" : "memory beside the caller's was written";
}

//! Both phases.
template <class Call>
std::string run(draw& choose, Call call)
{
  const std::size_t bytes = bytes_for(call);
  if (bytes == 0)
  {
    return "the call wants no memory";
  }
  callers_memory memory(choose, bytes);
  return run_in(memory, call);
}

// ---- reductions ---------------------------------------------------------------------------------------------------------

//! `memory`: of an earlier call, or null.
template <class T, class Op>
std::string reduce(draw& choose, std::size_t tiles, callers_memory* memory = nullptr)
{
  const std::size_t count = choose.items(reduce_shape<T, T, Op>().tile_items(), tiles);
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  const T init = values<T>::make(0);
  placed_items<T> in(items, choose.flip()), out({values<T>::make(1)}, false);
  const auto call = [&](void* temp, std::size_t& bytes)
  { return reheat::DeviceReduce::Reduce(temp, bytes, in.data(), out.data(), count, Op{}, init); };
  const std::string wrong = memory == nullptr ? run(choose, call) : run_in(*memory, call);
  return wrong.empty() ? differing(std::vector<T>{reduce_reference<T>(items, init, fold{})}, out.items()) : wrong;
}

//! More tiles than blocks, in either association.
std::string reduce_striped(draw& choose)
{
  return reduce<word, thrust::plus<word>>(choose, 80);
}
std::string reduce_in_order(draw& choose)
{
  return reduce<affine<word>, fold>(choose, 80);
}
std::string reduce_large(draw& choose)
{
  return reduce<words<10>, fold>(choose, 80);
}
std::string reduce_objects(draw& choose)
{
  return reduce<tracked<false>, fold>(choose, 50);
}

//! So few values that the smallest comes again and again.
std::string arg_min(draw& choose)
{
  using keep = reheat::detail::keep_smallest<::cuda::std::less<>>;
  const std::size_t count = choose.items(run_tile<reheat::detail::candidate<word>, keep, word>(), 80);
  const std::size_t different = 2 + choose.below(choose.flip() ? 2 : count);
  std::vector<word> items;
  for (std::size_t i = 0; i < count; ++i)
  {
    items.push_back(static_cast<word>(choose.below(different)));
  }
  placed_items<word> in(items, choose.flip()), extremum({0}, false), index({0}, false);
  const std::string wrong = run(choose,
                                [&](void* temp, std::size_t& bytes)
                                {
                                  return reheat::DeviceReduce::ArgMin(temp, bytes, in.data(), extremum.data(), index.data(),
                                                                      static_cast<std::int64_t>(count));
                                });
  const auto smallest = std::min_element(items.begin(), items.end());
  const std::string wrong_index = differing({static_cast<word>(smallest - items.begin())}, index.items());
  const std::string wrong_value = differing({*smallest}, extremum.items());
  return !wrong.empty() ? wrong : !wrong_index.empty() ? "the index is wrong" : wrong_value;
}

// ---- scans --------------------------------------------------------------------------------------------------------------

template <class T>
std::string scan(draw& choose, std::size_t count, callers_memory* memory = nullptr)
{
  const bool inclusive = choose.flip();
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  const T init = values<T>::make(0);
  placed_items<T> in(items, choose.flip()), out(make_items<T>(count), choose.flip());
  const auto call = [&](void* temp, std::size_t& bytes)
  {
    return inclusive ? reheat::DeviceScan::InclusiveScan(temp, bytes, in.data(), out.data(), fold{}, count)
                     : reheat::DeviceScan::ExclusiveScan(temp, bytes, in.data(), out.data(), fold{}, init, count);
  };
  const std::string wrong = memory == nullptr ? run(choose, call) : run_in(*memory, call);
  const std::vector<T> expected =
      inclusive ? inclusive_reference<T, T>(items, fold{}) : exclusive_reference<T, T>(items, init, fold{});
  return wrong.empty() ? differing(expected, out.items()) : wrong;
}

template <class T>
std::string scan_streaming(draw& choose)
{
  const force_scans all(streaming_scans());
  return scan<T>(choose, choose.items(scan_tile<T>(), 12));
}
template <class T>
std::string scan_one_tile(draw& choose)
{
  const forced_scan how =
      one_tile_scans(32 * (1 + static_cast<unsigned>(choose.below(3))), 1 + static_cast<unsigned>(choose.below(2)));
  const force_scans all(how);
  return scan<T>(choose, choose.items(one_tile_items<T>(how.one_tile), 40));
}

//! A scan begins with what a reduction leaves.
std::string scan_of_future_value(draw& choose)
{
  using T = affine<word>;
  const std::size_t count = choose.items(reduce_tile<T>(), 12);
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  const T init = values<T>::make(0);
  placed_items<T> in(items, choose.flip()), total({values<T>::make(1)}, false), out(items, choose.flip());
  std::string wrong =
      run(choose, [&](void* temp, std::size_t& bytes)
          { return reheat::DeviceReduce::Reduce(temp, bytes, in.data(), total.data(), count, fold{}, init); });
  wrong += run(choose,
               [&](void* temp, std::size_t& bytes)
               {
                 const ::cub::FutureValue<T> future(total.data());
                 return reheat::DeviceScan::ExclusiveScan(temp, bytes, in.data(), out.data(), fold{}, future, count);
               });
  const T begin = reduce_reference<T>(items, init, fold{});
  return wrong.empty() ? differing(exclusive_reference<T, T>(items, begin, fold{}), out.items()) : wrong;
}

//! There is room for as many segments as there are.
std::string reduce_by_key(draw& choose)
{
  const force_scans all(choose.flip() ? streaming_scans() : forced_scan());
  const std::size_t tile = reduce_by_key_tile<word>(), count = choose.items(tile, 12);
  const std::vector<word> keys = make_keys(count, all_segments[choose.below(4)], tile);
  const std::vector<word> items = make_items<word>(count, choose.below(1000));
  const auto expected = reduce_by_key_reference<word, word>(keys, items, equal{}, plus{});
  const std::vector<word> empty(expected.first.size(), 0);
  placed_items<word> in_keys(keys, choose.flip()), in(items, choose.flip());
  placed_items<word> keys_out(empty, choose.flip()), out(empty, choose.flip()), runs({0}, false);
  const std::string wrong =
      run(choose,
          [&](void* temp, std::size_t& bytes)
          {
            return reheat::DeviceReduce::ReduceByKey(temp, bytes, in_keys.data(), keys_out.data(), in.data(), out.data(),
                                                     runs.data(), thrust::plus<word>(), count);
          });
  const std::string wrong_runs = differing({static_cast<word>(empty.size())}, runs.items());
  const std::string wrong_keys = differing(expected.first, keys_out.items());
  return !wrong.empty()        ? wrong
         : !wrong_runs.empty() ? "the number of runs is wrong"
         : !wrong_keys.empty() ? "keys: " + wrong_keys
                               : differing(expected.second, out.items());
}

//! Adjacent segments. Some end before they begin, and the next one then covers items of others again.
std::string segmented_sums(draw& choose)
{
  const std::size_t count = 4000;
  const std::vector<word> items = make_items<word>(count, choose.below(1000));
  std::vector<word> offsets{static_cast<word>(choose.below(50))}, sums;
  const std::size_t segments = 1 + choose.below(400), longest = choose.flip() ? 10 : 1000,
                    rarely = choose.flip() ? 1000 : 50;
  for (std::size_t segment = 0; segment < segments; ++segment)
  {
    const std::size_t from = choose.below(rarely) == 0 ? choose.below(count) : offsets.back();
    offsets.push_back(static_cast<word>(std::min(count, from + choose.below(longest))));
    word sum = 0;
    for (std::size_t i = offsets[segment]; i < offsets[segment + 1]; ++i)
    {
      sum += items[i];
    }
    sums.push_back(sum);
  }
  placed_items<word> in(items, choose.flip()), at(offsets, choose.flip()),
      out(std::vector<word>(segments, 1), choose.flip());
  const std::string wrong =
      run(choose,
          [&](void* temp, std::size_t& bytes)
          {
            return reheat::DeviceSegmentedReduce::Sum(temp, bytes, in.data(), out.data(),
                                                      static_cast<std::int64_t>(segments), at.data(), at.data() + 1);
          });
  return wrong.empty() ? differing(sums, out.items()) : wrong;
}

//! Segments that lie anywhere in `items` items: short ones with gaps, long ones over each other, one giant among short ones,
//! empty ones, all lengths in any order.
struct placed_segments
{
  std::vector<word> begins, ends;

  void add(std::size_t begin, std::size_t items)
  {
    begins.push_back(static_cast<word>(begin));
    ends.push_back(static_cast<word>(begin + items));
  }
};
placed_segments draw_segments(draw& choose, std::size_t items)
{
  const std::size_t kind = choose.below(6), few = segmented_shape<word>().few_segments, least = choose.flip() ? 1 : few + 1,
                    count = least + choose.below(least == 1 || kind == 1 ? few : 500),
                    giant = kind == 2 ? choose.below(count) : count;
  placed_segments drawn;
  std::size_t at = choose.below(20);
  for (std::size_t s = 0; s < count; ++s)
  {
    const std::size_t longest = kind == 1 ? items : kind == 4 ? 700 : choose.below(4) == 0 ? 40 : 6;
    const std::size_t length = s == giant ? items : kind == 3 ? 0 : std::min(items, choose.below(longest + 1));
    const bool in_turn = kind != 1 && kind != 5 && at + length < items;
    const std::size_t begin = in_turn ? at : choose.below(items - length + 1);
    drawn.add(begin, length);
    if (length == 0 && choose.flip())
    {
      drawn.begins.back() += static_cast<word>(choose.below(50)); // behind its end
    }
    at = in_turn ? at + length + choose.below(3) : at;
  }
  return drawn;
}
//! In memory of the caller's, or in the stream's behind a call of another kind, whose words are left there.
template <class T, class Op>
std::string reduce_anywhere(draw& choose, const placed_segments& drawn, std::size_t count)
{
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  const std::size_t segments = drawn.begins.size();
  const T init = values<T>::make(0);
  std::vector<T> expected(segments, init);
  for (std::size_t s = 0; s < segments; ++s)
  {
    for (std::size_t i = drawn.begins[s]; i < drawn.ends[s]; ++i)
    {
      expected[s] = Op{}(expected[s], items[i]);
    }
  }
  placed_items<T> in(items, choose.flip()), out(std::vector<T>(segments, values<T>::make(1)), choose.flip());
  placed_items<word> begins(drawn.begins, choose.flip()), ends(drawn.ends, choose.flip());
  if (choose.flip())
  {
    const std::string wrong = run(choose,
                                  [&](void* temp, std::size_t& bytes)
                                  {
                                    return reheat::DeviceSegmentedReduce::Reduce(temp, bytes, in.data(), out.data(),
                                                                                 static_cast<std::int64_t>(segments),
                                                                                 begins.data(), ends.data(), Op{}, init);
                                  });
    return wrong.empty() ? differing(expected, out.items()) : wrong;
  }
  if (choose.below(4) == 0)
  {
    set_launch_count(reheat::detail::last_epoch - static_cast<word>(choose.below(3)));
  }
  auto policy = reheat::par;
  for (unsigned call = 0; call < 2; ++call)
  {
    placed_items<T> scanned(items, false);
    thrust::inclusive_scan(reheat::par, in.data(), in.data() + count, scanned.data(), Op{});
    std::fill(out.data(), out.data() + segments, values<T>::make(1));
    reheat::algorithms::segmented_reduce<T>(
        reheat::thrust_backend::calls::environment_of("segments anywhere", policy), in.data(), segments,
        reheat::algorithms::segments_between<const word*, const word*>{begins.data(), ends.data()}, out.data(), init, Op{});
    const std::string wrong = differing(expected, out.items());
    if (!wrong.empty())
    {
      return "call " + std::to_string(call) + " in the stream's memory: " + wrong;
    }
  }
  reheat::runtime::workspace_lease lease;
  return header_of(lease)->listed == 0 ? "" : "the list was not emptied";
}

template <class T, class Op>
std::string segments_anywhere(draw& choose)
{
  const std::size_t count = 6000;
  const placed_segments drawn = draw_segments(choose, count);
  return reduce_anywhere<T, Op>(choose, drawn, count);
}
//! A block for each, and blocks that share long ones.
std::string few_segments_anywhere(draw& choose)
{
  const std::size_t count = 6000, segments = 1 + choose.below(128), rarely = 1 + choose.below(30);
  placed_segments drawn;
  for (std::size_t s = 0; s < segments; ++s)
  {
    const std::size_t length = choose.below(choose.below(rarely) == 0 ? count + 1 : 300);
    drawn.add(choose.below(count - length + 1), length);
  }
  return reduce_anywhere<word, thrust::plus<word>>(choose, drawn, count);
}

//! Scans of segments that lie anywhere, each to a place behind that of the one before it; twice in the stream's memory, or
//! in memory of the caller's.
template <class T, class Op>
std::string scans_anywhere(draw& choose)
{
  const std::size_t count = 3000;
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  const placed_segments drawn = draw_segments(choose, count);
  const std::size_t segments = drawn.begins.size();
  std::vector<word> to;
  std::vector<T> expected;
  for (std::size_t s = 0; s < segments; ++s)
  {
    to.push_back(static_cast<word>(expected.size()));
    for (std::size_t i = drawn.begins[s]; i < drawn.ends[s]; ++i)
    {
      expected.push_back(i == drawn.begins[s] ? items[i] : static_cast<T>(Op{}(expected.back(), items[i])));
    }
  }
  const std::vector<T> before(expected.size() + 1, values<T>::make(1));
  expected.push_back(before.back());
  placed_items<T> in(items, choose.flip()), out(before, choose.flip());
  placed_items<word> begins(drawn.begins, choose.flip()), ends(drawn.ends, choose.flip()), places(to, choose.flip());
  const auto n = static_cast<std::int64_t>(segments);
  if (choose.flip())
  {
    const std::string wrong =
        run(choose,
            [&](void* temp, std::size_t& bytes)
            {
              return reheat::DeviceSegmentedScan::InclusiveSegmentedScan(temp, bytes, in.data(), out.data(), begins.data(),
                                                                         ends.data(), places.data(), n, Op{});
            });
    return wrong.empty() ? differing(expected, out.items()) : wrong;
  }
  auto policy = reheat::par;
  for (unsigned call = 0; call < 2; ++call)
  {
    std::copy(before.begin(), before.end(), out.data());
    reheat::algorithms::segmented_scan<reheat::detail::scan_kind::inclusive>(
        reheat::thrust_backend::calls::environment_of("scans anywhere", policy), in.data(), segments,
        reheat::algorithms::segments_between<const word*, const word*>{begins.data(), ends.data()},
        reheat::algorithms::places_from<const word*>{places.data()}, out.data(), Op{},
        reheat::detail::scan_without_init<T>{});
    const std::string wrong = differing(expected, out.items());
    if (!wrong.empty())
    {
      return "call " + std::to_string(call) + ": " + wrong;
    }
  }
  return {};
}

//! Scans of few segments with gaps, in place: one or two of them are so long that they are cut into chunks. Twice, in the
//! stream's memory.
std::string scans_in_chunks(draw& choose)
{
  using map = affine<word>;
  const std::size_t count = 4000, segments = 1 + choose.below(segmented_shape<map>().few_segments),
                    giant = choose.below(segments);
  const std::vector<map> items = make_items<map>(count, choose.below(1000));
  std::vector<map> expected(items);
  placed_segments drawn;
  std::size_t at = choose.below(20);
  for (std::size_t s = 0; s < segments; ++s)
  {
    const std::size_t length = s == giant                        ? 1300 + choose.below(1000)
                               : s == giant + 1 && choose.flip() ? 600 + choose.below(200)
                                                                 : choose.below(8);
    drawn.add(at, length);
    std::inclusive_scan(items.begin() + drawn.begins[s], items.begin() + drawn.ends[s], expected.begin() + drawn.begins[s],
                        fold{});
    at += length + choose.below(3);
  }
  placed_items<map> out(items, choose.flip());
  placed_items<word> begins(drawn.begins, choose.flip()), ends(drawn.ends, choose.flip());
  auto policy = reheat::par;
  for (unsigned call = 0; call < 2; ++call)
  {
    std::copy(items.begin(), items.end(), out.data());
    reheat::algorithms::segmented_scan<reheat::detail::scan_kind::inclusive>(
        reheat::thrust_backend::calls::environment_of("scans in chunks", policy), out.data(), segments,
        reheat::algorithms::segments_between<const word*, const word*>{begins.data(), ends.data()},
        reheat::algorithms::same_places{}, out.data(), fold{}, reheat::detail::scan_without_init<map>{});
    const std::string wrong = differing(expected, out.items());
    if (!wrong.empty())
    {
      return "call " + std::to_string(call) + ": " + wrong;
    }
  }
  return {};
}

//! Segments of one size, which lanes, teams or warps reduce.
std::string segments_of_one_size(draw& choose)
{
  using map = affine<word>;
  const std::size_t size = 1 + choose.below(choose.flip() ? 8 : 200), segments = 1 + choose.below(6000 / size);
  const std::vector<map> items = make_items<map>(segments * size, choose.below(1000));
  std::vector<map> expected(segments, values<map>::make(0));
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    expected[i / size] = fold{}(expected[i / size], items[i]);
  }
  placed_items<map> in(items, choose.flip()), out(std::vector<map>(segments, values<map>::make(1)), choose.flip());
  const std::string wrong = run(choose,
                                [&](void* temp, std::size_t& bytes)
                                {
                                  return reheat::DeviceSegmentedReduce::Reduce(
                                      temp, bytes, in.data(), out.data(), static_cast<std::int64_t>(segments),
                                      static_cast<int>(size), fold{}, values<map>::make(0));
                                });
  return wrong.empty() ? differing(expected, out.items()) : wrong;
}

//! Calls of all kinds one after the other in one block: each finds what the one before has left.
std::string one_block(draw& choose)
{
  const force_scans all(choose.flip() ? streaming_scans() : one_tile_scans(32, 1));
  callers_memory memory(choose, 64 * 1024);
  for (unsigned i = 0; i < 5; ++i)
  {
    std::string wrong;
    switch (choose.below(4))
    {
      case 0:
        wrong = reduce<word, thrust::plus<word>>(choose, 30, &memory);
        break;
      case 1:
        wrong = reduce<affine<word>, fold>(choose, 30, &memory);
        break;
      case 2:
        wrong = scan<affine<word>>(choose, choose.items(128, 12), &memory);
        break;
      default:
        wrong = scan<words<8>>(choose, choose.items(128, 12), &memory);
    }
    if (!wrong.empty())
    {
      return "call " + std::to_string(i) + ": " + wrong;
    }
  }
  return {};
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"device/reduce_striped", "given", reduce_striped},
      {"device/reduce_in_order", "given", reduce_in_order},
      {"device/reduce_large", "given", reduce_large},
      {"device/reduce_objects", "given", reduce_objects},
      {"device/arg_min", "given", arg_min},
      {"device/scan_streaming", "given", scan_streaming<words<8>>},
      {"device/scan_flagged", "given", scan_streaming<words<10>>},
      {"device/scan_one_tile", "given", scan_one_tile<affine<word>>},
      {"device/scan_of_future_value", "given", scan_of_future_value},
      {"device/reduce_by_key", "given", reduce_by_key},
      {"device/one_block", "given", one_block},
      {"device/segmented_sums", "spans", segmented_sums},
      {"device/segments_anywhere", "lists", segments_anywhere<word, thrust::plus<word>>},
      {"device/few_segments_anywhere", "spans", few_segments_anywhere},
      {"device/segments_of_one_size", "lists", segments_of_one_size},
      {"device/scans_anywhere", "lists", scans_anywhere<affine<word>, fold>},
      {"device/scans_in_chunks", "lists", scans_in_chunks},
      {"device/segments_anywhere_in_order", "lists", segments_anywhere<affine<word>, fold>},
  };
  return all;
}

} // namespace schedules::device
