// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Functions of the CUDA driver. Not part of the emulated build.
#pragma once

#include "machine.hpp"

#include <cuda.h>

#include <stdexcept>
#include <string>

namespace compat
{

//! The driver's function `name` as of a version of CUDA, without linking to the driver.
template <class Function>
Function* driver(const char* name, unsigned version = 12000)
{
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  require(cudaGetDriverEntryPointByVersion(name, &entry, version, cudaEnableDefault, &found), name);
  if (found != cudaDriverEntryPointSuccess)
  {
    throw std::runtime_error(std::string("the driver has no ") + name);
  }
  return reinterpret_cast<Function*>(entry);
}

inline void require_driver(CUresult status, const char* what)
{
  if (status != CUDA_SUCCESS)
  {
    throw std::runtime_error(std::string(what) + ": driver error " + std::to_string(status));
  }
}

} // namespace compat
