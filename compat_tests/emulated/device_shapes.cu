// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Device-wide calls on devices of different shapes, one after the other in one process.
#include "../support/device_calls.hpp"

#include <cstddef>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device_shapes)

namespace
{

//! Gives the emulator its usual shape back.
struct usual_shape_afterwards
{
  ~usual_shape_afterwards() { reheat::emulator::set_device_properties({}); }
};

void use_device(int multiprocessors, int blocks_per_multiprocessor)
{
  reheat::emulator::properties device;
  device.multiprocessors = multiprocessors;
  device.blocks_per_multiprocessor = blocks_per_multiprocessor;
  reheat::emulator::set_device_properties(device);
}

} // namespace

// A size that is kept from the first device on would be too small on the large one, or the same on both.
BOOST_AUTO_TEST_CASE(the_size_of_the_memory_is_that_for_the_current_device)
{
  const usual_shape_afterwards restore;
  device_memory memory(several_blocks());
  const std::vector<device_call> calls = device_calls(memory);
  std::vector<std::size_t> on_small, on_large;
  for (unsigned turn = 0; turn < 2; ++turn)
  {
    for (const bool large : {false, true})
    {
      use_device(large ? 7 : 1, large ? 4 : 1);
      const std::string where = (large ? "large device, turn " : "small device, turn ") + std::to_string(turn);
      std::vector<std::size_t>& wanted = large ? on_large : on_small;
      for (std::size_t i = 0; i < calls.size(); ++i)
      {
        if (turn == 0)
        {
          wanted.push_back(bytes_of_call(where + ", " + calls[i].name, calls[i].call));
        }
        calls[i].check(where, memory); // with exactly as many bytes as are asked for then
        const std::size_t bytes = bytes_of_call(where + ", " + calls[i].name, calls[i].call);
        BOOST_TEST(bytes == wanted[i], where << ", " << calls[i].name << ": " << bytes << " bytes, before " << wanted[i]);
      }
    }
  }
  std::size_t larger = 0;
  for (std::size_t i = 0; i < calls.size(); ++i)
  {
    larger += on_large[i] > on_small[i] ? 1 : 0;
  }
  BOOST_TEST(larger > 0u, "no call needs more memory on the large device");
}

BOOST_AUTO_TEST_SUITE_END()
