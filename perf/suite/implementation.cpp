// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/implementation.hpp"

#include "suite/calls.hpp"

#include <timing/statistics.hpp>

#include <limits>
#include <stdexcept>
#include <vector>

namespace perf
{
namespace
{

using timing::check;

void wait_for(cudaStream_t stream)
{
  check(cudaStreamSynchronize(stream), "waiting for a stream");
}

bool needs_scratch(implementation who)
{
  return who == implementation::cub || who == implementation::cub_new || who == implementation::cub_new_lookahead;
}

// The movers that may be the limit. That of early launches is never slower than the other: it has the fastest of its movers,
// `ordinary`, or all of them while that is not known.
std::vector<const mover*> candidates(const row& which, implementation who, const mover* ordinary)
{
  const bool copies = is_scan(which.algorithm);
  std::vector<const mover*> found;
  const auto add = [&](const std::vector<mover>& all)
  {
    for (const mover& each : all)
    {
      if (each.takes_in_place || which.input != input::in_place)
      {
        found.push_back(&each);
      }
    }
  };
  if (who == implementation::limit_early)
  {
    add(copies ? early_copiers() : early_readers());
  }
  if (ordinary != nullptr)
  {
    found.push_back(ordinary);
  }
  else
  {
    add(copies ? copiers() : readers());
  }
  return found;
}

// A graph of enqueue(0) … enqueue(calls - 1).
template <class Enqueue>
std::unique_ptr<timing::graph> graph_of_calls(cudaStream_t stream, std::uint64_t calls, Enqueue enqueue)
{
  return std::make_unique<timing::graph>(stream,
                                         [&]
                                         {
                                           for (std::uint64_t i = 0; i < calls; ++i)
                                           {
                                             enqueue(i);
                                           }
                                         });
}

// A reduction that waits leaves its result on the host; the checker looks for it where the others leave theirs.
void move_result(const row& which, const bench& shared, void* out)
{
  check(cudaMemcpyAsync(out, shared.result.data(), size_of(which.type), cudaMemcpyHostToDevice, shared.stream),
        "copying a result to the GPU");
}

} // namespace

buffers::buffers(const row& which, const plan& planned)
    : in_bytes_(planned.in_bytes), out_bytes_(planned.out_bytes),
      shift_(which.input == input::misaligned ? size_of(which.type) : 0), memory_(planned.ring_bytes())
{}

void fill_buffers(const row& which, const plan& planned, const buffers& memory, cudaStream_t stream)
{
  for (std::size_t slot = 0; slot < planned.slots; ++slot)
  {
    fill_input(which, memory.in(slot), stream);
  }
  wait_for(stream);
}

// ---- what is called ------------------------------------------------------------------------------------------------------

timed_implementation::timed_implementation(const row& which, const plan& planned, const buffers& memory, bench& shared,
                                           implementation who)
    : row_(which), plan_(planned), memory_(memory), bench_(shared)
{
  set_up_calls(who);
}

timed_implementation::timed_implementation(const row& which, const plan& planned, const buffers& memory, bench& shared,
                                           const mover* limit)
    : row_(which), plan_(planned), memory_(memory), bench_(shared)
{
  set_up_limit(limit);
}

cudaStream_t timed_implementation::stream() const
{
  // Wall times are of the calls that programs make: on the default stream.
  return is_wall(row_.clock) ? cudaStreamLegacy : static_cast<cudaStream_t>(bench_.stream);
}

void timed_implementation::set_up_calls(implementation who)
{
  const call_pair calls = find_calls(row_, who);
  if (calls.wait == nullptr)
  {
    throw std::runtime_error("is not built");
  }
  call asked{memory_.in(0), memory_.out(0), row_.items, stream()};
  if (calls.enqueue != nullptr && needs_scratch(who))
  {
    calls.enqueue(asked);
    scratch_.emplace(asked.scratch_bytes + 1);
  }
  const auto call_on = [this, bytes = asked.scratch_bytes](const call_function& function, std::size_t slot)
  {
    call made{memory_.in(slot), memory_.out(slot), row_.items, stream()};
    made.scratch = scratch_ ? scratch_->data() : nullptr;
    made.scratch_bytes = bytes;
    made.value = bench_.result.data();
    function(made);
  };
  if (calls.enqueue != nullptr)
  {
    enqueue_ = [=](std::size_t slot) { call_on(calls.enqueue, slot); };
  }
  wait_ = [=](std::size_t slot) { call_on(calls.wait, slot); };
  expect_ = [this](std::size_t slot) { bench_.check.expect_result(row_, memory_.out(slot)); };
  if (row_.clock == clock::cold && !enqueue_)
  {
    label_ = "with the host's time";
  }
}

void timed_implementation::set_up_limit(const mover* limit)
{
  if (row_.clock == clock::wall_poll)
  {
    label_ = "launch and poll";
    wait_ = [this, launch = 0u](std::size_t) mutable
    {
      auto* const flag = reinterpret_cast<unsigned*>(bench_.result.data());
      enqueue_flag(++launch, flag, stream());
      while (*const_cast<volatile unsigned*>(flag) != launch)
      {}
    };
    return;
  }
  if (is_wall(row_.clock))
  {
    label_ = row_.clock == clock::wall ? "launch and synchronise" : "launch";
    enqueue_ = [this](std::size_t) { enqueue_nothing(stream()); };
    wait_ = [this](std::size_t)
    {
      enqueue_nothing(stream());
      wait_for(stream());
    };
    return;
  }
  const bool copies = is_scan(row_.algorithm);
  label_ = limit->name;
  enqueue_ = [this, limit](std::size_t slot)
  {
    // Aligned, whatever the row's input is: a misaligned input is no reason to be slower.
    const std::size_t shift = row_.input == input::misaligned ? size_of(row_.type) : 0;
    limit->enqueue(memory_.in(slot)-shift, memory_.out(slot) - shift, input_bytes(row_), stream());
  };
  if (copies && row_.input != input::in_place)
  {
    expect_ = [this](std::size_t slot)
    {
      const std::size_t shift = row_.input == input::misaligned ? size_of(row_.type) : 0;
      bench_.check.expect_copy(memory_.in(slot)-shift, memory_.out(slot) - shift, input_bytes(row_));
    };
  }
}

// ---- running it ----------------------------------------------------------------------------------------------------------

void timed_implementation::run_once()
{
  if (graph_)
  {
    graph_->launch(stream());
  }
  else if (enqueue_ && row_.clock != clock::wall)
  {
    enqueue_(0);
  }
  else
  {
    wait_(0);
    if (expect_ && !is_scan(row_.algorithm))
    {
      move_result(row_, bench_, memory_.out(0));
    }
  }
  wait_for(stream());
}

void timed_implementation::verify()
{
  if (!expect_)
  {
    run_once();
    return;
  }
  if (row_.input == input::in_place)
  {
    fill_buffers(row_, plan_, memory_, bench_.stream);
  }
  else
  {
    for (std::size_t slot = 0; slot < plan_.slots; ++slot)
    {
      poison(memory_.out(slot), output_bytes(row_), bench_.stream);
    }
    wait_for(bench_.stream);
  }
  run_once();
  for (std::size_t slot = 0; slot < plan_.slots; ++slot)
  {
    expect_(slot);
  }
  bench_.check.finish();
}

void timed_implementation::prepare()
{
  run_once(); // loads kernels, and allocates what calls keep
  if (is_graph(row_.clock))
  {
    const bool behind_foreign = row_.clock == clock::graph_foreign;
    if (behind_foreign)
    {
      enqueue_foreign(stream()); // loads it
      foreign_ = graph_of_calls(stream(), plan_.calls, [this](std::uint64_t) { enqueue_foreign(stream()); });
    }
    graph_ = graph_of_calls(stream(), plan_.calls,
                            [this, behind_foreign](std::uint64_t i)
                            {
                              if (behind_foreign)
                              {
                                enqueue_foreign(stream());
                              }
                              enqueue_(i % plan_.slots);
                            });
  }
  verify();
}

// Of a call behind others: the first one on an idle stream does not count. With Thrust it takes 40 us more on an NVIDIA
// H200, because the pool of its temporary memory has given everything back when the stream was waited for.
double timed_implementation::enqueue_seconds()
{
  enqueue_(0);
  const double seconds = timing::wall_seconds(
      [this]
      {
        for (std::uint64_t i = 0; i < plan_.calls; ++i)
        {
          enqueue_(0);
        }
      });
  wait_for(stream());
  return seconds / static_cast<double>(plan_.calls);
}

double timed_implementation::graph_call_seconds() const
{
  const auto median_of = [this](const timing::graph& which) {
    return timing::median(timing::graph_seconds(which, stream(), plan_.samples, bench_.cold.flush(), plan_.flush_between));
  };
  double seconds = median_of(*graph_);
  if (foreign_)
  {
    seconds -= median_of(*foreign_);
    if (seconds <= 0)
    {
      throw std::runtime_error("the foreign kernels alone take longer than they and the calls");
    }
  }
  return seconds / static_cast<double>(plan_.calls);
}

double timed_implementation::repetition()
{
  if (graph_)
  {
    return graph_call_seconds();
  }
  std::vector<double> seconds;
  for (unsigned i = 0; i < plan_.samples; ++i)
  {
    switch (row_.clock)
    {
      case clock::cold:
        if (!enqueue_)
        {
          seconds.push_back(bench_.cold.seconds([this] { wait_(0); }));
        }
        else if (const auto measured = bench_.cold.seconds_enqueued([this] { enqueue_(0); }))
        {
          seconds.push_back(*measured);
        }
        else
        {
          throw std::runtime_error("the call waits, or the host is too slow to enqueue it while the GPU is busy");
        }
        break;
      case clock::wall_nosync:
        seconds.push_back(enqueue_seconds());
        break;
      default:
        seconds.push_back(timing::wall_seconds([this] { wait_(0); }));
        wait_for(stream()); // what is polled may still run
        break;
    }
  }
  return timing::median(seconds);
}

std::unique_ptr<timed_implementation> fastest_limit(const row& which, const plan& planned, const buffers& memory,
                                                    bench& shared, implementation who)
{
  if (is_wall(which.clock))
  {
    auto only = std::make_unique<timed_implementation>(which, planned, memory, shared, nullptr);
    only->prepare();
    return only;
  }
  const auto fastest = [&](implementation limit) -> const mover*&
  {
    return shared
        .fastest[{limit, which.clock, input_bytes(which), is_scan(which.algorithm), which.input == input::in_place}];
  };
  const mover*& known = fastest(who);
  if (known != nullptr)
  {
    auto made = std::make_unique<timed_implementation>(which, planned, memory, shared, known);
    made->prepare();
    return made;
  }
  std::unique_ptr<timed_implementation> best;
  double least = std::numeric_limits<double>::infinity();
  for (const mover* const each : candidates(which, who, fastest(implementation::limit)))
  {
    auto tried = std::make_unique<timed_implementation>(which, planned, memory, shared, each);
    tried->prepare();
    const double seconds = timing::median({tried->repetition(), tried->repetition(), tried->repetition()});
    if (seconds < least)
    {
      least = seconds;
      best = std::move(tried);
      known = each;
    }
  }
  return best;
}

} // namespace perf
