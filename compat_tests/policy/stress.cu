// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Many threads, many streams, no multiprocessor or memory left. Not part of the emulated build. REHEAT_STRESS_SECONDS (3),
//! REHEAT_STRESS_STREAMS (10000) and REHEAT_STRESS_ROUNDS (10000) make it longer.

#include "../support/calls.hpp"
#include "../support/tiles.hpp"

#include <thrust/functional.h>

#include <chrono>
#include <mutex>
#include <random>
#include <thread>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(stress)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::size_t setting(const char* name, std::size_t usual)
{
  const char* const text = std::getenv(name);
  return text == nullptr ? usual : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

//! The first thing that went wrong in any thread. An empty report is of a call that went right.
class first_failure
{
public:
  void report(const std::string& what)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    what_ = what_.empty() ? what : what_;
  }
  std::string what() const
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    return what_;
  }

private:
  mutable std::mutex mutex_;
  std::string what_;
};

//! Items of T on the device, and the sums of all beginnings of them: of any part, therefore.
template <class T>
class summed_items
{
public:
  explicit summed_items(std::size_t size) : sums_(1, T(0))
  {
    const std::vector<T> items = make_items<T>(size);
    memory_ = to_device(items);
    for (const T item : items)
    {
      sums_.push_back(static_cast<T>(sums_.back() + item));
    }
  }
  std::size_t size() const { return memory_.size(); }
  const T* at(std::size_t index) const { return raw(memory_) + index; }
  T sum(std::size_t begin, std::size_t end) const { return static_cast<T>(sums_[end] - sums_[begin]); }

private:
  std::vector<T> sums_;
  thrust::device_vector<T> memory_;
};

//! One thread's calls on one type.
template <class T>
class worker
{
public:
  explicit worker(const summed_items<T>& items) : items_(items), out_(items.size()), host_(items.size()), sum_(1) {}

  //! One call of a random kind on a random part; what is wrong, if anything.
  std::string call(std::mt19937& random, stream& where)
  {
    const std::size_t size = 1 + random() % (std::size_t{1} << random() % 19);
    const std::size_t begin = random() % (items_.size() - size + 1);
    const T* const first = items_.at(begin);
    const T expected = items_.sum(begin, begin + size);
    const unsigned kind = random() % 5;
    bool right = true;
    if (kind == 0)
    {
      right = thrust::reduce(reheat::par.on(where.get()), first, first + size) == expected;
    }
    else if (kind == 1)
    {
      right = thrust::reduce(reheat::par.on(where.get()), first, first + size, T(1), plus{}) == static_cast<T>(expected + 1);
    }
    else if (kind == 2)
    {
      reheat::reduce_into(reheat::par_nosync.on(where.get()), first, first + size, raw(sum_));
      T result{};
      fetch(&result, raw(sum_), 1, where);
      right = result == expected;
    }
    else
    {
      const bool inclusive = kind == 3;
      const auto policy = reheat::par_nosync.on(where.get());
      inclusive ? thrust::inclusive_scan(policy, first, first + size, raw(out_))
                : thrust::exclusive_scan(policy, first, first + size, raw(out_));
      fetch(host_.data(), raw(out_), size, where);
      for (std::size_t i = 0; right && i < size; ++i)
      {
        right = host_[i] == items_.sum(begin, begin + i + inclusive);
      }
    }
    return right ? "" : "kind " + std::to_string(kind) + " of " + std::to_string(size) + " " + type_name<T>();
  }

private:
  static void fetch(T* to, const T* from, std::size_t count, stream& where)
  {
    require(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, where.get()), "copy");
    where.synchronise();
  }

  const summed_items<T>& items_;
  thrust::device_vector<T> out_;
  std::vector<T> host_;
  thrust::device_vector<T> sum_;
};

//! All memory of the device but less than what one call asks for.
class all_memory
{
public:
  all_memory()
  {
    for (std::size_t bytes = std::size_t{1} << 34; bytes >= 1024; bytes /= 2)
    {
      for (void* memory = nullptr; cudaMalloc(&memory, bytes) == cudaSuccess;)
      {
        taken_.push_back(memory);
      }
      (void)cudaGetLastError();
    }
  }
  all_memory(const all_memory&) = delete;
  all_memory& operator=(const all_memory&) = delete;
  ~all_memory()
  {
    for (void* const memory : taken_)
    {
      (void)cudaFree(memory);
    }
  }

private:
  std::vector<void*> taken_;
};

//! Holds as many multiprocessors as it has blocks, if each takes all of one's shared memory.
__global__ void hold_multiprocessors(std::uint64_t nanoseconds)
{
  std::uint64_t start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
  {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
}

} // namespace

BOOST_AUTO_TEST_CASE(sixteen_threads_on_streams_of_their_own_get_right_results)
{
  const summed_items<u8> bytes(1 << 19);
  const summed_items<u32> words(1 << 19);
  const summed_items<u64> longs(1 << 19);
  first_failure failure;
  {
    // Calls are counted below, in seconds: a driver that has to translate kernels before it loads them does so here.
    std::mt19937 random(static_cast<unsigned>(first_seed()));
    stream own;
    worker<u8> on_bytes(bytes);
    worker<u32> on_words(words);
    worker<u64> on_longs(longs);
    for (unsigned call = 0; call < 100; ++call)
    {
      failure.report(on_bytes.call(random, own));
      failure.report(on_words.call(random, own));
      failure.report(on_longs.call(random, own));
    }
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(setting("REHEAT_STRESS_SECONDS", 3));
  std::atomic<std::size_t> calls{0};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 16; ++thread)
  {
    threads.emplace_back(
        [&, thread]
        {
          try
          {
            std::mt19937 random(static_cast<unsigned>(first_seed()) * 16 + thread);
            stream own[2];
            worker<u8> on_bytes(bytes);
            worker<u32> on_words(words);
            worker<u64> on_longs(longs);
            while (std::chrono::steady_clock::now() < end && failure.what().empty())
            {
              stream& where = own[random() % 2];
              const unsigned type = random() % 3;
              failure.report(type == 0   ? on_bytes.call(random, where)
                             : type == 1 ? on_words.call(random, where)
                                         : on_longs.call(random, where));
              ++calls;
            }
          }
          catch (const std::exception& error)
          {
            failure.report(error.what());
          }
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  BOOST_TEST(failure.what() == "");
  BOOST_TEST_MESSAGE(calls << " calls");
  BOOST_TEST(calls > 1000u);
}

BOOST_AUTO_TEST_CASE(threads_that_share_a_stream_get_right_results)
{
  const summed_items<u32> words(1 << 19);
  stream shared;
  first_failure failure;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 8; ++thread)
  {
    threads.emplace_back(
        [&, thread]
        {
          try
          {
            std::mt19937 random(static_cast<unsigned>(first_seed()) * 8 + thread);
            worker<u32> on_words(words);
            for (int i = 0; i < 300 && failure.what().empty(); ++i)
            {
              failure.report(on_words.call(random, shared));
            }
          }
          catch (const std::exception& error)
          {
            failure.report(error.what());
          }
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  BOOST_TEST(failure.what() == "");
}

BOOST_AUTO_TEST_CASE(streams_that_come_and_go_leave_bounded_memory)
{
  const std::size_t size = 4 * scan_tile<u32>() + 3;
  const std::vector<u32> items = make_items<u32>(size);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(size);
  reheat::trim_workspaces();
  const std::size_t streams = setting("REHEAT_STRESS_STREAMS", 10000);
  std::size_t early = 0, late = 0, free_early = 0, free_late = 0, total = 0;
  for (std::size_t i = 0; i < streams; ++i)
  {
    stream brief;
    thrust::inclusive_scan(reheat::par_nosync.on(brief.get()), raw(in), raw(in) + size, raw(out));
    if (i == streams / 5) // more than keep their memory for good
    {
      early = reheat::workspace_bytes();
      require(cudaMemGetInfo(&free_early, &total), "ask for memory");
    }
    late = std::max(late, reheat::workspace_bytes());
  }
  require(cudaMemGetInfo(&free_late, &total), "ask for memory");
  require(cudaDeviceSynchronize(), "wait");
  check_same("the last scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
  BOOST_TEST(early > 0u);
  BOOST_TEST(late <= 2 * early, "scratch memory went from " << early << " to " << late << " bytes");
  BOOST_TEST(free_late + (std::size_t{16} << 20) >= free_early, free_early - free_late << " bytes are gone");
}

BOOST_AUTO_TEST_CASE(scans_that_each_want_the_whole_gpu_share_it)
{
  // A tile per block and as many blocks as fit; streaming blocks on all multiprocessors. Alone, and beside a kernel that
  // holds most multiprocessors all the time.
  const std::size_t small = (std::size_t{8} << 20) / sizeof(u32), large = 4 * small + 5;
  const std::vector<u32> items = make_items<u32>(large);
  const std::vector<u32> expected = inclusive_reference<u32, u32>(items, plus{});
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out[2] = {thrust::device_vector<u32>(large), thrust::device_vector<u32>(large)};
  stream streams[2], holder;
  const auto scan = [&](unsigned which, std::size_t size)
  { thrust::inclusive_scan(reheat::par_nosync.on(streams[which].get()), raw(in), raw(in) + size, raw(out[which])); };
  for (const std::size_t size : {small, large}) // loads the kernels: lazy loading waits for kernels that spin
  {
    scan(0, size);
    scan(1, size);
  }
  int shared_bytes = 0;
  require(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "ask for shared memory");
  require(cudaFuncSetAttribute(hold_multiprocessors, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          "allow shared memory");
  const std::size_t rounds = setting("REHEAT_STRESS_ROUNDS", 10000);
  for (const unsigned held : {0u, 100u})
  {
    require(cudaDeviceSynchronize(), "wait");
    if (held != 0)
    {
      hold_multiprocessors<<<held, 32, static_cast<std::size_t>(shared_bytes), holder.get()>>>(500'000'000);
    }
    for (std::size_t round = 0; round < rounds; ++round)
    {
      scan(0, round % 4 == 0 ? large : small);
      scan(1, round % 4 == 1 ? large : small);
    }
    scan(0, large);
    scan(1, large);
    require(cudaDeviceSynchronize(), "wait for the scans");
    check_same("on the first stream", expected, to_host(out[0]));
    check_same("on the second stream", expected, to_host(out[1]));
  }
}

BOOST_AUTO_TEST_CASE(memory_that_has_run_out_is_bad_alloc_and_the_next_call_works)
{
  const std::size_t size = 40 * scan_tile<u32>() + 3;
  const std::vector<u32> items = make_items<u32>(size);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(size);
  stream used, fresh;
  const auto scan = [&](stream& where)
  { thrust::inclusive_scan(reheat::par.on(where.get()), raw(in), raw(in) + size, raw(out)); };
  const auto reduce = [&](stream& where) { return thrust::reduce(reheat::par.on(where.get()), raw(in), raw(in) + size); };
  const u32 expected = reduce_reference<u32>(items, 0u, plus{});
  scan(used); // kernels are loaded
  check_result("reduce", size, expected, reduce(used));
  {
    const all_memory taken;
    scan(used);  // what it has is enough
    scan(fresh); // there is room in the memory that the pool has for streams
    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
  }
  reheat::trim_workspaces();
  {
    const all_memory taken;
    BOOST_CHECK_THROW(scan(fresh), std::bad_alloc);
    BOOST_CHECK_THROW((void)reduce(fresh), std::bad_alloc);
    BOOST_TEST((cudaPeekAtLastError() == cudaSuccess), "an error has stayed behind");
  }
  scan(fresh);
  check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
  check_result("reduce", size, expected, reduce(fresh));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
