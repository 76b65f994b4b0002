// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "shared_traffic.h"

#include "source_line.h"

#include <algorithm>
#include <vector>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{
namespace
{

constexpr std::size_t bank_bytes = 4;
constexpr std::size_t banks = 32;
constexpr std::size_t widest_access = 16;
constexpr unsigned all_lanes = ~0u;

// Wavefronts of lanes that go together: each serves one word per bank. `words` holds the words they touch.
std::uint64_t wavefronts_for(std::vector<std::uintptr_t>& words)
{
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<std::uint64_t, banks> of_bank = {};
  for (const std::uintptr_t word : words)
  {
    ++of_bank[word % banks];
  }
  return *std::max_element(of_bank.begin(), of_bank.end());
}

} // namespace

wavefront_count instruction::wavefronts() const
{
  std::uintptr_t divides = widest_access;
  std::size_t longest = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
  {
    if ((lanes >> lane & 1u) != 0)
    {
      divides |= address[lane] | bytes[lane];
      longest = std::max(longest, bytes[lane]);
    }
  }
  const std::size_t width = divides & -divides;
  const unsigned lanes_together = static_cast<unsigned>(std::min<std::size_t>(32, banks * bank_bytes / width));
  wavefront_count sum;
  std::vector<std::uintptr_t> words;
  for (std::size_t part = 0; part < longest; part += width)
  {
    for (unsigned first = 0; first < 32; first += lanes_together)
    {
      words.clear();
      for (unsigned lane = first; lane < first + lanes_together; ++lane)
      {
        if ((lanes >> lane & 1u) != 0 && part < bytes[lane])
        {
          const std::uintptr_t at = address[lane] + part;
          for (std::uintptr_t word = at / bank_bytes; word * bank_bytes < at + width; ++word)
          {
            words.push_back(word);
          }
        }
      }
      if (!words.empty())
      {
        sum.needed += wavefronts_for(words);
        ++sum.least; // together they never touch more words than there are banks
      }
    }
  }
  return sum;
}

void traffic_counter::begin_launch()
{
  blocks_.clear();
  places_.clear();
  total_ = {};
}

void traffic_counter::access(const calls::identity& who, const void* place, bool store, const void* address,
                             std::size_t bytes)
{
  const place_key key{place, store};
  place_in_warp& code = blocks_[who.block][who.warp][key];
  const std::uint64_t turn = code.executed[who.lane]++ - code.first_open;
  if (turn == code.open.size())
  {
    code.open.emplace_back();
  }
  instruction& joined = code.open[turn];
  joined.lanes |= 1u << who.lane;
  joined.address[who.lane] = reinterpret_cast<std::uintptr_t>(address);
  joined.bytes[who.lane] = bytes;
  while (!code.open.empty() && code.open.front().lanes == all_lanes)
  {
    count(key, code.open.front());
    code.open.pop_front();
    ++code.first_open;
  }
}

void traffic_counter::end_block(unsigned block)
{
  const auto found = blocks_.find(block);
  if (found == blocks_.end())
  {
    return;
  }
  for (const warp_code& code : found->second)
  {
    for (const auto& [key, place] : code)
    {
      for (const instruction& incomplete : place.open)
      {
        count(key, incomplete);
      }
    }
  }
  blocks_.erase(found);
}

void traffic_counter::end_launch()
{
  while (!blocks_.empty()) // of a launch that failed
  {
    end_block(blocks_.begin()->first);
  }
}

void traffic_counter::count(const place_key& key, const instruction& done)
{
  const wavefront_count wavefronts = done.wavefronts();
  ++(key.store ? total_.stores : total_.loads);
  total_.wavefronts += wavefronts.needed;
  total_.least_wavefronts += wavefronts.least;
  place_total& place = places_[key];
  ++place.instructions;
  place.wavefronts.needed += wavefronts.needed;
  place.wavefronts.least += wavefronts.least;
}

std::string traffic_counter::conflicts() const
{
  std::string text;
  for (const auto& [key, place] : places_)
  {
    if (place.wavefronts.needed > place.wavefronts.least)
    {
      for (const std::string& line : lines_of(key.place))
      {
        text += (text.empty() || text.back() == '\n' ? "" : ", inlined at ") + line;
      }
      text += ": " + std::to_string(place.instructions) + (key.store ? " stores" : " loads") + ", " +
              std::to_string(place.wavefronts.needed) + " wavefronts, at least " + std::to_string(place.wavefronts.least) +
              "\n";
    }
  }
  return text;
}

} // namespace reheat::REHEAT_MACHINE::emulator::accesses
