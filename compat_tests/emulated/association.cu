// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The golden bits: sums in the shapes of GPUs have the bits that are recorded.

#include "../support/golden.hpp"
#include "../support/reference_fold.hpp"
#include "../support/shapes.hpp"

using namespace compat;

BOOST_AUTO_TEST_SUITE(association_v1)

namespace
{

using association::golden_row;
using association::sum;

constexpr int gpu_arch = 900; // of any other, the same rows
using reheat::detail::mapped_items;
using reheat::detail::zipped_items;

struct square_at
{
  template <class T>
  T operator()(const T& value, std::uint64_t) const
  {
    return value * value;
  }
};

//! By the documented order of operands, item by item.
template <sum Which, class T>
T by_reference(const std::vector<T>& items)
{
  namespace detail = reheat::detail;
  const T init = association::init<T>();
  const std::plus<T> plus;
  if constexpr (Which == sum::reduce)
  {
    return reduce_commutative<T>(items, detail::reduce_tuning_of<T, T, std::plus<T>>{}(gpu_arch),
                                 {detail::vector_items_v<T>, false}, init, plus);
  }
  else if constexpr (Which == sum::reduce_any_op)
  {
    return reduce_ordered<T>(items, detail::reduce_tuning_of<T, T, association::any_op>{}(gpu_arch), init, plus);
  }
  else
  {
    using terms = std::conditional_t<Which == sum::transform_reduce, mapped_items<const T*, int>,
                                     zipped_items<const T*, const T*, int>>;
    std::vector<T> squares;
    for (const T item : items)
    {
      squares.push_back(item * item);
    }
    return reduce_commutative<T>(squares, typename detail::mapped_vector_input<T, terms, std::plus<T>>::tuning{}(gpu_arch),
                                 {terms::vector_items, true}, init, plus);
  }
}

//! By the kernels, in the shape that they have on a GPU.
template <sum Which, class T>
T by_kernels(const T* in, std::uint64_t count)
{
  namespace detail = reheat::detail;
  const T init = association::init<T>();
  const auto op = detail::rounding_alike<T>(std::plus<T>{});
  if constexpr (Which == sum::reduce)
  {
    return sum_in_shape<gpu_arch, T>(in, count, init);
  }
  else if constexpr (Which == sum::reduce_any_op)
  {
    T result = init;
    detail::enqueue_reduce<shape_of<detail::reduce_tuning_of<T, T, association::any_op>, gpu_arch>, T>(
        environment_on(nullptr, "association"), in, count, detail::init_value<T>{init}, association::any_op{}, &result);
    return result;
  }
  else if constexpr (Which == sum::transform_reduce)
  {
    return reduce_terms_in_shape<gpu_arch, T>(mapped_items<const T*, square_at>{in, detail::is_aligned(in), {}}, count, init,
                                              op);
  }
  else
  {
    return reduce_terms_in_shape<gpu_arch, T>(
        zipped_items<const T*, const T*, std::multiplies<T>>{in, in, detail::is_aligned(in), detail::is_aligned(in), {}},
        count, init, op);
  }
}

template <class Compute>
void check_rows(const char* by, std::uint64_t most, Compute compute)
{
  for (const golden_row& row : association::golden_rows)
  {
    if (row.items <= most)
    {
      association::with_types(row,
                              [&](auto which, auto zero)
                              {
                                using type = decltype(zero);
                                std::array<type, association::sizes(0).size()> results;
                                for (std::size_t i = 0; i < results.size(); ++i)
                                {
                                  results[i] = compute(which, association::items<type>(association::sizes(row.items)[i]));
                                }
                                check_hash(row, by, association::hash(results));
                              });
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(the_documented_order_has_the_recorded_bits)
{
  check_rows("the documented order", ~std::uint64_t{0},
             [](auto which, const auto& items) { return by_reference<decltype(which)::value>(items); });
}

BOOST_AUTO_TEST_CASE(kernels_in_the_shape_of_a_gpu_have_the_recorded_bits)
{
  check_rows("the kernels", 100000,
             [](auto which, const auto& items) { return by_kernels<decltype(which)::value>(items.data(), items.size()); });
}

BOOST_AUTO_TEST_SUITE_END()
