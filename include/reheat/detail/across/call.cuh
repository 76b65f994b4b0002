// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of a call across ranks: local work, the exchange, the folds. It knows no policy.
#pragma once

#include <reheat/detail/across/exact.cuh>
#include <reheat/detail/across/exchange.h>
#include <reheat/detail/across/kernel.cuh>
#include <reheat/detail/across/records.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/dispatch.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace across
{

using library::gathered_records;
using library::record_state;

//! A call on ranks whose records hold Ts.
template <class T, class Environment>
class call
{
  static_assert(detail::is_bitwise_copyable_v<T>,
                "reheat: a call across ranks sends what a part comes to as bytes, so the type in which it folds has to be "
                "copyable by its bytes");
  static_assert(alignof(T) <= library::record_bytes,
                "reheat: a call across ranks sends values that are aligned to 64 bytes at most; align the type in which the "
                "call folds to fewer bytes");

public:
  call(const Environment& env, library::ranks& group, std::uint16_t which)
      : env_(env), exchange_(group, env, which, sizeof(T), alignof(T))
  {}

  const Environment& env() const { return env_; }
  bool is_first() const { return exchange_.is_first(); }
  bool is_last() const { return exchange_.is_last(); }

  //! Runs `local()`, which enqueues the rank's record by result() or store_absent(), and exchanges the records. If it
  //! throws, so does this, and the other ranks throw rank_failed.
  template <class Local>
  gathered_records run(std::size_t carry_bytes, Local local)
  {
#if defined(REHEAT_FAULT_SWITCHES) && defined(REHEAT_EMULATED)
    if (simt::fault_active(simt::fault::stale_records))
    {
      const gathered_records stale = gather();
      local();
      return stale;
    }
#endif
    try
    {
      exchange_.prepare(carry_bytes);
      local();
      exchange_.finish_record();
    }
    catch (...)
    {
      exchange_.gather_failure(enqueue_failure());
      throw;
    }
    return gather();
  }

  //! Where a kernel leaves the rank's value, of `items` items.
  detail::record_result<T> result(std::uint64_t items) const
  {
    return {exchange_.record(), static_cast<T*>(exchange_.value()), exchange_.head(record_state::present, items)};
  }
  //! The rank has items that nobody needs the fold of, or has none.
  void store_absent(std::uint64_t items)
  {
    store_head(record_state::absent, items);
  }
  //! Device memory of the size that run() was given.
  template <class Carry = detail::scan_carry<T>>
  Carry* carry() const
  {
    static_assert(alignof(Carry) <= library::record_bytes, "carries are aligned to 64 bytes");
    return static_cast<Carry*>(exchange_.carry());
  }

  //! Enqueues `enqueue()`, the call's last launch, which folds the values of all ranks; and waits if the policy does.
  template <class Enqueue>
  void leave_on_device(Enqueue enqueue)
  {
    enqueue();
    exchange_.has_enqueued();
    if (env_.waits)
    {
      runtime::check_in(env_, exchange_.wait(), env_.caller);
      exchange_.conclude();
    }
  }
  //! Returns what the call's last launch, `enqueue(result)`, leaves in `result`. Waits as runtime::result_on_host does, but
  //! by the engine's way to wait.
  template <class Returned, class Enqueue>
  Returned return_to_host(Enqueue enqueue)
  {
    constexpr bool polls =
        runtime::default_result_wait == runtime::result_wait::poll && detail::is_stored_in_words_v<Returned>;
    runtime::result_slot slot;
    runtime::check_memory(slot.acquire(sizeof(Returned)), "reheat: allocating host memory for a result");
    if (polls)
    {
      slot.expect(sizeof(Returned));
    }
    Returned* const result = static_cast<Returned*>(slot.get());
    enqueue(result);
    slot.has_launched();
    exchange_.has_enqueued();
    if (!polls || !slot.comes_soon(sizeof(Returned)))
    {
      runtime::check_in(env_, exchange_.wait(), env_.caller);
    }
    slot.has_ended();
    exchange_.conclude(); // if ranks are at odds there is no result
    return *result;
  }
  //! Enqueues the fold of all values to `result`.
  template <class Make, class Op, class Result>
  void fold(const gathered_records& all, Make make, Op op, Result result)
  {
    runtime::launch(env_, one_warp, &detail::fold_ranks_kernel<T, Make, Op, Result>, all, make, op, result);
  }

  static constexpr runtime::launch_shape one_warp{1, simt::warp_lanes, 0, runtime::launch_kind::ordinary,
                                                  runtime::launch_start::programmatic};

private:
  void store_head(record_state state, std::uint64_t items)
  {
    runtime::launch(env_, one_warp, &detail::store_head_kernel<detail::record_head>, exchange_.record(),
                    exchange_.head(state, items));
  }
  //! Tells whether the device took it.
  bool enqueue_failure() noexcept
  {
    try
    {
      exchange_.begin_after_failure();
      store_head(record_state::failed, 0);
      return true;
    }
    catch (...)
    {
      return false;
    }
  }
  gathered_records gather()
  {
    const gathered_records all = exchange_.gather();
    if (exchange_.has_large_value())
    {
      if (exchange_.waits_for_heads())
      {
        try
        {
          runtime::launch(env_, one_warp, &detail::compare_heads_kernel<T>, all);
          runtime::check_in(env_, exchange_.wait(), env_.caller);
        }
        catch (...)
        {
          exchange_.gather_values_after_failure();
          throw;
        }
        exchange_.conclude(); // on all ranks or on none: they have the same heads, unless the engine is broken
      }
      exchange_.gather_values();
    }
    return all;
  }

  const Environment& env_;
  library::exchange exchange_;
};

//! Enqueues the rank's record, for a part of `items` items; on rank 0 with the initial value on the left.
//! `enqueue(start, result)` enqueues the reduction of the part, and is called only if there are items.
template <class T, class Init, class Environment, class Enqueue>
void enqueue_record(call<T, Environment>& call, std::uint64_t items, const Init& init, Enqueue enqueue)
{
  if (items != 0)
  {
    enqueue(detail::init_of_first_rank<Init, T>{init, call.is_first()}, call.result(items));
  }
  else if (call.is_first())
  {
    detail::enqueue_store_init(call.env(), call.result(0), detail::init_value<T>{T(init)});
  }
  else
  {
    call.store_absent(0);
  }
}
//! The same without an initial value.
template <class T, class Environment, class Enqueue>
void enqueue_record(call<T, Environment>& call, std::uint64_t items, const detail::no_initial_value<T>& none,
                    Enqueue enqueue)
{
  if (items != 0)
  {
    enqueue(none, call.result(items));
  }
  else
  {
    call.store_absent(0);
  }
}

//! Enqueues the record of an exact sum in Accum. `make_terms()` is called only if there are items.
template <class Accum, class Environment, class MakeTerms>
void enqueue_exact_record(call<detail::exact_total<Accum>, Environment>& call, std::uint64_t items, Accum init,
                          MakeTerms make_terms)
{
  if (items != 0)
  {
    const detail::init_value<Accum> own{call.is_first() ? init : Accum(0)}; // +0 changes no exact sum
    detail::enqueue_exact_sum<Accum>(call.env(), make_terms(), items, own, call.result(items));
  }
  else if (call.is_first())
  {
    runtime::launch(call.env(), call.one_warp, &detail::store_exact_init_kernel<Accum>, call.result(0), init);
  }
  else
  {
    call.store_absent(0);
  }
}
//! Enqueues the rounded sum of all ranks to `result`.
template <class Accum, class Environment, class Result>
void enqueue_exact_fold(const Environment& env, const gathered_records& all, Result result)
{
  runtime::launch(env,
                  {1, simt::warp_lanes, detail::exact_ranks_shared_bytes<Accum>(), runtime::launch_kind::ordinary,
                   runtime::launch_start::programmatic},
                  &detail::sum_ranks_kernel<Accum, Result>, all, result);
}

} // namespace across
REHEAT_NAMESPACE_END
