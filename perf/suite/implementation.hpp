// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One implementation on one row: its calls, and the clock that the row asks for.
#pragma once

#include "common/axes.hpp"
#include "common/limit.hpp"
#include "suite/data.hpp"
#include "suite/plan.hpp"

#include <timing/clocks.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace perf
{

//! What all rows share.
struct bench
{
  explicit bench(std::vector<implementation> measured) : implementations(std::move(measured)) {}

  std::vector<implementation> implementations;
  timing::stream stream; //!< of the GPU clocks; wall times are taken on the default stream
  timing::cold_clock cold{stream};
  checker check{stream};
  timing::pinned_memory result{256}; //!< of reductions that wait, and the flag of kernels that are polled
  //! The limit depends on the bytes only: which limit, clock, bytes, whether they are copied, and in place.
  std::map<std::tuple<implementation, clock, std::uint64_t, bool, bool>, const mover*> fastest;
};

//! The ring of a row's inputs and outputs.
class buffers
{
public:
  buffers(const row& which, const plan& planned);
  std::byte* in(std::size_t slot) const { return memory_.data() + slot * (in_bytes_ + out_bytes_) + shift_; }
  std::byte* out(std::size_t slot) const { return in(slot) + (out_bytes_ != 0 ? in_bytes_ : 0); }

private:
  std::size_t in_bytes_, out_bytes_, shift_;
  timing::device_memory memory_;
};

class timed_implementation
{
public:
  //! An implementation of the row's algorithm.
  timed_implementation(const row& which, const plan& planned, const buffers& memory, bench& shared, implementation who);
  //! The limit: something that moves as many bytes; for wall clocks, with none, a kernel that does nothing.
  timed_implementation(const row& which, const plan& planned, const buffers& memory, bench& shared, const mover* limit);

  //! Runs once, with everything that only the first run does; checks what came out. Throws where that fails.
  void prepare();
  //! Seconds per call: the median of the plan's samples.
  double repetition();
  //! What there is to say beside the time: which limit it is, or that the host's time is in it.
  const std::string& label() const { return label_; }

private:
  void set_up_calls(implementation who);
  void set_up_limit(const mover* limit);
  cudaStream_t stream() const;
  double enqueue_seconds();
  double graph_call_seconds() const;
  void run_once();
  void fill();
  void verify();

  row row_;
  plan plan_;
  const buffers& memory_;
  bench& bench_;
  std::string label_;
  std::function<void(std::size_t)> enqueue_, wait_; //!< a call on a slot; either may be missing
  std::function<void(std::size_t)> expect_;         //!< enqueues the check of a slot; missing where nothing is made
  std::optional<timing::device_memory> scratch_;
  std::unique_ptr<timing::graph> graph_;
  std::unique_ptr<timing::graph> foreign_; //!< as many foreign kernels as graph_ has, without the calls
};

//! The fastest of those that could be the row's limit, prepared: `who` says which limit. Found once for rows that move as
//! many bytes.
std::unique_ptr<timed_implementation> fastest_limit(const row& which, const plan& planned, const buffers& memory,
                                                    bench& shared, implementation who);

//! Writes the row's input into every slot.
void fill_buffers(const row& which, const plan& planned, const buffers& memory, cudaStream_t stream);

} // namespace perf
