// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What this program measures. Part of each program, not of what they share: it depends on the CCCL.
#include "suite/calls.hpp"

#include <cub/version.cuh>

namespace perf
{
call_pair find_calls(const row& which, implementation who)
{
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
#if defined(REHEAT_PERF_ONLY_CUB)
  static const std::vector<implementation> all{implementation::cub_new, implementation::limit};
#else
  static const std::vector<implementation> all{implementation::reheat, implementation::thrust, implementation::cub,
                                               implementation::limit};
#endif
  return all;
}

std::string cccl_version()
{
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

} // namespace perf
