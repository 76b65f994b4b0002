// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "this_machine.hpp"

#include <iostream>

int main(int argc, char** argv)
{
  return compare::run_command(argc, argv, *compare::this_machine(), std::cout, std::cerr);
}
