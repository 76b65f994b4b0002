// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "accesses.h"

#include "access_recorder.h"

namespace reheat::REHEAT_MACHINE::emulator::accesses
{
namespace
{

tally count_all(const std::vector<unsigned char>& counts)
{
  tally sum;
  for (const unsigned char count : counts)
  {
    ++(count == 0 ? sum.never : count == 1 ? sum.once : count == 2 ? sum.twice : sum.more);
  }
  return sum;
}

std::string text_of(const tally& sum)
{
  const struct
  {
    std::size_t bytes;
    const char* often;
  } parts[] = {{sum.never, " never"}, {sum.once, " once"}, {sum.twice, " twice"}, {sum.more, " more often"}};
  std::string text;
  for (const auto& part : parts)
  {
    if (part.bytes != 0)
    {
      text += (text.empty() ? "" : ", ") + std::to_string(part.bytes) + part.often;
    }
  }
  return text;
}

} // namespace

watched_range::watched_range(const void* first, std::size_t bytes, content initially, const char* name)
    : range_(access_recorder::instance().memory().add(first, bytes, initially, name, no_block))
{}

watched_range::~watched_range()
{
  access_recorder::instance().memory().remove(range_);
}

void watched_range::reset()
{
  range_->reads.assign(range_->reads.size(), 0);
  range_->writes.assign(range_->writes.size(), 0);
}

unsigned watched_range::reads_of(std::size_t byte) const
{
  return range_->reads.at(byte);
}

unsigned watched_range::writes_of(std::size_t byte) const
{
  return range_->writes.at(byte);
}

tally watched_range::reads() const
{
  return count_all(range_->reads);
}

tally watched_range::writes() const
{
  return count_all(range_->writes);
}

std::string watched_range::report() const
{
  return range_->name + ", " + std::to_string(range_->reads.size()) + " bytes: read: " + text_of(reads()) +
         "; written: " + text_of(writes());
}

shared_traffic last_shared_traffic()
{
  return access_recorder::instance().traffic().total();
}

std::string last_bank_conflicts()
{
  return access_recorder::instance().traffic().conflicts();
}

} // namespace reheat::REHEAT_MACHINE::emulator::accesses
