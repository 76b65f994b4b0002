// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans over values of every size from 1 to 256 bytes, trivially copyable or not.

#include "../support/calls.hpp"
#include "../support/tiles.hpp"

#include <thrust/tabulate.h>
#include <thrust/transform.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(scan)
BOOST_AUTO_TEST_SUITE(value_types)

namespace
{

// affine<u32> (8 bytes), text (12), matrix and interval (16) are in order.cu.
template <class T>
void check_type()
{
  for (const std::size_t size : few_sizes(scan_tile<T>()))
  {
    check_scans<T>(size, 10, placement::aligned);
    check_scans<T>(size, 5, placement::misaligned);
  }
}

//! Values that must not be copied through the host: made, folded and looked at where the kernels run.
template <bool CheckAddress>
struct payload_of
{
  REHEAT_HOST_DEVICE affine<std::uint32_t> operator()(const tracked<CheckAddress>& x) const
  {
    return x.marked() ? affine<std::uint32_t>{0, 0} : x.value(); // no fold of odd factors is zero
  }
};

template <bool CheckAddress>
std::vector<affine<std::uint32_t>> payloads(const thrust::device_vector<tracked<CheckAddress>>& items)
{
  thrust::device_vector<affine<std::uint32_t>> result(items.size());
  thrust::transform(thrust::device, items.begin(), items.end(), result.begin(), payload_of<CheckAddress>{});
  return to_host(result);
}

} // namespace

BOOST_AUTO_TEST_CASE(bytes)
{
  check_type<std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(signed_bytes)
{
  check_type<std::int8_t>();
}
BOOST_AUTO_TEST_CASE(two_byte_integers)
{
  check_type<std::int16_t>();
}
BOOST_AUTO_TEST_CASE(four_byte_integers)
{
  check_type<std::int32_t>();
}
BOOST_AUTO_TEST_CASE(eight_byte_integers)
{
  check_type<std::int64_t>();
}
BOOST_AUTO_TEST_CASE(floats)
{
  check_type<float>();
}
BOOST_AUTO_TEST_CASE(doubles)
{
  check_type<double>();
}
BOOST_AUTO_TEST_CASE(three_byte_structs)
{
  check_type<bytes3>();
}
BOOST_AUTO_TEST_CASE(twelve_byte_structs)
{
  check_type<words<3>>();
}
BOOST_AUTO_TEST_CASE(sixteen_byte_structs)
{
  check_type<quad>();
}
BOOST_AUTO_TEST_CASE(complex_numbers)
{
  check_type<thrust::complex<float>>();
}
BOOST_AUTO_TEST_CASE(pairs)
{
  check_type<thrust::pair<std::uint32_t, std::uint32_t>>();
}
BOOST_AUTO_TEST_CASE(tuples)
{
  check_type<thrust::tuple<std::uint8_t, std::uint32_t, std::uint32_t>>();
}
BOOST_AUTO_TEST_CASE(structs_of_32_bytes)
{
  check_type<words<8>>();
}
BOOST_AUTO_TEST_CASE(structs_of_36_bytes)
{
  check_type<words<9>>();
}
BOOST_AUTO_TEST_CASE(structs_of_64_bytes)
{
  check_type<words<16>>();
}
BOOST_AUTO_TEST_CASE(structs_of_256_bytes)
{
  check_type<words<64>>();
}
BOOST_AUTO_TEST_CASE(explicitly_constructed_numbers)
{
  check_type<explicit_int>();
}

BOOST_AUTO_TEST_CASE(values_that_know_their_address_are_constructed_and_never_moved_by_their_bytes)
{
  using T = tracked<true>;
  using map = affine<std::uint32_t>;
  const std::size_t tile = scan_tile<T>(), group = scan_group<T>();
  for (const std::size_t size :
       {std::size_t(0), std::size_t(1), std::size_t(33), tile, tile + 1, 3 * tile - 1, group + tile + 1})
  {
    const std::vector<map> items = make_items<map>(size);
    [[maybe_unused]] const map init = values<map>::make(99);
    thrust::device_vector<T> in(size);
    thrust::tabulate(thrust::device, in.begin(), in.end(), make_item<T>{});
    check_same("the input", items, payloads(in));
    for_each_seed(20,
                  [&]
                  {
                    thrust::device_vector<T> out(size);
                    thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), fold{});
                    check_same("inclusive_scan", inclusive_reference<map, map>(items, fold{}), payloads(out));
                  });
#if defined(REHEAT_EMULATED) // on the GPU a launch copies its arguments by their bytes, an initial value too
    for_each_seed(20,
                  [&]
                  {
                    thrust::device_vector<T> out(size);
                    thrust::exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), T(init), fold{});
                    check_same("exclusive_scan", exclusive_reference<map, map>(items, init, fold{}), payloads(out));
                  });
#endif
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
