// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUDA graphs as objects, and the error of what can not be captured. Not part of the emulated build.
#pragma once

#include "machine.hpp"

#include <thrust/system_error.h>

#include <string>

namespace compat
{

//! What `body` enqueues on a stream.
class graph
{
public:
  template <class Body>
  graph(stream& where, cudaStreamCaptureMode mode, Body body)
  {
    require(cudaStreamBeginCapture(where.get(), mode), "begin a capture");
    try
    {
      body();
    }
    catch (...) // the stream is to be of use again
    {
      (void)cudaStreamEndCapture(where.get(), &graph_);
      (void)cudaGetLastError();
      destroy();
      throw;
    }
    require(cudaStreamEndCapture(where.get(), &graph_), "end a capture");
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph() { destroy(); }
  void destroy()
  {
    if (graph_ != nullptr)
    {
      (void)cudaGraphDestroy(graph_);
      graph_ = nullptr;
    }
  }
  cudaGraph_t get() const { return graph_; }

private:
  cudaGraph_t graph_ = nullptr;
};

inline std::size_t nodes_of(const graph& captured)
{
  std::size_t nodes = 0;
  require(cudaGraphGetNodes(captured.get(), nullptr, &nodes), "count nodes");
  return nodes;
}

class executable
{
public:
  explicit executable(const graph& from) { require(cudaGraphInstantiate(&executable_, from.get(), 0), "instantiate"); }
  executable(const executable&) = delete;
  executable& operator=(const executable&) = delete;
  ~executable() { (void)cudaGraphExecDestroy(executable_); }
  void launch(stream& where) const { require(cudaGraphLaunch(executable_, where.get()), "launch a graph"); }

private:
  cudaGraphExec_t executable_ = nullptr;
};

inline constexpr cudaStreamCaptureMode capture_modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                                          cudaStreamCaptureModeRelaxed};

//! `call` throws the error of what can not be captured, which says `word`.
template <class Call>
void check_refused(const std::string& what, const std::string& word, Call call)
{
  try
  {
    call();
    BOOST_ERROR(what << ": no error");
  }
  catch (const thrust::system_error& error)
  {
    BOOST_TEST((std::string(error.what()).find(word) != std::string::npos), what << ": " << error.what());
    BOOST_TEST(error.code().value() == static_cast<int>(cudaErrorStreamCaptureUnsupported));
  }
}

} // namespace compat
