// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions on the GPU: beside CUB, in CUDA graphs, and while the GPU is busy with something else. Not part of
//! the emulated build.

#include "../support/busy.hpp"
#include "../support/graphs.hpp"
#include "../support/offsets.hpp"

#include <cub/device/device_segmented_reduce.cuh>

#include <cstring>
#include <string>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(reduce_gpu)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Offsets of segments of one kind that cut all of `items` items; the last may be longer.
std::vector<u32> offsets_of(lengths kind, std::size_t items, std::size_t tile, std::uint32_t seed = 0)
{
  std::vector<u32> offsets{0};
  for (std::size_t segment = 0; offsets.back() < items && segment < items; ++segment)
  {
    const std::size_t length = length_of(kind, segment + seed, 200000, tile);
    offsets.push_back(static_cast<u32>(std::min(items, offsets.back() + length)));
  }
  offsets.push_back(static_cast<u32>(items));
  return offsets;
}

//! Sums of each segment by CUB.
template <class In, class Out>
std::vector<Out> sums_of_cub(const thrust::device_vector<In>& in, const thrust::device_vector<u32>& at)
{
  thrust::device_vector<Out> out(at.size() - 1);
  std::size_t bytes = 0;
  const auto call = [&](void* memory)
  {
    require(::cub::DeviceSegmentedReduce::Sum(memory, bytes, raw(in), raw(out), static_cast<int>(out.size()), raw(at),
                                              raw(at) + 1),
            "call CUB");
  };
  call(nullptr);
  thrust::device_vector<unsigned char> memory(bytes + 1);
  call(raw(memory));
  return to_host(out);
}

//! The indices of the first of each segment's smallest items by CUB, from the beginning of the input on.
std::vector<u32> extrema_of_cub(const thrust::device_vector<float>& in, const std::vector<u32>& offsets,
                                const thrust::device_vector<u32>& at)
{
  using pair = ::cub::KeyValuePair<int, float>;
  const std::size_t segments = offsets.size() - 1;
  thrust::device_vector<unsigned char> out(segments * sizeof(pair));
  std::size_t bytes = 0;
  const auto call = [&](void* memory)
  {
    require(::cub::DeviceSegmentedReduce::ArgMin(memory, bytes, raw(in), reinterpret_cast<pair*>(raw(out)),
                                                 static_cast<int>(segments), raw(at), raw(at) + 1),
            "call CUB");
  };
  call(nullptr);
  thrust::device_vector<unsigned char> memory(bytes + 1);
  call(raw(memory));
  const std::vector<unsigned char> found = to_host(out);
  std::vector<u32> result;
  for (std::size_t s = 0; s < segments; ++s)
  {
    pair each{};
    std::memcpy(static_cast<void*>(&each), found.data() + s * sizeof(pair), sizeof(pair));
    result.push_back(offsets[s] == offsets[s + 1] ? offsets[s] : offsets[s] + static_cast<u32>(each.key));
  }
  return result;
}

//! A call of a fixed number of segments, whose offsets and items change.
class replayed_call
{
public:
  static constexpr std::size_t segments = 40000;

  replayed_call() : in_(most), at_(segments + 1), out_(segments) {}

  //! Segments of another kind, and other items.
  void set(lengths kind, std::size_t first)
  {
    offsets_ = make_offsets(kind, segments, segmented_tile<affine<u32>>(), first);
    items_ = make_items<affine<u32>>(offsets_.back(), first);
    wait_for_all_streams();
    copy_bytes(raw(in_), items_.data(), items_.size() * sizeof(affine<u32>));
    copy_bytes(raw(at_), offsets_.data(), offsets_.size() * sizeof(u32));
    forget();
  }
  void forget()
  {
    wait_for_all_streams();
    require(cudaMemset(raw(out_), 0xee, segments * sizeof(affine<u32>)), "forget results");
    wait_for_all_streams();
  }
  template <class Policy>
  void call(const Policy& policy)
  {
    reheat::segmented_reduce(policy, raw(in_), raw(at_), raw(at_) + at_.size(), raw(out_), values<affine<u32>>::make(0),
                             fold{});
  }
  void check(const std::string& what) const
  {
    check_same(what, segmented_reference<affine<u32>>(items_, offsets_, values<affine<u32>>::make(0), fold{}),
               to_host(out_));
  }

private:
  static constexpr std::size_t most = segments * 160; // hundreds

  std::vector<u32> offsets_;
  std::vector<affine<u32>> items_;
  thrust::device_vector<affine<u32>> in_;
  thrust::device_vector<u32> at_;
  thrust::device_vector<affine<u32>> out_;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_million_items_in_segments_of_every_kind_give_the_sums_of_cub)
{
  const std::vector<u32> items = make_items<u32>(1000000, 1);
  const thrust::device_vector<u32> in = to_device(items);
  for (const lengths kind : all_lengths)
  {
    for (const u32 seed : {0u, 1234567u})
    {
      const thrust::device_vector<u32> at = to_device(offsets_of(kind, items.size(), segmented_tile<u32>(), seed));
      thrust::device_vector<u32> out(at.size() - 1);
      reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
      check_same(std::string("sums, ") + name_of(kind), sums_of_cub<u32, u32>(in, at), to_host(out));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_million_items_in_segments_of_every_kind_have_the_extrema_of_cub)
{
  const std::vector<float> items = make_reals(1000000);
  const thrust::device_vector<float> in = to_device(items);
  for (const lengths kind : all_lengths)
  {
    const std::vector<u32> offsets = offsets_of(kind, items.size(), segmented_tile<std::uint64_t>());
    const thrust::device_vector<u32> at = to_device(offsets);
    const std::size_t segments = offsets.size() - 1;
    thrust::device_vector<u32> out(segments);
    reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
    check_same(std::string("minima, ") + name_of(kind), extrema_of_cub(in, offsets, at), to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(sums_of_floats_are_as_near_to_the_exact_ones_as_those_of_cub)
{
  const std::vector<float> items = make_reals(20000000);
  const thrust::device_vector<float> in = to_device(items);
  for (const lengths kind : {lengths::hundreds, lengths::power_law, lengths::one_giant, lengths::all_empty})
  {
    const std::vector<u32> offsets = offsets_of(kind, items.size(), segmented_tile<float>());
    const thrust::device_vector<u32> at = to_device(offsets);
    thrust::device_vector<float> out(at.size() - 1);
    reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
    const std::vector<float> ours = to_host(out), theirs = sums_of_cub<float, float>(in, at);
    std::size_t wrong = 0, first_wrong = 0;
    for (std::size_t segment = 0; segment < ours.size(); ++segment)
    {
      long double exact = 0, magnitude = 0;
      for (std::size_t i = offsets[segment]; i < offsets[segment + 1]; ++i)
      {
        exact += items[i];
        magnitude += std::fabs(items[i]);
      }
      const long double bound = sum_bound<float>(offsets[segment + 1] - offsets[segment], magnitude);
      if (std::fabs(ours[segment] - exact) > bound ||
          std::fabs(ours[segment] - exact) > std::fabs(theirs[segment] - exact) + bound)
      {
        first_wrong = wrong++ == 0 ? segment : first_wrong;
      }
    }
    BOOST_TEST(wrong == 0u, name_of(kind) << ": " << wrong << " segments are off, the first " << first_wrong << ": "
                                          << ours[first_wrong] << ", CUB " << theirs[first_wrong]);
  }
}

BOOST_AUTO_TEST_CASE(a_captured_call_sees_the_offsets_of_its_replay)
{
  stream capturing;
  replayed_call one;
  for (const cudaStreamCaptureMode mode : capture_modes)
  {
    one.set(lengths::few, 1);
    const graph captured(capturing, mode, [&] { one.call(reheat::par_nosync.on(capturing.get())); });
    BOOST_TEST(nodes_of(captured) == 1u);
    const executable replay(captured);
    for (std::size_t i = 0; i < std::size(all_lengths); ++i)
    {
      one.set(all_lengths[i], i);
      replay.launch(capturing);
      capturing.synchronise();
      one.check(std::string("a replay, ") + name_of(all_lengths[i]));
      one.forget();
      one.call(reheat::par.on(capturing.get())); // has other scratch memory
      one.check("in between");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_waiting_call_is_refused_and_the_capture_goes_on)
{
  stream capturing;
  replayed_call one;
  one.set(lengths::hundreds, 5);
  const graph captured(capturing, cudaStreamCaptureModeGlobal,
                       [&]
                       {
                         check_refused("par", "reheat::segmented_reduce: this policy waits",
                                       [&] { one.call(reheat::par.on(capturing.get())); });
                         one.call(reheat::par_nosync.on(capturing.get()));
                       });
  BOOST_TEST(nodes_of(captured) == 1u);
  const executable replay(captured);
  replay.launch(capturing);
  capturing.synchronise();
  one.check("after a refusal");
}

BOOST_AUTO_TEST_CASE(a_call_that_checks_its_offsets_is_refused_and_the_capture_goes_on)
{
  stream capturing;
  replayed_call one;
  one.set(lengths::hundreds, 5);
  const auto policy = reheat::par_nosync.on(capturing.get());
  const graph captured(capturing, cudaStreamCaptureModeGlobal,
                       [&]
                       {
                         check_refused("check_offsets", "reheat::segmented_reduce: a call that checks its offsets waits",
                                       [&] { one.call(policy.with(reheat::check_offsets)); });
                         one.call(policy);
                       });
  BOOST_TEST(nodes_of(captured) == 1u);
}

BOOST_AUTO_TEST_CASE(a_clone_of_a_captured_call_outlives_the_graph)
{
  stream capturing;
  replayed_call one;
  one.set(lengths::power_law, 3);
  cudaGraph_t clone = nullptr;
  {
    const graph captured(capturing, cudaStreamCaptureModeRelaxed, [&] { one.call(reheat::par_nosync.on(capturing.get())); });
    require(cudaGraphClone(&clone, captured.get()), "clone a graph");
  }
  cudaGraphExec_t replay = nullptr;
  require(cudaGraphInstantiate(&replay, clone, 0), "instantiate a clone");
  for (unsigned round = 0; round < 3; ++round)
  {
    one.set(all_lengths[2 * round + 1], round);
    require(cudaGraphLaunch(replay, capturing.get()), "launch a clone");
    capturing.synchronise();
    one.check("a clone");
  }
  require(cudaGraphExecDestroy(replay), "destroy an executable");
  require(cudaGraphDestroy(clone), "destroy a clone");
}

BOOST_AUTO_TEST_CASE(sums_of_floats_on_a_busy_gpu_have_the_same_bits)
{
  const std::vector<float> items = make_reals(5000000);
  const thrust::device_vector<float> in = to_device(items);
  const thrust::device_vector<u32> at = to_device(offsets_of(lengths::power_law, items.size(), segmented_tile<float>()));
  thrust::device_vector<float> out(at.size() - 1);
  reheat::segmented_reduce(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
  const std::vector<float> first = to_host(out);
  stream own, busy;
  for (unsigned run = 0; run < 20; ++run)
  {
    require(cudaMemset(raw(out), 0xee, out.size() * sizeof(float)), "forget results");
    require(cudaDeviceSynchronize(), "forget results");
    spin<<<1 + 13 * run % 120, 1024, 0, busy.get()>>>(2000000);
    reheat::segmented_reduce(reheat::par.on(own.get()), in.begin(), at.begin(), at.end(), out.begin());
    busy.synchronise();
    check_bitwise("beside another kernel, run " + std::to_string(run), first, to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(calls_on_two_streams_run_beside_each_other)
{
  replayed_call one, other;
  one.set(lengths::hundreds, 1);
  other.set(lengths::one_giant, 2);
  stream first, second;
  for (unsigned turn = 0; turn < 50; ++turn)
  {
    one.call(reheat::par_nosync.on(first.get()));
    other.call(reheat::par_nosync.on(second.get()));
  }
  wait_for_all_streams();
  one.check("the first stream");
  other.check("the second stream");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
