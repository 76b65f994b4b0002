// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/companion_object.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <stdexcept>

namespace perf
{
namespace
{

std::string path_beside_the_program(const std::string& file)
{
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0 || length == sizeof(path))
  {
    throw std::runtime_error("asking for the program's own path failed");
  }
  const std::string program(path, static_cast<std::size_t>(length));
  return program.substr(0, program.rfind('/') + 1) + file;
}

} // namespace

companion_object::companion_object(const std::string& file) : path_(path_beside_the_program(file))
{
  if (access(path_.c_str(), F_OK) != 0)
  {
    return;
  }
  object_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object_ == nullptr)
  {
    throw std::runtime_error(std::string("loading the other CCCL failed: ") + dlerror());
  }
}

void* companion_object::symbol(const char* name) const
{
  void* const found = dlsym(object_, name);
  if (found == nullptr)
  {
    throw std::runtime_error(path_ + " has no " + name + "; build it and this program together");
  }
  return found;
}

} // namespace perf
