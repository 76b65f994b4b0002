// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What a benchmark program does with its command line and with failures.
#pragma once

namespace CLI
{
class App;
}

namespace perf
{

//! Returns what `start` returns. It declares options at the App and parses the arguments. For --help the program prints its
//! usage. A mistake in the arguments, or any other exception, becomes one line on standard error and exit status 2.
int run_program(const char* name, int (*start)(CLI::App&, int, char**), int argc, char** argv);

} // namespace perf
