# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Running totals of the positive items of a PyTorch tensor or a CuPy array, by the shared library of running_totals.cu, on the
library's own stream and with its own allocator.

    nvcc -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -I$PREFIX/include running_totals.cu -L$PREFIX/lib -lreheat -o libtotals.so
    python3 running_totals.py ./libtotals.so torch cupy
"""
import ctypes
import sys

ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)
FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def running_totals(library, items, count, totals, stream, allocate, free):
    """Calls the function of running_totals.cu. `items` and `totals` are addresses on the GPU, `stream` is CUDA's handle."""
    error = ctypes.create_string_buffer(500)
    library.running_totals.restype = ctypes.c_longlong
    allocate_bytes, free_bytes = ALLOCATE(allocate), FREE(free)  # alive until the call has returned
    found = library.running_totals(ctypes.c_void_p(items), ctypes.c_size_t(count), ctypes.c_void_p(totals),
                                   ctypes.c_void_p(stream), allocate_bytes, free_bytes, error, ctypes.c_size_t(len(error)))
    if found < 0:
        raise RuntimeError(error.value.decode())
    return found


def with_torch(path, numbers):
    import torch
    library = ctypes.CDLL(path)  # not before: PyTorch would share a C++ runtime that is linked into it
    stream = torch.cuda.Stream()
    calls = []

    def allocate(size):
        calls.append(size)
        return torch.cuda.caching_allocator_alloc(size, stream=stream)

    with torch.cuda.stream(stream):
        items = torch.tensor(numbers, dtype=torch.float32, device="cuda")
        totals = torch.empty_like(items)
        found = running_totals(library, items.data_ptr(), items.numel(), totals.data_ptr(), stream.cuda_stream, allocate,
                               torch.cuda.caching_allocator_delete)
        return totals[:found].tolist(), len(calls)


def with_cupy(path, numbers):
    import cupy
    library = ctypes.CDLL(path)  # as above
    stream = cupy.cuda.Stream(non_blocking=True)
    held, calls = {}, []

    def allocate(size):
        calls.append(size)
        memory = cupy.cuda.alloc(size)  # of the current stream's part of CuPy's pool
        held[memory.ptr] = memory
        return memory.ptr

    with stream:
        items = cupy.asarray(numbers, dtype=cupy.float32)
        totals = cupy.empty_like(items)
        found = running_totals(library, items.data.ptr, items.size, totals.data.ptr, stream.ptr, allocate, held.pop)
        return totals[:found].tolist(), len(calls)


def main():
    if len(sys.argv) < 3 or not set(sys.argv[2:]) <= {"torch", "cupy"}:
        sys.exit("usage: running_totals.py <shared library> torch|cupy...")
    numbers = [i % 7 - 3 for i in range(100000)]
    expected, total = [], 0
    for number in numbers:
        if number > 0:
            total += number
            expected.append(float(total))
    for name in sys.argv[2:]:
        totals, allocations = {"torch": with_torch, "cupy": with_cupy}[name](sys.argv[1], numbers)
        if totals != expected:
            sys.exit(f"{name}: the totals are wrong")
        if allocations == 0:
            sys.exit(f"{name}: its allocator was not asked for memory")
        print(f"{name}: {len(totals)} running totals up to {totals[-1]:.0f}, with {allocations} allocations from its pool")


if __name__ == "__main__":
    main()
