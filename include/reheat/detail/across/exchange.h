// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The exchange of one call across ranks: the interface of src/across. No type of an item appears here.
//!
//! Each rank sends one record, of the same size in all calls, so that even ranks that make different calls gather the same
//! number of bytes and learn of it. A record is a head and a value: what the rank's part comes to. Values that do not fit
//! follow in a second gather, once the heads have agreed.
//!
//! A gather on a stream may end although bytes have not arrived: when a rank of NCCL gives up, its kernel sends on whatever
//! its buffers hold, as if it had come, and the ranks behind it get parts of earlier gathers. So each record is sealed, on
//! the device, since a graph gathers without the host: it has the number of its gather, and a digest of its bytes and of its
//! rank. Kernels take no record whose seal is not that of this gather (records.cuh).
#pragma once

#include <reheat/across/ranks.h>
#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/statistics.h>

#include <cstddef>
#include <cstdint>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

enum class record_state : std::uint8_t
{
  absent,  //!< the rank's part comes to no value
  present, //!< there is a value
  failed,  //!< the rank has thrown
  missing  //!< never sent: the record has not arrived. The rest of the head is then that of the rank that looks for it
};

//! What a record begins with. From `call_number` to `value_alignment` it is the call's signature, which all ranks share.
struct record_head
{
  std::uint64_t items; //!< of the rank's part
  std::uint32_t call_number;
  std::uint32_t value_bytes;
  std::uint16_t call; //!< an algorithm, or a call_across
  std::uint8_t value_alignment;
  record_state state;
  std::uint16_t gather; //!< the number of the gather among all of records, modulo 2^16
  std::uint16_t seal;   //!< a digest of the other fields, of what follows the head, and of the rank
};
static_assert(sizeof(record_head) == 24, "values of up to 40 bytes have room in a record");
inline constexpr std::size_t record_bytes = 64;

//! Calls that Thrust does not have.
enum class call_across : std::uint16_t
{
  min_element = 256,
  max_element,
  minmax_element,
  prefix,
  copy_if,
  copy_if_into,
  remove_copy_if,
  remove_copy_if_into,
  reduce_by_key,
  reduce_by_key_into
};

//! Where in a record a value lies, or 0: there is no room for it.
constexpr std::size_t value_offset(std::size_t bytes, std::size_t alignment)
{
  const std::size_t offset = (sizeof(record_head) + alignment - 1) / alignment * alignment;
  return offset + bytes <= record_bytes && alignment <= record_bytes ? offset : 0;
}
//! Bytes from one rank's value to the next rank's, where records have no room for them.
constexpr std::size_t value_stride(std::size_t bytes)
{
  std::size_t stride = record_bytes;
  while (stride < bytes)
  {
    stride *= 2;
  }
  return stride;
}

//! Where kernels store the rank's own record.
struct record_place
{
  record_head* record;
  const record_head* latest; //!< the same record as the latest gather brought it; null: the host gathers, without seals
  int rank;
};

//! What a kernel tells the host that finds ranks at odds. In host memory; the heads of all ranks follow.
struct rank_report
{
  std::uint32_t raised; //!< 1: there is something to tell; the host sets it back
  std::uint32_t padding;
};

//! What kernels read after the exchange.
struct gathered_records
{
  const unsigned char* records; //!< of all ranks, record_bytes each
  const unsigned char* values;  //!< rank 0's
  std::size_t stride;           //!< from one rank's value to the next rank's
  const record_head* sent;      //!< the rank's own record, as it was sent
  rank_report* report;          //!< null: the host has looked at all heads
  int rank;
  int count;
};

//! One call on `ranks`, from its entry to its return.
class exchange
{
public:
  //! Throws what the engine knows of.
  exchange(ranks& group, const environment& env, std::uint16_t call, std::size_t value_bytes, std::size_t value_alignment);
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  //! If the call has thrown with work enqueued, the next one begins behind that, too.
  ~exchange();

  bool is_first() const { return group_.rank() == 0; }
  bool is_last() const { return group_.rank() + 1 == group_.count(); }

  //! Before local work: begins behind the call before, takes memory, and throws what earlier calls have left behind.
  void prepare(std::size_t carry_bytes);
  //! If prepare() has thrown before the call began behind the call before: waits for that on the host. Before a record is
  //! stored, since its number comes from the gather before.
  void begin_after_failure();
  record_head head(record_state state, std::uint64_t items) const;
  record_place record() const; //!< the rank's own, for kernels
  void* value() const;         //!< the rank's own, for kernels
  void* carry() const;         //!< `carry_bytes` of device memory, aligned to 64 bytes

  //! Whether values follow in a gather of their own.
  bool has_large_value() const { return offset_ == 0; }
  //! Whether that gather waits until the host has seen that all ranks make this call: otherwise they might gather values of
  //! different sizes, which no engine survives. A capture does not wait: its calls are taken to be the same on all ranks.
  bool waits_for_heads() const { return has_large_value() && !is_on_host() && !captured_; }

  //! The rank's record is enqueued. An engine that gathers on the host needs it there: waits for it.
  void finish_record();
  //! Then: gathers all records. Throws, on all ranks, if ranks are at odds and the engine gathers on the host. Values are
  //! there only if they are not large.
  gathered_records gather();
  //! Then, if values are large.
  void gather_values();
  //! The same if the rank has thrown after gather(): the others gather values all the same. Never throws.
  void gather_values_after_failure() noexcept;
  //! The rank has thrown before its record was finished, and `head_enqueued` says whether a head that says so could be.
  //! Takes part in the exchange all the same; never throws.
  void gather_failure(bool head_enqueued) noexcept;

  //! Waits for the stream as the engine does.
  status_type wait();
  //! After a wait: throws if ranks were at odds, or if a record has not arrived here.
  void conclude();
  //! The call's last launch is enqueued.
  void has_enqueued();

private:
  void wait_for_stream();
  bool is_on_host() const { return group_.order() == gather_order::on_host; }
  record_head* own_record() const;

  ranks& group_;
  const environment& env_;
  record_head signature_;
  std::size_t offset_; //!< of the value in the record, or 0
  std::size_t stride_;
  bool captured_;
  bool has_begun_ = false;   //!< behind the call before
  bool is_unmarked_ = false; //!< work may be enqueued that the next call would not wait for
};

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat
