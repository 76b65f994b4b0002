// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <stdexcept>

namespace first
{
int sum_of_ones(int count);
}
namespace second
{
int sum_of_ones(int count);
}

int main()
{
  const int sums = first::sum_of_ones(1000) + second::sum_of_ones(10);
  bool caught = false;
  try
  {
    (void)second::sum_of_ones(-1);
  }
  catch (const std::runtime_error& error)
  {
    caught = true;
    std::printf("%s\n", error.what());
  }
  std::printf("%d\n", sums);
  return sums == 1010 && caught ? 0 : 1;
}
