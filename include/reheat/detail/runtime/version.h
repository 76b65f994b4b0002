// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Which version was compiled: part of the interface of src/runtime.
#pragma once

#include <reheat/detail/config.cuh>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

//! The REHEAT_VERSION of the sources in src/runtime.
int version();

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
