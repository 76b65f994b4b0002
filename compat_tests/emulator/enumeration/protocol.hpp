// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The protocols between blocks, each as a call of the public interface so small that its schedules can be enumerated.
#pragma once

#include <emulator/enumeration.h>

#include <functional>
#include <string>
#include <vector>

namespace enumeration
{

struct shape
{
  unsigned blocks; //!< that are resident at a time
  unsigned tiles;
};

struct protocol
{
  const char* name;
  const char* faults; //!< of simt/fault.cuh that every enumeration of it finds, separated by spaces
  reheat::emulator::enumeration_plan plan;
  //! Makes the inputs, and returns the execution: what is wrong with its results, or nothing.
  std::function<std::string()> (*prepare)(const shape& size);
};

const std::vector<protocol>& protocols();

} // namespace enumeration
