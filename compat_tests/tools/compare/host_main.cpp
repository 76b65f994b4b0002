// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The command on the host machine; REHEAT_FAULT names what its reheat does wrong.
#include "command.hpp"
#include "host_machine.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

int main(int argc, char** argv)
{
  constexpr const char* names[]{"none",      "wrong_value",   "wrong_key", "not_written",
                                "wrong_end", "out_of_bounds", "throws",    "no_memory"};
  const char* const asked = std::getenv("REHEAT_FAULT");
  const std::string wanted = asked != nullptr ? asked : "none";
  for (int which = 0; which < static_cast<int>(std::size(names)); ++which)
  {
    if (wanted == names[which])
    {
      compare::host_machine machine(static_cast<compare::fault>(which));
      return compare::run_command(argc, argv, machine, std::cout, std::cerr);
    }
  }
  std::cerr << "REHEAT_FAULT=" << wanted << " is not known\n";
  return 99;
}
