// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What becomes of a call whose operator faults: an exception, in that call or in the next, and neither a hang nor an end of
//! the program. A fault ends all work of the process on the device, so each way of calling has a process of its own.
//!
//! reheat_operator_faults_gpu [way]: exit 0 if all is as it should be, 1 if not, 2 for bad usage.

#include <reheat/reheat.cuh>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace
{

//! Stores to an address that is no memory if it meets a 5.
struct fault_at_5
{
  unsigned* nowhere = reinterpret_cast<unsigned*>(std::uintptr_t{64});
  __host__ __device__ void meet(unsigned x) const
  {
    if (x == 5)
    {
      *nowhere = x;
    }
  }
};
struct faulty_plus : fault_at_5
{
  __host__ __device__ unsigned operator()(unsigned x, unsigned y) const
  {
    meet(x);
    meet(y);
    return x + y;
  }
};
struct faulty_less : fault_at_5
{
  __host__ __device__ bool operator()(unsigned x, unsigned y) const
  {
    meet(x);
    meet(y);
    return x < y;
  }
};
struct faulty_map : fault_at_5
{
  __host__ __device__ unsigned operator()(unsigned x) const
  {
    meet(x);
    return 2 * x;
  }
};
struct faulty_predicate : fault_at_5
{
  __host__ __device__ bool operator()(unsigned x) const
  {
    meet(x);
    return x == 0; // of none
  }
};

//! A call that meets a 5 in [first, last).
struct way
{
  const char* name;
  bool throws; //!< itself; otherwise that may be left to the next call: as in a call that does not wait, or one whose result
               //!< is polled for and comes before the GPU says that a store of its operator has gone nowhere
  void (*call)(unsigned* first, unsigned* last);
};

const thrust::constant_iterator<int> one_key(1);

const way ways[] = {
    {"reduce", false,
     [](unsigned* first, unsigned* last) { (void)thrust::reduce(reheat::par, first, last, 0u, faulty_plus{}); }},
    {"waiting_reduce", true,
     [](unsigned* first, unsigned* last)
     {
       reheat::runtime::environment_with<reheat::runtime::stream_memory> env{{"waiting reduce", cudaStreamLegacy}, {}};
       env.raise = &reheat::thrust_backend::raise;
       (void)reheat::detail::reduce_n<unsigned, reheat::runtime::result_wait::synchronize>(
           env, static_cast<const unsigned*>(first), static_cast<std::uint64_t>(last - first),
           reheat::detail::init_value<unsigned>{0u}, faulty_plus{});
     }},
    {"reduce_into", true,
     [](unsigned* first, unsigned* last) { reheat::reduce_into(reheat::par, first, last, first, 0u, faulty_plus{}); }},
    {"transform_reduce", false,
     [](unsigned* first, unsigned* last)
     { (void)thrust::transform_reduce(reheat::par, first, last, faulty_map{}, 0u, thrust::plus<unsigned>()); }},
    {"count_if", false,
     [](unsigned* first, unsigned* last) { (void)thrust::count_if(reheat::par, first, last, faulty_predicate{}); }},
    {"min_element", false,
     [](unsigned* first, unsigned* last) { (void)thrust::min_element(reheat::par, first, last, faulty_less{}); }},
    {"any_of", false,
     [](unsigned* first, unsigned* last) { (void)thrust::any_of(reheat::par, first, last, faulty_predicate{}); }},
    {"copy_if", true,
     [](unsigned* first, unsigned* last)
     { (void)thrust::copy_if(reheat::par, first, last, thrust::make_discard_iterator(), faulty_predicate{}); }},
    {"remove_if", true,
     [](unsigned* first, unsigned* last) { (void)thrust::remove_if(reheat::par, first, last, faulty_predicate{}); }},
    {"reduce_by_key", true,
     [](unsigned* first, unsigned* last)
     {
       (void)thrust::reduce_by_key(reheat::par, one_key, one_key + (last - first), first, thrust::make_discard_iterator(),
                                   thrust::make_discard_iterator(), thrust::equal_to<int>(), faulty_plus{});
     }},
    {"inclusive_scan", true,
     [](unsigned* first, unsigned* last) { thrust::inclusive_scan(reheat::par, first, last, first, faulty_plus{}); }},
    {"transform_inclusive_scan", true,
     [](unsigned* first, unsigned* last)
     { thrust::transform_inclusive_scan(reheat::par, first, last, first, faulty_map{}, thrust::plus<unsigned>()); }},
    {"inclusive_scan_by_key", true,
     [](unsigned* first, unsigned* last)
     {
       thrust::inclusive_scan_by_key(reheat::par, one_key, one_key + (last - first), first, first, thrust::equal_to<int>(),
                                     faulty_plus{});
     }},
    {"nosync_scan", false,
     [](unsigned* first, unsigned* last) { thrust::inclusive_scan(reheat::par_nosync, first, last, first, faulty_plus{}); }},
    {"nosync_scan_by_key", false,
     [](unsigned* first, unsigned* last)
     {
       thrust::inclusive_scan_by_key(reheat::par_nosync, one_key, one_key + (last - first), first, first,
                                     thrust::equal_to<int>(), faulty_plus{});
     }},
};

//! Whether `body` ends in a thrust::system_error.
template <class Body>
bool fails(const char* what, Body body)
{
  try
  {
    body();
  }
  catch (const thrust::system_error& error)
  {
    std::printf("%s: %s\n", what, error.what());
    return true;
  }
  std::printf("%s: no error\n", what);
  return false;
}

//! In a process of its own: the call, then another one.
bool check(const way& tried)
{
  auto& items = *new thrust::device_vector<unsigned>(100000, 1u); // for good: after the fault it can not be freed
  thrust::inclusive_scan(reheat::par, items.begin(), items.end(), items.begin()); // one of them is 5 now
  unsigned* const first = thrust::raw_pointer_cast(items.data());
  unsigned* const last = first + items.size();
  const bool throws = fails(tried.name, [&] { tried.call(first, last); });
  const bool next_throws = fails("the call after it", [&] { ways[0].call(first, last); });
  return next_throws && (throws || !tried.throws);
}

//! Runs `program way`; not for longer than a minute.
bool run(const char* program, const char* way)
{
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0)
  {
    alarm(60); // a hang ends the child
    execl(program, program, way, static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  const bool ended = child > 0 && waitpid(child, &status, 0) == child;
  const bool right = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::printf("%s: %s\n\n", way, right ? "right" : "WRONG");
  return right;
}

} // namespace

int main(int argc, char* argv[])
{
  if (argc > 2)
  {
    std::fprintf(stderr, "usage: reheat_operator_faults_gpu [way]\n");
    return 2;
  }
  bool right = true;
  if (argc == 1)
  {
    for (const way& each : ways)
    {
      right = run("/proc/self/exe", each.name) && right;
    }
    return right ? 0 : 1;
  }
  for (const way& each : ways)
  {
    if (std::strcmp(each.name, argv[1]) == 0)
    {
      // Not by a return: static objects could not free device memory any more.
      right = check(each);
      std::fflush(stdout);
      _exit(right ? 0 : 1);
    }
  }
  std::fprintf(stderr, "no way is called '%s'\n", argv[1]);
  return 2;
}
