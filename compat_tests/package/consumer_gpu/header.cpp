// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
// The host compiler sees the header, too: it finds Thrust through reheat::reheat, where nvcc would have found it by itself.
#include <reheat/reheat.cuh>

int header_seen()
{
  return 1;
}
