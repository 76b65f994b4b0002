// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What differs between the two machines, for tests: streams, seeds, upstream's policy. Everything else is one text.
#pragma once

#include "framework.hpp"

#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>

#if defined(REHEAT_EMULATED)
#  include <reheat/emulator.h>
#else
#  include <cuda_runtime.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace compat
{

//! What a direct call of the library's inner functions runs with. It fails as calls of Thrust's do.
inline reheat::runtime::environment_with<reheat::runtime::stream_memory> environment_on(reheat::stream_type stream,
                                                                                        const char* caller = "compat")
{
  reheat::runtime::environment env{caller, stream};
  env.raise = &reheat::thrust_backend::raise;
  return {env, {}};
}

// ---- seeds --------------------------------------------------------------------------------------------------------------

//! The first seed of this run: of --seed, or else of the environment variable REHEAT_SEED, or 1. main prints it.
inline std::uint64_t& first_seed()
{
  static std::uint64_t seed = []
  {
    const char* const text = std::getenv("REHEAT_SEED");
    return text == nullptr ? std::uint64_t{1} : std::strtoull(text, nullptr, 10);
  }();
  return seed;
}
//! Of --schedules: how many each check runs under, instead of its own number; 0 if not given.
inline std::uint64_t& wanted_schedules()
{
  static std::uint64_t schedules = 0;
  return schedules;
}
//! Of the environment variable REHEAT_MOST_SCHEDULES: no check runs under more by its own number; 0 if not given.
inline std::uint64_t most_schedules()
{
  static const std::uint64_t schedules = []
  {
    const char* const text = std::getenv("REHEAT_MOST_SCHEDULES");
    return text == nullptr ? std::uint64_t{0} : std::strtoull(text, nullptr, 10);
  }();
  return schedules;
}

//! Runs `body` once per seed: on the emulator under `count` different schedules; on the GPU, which brings its own, twice. A
//! failure names the seed; `<program> --run_test=<case> --seed <seed> --schedules 1` runs it alone.
template <class Body>
void for_each_seed(unsigned count, Body body)
{
#if defined(REHEAT_EMULATED)
  const std::uint64_t own = most_schedules() != 0 && most_schedules() < count ? most_schedules() : count;
  const std::uint64_t runs = wanted_schedules() != 0 ? wanted_schedules() : own;
#else
  const std::uint64_t runs = count < 2 ? count : 2;
#endif
  for (std::uint64_t run = 0; run < runs; ++run)
  {
    const std::uint64_t seed = first_seed() + run;
#if defined(REHEAT_EMULATED)
    reheat::emulator::set_seed(seed);
#endif
    run_with_seed(
        seed, [](void* state) { (*static_cast<Body*>(state))(); }, &body);
  }
}

//! The least number of schedules per kernel and size class.
inline constexpr unsigned many_seeds = 100;

// ---- streams and upstream -----------------------------------------------------------------------------------------------

#if defined(REHEAT_EMULATED)

inline constexpr bool emulated = true;
inline constexpr const char* machine_name = "emulated";

//! Upstream Thrust's own implementation. Sequential: the same result as the CUDA backend only where value, init and result
//! type agree.
inline const auto& upstream = thrust::host;

//! A stream of its own, gone with the object.
class stream
{
public:
  reheat::stream_type get() { return &stream_; }
  void synchronise() {}

private:
  reheat::emulator::stream stream_;
};

#else

inline constexpr bool emulated = false;
inline constexpr const char* machine_name = "gpu";

inline const auto& upstream = thrust::device;

inline void require(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
  {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
  }
}

class stream
{
public:
  stream() { require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream"); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() { (void)cudaStreamDestroy(stream_); }
  reheat::stream_type get() { return stream_; }
  void synchronise() { require(cudaStreamSynchronize(stream_), "synchronise a stream"); }

private:
  cudaStream_t stream_ = nullptr;
};

#endif

// ---- memory -------------------------------------------------------------------------------------------------------------

//! Until the machine has done all that it was given: streams of the tests do not wait for the default stream, nor it for
//! them.
inline void wait_for_all_streams()
{
#if !defined(REHEAT_EMULATED)
  require(cudaDeviceSynchronize(), "wait for the device");
#endif
}

//! Between any two places; complete when it returns. (A copy from memory that is not pinned may return when the driver has a
//! copy of its own. What came late overwrote the scratch memory of a kernel on a stream that does not wait, beside other
//! programs.)
inline void copy_bytes(void* to, const void* from, std::size_t bytes)
{
  if (bytes == 0) // either address may be null
  {
    return;
  }
#if defined(REHEAT_EMULATED)
  std::memcpy(to, from, bytes);
#else
  require(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copy");
  require(cudaDeviceSynchronize(), "copy");
#endif
}

template <class T>
T* raw(thrust::device_vector<T>& items)
{
  return thrust::raw_pointer_cast(items.data());
}
template <class T>
const T* raw(const thrust::device_vector<T>& items)
{
  return thrust::raw_pointer_cast(items.data());
}

//! Objects travel between host and GPU by their bytes, as arguments and results of kernels do. Thrust would assign them to
//! memory in which none has been constructed.
template <class T>
inline constexpr bool travels_by_bytes_v = !emulated && !std::is_trivially_copy_constructible_v<T>;

template <class T>
thrust::device_vector<T> to_device(const std::vector<T>& items)
{
#if !defined(REHEAT_EMULATED)
  if constexpr (travels_by_bytes_v<T>)
  {
    thrust::device_vector<T> result(items.size());
    copy_bytes(static_cast<void*>(raw(result)), items.data(), items.size() * sizeof(T));
    return result;
  }
  else
#endif
  {
    return thrust::device_vector<T>(items.begin(), items.end());
  }
}

//! The stream of policies that name none.
inline reheat::stream_type default_stream()
{
#if defined(REHEAT_EMULATED)
  return reheat::emulator::default_stream();
#else
  return cudaStreamLegacy;
#endif
}

//! Items [first, first + count), when all streams are done.
template <class T>
std::vector<T> to_host(const thrust::device_vector<T>& items, std::size_t first, std::size_t count)
{
  std::vector<T> result(count);
  wait_for_all_streams();
#if !defined(REHEAT_EMULATED)
  if constexpr (travels_by_bytes_v<T>)
  {
    require(cudaMemcpy(static_cast<void*>(result.data()), raw(items) + first, count * sizeof(T), cudaMemcpyDeviceToHost),
            "copy objects");
    return result;
  }
#endif
  const auto begin = items.begin() + static_cast<std::ptrdiff_t>(first);
  thrust::copy(begin, begin + static_cast<std::ptrdiff_t>(count), result.begin());
  return result;
}
template <class T>
std::vector<T> to_host(const thrust::device_vector<T>& items)
{
  return to_host(items, 0, items.size());
}

} // namespace compat
