// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Memory with nothing around it: who touches a byte beside what he may touch is stopped by the hardware.
#pragma once

#include "machine.hpp"

#if defined(REHEAT_EMULATED)
#  include <sys/mman.h>
#  include <unistd.h>

#  include <cerrno>
#  include <system_error>
#else
#  include "driver.hpp"

#  include <vector>
#endif

#include <cstddef>
#include <cstdint>

namespace compat
{

//! Pages of memory of the machine, with unmapped addresses before, between and behind them: page i begins 2 * i pages behind
//! the first one.
class pages_apart
{
public:
  explicit pages_apart(std::size_t pages) : pages_(pages) { map(); }
  pages_apart(const pages_apart&) = delete;
  pages_apart& operator=(const pages_apart&) = delete;
  ~pages_apart() { unmap(); }

  std::size_t pages() const { return pages_; }
  //! Of a page, in bytes and in Ts.
  std::size_t bytes() const { return bytes_; }
  template <class T>
  std::size_t items() const
  {
    return bytes_ / sizeof(T);
  }
  template <class T>
  T* begin(std::size_t page) const
  {
    return reinterpret_cast<T*>(range_ + (2 * page + 1) * bytes_);
  }
  template <class T>
  T* end(std::size_t page) const
  {
    return reinterpret_cast<T*>(range_ + (2 * page + 2) * bytes_);
  }

private:
  std::size_t reserved() const { return (2 * pages_ + 1) * bytes_; }

  std::size_t pages_, bytes_ = 0;
#if defined(REHEAT_EMULATED)
  static void require_mapping(bool succeeded, const char* what)
  {
    if (!succeeded)
    {
      throw std::system_error(errno, std::generic_category(), what);
    }
  }
  void map()
  {
    bytes_ = 4 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); // several tiles of every type
    void* const range = mmap(nullptr, reserved(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require_mapping(range != MAP_FAILED, "reserve addresses");
    range_ = static_cast<unsigned char*>(range);
    for (std::size_t page = 0; page < pages_; ++page)
    {
      require_mapping(mprotect(begin<void>(page), bytes_, PROT_READ | PROT_WRITE) == 0, "map a page");
    }
  }
  void unmap()
  {
    (void)munmap(range_, reserved());
  }

  unsigned char* range_ = nullptr;
#else
  void map()
  {
    require(cudaFree(nullptr), "make a context");
    unmap_page_ = driver<decltype(cuMemUnmap)>("cuMemUnmap");
    release_ = driver<decltype(cuMemRelease)>("cuMemRelease");
    free_addresses_ = driver<decltype(cuMemAddressFree)>("cuMemAddressFree");
    int device = 0;
    require(cudaGetDevice(&device), "ask for the device");
    CUmemAllocationProp wanted = {};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.location.id = device;
    require_driver(driver<decltype(cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity")(
                       &bytes_, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
                   "cuMemGetAllocationGranularity");
    require_driver(driver<decltype(cuMemAddressReserve)>("cuMemAddressReserve")(&range_, reserved(), 0, 0, 0),
                   "cuMemAddressReserve");
    CUmemAccessDesc access = {};
    access.location = wanted.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    for (std::size_t page = 0; page < pages_; ++page)
    {
      const CUdeviceptr here = range_ + (2 * page + 1) * bytes_;
      CUmemGenericAllocationHandle handle = 0;
      require_driver(driver<decltype(cuMemCreate)>("cuMemCreate")(&handle, bytes_, &wanted, 0), "cuMemCreate");
      handles_.push_back(handle);
      require_driver(driver<decltype(cuMemMap)>("cuMemMap")(here, bytes_, 0, handle, 0), "cuMemMap");
      require_driver(driver<decltype(cuMemSetAccess)>("cuMemSetAccess")(here, bytes_, &access, 1), "cuMemSetAccess");
    }
  }
  //! Before this a kernel may have touched a page that is not mapped: then no call of CUDA succeeds any more.
  void unmap()
  {
    (void)cudaDeviceSynchronize();
    for (std::size_t page = 0; page < pages_; ++page)
    {
      (void)unmap_page_(range_ + (2 * page + 1) * bytes_, bytes_);
      (void)release_(handles_[page]);
    }
    (void)free_addresses_(range_, reserved());
  }

  CUdeviceptr range_ = 0;
  std::vector<CUmemGenericAllocationHandle> handles_;
  decltype(&cuMemUnmap) unmap_page_ = nullptr;
  decltype(&cuMemRelease) release_ = nullptr;
  decltype(&cuMemAddressFree) free_addresses_ = nullptr;
#endif
};

} // namespace compat
