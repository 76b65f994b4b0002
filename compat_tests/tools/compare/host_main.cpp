// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The command on the host machine. REHEAT_FAULT names what is done wrong, REHEAT_FAULTY who does it: reheat, unless told.
#include "command.hpp"
#include "host_machine.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace
{

std::string variable(const char* name, const char* otherwise)
{
  const char* const value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

} // namespace

int main(int argc, char** argv)
{
  constexpr const char* names[]{"none",      "wrong_value",   "wrong_key", "not_written",
                                "wrong_end", "out_of_bounds", "throws",    "no_memory"};
  const std::string wanted = variable("REHEAT_FAULT", "none"), faulty = variable("REHEAT_FAULTY", "reheat");
  for (const auto who : {compare::implementation::reheat, compare::implementation::device, compare::implementation::cub})
  {
    for (int which = 0; which < static_cast<int>(std::size(names)); ++which)
    {
      if (wanted == names[which] && faulty == name_of(who))
      {
        compare::host_machine machine(static_cast<compare::fault>(which), who);
        return compare::run_command(argc, argv, machine, std::cout, std::cerr);
      }
    }
  }
  std::cerr << "REHEAT_FAULT=" << wanted << " of REHEAT_FAULTY=" << faulty << " is not known\n";
  return 99;
}
