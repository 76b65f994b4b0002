// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/program.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

namespace perf
{

int run_program(const char* name, int (*start)(CLI::App&, int, char**), int argc, char** argv)
{
  CLI::App app;
  try
  {
    return start(app, argc, argv);
  }
  catch (const CLI::ParseError& error)
  {
    if (error.get_exit_code() == 0) // --help
    {
      return app.exit(error);
    }
    std::fprintf(stderr, "%s: %s (%s --help shows the usage)\n", name, error.what(), name);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
  }
  return 2;
}

} // namespace perf
