// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What a caller hears of a call of the machine that failed, and what may not stay behind.
#pragma once

#include "injection.hpp"

#include <thrust/system_error.h>

#include <functional>
#include <new>
#include <string>

namespace compat
{

#if defined(REHEAT_CUDA_MODEL)
inline constexpr bool kernels_run = false;
#else
inline constexpr bool kernels_run = true;
#endif

//! So many that reductions and searches take several blocks.
inline std::size_t items_of_calls()
{
  return emulated ? 3000 : kernels_run ? 100000 : 20000;
}

//! What of the thread's state a call leaves as it was.
inline bool capture_mode_is_global()
{
#if defined(REHEAT_EMULATED)
  return true;
#else
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  require(cudaThreadExchangeStreamCaptureMode(&mode), "exchange the mode of captures"); // it is global from here on
  return mode == cudaStreamCaptureModeGlobal;
#endif
}

inline bool error_is_pending()
{
#if defined(REHEAT_EMULATED)
  return false;
#else
  return cudaGetLastError() != cudaSuccess;
#endif
}

//! What the caller heard: an exception that says what was attempted, or nothing.
struct heard
{
  bool thrown = false;
  int code = 0;
  std::string text;
  std::string wrong; //!< why this is not what a caller may expect
};

inline heard hear(const std::function<void()>& call)
{
  heard result;
  try
  {
    call();
    return result;
  }
  catch (const thrust::system_error& error)
  {
    result = {true, error.code().value(), error.what(), ""};
  }
  catch (const std::bad_alloc& error)
  {
    result = {true, static_cast<int>(reheat::runtime::out_of_memory), error.what(), ""};
  }
  catch (const std::exception& error)
  {
    result = {true, 0, error.what(), "an exception of another type"};
  }
  if (result.text.find("reheat") == std::string::npos)
  {
    result.wrong += " does not say what was attempted";
  }
  return result;
}

} // namespace compat
