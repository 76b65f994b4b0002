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
  unsigned blocks;
  unsigned tiles;
};

//! How many blocks a launch has.
enum class blocks_are
{
  resident, //!< as many as the device holds
  tiles,    //!< one for each tile
  fixed     //!< whatever the size
};

struct protocol
{
  const char* name;
  blocks_are blocks;
  reheat::emulator::enumeration_plan plan;
  //! Makes the inputs, and returns a function that executes the call. It returns the error in the results, or an empty
  //! string.
  std::function<std::string()> (*prepare)(const shape& size);
  const char* faults;        //!< of simt/fault.cuh that its enumeration finds, separated by spaces
  bool is_bounded = false;   //!< executions are left out, whatever the size
  bool has_one_rule = false; //!< classes depend on an order that is not enumerated: of an actor's threads, or of starts
};

const std::vector<protocol>& protocols();

} // namespace enumeration
