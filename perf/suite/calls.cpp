// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What this program measures.
#include "suite/calls.hpp"

#include "common/upstream.cuh"
#include "suite/cub_new.hpp"

#include <cub/version.cuh>

namespace perf
{
namespace
{

call_pair cub_new_calls(algorithm algorithm, type type, bool lookahead)
{
  cub_new_function* const function = find_cub_new().call;
  if (function == nullptr)
  {
    return {};
  }
  const auto enqueue = [=](call& c)
  {
    check_cub(function(static_cast<int>(algorithm), static_cast<int>(type), lookahead, c.in, c.out,
                       static_cast<std::uint32_t>(c.items), c.scratch, &c.scratch_bytes, c.stream));
  };
  const auto wait = [=](call& c)
  {
    enqueue(c);
    if (c.scratch == nullptr)
    {
      return;
    }
    if (algorithm == algorithm::reduce)
    {
      check_cub(cudaMemcpyAsync(c.value, c.out, size_of(type), cudaMemcpyDeviceToHost, c.stream)); // as cub's
    }
    check_wait(c.stream);
  };
  return {enqueue, wait};
}

} // namespace

call_pair find_calls(const row& which, implementation who)
{
  if (who == implementation::cub_new || who == implementation::cub_new_lookahead)
  {
    return cub_new_calls(which.algorithm, which.type, who == implementation::cub_new_lookahead);
  }
  const reading reading = reading_of(which.input);
  switch (which.algorithm)
  {
    case algorithm::reduce:
      return find_calls_of<algorithm::reduce>(which.type, which.operation, reading, who);
    case algorithm::inclusive_scan:
      return find_calls_of<algorithm::inclusive_scan>(which.type, which.operation, reading, who);
    case algorithm::exclusive_scan:
      return find_calls_of<algorithm::exclusive_scan>(which.type, which.operation, reading, who);
  }
  return {};
}

const std::vector<implementation>& built_implementations()
{
  static const std::vector<implementation> all = []
  {
    std::vector<implementation> made{implementation::reheat, implementation::reheat_serial, implementation::thrust,
                                     implementation::thrust_pool, implementation::cub};
    if (find_cub_new().version != nullptr)
    {
      made.insert(made.end(), {implementation::cub_new, implementation::cub_new_lookahead});
    }
    made.insert(made.end(), {implementation::limit, implementation::limit_early});
    return made;
  }();
  return all;
}

std::string cccl_version()
{
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

} // namespace perf
