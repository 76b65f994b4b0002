// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A shared object that lies beside the program, and is there or not. One program cannot be compiled with two versions of
//! CCCL, so the second one is in such an object, which exports C functions and no other symbol.
#pragma once

#include <string>

namespace perf
{

class companion_object
{
public:
  //! Loads the file of this name from the program's folder, until the process ends. Throws std::runtime_error if there is
  //! one, and it cannot be loaded.
  explicit companion_object(const std::string& file);

  explicit operator bool() const { return object_ != nullptr; }
  //! Throws std::runtime_error if the object has no such symbol.
  template <class Function>
  Function* function(const char* name) const
  {
    return reinterpret_cast<Function*>(symbol(name));
  }

private:
  void* symbol(const char* name) const;

  std::string path_;
  void* object_ = nullptr;
};

} // namespace perf
