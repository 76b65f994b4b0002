// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cub_new.hpp"

#include "common/companion_object.hpp"

namespace perf
{

const cub_new_object& find_cub_new()
{
  static const cub_new_object found = []() -> cub_new_object
  {
    const companion_object object(REHEAT_PERF_CUB_NEW);
    return object ? cub_new_object{object.function<cub_new_function>("reheat_perf_cub_new"),
                                   object.function<cub_new_version_function>("reheat_perf_cub_new_version")()}
                  : cub_new_object{};
  }();
  return found;
}

} // namespace perf
