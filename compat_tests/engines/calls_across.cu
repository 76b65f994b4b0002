// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "calls_across.hpp"
#include "each_rank.hpp"

#include <reheat/across/across.cuh>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace engines
{
namespace
{

class own_stream
{
public:
#if defined(REHEAT_EMULATED)
  reheat::stream_type get()
  {
    return &stream_;
  }
  void wait() {}

private:
  reheat::emulator::stream stream_;
#else
  own_stream()
  {
    cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
  }
  ~own_stream()
  {
    cudaStreamDestroy(stream_);
  }
  own_stream(const own_stream&) = delete;
  own_stream& operator=(const own_stream&) = delete;
  reheat::stream_type get()
  {
    return stream_;
  }
  void wait()
  {
    cudaStreamSynchronize(stream_);
  }

private:
  cudaStream_t stream_ = nullptr;
#endif
};

// Neighbours join, in this order alone: any other order, and a rank that is left out or counted twice, makes it broken.
struct interval
{
  int first, last;
};
REHEAT_HOST_DEVICE inline bool operator==(const interval& x, const interval& y)
{
  return x.first == y.first && x.last == y.last;
}
constexpr int broken = -1000;
struct joined
{
  REHEAT_HOST_DEVICE interval operator()(const interval& x, const interval& y) const
  {
    return x.first != broken && y.first != broken && x.last + 1 == y.first ? interval{x.first, y.last}
                                                                           : interval{broken, broken};
  }
};

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(int item) const { return item % 2 != 0; }
};
struct is_below
{
  int bound;
  REHEAT_HOST_DEVICE bool operator()(int item) const { return item < bound; }
};
struct twice
{
  REHEAT_HOST_DEVICE long long operator()(int item) const { return 2LL * item; }
};

struct widened
{
  REHEAT_HOST_DEVICE long long operator()(int item) const { return item; }
};

// The items of all ranks. This rank has [begin, begin + size).
struct part
{
  std::vector<int> all;
  std::size_t begin, size;
  std::string name;

  std::vector<int> own() const { return {all.begin() + begin, all.begin() + begin + size}; }
};

constexpr int divisions = 5;

part make_part(const reheat::ranks& ranks, int division)
{
  std::vector<std::size_t> sizes(ranks.count());
  const char* name = "";
  for (std::size_t r = 0; r < sizes.size(); ++r)
  {
    switch (division)
    {
      case 0:
        name = "equal parts";
        sizes[r] = 700;
        break;
      case 1:
        name = "unequal parts, the first one empty";
        sizes[r] = (r * r * 517 + 3 * r) % 2000;
        break;
      case 2:
        name = "one item, on the last rank";
        sizes[r] = r + 1 == sizes.size();
        break;
      case 3:
        name = "no items at all";
        sizes[r] = 0;
        break;
      case 4:
        name = "a first part of many tiles";
        sizes[r] = r == 0 ? 40000 : r;
        break;
    }
  }
  part made;
  made.all.resize(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  for (std::size_t i = 0; i < made.all.size(); ++i)
  {
    made.all[i] = static_cast<int>(i * 2654435761u >> 9) % 1000 - 300;
  }
  made.begin = std::accumulate(sizes.begin(), sizes.begin() + ranks.rank(), std::size_t{0});
  made.size = sizes[ranks.rank()];
  made.name = std::string(name) + ", rank " + std::to_string(ranks.rank()) + " of " + std::to_string(ranks.count());
  return made;
}

template <class T>
thrust::device_vector<T> on_device(const std::vector<T>& items)
{
  return thrust::device_vector<T>(items.begin(), items.end());
}

// Initial values count on rank 0 alone.
template <class T>
T init_here(const reheat::ranks& ranks, T counts, T is_ignored)
{
  return ranks.rank() == 0 ? counts : is_ignored;
}

void check_reductions(reheat::ranks& ranks, const part& p)
{
  const auto par = reheat::par.across(ranks);
  const auto items = on_device(p.own());
  const auto first = items.begin(), last = items.end();
  const auto sum = std::accumulate(p.all.begin(), p.all.end(), 0LL);
  check(thrust::reduce(par, first, last, init_here(ranks, 100LL, 7777LL)) == 100 + sum, "reduce: " + p.name);
  check(thrust::transform_reduce(par, first, last, twice(), init_here(ranks, 1LL, 7777LL), thrust::plus<long long>()) ==
            1 + 2 * sum,
        "transform_reduce: " + p.name);
  const auto squares = std::inner_product(p.all.begin(), p.all.end(), p.all.begin(), 5LL);
  check(thrust::inner_product(par, first, last, first, init_here(ranks, 5LL, 7777LL)) == squares,
        "inner_product: " + p.name);
  check(thrust::count_if(par, first, last, is_odd()) == std::count_if(p.all.begin(), p.all.end(), is_odd()),
        "count_if: " + p.name);
  check(thrust::count(par, first, last, 44) == std::count(p.all.begin(), p.all.end(), 44), "count: " + p.name);
  const int bound = p.all.empty() ? 0 : p.all.back() + 1;
  check(thrust::any_of(par, first, last, is_below{bound}) == !p.all.empty(), "any_of: " + p.name);
  check(thrust::all_of(par, first, last, is_below{700}), "all_of: " + p.name);
  check(!thrust::none_of(par, first, last, is_below{bound}) == !p.all.empty(), "none_of: " + p.name);

  std::vector<interval> intervals;
  for (std::size_t i = p.begin; i < p.begin + p.size; ++i)
  {
    intervals.push_back({static_cast<int>(i), static_cast<int>(i)});
  }
  const auto own = on_device(intervals);
  const interval whole =
      thrust::reduce(par, own.begin(), own.end(), init_here(ranks, interval{-1, -1}, interval{50, 60}), joined());
  check(whole == interval{-1, static_cast<int>(p.all.size()) - 1}, "reduce in order: " + p.name);

  // Bits of a floating-point sum: the same everywhere if the least and the greatest rank's are.
  std::vector<float> fractions;
  for (const int each : p.own())
  {
    fractions.push_back(1.0f / static_cast<float>(each * 2 + 1));
  }
  const auto floats = on_device(fractions);
  const float total = thrust::reduce(par, floats.begin(), floats.end());
  unsigned bits = 0;
  std::memcpy(&bits, &total, sizeof bits);
  const auto own_bits = on_device(std::vector<unsigned>{bits});
  check(thrust::reduce(par, own_bits.begin(), own_bits.end(), bits, thrust::minimum<unsigned>()) ==
            thrust::reduce(par, own_bits.begin(), own_bits.end(), bits, thrust::maximum<unsigned>()),
        "the same bits of a sum of float: " + p.name);
}

void check_scans(reheat::ranks& ranks, const part& p)
{
  const auto par = reheat::par.across(ranks);
  const auto items = on_device(p.own());
  const auto first = items.begin(), last = items.end();
  thrust::device_vector<long long> out(p.size, -1);
  const auto check_scan =
      [&](const std::vector<long long>& all, thrust::device_vector<long long>::iterator end, const char* what)
  {
    const std::vector<long long> expected(all.begin() + p.begin, all.begin() + p.begin + p.size);
    const thrust::host_vector<long long> found(out);
    check(end == out.end() && std::equal(expected.begin(), expected.end(), found.begin(), found.end()), what + p.name);
  };
  std::vector<long long> all(p.all.size());
  std::partial_sum(p.all.begin(), p.all.end(), all.begin(), [](long long x, int y) { return x + y; });
  check_scan(all, thrust::inclusive_scan(par, first, last, out.begin(), thrust::plus<long long>()), "inclusive_scan: ");
  std::exclusive_scan(p.all.begin(), p.all.end(), all.begin(), 100LL);
  check_scan(all, thrust::exclusive_scan(par, first, last, out.begin(), init_here(ranks, 100LL, 7777LL)),
             "exclusive_scan: ");
  std::transform_inclusive_scan(p.all.begin(), p.all.end(), all.begin(), std::plus<>(), twice());
  check_scan(all, thrust::transform_inclusive_scan(par, first, last, out.begin(), twice(), thrust::plus<long long>()),
             "transform_inclusive_scan: ");

  std::vector<interval> intervals;
  for (std::size_t i = p.begin; i < p.begin + p.size; ++i)
  {
    intervals.push_back({static_cast<int>(i), static_cast<int>(i)});
  }
  const auto own = on_device(intervals);
  thrust::device_vector<interval> joins(p.size);
  thrust::exclusive_scan(par, own.begin(), own.end(), joins.begin(), init_here(ranks, interval{-1, -1}, interval{50, 60}),
                         joined());
  const thrust::host_vector<interval> found(joins);
  bool right = true;
  for (std::size_t i = 0; i < p.size; ++i)
  {
    right = right && found[i] == interval{-1, static_cast<int>(p.begin + i) - 1};
  }
  check(right, "exclusive_scan in order: " + p.name);
}

void check_into_memory(reheat::ranks& ranks, const part& p)
{
  own_stream stream;
  const auto par = reheat::par_nosync.across(ranks).on(stream.get());
  const auto items = on_device(p.own());
  thrust::device_vector<long long> out(2, -1);
  reheat::reduce_into(par, items.begin(), items.end(), out.begin(), init_here(ranks, 3LL, 7777LL));
  stream.wait();
  check(out[0] == std::accumulate(p.all.begin(), p.all.end(), 3LL) && out[1] == -1, "reduce_into: " + p.name);
  ranks.check();
}

void check_extrema(reheat::ranks& ranks, const part& p)
{
  const auto par = reheat::par.across(ranks);
  const auto items = on_device(p.own());
  const auto first = items.begin(), last = items.end();
  const auto smallest = reheat::min_element_across(par, first, last);
  const auto both = reheat::minmax_element_across(par, first, last);
  const auto here = thrust::max_element(par, first, last);
  check(smallest.has_value() == !p.all.empty() && both.has_value() == !p.all.empty(),
        "whether there is an extremum: " + p.name);
  if (p.all.empty())
  {
    check(here == last, "max_element of nothing: " + p.name);
    return;
  }
  const auto min = static_cast<std::size_t>(std::min_element(p.all.begin(), p.all.end()) - p.all.begin());
  const auto max = static_cast<std::size_t>(std::max_element(p.all.begin(), p.all.end()) - p.all.begin());
  check(smallest->global_index == min && smallest->value == p.all[min], "min_element_across: " + p.name);
  check((smallest->rank == ranks.rank()) == (min >= p.begin && min < p.begin + p.size),
        "the smallest item's rank: " + p.name);
  check(smallest->rank != ranks.rank() || smallest->index == min - p.begin, "the smallest item's index: " + p.name);
  check(both->min.global_index == min && both->max.global_index == max, "minmax_element_across: " + p.name);
  const bool owns_max = max >= p.begin && max < p.begin + p.size;
  check(here == (owns_max ? first + static_cast<std::ptrdiff_t>(max - p.begin) : last), "max_element: " + p.name);
}

// Keys of a group are equal; the others of its bits tell items apart.
struct same_group
{
  REHEAT_HOST_DEVICE bool operator()(int x, int y) const { return x / 8 == y / 8; }
};

void check_by_key(reheat::ranks& ranks, const part& p)
{
  const std::size_t size = p.all.size(), longest = size / 3 + 1; // over several parts, if they are equal
  std::vector<int> keys(size), run_keys;
  std::vector<interval> items(size), scans(size), runs;
  std::vector<long long> sums(size);
  for (std::size_t i = 0; i < size; ++i)
  {
    const std::size_t run = i < size / 4 ? i / 3 : size / 4 + i / longest;
    keys[i] = static_cast<int>(run * 8 + i % 8);
    items[i] = {static_cast<int>(i), static_cast<int>(i)};
    const bool begins = i == 0 || keys[i] / 8 != keys[i - 1] / 8;
    scans[i] = begins ? items[i] : joined()(scans[i - 1], items[i]);
    sums[i] = begins ? 100 : sums[i - 1] + p.all[i - 1];
    if (begins)
    {
      run_keys.push_back(keys[i]);
      runs.push_back(items[i]);
    }
    runs.back() = scans[i];
  }
  const auto begin = static_cast<std::ptrdiff_t>(p.begin), end = begin + static_cast<std::ptrdiff_t>(p.size);
  const auto own_keys = on_device(std::vector<int>(keys.begin() + begin, keys.begin() + end));
  const auto own = on_device(std::vector<interval>(items.begin() + begin, items.begin() + end));
  const auto numbers = on_device(p.own());
  const auto par = reheat::par.across(ranks);

  thrust::device_vector<interval> joins(p.size);
  thrust::inclusive_scan_by_key(par, own_keys.begin(), own_keys.end(), own.begin(), joins.begin(), same_group(), joined());
  const thrust::host_vector<interval> found_joins(joins);
  check(std::equal(found_joins.begin(), found_joins.end(), scans.begin() + begin), "inclusive_scan_by_key: " + p.name);
  thrust::device_vector<long long> out(p.size);
  thrust::exclusive_scan_by_key(par, own_keys.begin(), own_keys.end(), numbers.begin(), out.begin(), 100LL, same_group());
  const thrust::host_vector<long long> found_sums(out);
  check(std::equal(found_sums.begin(), found_sums.end(), sums.begin() + begin), "exclusive_scan_by_key: " + p.name);

  thrust::device_vector<int> keys_out(p.size);
  const auto found = reheat::reduce_by_key_across(par, own_keys.begin(), own_keys.end(), own.begin(), keys_out.begin(),
                                                  joins.begin(), same_group(), joined());
  const auto count = static_cast<std::size_t>(found.keys_end - keys_out.begin());
  const bool fits = found.total == runs.size() && found.global_index + count <= runs.size();
  check(fits && (count == 0 || runs[found.global_index + count - 1].last < end), "the place of runs: " + p.name);
  if (fits)
  {
    const thrust::host_vector<int> found_keys(keys_out.begin(), found.keys_end);
    const thrust::host_vector<interval> found_runs(joins.begin(), found.values_end);
    const auto from = static_cast<std::ptrdiff_t>(found.global_index);
    check(std::equal(found_keys.begin(), found_keys.end(), run_keys.begin() + from), "keys of runs: " + p.name);
    check(std::equal(found_runs.begin(), found_runs.end(), runs.begin() + from), "reduce_by_key: " + p.name);
  }
  // Every run is somewhere.
  const auto counts = on_device(std::vector<long long>{static_cast<long long>(count)});
  check(thrust::reduce(par, counts.begin(), counts.end()) == static_cast<long long>(runs.size()), "all runs: " + p.name);
}

void check_selections(reheat::ranks& ranks, const part& p)
{
  own_stream stream;
  const auto items = on_device(p.own());
  std::vector<int> expected;
  const std::vector<int> own = p.own();
  std::copy_if(own.begin(), own.end(), std::back_inserter(expected), is_odd());
  const auto before = std::count_if(p.all.begin(), p.all.begin() + static_cast<std::ptrdiff_t>(p.begin), is_odd());
  const auto total = std::count_if(p.all.begin(), p.all.end(), is_odd());
  thrust::device_vector<int> out(p.size);
  const auto found = reheat::copy_if_across(reheat::par.across(ranks), items.begin(), items.end(), out.begin(), is_odd());
  const thrust::host_vector<int> copies(out.begin(), found.end);
  check(std::equal(copies.begin(), copies.end(), expected.begin(), expected.end()), "copy_if_across: " + p.name);
  check(found.global_index == static_cast<std::uint64_t>(before) && found.total == static_cast<std::uint64_t>(total),
        "the place of copies: " + p.name);
  thrust::device_vector<reheat::place_across> place(1);
  reheat::copy_if_across_into(reheat::par_nosync.across(ranks).on(stream.get()), items.begin(), items.end(), out.begin(),
                              is_odd(), thrust::raw_pointer_cast(place.data()));
  stream.wait();
  const reheat::place_across left = place[0];
  check(left.count == expected.size() && left.global_index == found.global_index && left.total == found.total,
        "copy_if_across_into: " + p.name);
  ranks.check();
}

void check_prefix(reheat::ranks& ranks)
{
  const auto one = on_device(std::vector<interval>{{ranks.rank(), ranks.rank()}});
  thrust::device_vector<interval> out(2);
  interval* const before = thrust::raw_pointer_cast(out.data());
  reheat::prefix_across(reheat::par.across(ranks), thrust::raw_pointer_cast(one.data()), before, before + 1,
                        init_here(ranks, interval{-1, -1}, interval{50, 60}), joined());
  const interval found_before = out[0], found_all = out[1];
  check(found_before == interval{-1, ranks.rank() - 1} && found_all == interval{-1, ranks.count() - 1},
        "prefix_across, rank " + std::to_string(ranks.rank()) + " of " + std::to_string(ranks.count()));
}

} // namespace

void make_all_calls(reheat::ranks& ranks)
{
  for (int division = 0; division < divisions; ++division)
  {
    const part p = make_part(ranks, division);
    check_reductions(ranks, p);
    check_scans(ranks, p);
    check_extrema(ranks, p);
    check_into_memory(ranks, p);
    check_by_key(ranks, p);
    check_selections(ranks, p);
  }
  check_prefix(ranks);
}

void make_different_calls(reheat::ranks& ranks)
{
  const part p = make_part(ranks, 0);
  const auto par = reheat::par.across(ranks);
  const auto items = on_device(p.own());
  thrust::device_vector<int> out(p.size);
  std::string text = "nothing";
  try
  {
    if (ranks.rank() == 1)
    {
      thrust::inclusive_scan(par, items.begin(), items.end(), out.begin());
    }
    else
    {
      thrust::reduce(par, items.begin(), items.end());
    }
  }
  catch (const std::exception& error)
  {
    text = error.what();
  }
  const auto names = [&](const char* part) { return text.find(part) != std::string::npos; };
  check(names("different calls") && names("reduce") && names("inclusive_scan"),
        "rank " + std::to_string(ranks.rank()) + " threw: " + text);
  check_reductions(ranks, p);
}

#if !defined(REHEAT_EMULATED)
void make_calls_in_graphs(reheat::ranks& ranks)
{
  const part p = make_part(ranks, 1);
  own_stream stream;
  const auto par = reheat::par_nosync.across(ranks).on(stream.get());
  thrust::device_vector<int> items(p.size);
  thrust::device_vector<long long> total(1), sums(p.size), run_sums(p.size), sums_by_key(p.size);
  std::vector<int> keys(p.all.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
  {
    keys[i] = static_cast<int>(i / 700);
  }
  const auto own_keys = on_device(std::vector<int>(keys.begin() + static_cast<std::ptrdiff_t>(p.begin),
                                                   keys.begin() + static_cast<std::ptrdiff_t>(p.begin + p.size)));
  thrust::device_vector<int> run_keys(p.size), odd(p.size);
  thrust::device_vector<reheat::place_across> places(2);
  reheat::place_across* const place = thrust::raw_pointer_cast(places.data());
  const auto call = [&]
  {
    reheat::reduce_into(par, items.begin(), items.end(), total.begin(), init_here(ranks, 3LL, 7777LL));
    thrust::inclusive_scan(par, items.begin(), items.end(), sums.begin(), thrust::plus<long long>());
    const auto as_long = thrust::make_transform_iterator(items.begin(), widened());
    thrust::inclusive_scan_by_key(par, own_keys.begin(), own_keys.end(), as_long, sums_by_key.begin());
    reheat::reduce_by_key_across_into(par, own_keys.begin(), own_keys.end(), as_long, run_keys.begin(), run_sums.begin(),
                                      place);
    reheat::copy_if_across_into(par, items.begin(), items.end(), odd.begin(), is_odd(), place + 1);
  };
  call();
  stream.wait();

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal);
  call();
  check(cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess, "a capture: " + p.name);
  check(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess, "a graph: " + p.name);
  for (int launch = 1; launch <= 3; ++launch)
  {
    std::vector<int> scaled = p.all;
    std::for_each(scaled.begin(), scaled.end(), [&](int& each) { each *= launch; });
    thrust::copy(scaled.begin() + p.begin, scaled.begin() + p.begin + p.size, items.begin());
    check(cudaGraphLaunch(executable, stream.get()) == cudaSuccess, "the launch of a graph: " + p.name);
    stream.wait();
    const std::string name = "launch " + std::to_string(launch) + " of a graph: " + p.name;
    check(total[0] == std::accumulate(scaled.begin(), scaled.end(), 3LL), "reduce_into, " + name);
    std::vector<long long> all(scaled.size());
    std::partial_sum(scaled.begin(), scaled.end(), all.begin(), [](long long x, int y) { return x + y; });
    const thrust::host_vector<long long> found(sums);
    check(std::equal(found.begin(), found.end(), all.begin() + p.begin), "inclusive_scan, " + name);

    std::vector<long long> runs; // of all ranks
    for (std::size_t i = 0; i < scaled.size(); ++i)
    {
      all[i] = i % 700 == 0 ? scaled[i] : all[i - 1] + scaled[i];
      if (i % 700 == 0)
      {
        runs.push_back(0);
      }
      runs.back() = all[i];
    }
    const thrust::host_vector<long long> by_key(sums_by_key);
    check(std::equal(by_key.begin(), by_key.end(), all.begin() + p.begin), "inclusive_scan_by_key, " + name);
    const reheat::place_across run_place = places[0], odd_place = places[1];
    const bool fits = run_place.total == runs.size() && run_place.global_index + run_place.count <= runs.size();
    check(fits, "the place of runs, " + name);
    if (fits)
    {
      const thrust::host_vector<long long> own_runs(run_sums.begin(), run_sums.begin() + run_place.count);
      check(std::equal(own_runs.begin(), own_runs.end(), runs.begin() + run_place.global_index), "reduce_by_key, " + name);
    }
    const auto odd_before = std::count_if(scaled.begin(), scaled.begin() + p.begin, is_odd());
    const auto odd_here = std::count_if(scaled.begin() + p.begin, scaled.begin() + p.begin + p.size, is_odd());
    check(odd_place.global_index == static_cast<std::uint64_t>(odd_before) &&
              odd_place.count == static_cast<std::uint64_t>(odd_here) &&
              odd_place.total == static_cast<std::uint64_t>(std::count_if(scaled.begin(), scaled.end(), is_odd())),
          "copy_if_across_into, " + name);
  }
  ranks.check();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

void capture_on_rank_0_alone(reheat::ranks& ranks)
{
  own_stream stream;
  const auto par = reheat::par_nosync.across(ranks).on(stream.get());
  const auto item = on_device(std::vector<int>{ranks.rank() + 1});
  thrust::device_vector<int> total(1, -1);
  const int expected = ranks.count() * (ranks.count() + 1) / 2;
  const std::string name = "captured on rank 0 alone, rank " + std::to_string(ranks.rank());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  const auto call = [&] { reheat::reduce_into(par, item.begin(), item.end(), total.begin()); };
  if (ranks.rank() == 0)
  {
    cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal);
    call();
    check(cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess &&
              cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess,
          "a graph, " + name);
  }
  std::string text = "nothing";
  for (int round = 0; round < 2; ++round)
  {
    ranks.rank() == 0 ? static_cast<void>(cudaGraphLaunch(executable, stream.get())) : call();
    stream.wait();
    check(round != 0 || total[0] == expected, "the first launch, " + name);
    try
    {
      ranks.check();
    }
    catch (const std::exception& error)
    {
      text = error.what();
      check(round == 1, "the second launch alone fails, " + name);
    }
  }
  check(text.find("different calls") != std::string::npos, name + " threw: " + text);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}
#endif

std::string thrown_by_a_call(reheat::ranks& ranks)
{
  const auto items = on_device(make_part(ranks, 0).own());
  std::string text = "nothing";
  try
  {
    thrust::reduce(reheat::par.across(ranks), items.begin(), items.end());
  }
  catch (const std::exception& error)
  {
    text = error.what();
  }
  return text;
}

void die_in_a_call(reheat::ranks& ranks)
{
  if (ranks.rank() == 1)
  {
    std::abort();
  }
  const auto items = on_device(make_part(ranks, 0).own());
  thrust::reduce(reheat::par.across(ranks), items.begin(), items.end());
  check(false, "a call has ended that rank 1 did not make");
}

} // namespace engines
