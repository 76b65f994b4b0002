// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The kernels in the shapes that they have on GPUs, for the emulator, whose own shapes are small.
#pragma once

#include "machine.hpp"
#include "operators.hpp"
#include "segments.hpp"

#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/segments/collectives/form.cuh>

#include <cstddef>
#include <cstdint>

namespace compat
{

//! `Tuning` as for architecture `Arch`, wherever the kernel runs.
template <class Tuning, int Arch>
struct shape_of : Tuning
{
  constexpr auto operator()(int) const { return Tuning{}(Arch); }
};

//! `Tuning`, but tiles come in 16-byte vectors.
template <class Tuning>
struct in_vec16 : Tuning
{
  constexpr reheat::detail::scan_config operator()(int arch) const
  {
    reheat::detail::scan_config config = Tuning{}(arch);
    config.copies = reheat::detail::tile_copies::in_vec16;
    return config;
  }
};

//! A scan in the shape of `Arch`.
template <int Arch, reheat::detail::scan_kind Kind, class T, class Init>
void scan_in_shape(const T* in, T* out, std::uint64_t items, Init init)
{
  namespace detail = reheat::detail;
  using tuning = typename detail::scan_tuning_of<const T*, T*, T>::type;
  detail::enqueue_streaming_scan<shape_of<tuning, Arch>, Kind>(environment_on(nullptr, "scan_in_shape"), in, out, items,
                                                               fold{}, init);
}

//! A scan in scan association v1, in the shape of `Arch`; in the tiles of a streaming scan also if there are few items.
template <int Arch, reheat::detail::scan_kind Kind, class InputIt, class T, class Op, class Init>
void scan_in_association_v1_of(InputIt in, T* out, std::uint64_t items, Op op, Init init, bool streaming)
{
  namespace detail = reheat::detail;
  using tuning = shape_of<detail::fixed_scan_tuning<sizeof(T)>, Arch>;
  const auto env = environment_on(nullptr, "scan_in_association_v1_of");
  constexpr std::uint64_t row = 32 * detail::row_items<T>::per_lane;
  const detail::one_tile_shape tiled = detail::one_tile_shape_for(Arch, (items + row - 1) / row, sizeof(T));
  if (streaming || tiled.rows == 0)
  {
    detail::enqueue_streaming_scan<tuning, Kind>(env, in, out, items, op, init);
  }
  else
  {
    detail::enqueue_one_tile_scan<tuning, Kind>(env, in, out, items, op, init, tiled);
  }
}

//! A reduction by an operator that is not known to be commutative, in the shape of `Arch`.
template <int Arch, class T>
void reduce_in_shape(const T* in, std::uint64_t items, T init, T* result)
{
  namespace detail = reheat::detail;
  detail::enqueue_reduce<shape_of<detail::reduce_tuning_of<T, T, fold>, Arch>, T>(
      environment_on(nullptr, "reduce_in_shape"), in, items, detail::init_value<T>{init}, fold{}, result);
}

//! A sum in the shape of `Arch`.
template <int Arch, class T>
T sum_in_shape(const T* in, std::uint64_t items, T init)
{
  namespace detail = reheat::detail;
  using op = thrust::plus<T>;
  T result = init;
  detail::enqueue_reduce<shape_of<detail::reduce_tuning_of<T, T, op>, Arch>, T>(
      environment_on(nullptr, "sum_in_shape"), in, items, detail::init_value<T>{init}, op{}, &result);
  return result;
}

//! init ⊕ what a functor makes of items, in the shape of `Arch`; Op is known to be commutative.
template <int Arch, class Accum, class Terms, class T, class Op>
T reduce_terms_in_shape(const Terms& terms, std::uint64_t items, T init, Op op)
{
  namespace detail = reheat::detail;
  using vectors = detail::mapped_vector_input<Accum, Terms, Op>;
  T result = init;
  detail::enqueue_reduce<shape_of<typename vectors::tuning, Arch>, Accum>(
      environment_on(nullptr, "reduce_terms_in_shape"), vectors{terms}, items, detail::init_value<T>{init}, op, &result);
  return result;
}

//! An inclusive scan by key in the shape of `Arch`.
template <int Arch, class Key, class T>
void scan_by_key_in_shape(const Key* keys, const T* in, T* out, std::uint64_t items)
{
  namespace detail = reheat::detail;
  using accum = detail::segmented<T, detail::boundary_flags>;
  using source = detail::segmented_source<T, detail::boundary_flags, const Key*, const T*, equal>;
  using sink = detail::value_sink<T*>;
  using tuning = typename detail::scan_tuning_of<source, sink, accum>::type;
  detail::enqueue_streaming_scan<shape_of<tuning, Arch>, detail::scan_kind::inclusive>(
      environment_on(nullptr, "scan_by_key_in_shape"), source{{keys, items, equal{}}, in}, sink{out}, items,
      detail::segmented_op<fold>{fold{}}, detail::scan_without_init<accum>{});
}

//! reduce_by_key in the shape of `Arch`. Gives the number of segments.
template <int Arch, class Key, class T>
std::uint64_t reduce_by_key_in_shape(const Key* keys, const T* in, Key* keys_out, T* out, std::uint64_t items)
{
  namespace detail = reheat::detail;
  using accum = detail::segmented<T, detail::boundary_count>;
  using source = detail::segmented_source<T, detail::boundary_count, const Key*, const T*, equal>;
  using sink = detail::segment_sink<const Key*, Key*, T*, std::uint64_t*>;
  using tuning = typename detail::scan_tuning_of<source, sink, accum>::type;
  std::uint64_t segments = 0;
  detail::enqueue_streaming_scan<shape_of<tuning, Arch>, detail::scan_kind::inclusive>(
      environment_on(nullptr, "reduce_by_key_in_shape"), source{{keys, items, equal{}}, in},
      sink{keys, items, keys_out, out, &segments}, items, detail::segmented_op<fold>{fold{}},
      detail::scan_without_init<accum>{});
  return segments;
}

} // namespace compat
