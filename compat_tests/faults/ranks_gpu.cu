// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "ranks_gpu.hpp"

#include "../engines/calls_across.hpp"
#include "../engines/each_rank.hpp"

#include <reheat/across/thread_ranks.h>

bool ranks_are_right()
{
  reheat::thread_group group(2);
  engines::on_each_rank(group.count(),
                        [&](int rank)
                        {
                          reheat::thread_ranks ranks(group, rank);
                          engines::make_all_calls(ranks);
                        });
  std::printf("calls across two ranks: %lu checks, %lu failed\n", engines::checks.made, engines::checks.failed);
  return engines::checks.failed == 0;
}
