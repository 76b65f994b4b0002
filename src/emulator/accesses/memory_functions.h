// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Included ahead of everything in instrumented sources: their memcpy, memmove and memset are functions of the instrument,
//! by assembler name. (The linker's --wrap would send the emulator's own calls there, too, and count bulk copies twice.)
//! What the standard library moves with __builtin_memmove, as std::copy does, is not seen.
#pragma once

#include <cstddef>

extern "C" {
void* memcpy(void* to, const void* from, std::size_t bytes) noexcept __asm__("reheat_counted_memcpy");
void* memmove(void* to, const void* from, std::size_t bytes) noexcept __asm__("reheat_counted_memmove");
void* memset(void* to, int byte, std::size_t bytes) noexcept __asm__("reheat_counted_memset");
}
