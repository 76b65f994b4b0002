// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What a scan is asked for: its kind, and what it starts from.
#pragma once

#include <reheat/detail/config.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

enum class scan_kind
{
  inclusive, //!< item i of the result folds the items up to and with i
  exclusive, //!< … up to and without i: needs an initial value
};

//! What the scan starts from: nothing, or a value that stands left of the first item.
template <class Accum>
struct scan_without_init
{
  using accum = Accum;
  static constexpr bool present = false;
};
template <class Accum>
struct scan_with_init
{
  using accum = Accum;
  static constexpr bool present = true;
  Accum value;
};

} // namespace detail
REHEAT_NAMESPACE_END
