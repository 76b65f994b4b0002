// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/detail/runtime/version.h>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

int version()
{
  return REHEAT_VERSION;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
