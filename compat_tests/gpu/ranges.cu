// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Every call is a range of its name in a profiler's timeline, also where it fails: without a GPU all of them do, at their
//! first question to the device.

#include <reheat/reheat.cuh>

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <boost/test/unit_test.hpp>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace
{

struct is_one
{
  REHEAT_HOST_DEVICE bool operator()(int x) const { return x == 1; }
};

//! What the recorder has written down since it was asked last.
std::string taken_ranges()
{
  const char* const path = std::getenv("NVTX_INJECTION64_PATH");
  BOOST_REQUIRE_MESSAGE(path != nullptr, "NVTX_INJECTION64_PATH must name the recorder: run this test by ctest");
  void* const recorder = dlopen(path, RTLD_LAZY);
  BOOST_REQUIRE_MESSAGE(recorder != nullptr, "can not load " << path << ": " << dlerror());
  const auto take = reinterpret_cast<const char* (*)()>(dlsym(recorder, "take_ranges"));
  BOOST_REQUIRE_MESSAGE(take != nullptr, path << " has no take_ranges");
  return take();
}

class numbers
{
public:
  numbers() : on_gpu_(cudaMalloc(&memory_, 1024) == cudaSuccess && cudaMemset(memory_, 0, 1024) == cudaSuccess) {}
  numbers(const numbers&) = delete;
  numbers& operator=(const numbers&) = delete;
  ~numbers() { (void)cudaFree(memory_); }

  int* data() const { return static_cast<int*>(memory_); }

  template <class Call>
  void check(const char* name, Call call) const
  {
    taken_ranges();
    bool failed = false;
    try
    {
      call();
    }
    catch (const thrust::system_error&)
    {
      failed = true;
    }
    BOOST_TEST(failed == !on_gpu_, name);
    BOOST_TEST(taken_ranges() == std::string("reheat::") + name + "{}");
  }

private:
  void* memory_ = nullptr;
  bool on_gpu_;
};

} // namespace

BOOST_AUTO_TEST_CASE(every_call_is_a_range_of_its_name)
{
  const numbers all;
  int* const in = all.data();
  int* const out = in + 64;
  int* const last = in + 7;
  const auto par = reheat::par;
  all.check("reduce", [&] { (void)thrust::reduce(par, in, last); });
  all.check("reduce_into", [&] { reheat::reduce_into(par, in, last, out); });
  all.check("transform_reduce", [&] { (void)thrust::transform_reduce(par, in, last, is_one(), 0, thrust::plus<int>()); });
  all.check("count_if", [&] { (void)thrust::count_if(par, in, last, is_one()); });
  all.check("min_element", [&] { (void)thrust::min_element(par, in, last); });
  all.check("minmax_element", [&] { (void)thrust::minmax_element(par, in, last); });
  all.check("any_of", [&] { (void)thrust::any_of(par, in, last, is_one()); });
  all.check("reduce_by_key", [&] { (void)thrust::reduce_by_key(par, in, last, in, out, out + 64); });
  all.check("inclusive_scan", [&] { thrust::inclusive_scan(par, in, last, out); });
  all.check("exclusive_scan_by_key", [&] { thrust::exclusive_scan_by_key(par, in, last, in, out); });
  all.check("transform_inclusive_scan",
            [&] { thrust::transform_inclusive_scan(par, in, last, out, is_one(), thrust::plus<int>()); });
}

BOOST_AUTO_TEST_CASE(a_call_that_is_refused_ends_its_range)
{
  int* const in = nullptr;
  taken_ranges();
  const auto says_so = [](const std::runtime_error& error)
  {
    return error.what() ==
           std::string("reheat::reduce: the range ends 1 items before it begins; pass (first, last) with first "
                       "<= last");
  };
  BOOST_CHECK_EXCEPTION((void)thrust::reduce(reheat::par, in + 1, in), std::runtime_error, says_so);
  BOOST_TEST(taken_ranges() == "reheat::reduce{}");
}
