// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where all accesses arrive: plain ones and atomics from the compiler's callbacks, bulk copies from the emulator.
#pragma once

#include "observer.h"
#include "shared_traffic.h"
#include "watched_memory.h"

#include <reheat/detail/config.cuh>

#include <cstddef>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{

//! The instrument works: functions that it shares with instrumented code, such as those of std::vector, may be the
//! instrumented copies, and their accesses are none of the kernel's.
extern __thread bool recording;

class access_recorder final : public observer
{
public:
  static access_recorder& instance()
  {
    static access_recorder& only = *new access_recorder; // never destroyed: other static objects may still launch
    return only;
  }

  //! By the running CUDA thread, if one runs, in code that `place` is the return address of. May end the launch with a
  //! report.
  void read(const void* address, std::size_t bytes, const void* place)
  {
    if (in_kernel() && memory_.may_touch(address, bytes))
    {
      watched_read(address, bytes, place);
    }
  }
  void write(const void* address, std::size_t bytes, const void* place)
  {
    if (in_kernel() && memory_.may_touch(address, bytes))
    {
      watched_write(address, bytes, place);
    }
  }

  void launch_begins(const launch_shape& shape) override;
  void launch_ended() override;
  void block_ended(unsigned block) override;
  void shared_array_made(unsigned block, unsigned index, const unsigned char* data, std::size_t bytes,
                         calls::value_layout values) override;
  void bulk_load_starts(const void* shared, const void* global, std::size_t bytes, call_site at) override;
  void bulk_load_landed(const void* shared, std::size_t bytes) override;
  void bulk_store_starts(const void* global, const void* shared, std::size_t bytes, call_site at) override;

  watched_memory& memory() { return memory_; }
  const traffic_counter& traffic() const { return traffic_; }

private:
  static bool in_kernel() { return calls::current->grid_blocks != 0 && !recording; }
  void watched_read(const void* address, std::size_t bytes, const void* place);
  void watched_write(const void* address, std::size_t bytes, const void* place);
  //! Null, or what is wrong with the access: the text stands until the next. Without `place` it is a bulk copy.
  const char* count_read(const void* address, std::size_t bytes, const void* place);
  const char* count_write(const void* address, std::size_t bytes, const void* place);
  [[gnu::format(printf, 3, 4)]] const char* complaint(const range& touched, const char* format, ...);

  watched_memory memory_;
  traffic_counter traffic_;
  char complaint_[512];
};

} // namespace reheat::REHEAT_MACHINE::emulator::accesses
