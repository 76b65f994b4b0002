// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What an instrument linked to the emulator is told besides the plain accesses that its kernels report themselves.
#pragma once

#include <reheat/detail/simt/emulated_calls.h>
#include <reheat/emulator.h>

#include <cstddef>

namespace reheat::REHEAT_MACHINE::emulator
{

//! Never called at switches, shuffles or votes. The calls about bulk copies, and copies of 16-byte vectors, come from the
//! thread that starts them and may end the launch with machine::fail; the others may not throw.
class observer
{
public:
  virtual void launch_begins(const launch_shape& shape) = 0;
  //! Also of a launch that failed.
  virtual void launch_ended() = 0;
  virtual void block_ended(unsigned block) = 0;
  virtual void shared_array_made(unsigned block, unsigned index, const unsigned char* data, std::size_t bytes,
                                 calls::value_layout values) = 0;
  virtual void bulk_load_starts(const void* shared, const void* global, std::size_t bytes, call_site at) = 0;
  virtual void bulk_load_landed(const void* shared, std::size_t bytes) = 0;
  virtual void bulk_store_starts(const void* global, const void* shared, std::size_t bytes, call_site at) = 0;

protected:
  ~observer() = default;
};

//! The program's instrument, or null. Set before the first launch.
inline observer* registered_observer = nullptr;

} // namespace reheat::REHEAT_MACHINE::emulator
