// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUDA graphs as objects, and the error of what can not be captured. Not part of the emulated build.
#pragma once

#include "machine.hpp"

#include <thrust/system_error.h>

#include <string>
#include <vector>

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

//! More than one branch hangs on what the stream had captured when this was made.
class fork_of
{
public:
  explicit fork_of(stream& where) : where_(where), nodes_(now()) {}
  //! What is captured next comes behind the fork, not behind what was captured since.
  void next_branch()
  {
    for (const cudaGraphNode_t node : now())
    {
      ends_.push_back(node);
    }
    set(nodes_);
  }
  void join()
  {
    for (const cudaGraphNode_t node : now())
    {
      ends_.push_back(node);
    }
    set(ends_);
  }

private:
  std::vector<cudaGraphNode_t> now() const
  {
    cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    std::size_t count = 0;
    unsigned long long id = 0;
#if CUDART_VERSION >= 13000
    const cudaGraphEdgeData* edges = nullptr;
    require(cudaStreamGetCaptureInfo(where_.get(), &state, &id, nullptr, &nodes, &edges, &count), "ask for a capture");
#else
    require(cudaStreamGetCaptureInfo_v2(where_.get(), &state, &id, nullptr, &nodes, &count), "ask for a capture");
#endif
    return std::vector<cudaGraphNode_t>(nodes, nodes + count);
  }
  void set(std::vector<cudaGraphNode_t> nodes) const
  {
#if CUDART_VERSION >= 13000
    require(cudaStreamUpdateCaptureDependencies(where_.get(), nodes.data(), nullptr, nodes.size(),
                                                cudaStreamSetCaptureDependencies),
            "fork a capture");
#else
    require(cudaStreamUpdateCaptureDependencies(where_.get(), nodes.data(), nodes.size(), cudaStreamSetCaptureDependencies),
            "fork a capture");
#endif
  }

  stream& where_;
  std::vector<cudaGraphNode_t> nodes_, ends_;
};

} // namespace compat
