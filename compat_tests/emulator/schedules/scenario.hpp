// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scenarios: small calls through the public interface, each under a device, a size and a schedule drawn from one seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace schedules
{

//! The random choices of one run; the same seed makes the same ones.
class draw
{
public:
  explicit draw(std::uint64_t seed) : bits_(seed) {}
  std::size_t below(std::size_t limit) { return bits_() % limit; }
  bool flip() { return below(2) != 0; }
  //! Up to `tiles` tiles: at a boundary, beside one, or anywhere.
  std::size_t items(std::size_t tile, std::size_t tiles)
  {
    const std::size_t at = (1 + below(tiles)) * tile;
    switch (below(4))
    {
      case 0:
        return at;
      case 1:
        return at - 1;
      case 2:
        return at + 1;
      default:
        return 1 + below(tiles * tile);
    }
  }

private:
  std::mt19937_64 bits_;
};

struct scenario
{
  const char* name;
  const char* protocols;            //!< of simt/fault.cuh, those that it puts to the test, separated by spaces
  std::string (*run)(draw& choose); //!< what is wrong with the result, or nothing
};

//! Of the sources of these names.
namespace across
{
const std::vector<scenario>& scenarios();
}
namespace scan
{
const std::vector<scenario>& scenarios();
}
namespace reduce
{
const std::vector<scenario>& scenarios();
}
namespace family
{
const std::vector<scenario>& scenarios();
}
namespace selections
{
const std::vector<scenario>& scenarios();
}
namespace sort
{
const std::vector<scenario>& scenarios();
}
namespace uniques
{
const std::vector<scenario>& scenarios();
}
namespace run_length_encode
{
const std::vector<scenario>& scenarios();
}
namespace device
{
const std::vector<scenario>& scenarios();
}
namespace segmented
{
const std::vector<scenario>& scenarios();
}
namespace ladder_scan
{
const std::vector<scenario>& scenarios();
}
namespace ladder_reduce
{
const std::vector<scenario>& scenarios();
}

} // namespace schedules
