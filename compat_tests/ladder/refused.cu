// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls that must not compile, one per value of REFUSED: the compiler's message says what the rung serves, or what an
//! option does.

#include "../support/operators.hpp"
#include "../support/values.hpp"

#include <reheat/ladder.cuh>

#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

namespace ladder = reheat::ladder;
using compat::fold;
using object = compat::tracked<false>;

void refused(const int* in, int* out, const object* objects, object* more, const short* shorts, const float* reals,
             float* more_reals)
{
#if REFUSED == 1
  thrust::reduce(reheat::par.with(ladder::scan_then_fan_shuffle), in, in + 1);
#elif REFUSED == 2
  thrust::inclusive_scan(reheat::par.with(ladder::reduce6_grid_stride), in, in + 1, out);
#elif REFUSED == 3
  thrust::inclusive_scan(reheat::par.with(ladder::scan_then_fan_shuffle), objects, objects + 1, more, fold{});
#elif REFUSED == 4
  thrust::reduce(reheat::par.with(ladder::reduce2_sequential_addressing), in, in + 1, 0, fold{});
#elif REFUSED == 5
  thrust::inclusive_scan(reheat::par.with(ladder::scan_then_fan_padded), in, in + 1, out, fold{});
#elif REFUSED == 6
  thrust::reduce(reheat::par.with(ladder::reduce_atomic_finish), shorts, shorts + 1);
#elif REFUSED == 7
  thrust::reduce(reheat::par.with(ladder::reduce_tensor_core_16), in, in + 1);
#elif REFUSED == 8
  reheat::reduce_into(reheat::par.with(ladder::reduce_halving_global), in, in + 1, out);
#elif REFUSED == 9
  reheat::reduce_into(reheat::par.with(ladder::scan_then_fan_shuffle), in, in + 1, out);
#elif REFUSED == 10
  reheat::reduce_into(reheat::par.with(ladder::reduce6_grid_stride), shorts, shorts + 1, out);
#elif REFUSED == 11
  thrust::reduce(reheat::par.with(ladder::reduce6_grid_stride, ladder::reduce2_sequential_addressing), in, in + 1);
#elif REFUSED == 12
  thrust::reduce(reheat::par.with(1), in, in + 1);
#elif REFUSED == 13
  thrust::reduce(reheat::par.with(reheat::exact_sums), in, in + 1, 0, fold{});
#elif REFUSED == 14
  thrust::inclusive_scan(reheat::par.with(reheat::exact_sums), in, in + 1, out);
#elif REFUSED == 15
  thrust::reduce_by_key(reheat::par.with(reheat::exact_sums), in, in + 1, in, out, out);
#elif REFUSED == 16
  thrust::reduce(reheat::par.with(reheat::exact_sums, ladder::reduce6_grid_stride), in, in + 1);
#elif REFUSED == 17
  thrust::reduce(reheat::par.with(reheat::exact_sums), in, in + 1, 0.0L);
#elif REFUSED == 18
  thrust::inclusive_scan_by_key(reheat::par.with(reheat::gpu_to_gpu), in, in + 1, reals, more_reals);
#elif REFUSED == 19
  thrust::reduce(reheat::par.with(reheat::gpu_to_gpu), reals, reals + 1, 0.0f, fold{});
#elif REFUSED == 20
  thrust::reduce(reheat::par.with(reheat::accumulate_in<long>, ladder::reduce6_grid_stride), in, in + 1);
#elif REFUSED == 21
  thrust::reduce(reheat::par.with(reheat::accumulate_in<short>), in, in + 1);
#elif REFUSED == 22
  thrust::inclusive_scan(reheat::par.with(reheat::gpu_to_gpu), reals, reals + 1, more_reals, fold{});
#elif REFUSED == 23
  thrust::inclusive_scan(reheat::par.with(reheat::gpu_to_gpu, ladder::scan_then_fan_shuffle), reals, reals + 1, more_reals);
#elif REFUSED == 24
  thrust::reduce_by_key(reheat::par.with(reheat::gpu_to_gpu), in, in + 1, reals, out, more_reals);
#elif REFUSED == 25
  reheat::segmented_reduce(reheat::par.with(reheat::gpu_to_gpu), reals, in, in + 1, more_reals);
#elif REFUSED == 26
  reheat::segmented_inclusive_scan(reheat::par.with(reheat::gpu_to_gpu), reals, in, in + 1, more_reals);
#elif REFUSED == 27
  reheat::segmented_reduce(reheat::par.with(reheat::exact_sums), reals, in, in + 1, more_reals);
#elif REFUSED == 28
  reheat::segmented_inclusive_scan(reheat::par.with(reheat::exact_sums), reals, in, in + 1, more_reals);
#else // what is like them and does compile
  thrust::exclusive_scan(reheat::par.with(reheat::gpu_to_gpu), in, in + 1, out);
  thrust::exclusive_scan(reheat::par.with(reheat::gpu_to_gpu), reals, reals + 1, more_reals);
  thrust::reduce(reheat::par.with(reheat::gpu_to_gpu), reals, reals + 1);
  thrust::reduce(reheat::par.with(reheat::accumulate_in<long>), in, in + 1, 0, thrust::maximum<int>());
  thrust::inclusive_scan(reheat::par.with(ladder::scan_then_fan_shuffle), in, in + 1, out);
  thrust::reduce(reheat::par.with(ladder::reduce2_sequential_addressing), shorts, shorts + 1);
  reheat::reduce_into(reheat::par.with(ladder::reduce6_grid_stride), in, in + 1, out);
  thrust::reduce(reheat::par.with(reheat::exact_sums), in, in + 1, 0.0);
  thrust::reduce_by_key(reheat::par.with(reheat::gpu_to_gpu), in, in + 1, in, out, out);
  reheat::segmented_reduce(reheat::par.with(reheat::gpu_to_gpu), reals, in, in + 1, more_reals, 0.0f,
                           thrust::maximum<float>());
  reheat::segmented_inclusive_scan(reheat::par.with(reheat::gpu_to_gpu), in, in, in + 1, out);
#endif
  static_cast<void>(in), static_cast<void>(out), static_cast<void>(objects), static_cast<void>(more);
  static_cast<void>(shorts), static_cast<void>(reals), static_cast<void>(more_reals);
}
