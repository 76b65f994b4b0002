// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Says which version its headers are and which version its library is: as a program, or loaded as a shared object.
#include <reheat/reheat.cuh>

#include <cstdio>

extern "C" int version_of_the_library()
{
  return reheat::version();
}

int main()
{
  std::printf("%d.%d.%d %d %d\n", REHEAT_VERSION_MAJOR, REHEAT_VERSION_MINOR, REHEAT_VERSION_PATCH, REHEAT_VERSION,
              reheat::version());
}
