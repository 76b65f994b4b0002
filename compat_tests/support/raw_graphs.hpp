// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Graphs that a test changes node by node: kernels get other pointers, and a graph runs another one on a condition.
#pragma once

#include "driver.hpp"
#include "machine.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace compat
{

struct moved_range
{
  const void* from;
  const void* to;
  std::size_t bytes;
};

//! Moves every pointer into one of the ranges, among the arguments of a graph's kernels. Returns how many there were.
inline std::size_t move_pointers(cudaGraph_t graph, const std::vector<moved_range>& ranges)
{
  std::size_t count = 0, moved = 0;
  require(cudaGraphGetNodes(graph, nullptr, &count), "count nodes");
  std::vector<cudaGraphNode_t> nodes(count);
  require(cudaGraphGetNodes(graph, nodes.data(), &count), "list nodes");
  for (const cudaGraphNode_t node : nodes)
  {
    CUDA_KERNEL_NODE_PARAMS params = {};
    require_driver(driver<decltype(cuGraphKernelNodeGetParams)>("cuGraphKernelNodeGetParams")(node, &params),
                   "cuGraphKernelNodeGetParams");
    std::vector<std::vector<std::uint64_t>> arguments;
    std::vector<void*> addresses;
    std::size_t offset = 0, bytes = 0;
    const auto info = driver<decltype(cuFuncGetParamInfo)>("cuFuncGetParamInfo", 12040);
    for (std::size_t i = 0; info(params.func, i, &offset, &bytes) == CUDA_SUCCESS; ++i)
    {
      std::vector<std::uint64_t> words(bytes / 8 + 1);
      std::memcpy(words.data(), params.kernelParams[i], bytes);
      for (std::uint64_t& word : words)
      {
        for (const moved_range& range : ranges)
        {
          const std::uint64_t distance = word - reinterpret_cast<std::uintptr_t>(range.from);
          if (distance < range.bytes)
          {
            word = reinterpret_cast<std::uintptr_t>(range.to) + distance;
            ++moved;
            break;
          }
        }
      }
      arguments.push_back(std::move(words));
    }
    for (std::vector<std::uint64_t>& words : arguments)
    {
      addresses.push_back(words.data());
    }
    params.kernelParams = addresses.data();
    require_driver(driver<decltype(cuGraphKernelNodeSetParams)>("cuGraphKernelNodeSetParams")(node, &params),
                   "cuGraphKernelNodeSetParams");
  }
  return moved;
}

//! A graph of the runtime's and what launches it, by handles.
class raw_graph
{
public:
  explicit raw_graph(cudaGraph_t graph) : graph_(graph) {}
  raw_graph(const raw_graph&) = delete;
  raw_graph& operator=(const raw_graph&) = delete;
  ~raw_graph()
  {
    if (executable_ != nullptr)
    {
      (void)cudaGraphExecDestroy(executable_);
    }
    (void)cudaGraphDestroy(graph_);
  }
  cudaGraph_t get() const { return graph_; }
  void instantiate() { require(cudaGraphInstantiate(&executable_, graph_, 0), "instantiate a graph"); }
  void launch(stream& where) const { require(cudaGraphLaunch(executable_, where.get()), "launch a graph"); }

private:
  cudaGraph_t graph_;
  cudaGraphExec_t executable_ = nullptr;
};

inline cudaGraph_t new_graph()
{
  cudaGraph_t graph = nullptr;
  require(cudaGraphCreate(&graph, 0), "create a graph");
  return graph;
}

//! Adds a node that runs a graph of its own if `holds`. Gives that graph.
inline cudaGraph_t add_condition(cudaGraph_t to, bool holds)
{
  cudaGraphConditionalHandle handle;
  require(cudaGraphConditionalHandleCreate(&handle, to, holds ? 1 : 0, cudaGraphCondAssignDefault), "create a condition");
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  require(cudaGraphAddNode(&node, to, nullptr, nullptr, 0, &params), "add a condition");
#else
  require(cudaGraphAddNode(&node, to, nullptr, 0, &params), "add a condition");
#endif
  return params.conditional.phGraph_out[0];
}

//! Adds a node that runs a copy of `child`.
inline void add_child(cudaGraph_t to, cudaGraph_t child)
{
  cudaGraphNode_t node = nullptr;
  require(cudaGraphAddChildGraphNode(&node, to, nullptr, 0, child), "add a graph to a graph");
}

//! Captures what `enqueue` enqueues on the stream into the graph.
template <class Enqueue>
void capture_into(cudaGraph_t to, stream& capturing, Enqueue enqueue)
{
  require(cudaStreamBeginCaptureToGraph(capturing.get(), to, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal),
          "begin a capture");
  enqueue();
  cudaGraph_t captured = nullptr;
  require(cudaStreamEndCapture(capturing.get(), &captured), "end a capture");
}

} // namespace compat
