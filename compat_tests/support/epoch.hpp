// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Brings a workspace to the end of its count of launches, which takes hours of calls otherwise.
#pragma once

#include "machine.hpp"

#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/runtime/runtime.cuh>

namespace compat
{

//! What the workspace of a stream says of its launches, which have ended.
inline reheat::detail::workspace_header header_of(reheat::stream_type where)
{
  reheat::runtime::workspace_lease lease;
  BOOST_REQUIRE((lease.acquire(where, sizeof(reheat::detail::workspace_header), 0) == reheat::runtime::success));
  reheat::detail::workspace_header header;
  copy_bytes(&header, lease.words(), sizeof header);
  return header;
}

//! The next launch on `where` takes its workspace for one that has seen `launches` launches.
inline void set_launch_count(reheat::stream_type where, std::uint32_t launches)
{
  reheat::runtime::workspace_lease lease;
  BOOST_REQUIRE((lease.acquire(where, sizeof(reheat::detail::workspace_header), 0) == reheat::runtime::success));
  reheat::detail::workspace_header header;
  copy_bytes(&header, lease.words(), sizeof header);
  header.epoch = launches;
  copy_bytes(lease.words(), &header, sizeof header);
}

} // namespace compat
