// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "schedule.h"

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

template <unsigned Count>
unsigned one_of(random_bits& random, const unsigned (&values)[Count])
{
  return values[random.below(Count)];
}

// Half of all launches choose at random.
order any_order(random_bits& random)
{
  constexpr order orders[] = {order::random, order::random, order::random, order::lowest, order::highest, order::cyclic};
  return orders[random.below(6)];
}

// The hardware starts blocks by index, but promises nothing.
order one_of_orders(random_bits& random)
{
  constexpr order orders[] = {order::lowest, order::lowest, order::highest, order::random};
  return orders[random.below(4)];
}

} // namespace

habits draw_habits(random_bits& random)
{
  habits drawn;
  drawn.warp_steps = one_of(random, {1, 4, 32, 256});
  drawn.block_steps = one_of(random, {1, 4, 32, 256});
  drawn.blocks = any_order(random);
  drawn.warps = any_order(random);
  drawn.lanes = any_order(random);
  drawn.switch_at_access = one_of(random, {32768, 8192, 1024});
  drawn.switch_at_ready = one_of(random, {65536, 16384, 2048});
  drawn.wake_pollers = one_of(random, {0, 1024, 16384});
  drawn.advance_copy = one_of(random, {0, 2048, 32768});
  drawn.split_copy = one_of(random, {0, 64, 192});
  drawn.copies_before_pollers = random.below(2) == 0;
  // Extremes: nobody gets a turn against the orders, as when the GPU always prefers the oldest block.
  drawn.any_instead = one_of(random, {16, 16, 0});
  drawn.stall = one_of(random, {0, 0, 256, 4096});
  drawn.stalls = static_cast<stalled_unit>(random.below(3));
  drawn.wake_stalled = one_of(random, {0, 64, 1024});
  drawn.copies_before_stalled = random.below(2) == 0;
  drawn.resident_share = one_of(random, {256, 256, 128, 1});
  drawn.admission = one_of_orders(random);
  return drawn;
}

} // namespace reheat::REHEAT_MACHINE::emulator
