// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A program of two units: prints what both say.
#include <cstdio>

const char* first();
const char* second();

int main()
{
  std::printf("%s, %s\n", first(), second());
}
