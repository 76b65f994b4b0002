// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What a scan is asked for: its kind, its initial value, and whether it stores its total.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

enum class scan_kind
{
  inclusive, //!< item i of the result folds the items up to and with i
  exclusive, //!< … up to and without i: needs an initial value
};

//! What the order of operands follows from.
enum class scan_association
{
  tuned, //!< the architecture, and where the input begins, too
  v1     //!< scan association v1: the number of items and the size of the accumulator alone
};

// An Init names the accumulator type (`accum`) and says whether there may be an initial value (`present`), which load()
// returns. Only with a scan_with_carry there may be none (init_presence).

template <class Accum>
struct scan_without_init
{
  using accum = Accum;
  static constexpr bool present = false;
};
template <class Accum>
struct scan_with_init : init_value<Accum>
{
  using accum = Accum;
  static constexpr bool present = true;
};
//! An initial value that is read on the device.
template <class Accum, class It>
struct scan_with_future_init : future_init_value<Accum, It>
{
  using accum = Accum;
  static constexpr bool present = true;
};

//! A fold of items that stand before the input, which an earlier kernel has left in memory. Whether there are any is known
//! on the device alone.
template <class Accum>
struct scan_carry
{
  uninitialized<Accum> value;
  std::uint32_t present;
};
template <class Accum>
struct scan_with_carry
{
  using accum = Accum;
  static constexpr bool present = true;
  const scan_carry<Accum>* place;
  REHEAT_DEVICE const Accum& load() const { return place->value.get(); }
};

//! Whether a scan has something before its first item. A kernel makes one when earlier launches have ended.
template <class Init>
struct init_presence
{
  REHEAT_DEVICE explicit init_presence(const Init&) {}
  static constexpr bool holds = Init::present;
};
template <class Accum>
struct init_presence<scan_with_carry<Accum>>
{
  REHEAT_DEVICE explicit init_presence(const scan_with_carry<Accum>& init)
      : holds(init.place->present != 0 || simt::fault_active(simt::fault::carry_always_present))
  {}
  bool holds;
};

//! Init, and an output for the total: the fold of the initial value and all items, whatever the kind of the scan.
template <class Init, class TotalIt>
struct scan_storing_total : Init
{
  TotalIt total;
};

//! What a kernel does with the total: nothing, unless Init asks for it.
template <class Init>
struct total_of
{
  static constexpr bool is_stored = false;
  REHEAT_DEVICE explicit total_of(const Init&) {}
};
template <class Init, class TotalIt>
struct total_of<scan_storing_total<Init, TotalIt>>
{
  static constexpr bool is_stored = true;
  TotalIt total;
  REHEAT_DEVICE explicit total_of(const scan_storing_total<Init, TotalIt>& init) : total(init.total) {}

  //! The thread that has the input's last item stores the total. `scanned` is what the scan made of that item, `item` the
  //! item itself.
  template <scan_kind Kind, class Accum, class Op>
  REHEAT_DEVICE void store(const Accum& scanned, const Accum& item, Op& op) const
  {
    if constexpr (Kind == scan_kind::inclusive)
    {
      *total = scanned;
    }
    else
    {
      *total = op(scanned, item);
    }
  }
};

} // namespace detail
REHEAT_NAMESPACE_END
