// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What becomes of a call whose operator faults: an exception, in that call or in the next, and neither a hang nor an end of
//! the program. A fault ends all work of the process on the device, so each way of calling has a process of its own.
//!
//! reheat_operator_faults_gpu [way]: exit 0 if all is as it should be, 1 if not, 2 for bad usage.

#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace
{

//! Adds, and stores to an address that is no memory where an operand is 5.
struct faulty_plus
{
  unsigned* nowhere;
  __host__ __device__ unsigned operator()(unsigned x, unsigned y) const
  {
    if (x == 5 || y == 5)
    {
      *nowhere = y;
    }
    return x + y;
  }
};

const char* const ways[] = {"reduce", "polled_reduce", "reduce_into", "inclusive_scan", "nosync_scan"};

void call(const char* way, thrust::device_vector<unsigned>& items)
{
  auto policy = reheat::par;
  const faulty_plus op{reinterpret_cast<unsigned*>(std::uintptr_t{64})};
  unsigned* const first = thrust::raw_pointer_cast(items.data());
  if (std::strcmp(way, "reduce") == 0)
  {
    (void)thrust::reduce(policy, first, first + items.size(), 0u, op);
  }
  else if (std::strcmp(way, "polled_reduce") == 0)
  {
    (void)reheat::detail::reduce_n<unsigned, reheat::runtime::result_wait::poll>(
        "polled reduce", policy, static_cast<const unsigned*>(first), items.size(), 0u, op);
  }
  else if (std::strcmp(way, "reduce_into") == 0)
  {
    reheat::reduce_into(policy, first, first + items.size(), first, 0u, op);
  }
  else if (std::strcmp(way, "inclusive_scan") == 0)
  {
    thrust::inclusive_scan(policy, first, first + items.size(), first, op);
  }
  else
  {
    thrust::inclusive_scan(reheat::par_nosync, first, first + items.size(), first, op);
  }
}

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
bool check(const char* way)
{
  auto& items = *new thrust::device_vector<unsigned>(100000, 1u); // for good: after the fault it can not be freed
  thrust::inclusive_scan(reheat::par, items.begin(), items.end(), items.begin()); // one of them is 5 now
  const bool first = fails(way, [&] { call(way, items); });
  const bool second = fails("the call after it", [&] { call("reduce", items); });
  return second && (first || std::strcmp(way, "nosync_scan") == 0);
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
  if (argc == 2)
  {
    // Not by a return: static objects could not free device memory any more.
    const bool right = check(argv[1]);
    std::fflush(stdout);
    _exit(right ? 0 : 1);
  }
  bool right = true;
  for (const char* const way : ways)
  {
    right = run("/proc/self/exe", way) && right;
  }
  return right ? 0 : 1;
}
