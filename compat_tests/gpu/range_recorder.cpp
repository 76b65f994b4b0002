// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A tool for NVTX, as profilers are: NVTX loads it because NVTX_INJECTION64_PATH names it. It writes down the ranges of the
//! program without a domain.

#include <nvtx3/nvToolsExt.h>

#include <string>

namespace
{

std::string text;

int push(const char* name)
{
  text += name;
  text += '{';
  return 0;
}

int pop()
{
  text += '}';
  return 0;
}

} // namespace

//! Since the last call: `name{` where a range begins, `}` where it ends.
extern "C" const char* take_ranges()
{
  static std::string taken;
  taken.swap(text);
  text.clear();
  return taken.c_str();
}

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t find)
{
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(find(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned count = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &count) == 0 ||
      count <= NVTX_CBID_CORE_RangePop)
  {
    return 0;
  }
  *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&push);
  *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
  return 1;
}
