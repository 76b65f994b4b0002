// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Small scans and reductions through every loader, for compute-sanitizer: clean, or with one protocol fault switched on.
//!
//! reheat_faults_gpu [fault]: exit 0 if all results are right, 1 if one is wrong, 2 for bad usage, 3 after a CUDA error.

#include "../support/faults.hpp"
#include "../support/operators.hpp"
#include "../support/reference.hpp"

#include <reheat/reheat.cuh>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

using namespace compat;

namespace
{

void require(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
  {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
  }
}

//! Exactly `count` Ts of GPU memory, `skipped` Ts into an allocation that ends with them.
template <class T>
class exact_memory
{
public:
  exact_memory(std::size_t count, std::size_t skipped) : count_(count)
  {
    require(cudaMalloc(&memory_, (count + skipped) * sizeof(T)), "allocate");
    begin_ = static_cast<T*>(memory_) + skipped;
  }
  exact_memory(const std::vector<T>& items, std::size_t skipped) : exact_memory(items.size(), skipped)
  {
    require(cudaMemcpy(begin_, items.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy to the GPU");
  }
  exact_memory(const exact_memory&) = delete;
  exact_memory& operator=(const exact_memory&) = delete;
  ~exact_memory() { (void)cudaFree(memory_); }
  T* begin() const { return begin_; }
  T* end() const { return begin_ + count_; }
  std::vector<T> items() const
  {
    std::vector<T> result(count_);
    require(cudaMemcpy(result.data(), begin_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
    return result;
  }

private:
  void* memory_ = nullptr;
  T* begin_ = nullptr;
  std::size_t count_;
};

bool all_right = true;

void report(const char* call, const char* type, const char* loader, std::size_t count, bool right)
{
  std::printf("%s of %zu %s, %s: %s\n", call, count, type, loader, right ? "right" : "WRONG");
  std::fflush(stdout);
  all_right = all_right && right;
}

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y)
{
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const T& a, const T& b) { return values<T>::same(a, b); });
}

//! Passes an item through a functor: what is not a pointer is loaded item by item.
struct unchanged
{
  template <class T>
  __host__ __device__ T operator()(const T& x) const
  {
    return x;
  }
};

//! One loader: whatever `first` leads to.
template <class T, class It>
void run_loader(const char* type, const char* loader, It first, const std::vector<T>& items, std::size_t skipped)
{
  const std::size_t count = items.size();
  const T init = values<T>::make(0);
  exact_memory<T> out(items, skipped); // assigned to, so it holds objects already
  thrust::inclusive_scan(reheat::par, first, first + count, out.begin(), fold{});
  report("inclusive_scan", type, loader, count, same(inclusive_reference<T, T>(items, fold{}), out.items()));
  thrust::exclusive_scan(reheat::par, first, first + count, out.begin(), init, fold{});
  report("exclusive_scan", type, loader, count, same(exclusive_reference<T, T>(items, init, fold{}), out.items()));
  const T sum = thrust::reduce(reheat::par, first, first + count, init, fold{});
  report("reduce", type, loader, count, values<T>::same(reduce_reference<T>(items, init, fold{}), sum));
  if constexpr (std::is_arithmetic<T>::value)
  {
    const T total = thrust::reduce(reheat::par, first, first + count);
    report("commutative reduce", type, loader, count, values<T>::same(reduce_reference<T>(items, T(0), fold{}), total));
  }
}

template <class T>
void run_type(const char* type, std::initializer_list<std::size_t> counts)
{
  for (const std::size_t count : counts)
  {
    const std::vector<T> items = make_items<T>(count, 1);
    const exact_memory<T> aligned(items, 0), misaligned(items, 1);
    run_loader<T>(type, "aligned", aligned.begin(), items, 0);
    run_loader<T>(type, "misaligned", misaligned.begin(), items, 1);
    run_loader<T>(type, "iterator", thrust::make_transform_iterator(aligned.begin(), unchanged{}), items, 0);
  }
}

} // namespace

int main(int argc, char* argv[])
{
  const named_fault* const named = argc == 2 ? find_fault(argv[1]) : nullptr;
  if (argc > 2 || (argc == 2 && named == nullptr))
  {
    std::fprintf(stderr, "usage: reheat_faults_gpu [fault]; no fault is called '%s'\n", argv[1]);
    return 2;
  }
  const reheat::simt::fault wanted = named == nullptr ? reheat::simt::fault::none : named->value;
  try
  {
    require(cudaMemcpyToSymbol(reheat::simt::active_fault, &wanted, sizeof wanted), "switch the fault on");
    run_type<std::uint32_t>("u32", {1, 1000, 50021});
    run_type<std::uint8_t>("u8", {70001});
    run_type<words<64>>("256-byte structs", {501});
    run_type<tracked<false>>("objects", {3001});
  }
  catch (const std::exception& error)
  {
    std::printf("error: %s\n", error.what());
    return 3;
  }
  return all_right ? 0 : 1;
}
