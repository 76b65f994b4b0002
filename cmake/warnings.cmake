# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
#
# reheat_warnings: linked PRIVATE by every target of this project. They are errors where CMAKE_COMPILE_WARNING_AS_ERROR says so,
# as the presets do.

include(CheckCXXSourceCompiles)

add_library(reheat_warnings INTERFACE)
target_compile_options(reheat_warnings INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall;-Wextra>"
  # reheat::REHEAT_MACHINE is declared inline once, and C++17 has no way to repeat that in a nested name.
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-inline-namespace-reopened-noninline>"
  # At -O2 g++ 12 reports raw storage that is filled under a condition as used uninitialised, after the condition.
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>"
  # The host compiler is g++ or clang++, and clang++ knows no such warning.
  "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra,-Wno-unknown-warning-option,-Wno-maybe-uninitialized;--Wext-lambda-captures-this>")

# reheat_link_sanitizer(<variable> <sanitizers> <flag>): what to link a program with. By g++ the sanitizer is linked statically, where it
# is installed as an archive: its checks are called some hundred million times, and programs then take a fifth less.
function(reheat_link_sanitizer variable sanitizers flag)
  set(options -fsanitize=${sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(CMAKE_REQUIRED_LINK_OPTIONS ${options} ${flag})
    string(MAKE_C_IDENTIFIER "reheat${flag}" works)
    check_cxx_source_compiles("int main() {}" ${works})
    if(${works})
      list(APPEND options ${flag})
    endif()
  endif()
  set(${variable} ${options} PARENT_SCOPE)
endfunction()

# For everything built here and for nobody who links it. Without `null`: Thrust reads a device_reference through a reference to a
# policy that is never there. AddressSanitizer still reports what is really read or written through null.
if(REHEAT_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-sanitize=null;-fno-sanitize-recover=undefined;-fno-omit-frame-pointer>")
  # AddressSanitizer's checks as calls instead of inline: the same checks; compiling takes 10 to 20 % less, running 11 % more, and
  # compiling is most of it.
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=asan-instrumentation-with-call-threshold=0>")
  # -Og leaves out this inlining, by which a program gets smaller. Without it twice as many functions are compiled.
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-finline-small-functions;-finline-functions-called-once>")
  reheat_link_sanitizer(reheat_sanitizer_options address,undefined -static-libasan)
  add_link_options("$<$<LINK_LANGUAGE:CXX>:${reheat_sanitizer_options}>")
endif()
if(REHEAT_FUZZ)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>")
endif()
