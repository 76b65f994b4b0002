// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cub_new.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace perf
{
namespace
{

std::string path_beside_the_program()
{
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0 || length == sizeof(path))
  {
    throw std::runtime_error("asking for the program's own path failed");
  }
  const std::string program(path, static_cast<std::size_t>(length));
  return program.substr(0, program.rfind('/') + 1) + REHEAT_PERF_CUB_NEW;
}

template <class Function>
Function* symbol_of(void* object, const char* name, const std::string& path)
{
  void* const found = dlsym(object, name);
  if (found == nullptr)
  {
    throw std::runtime_error(path + " has no " + name + "; build it and this program together");
  }
  return reinterpret_cast<Function*>(found);
}

cub_new_object open_cub_new()
{
  const std::string path = path_beside_the_program();
  if (access(path.c_str(), F_OK) != 0)
  {
    return {};
  }
  void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // until the process ends
  if (object == nullptr)
  {
    throw std::runtime_error(std::string("loading the other CUB failed: ") + dlerror());
  }
  return {symbol_of<cub_new_function>(object, "reheat_perf_cub_new", path),
          symbol_of<cub_new_version_function>(object, "reheat_perf_cub_new_version", path)()};
}

} // namespace

const cub_new_object& find_cub_new()
{
  static const cub_new_object found = open_cub_new();
  return found;
}

} // namespace perf
