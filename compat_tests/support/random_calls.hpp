// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls that are drawn: algorithm, number of items, addresses, policy, and whether the output lies over the input. Each is
//! compared with what the host makes of the same items, item for item, and so is the memory behind the output.
#pragma once

#include "../../src/family/calls.cuh"
#include "../../src/family/host.hpp"
#include "machine.hpp"
#include "reference.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace compat::drawn
{

//! Where draws come from: a generator, or bytes of a fuzzer.
class choices
{
public:
  virtual ~choices() = default;
  virtual std::uint32_t next() = 0;
  std::uint32_t below(std::uint32_t bound) { return next() % bound; }
  bool one_in(std::uint32_t odds) { return below(odds) == 0; }
};

enum class form
{
  waits,
  nosync,
  allocator
};

struct plan
{
  accelerated::algorithm algorithm = accelerated::algorithm::reduce;
  drawn::form form = form::waits;
  std::size_t size = 0, in_offset = 0, out_offset = 0; //!< in items
  bool in_place = false;
  bool allocator_throws = false;
  accelerated::numbers returned{};

  const accelerated::algorithm_facts& facts() const { return accelerated::facts_of(algorithm); }
  std::string described(const char* type) const
  {
    return std::string(facts().name) + " of " + std::to_string(size) + " " + type + " at " + std::to_string(in_offset) +
           " to " + std::to_string(out_offset) + (in_place ? " in place" : "") + ", form " +
           std::to_string(static_cast<int>(form));
  }
};

//! Calls on items of one type, in memory of their own. One thread uses it, and has one call under way at most.
class caller
{
public:
  virtual ~caller() = default;
  virtual const char* type() const = 0;
  //! A plan with at most `max_items` items; `captured`: one that can be captured.
  virtual plan draw(choices& choose, std::size_t max_items, bool captured) = 0;
  //! Enqueues the input and clears the output. Then the call may be made.
  virtual void prepare(const plan& p, reheat::stream_type where) = 0;
  //! The call, which may throw.
  virtual void call(plan& p, reheat::stream_type where) = 0;
  //! Waits. What is wrong with all that the call has given; empty if nothing is.
  virtual std::string check(const plan& p, reheat::stream_type where) = 0;
};

std::unique_ptr<caller> caller_of_u8(std::size_t max_items);
std::unique_ptr<caller> caller_of_u32(std::size_t max_items);
std::unique_ptr<caller> caller_of_u64(std::size_t max_items);
std::unique_ptr<caller> caller_of_f32(std::size_t max_items);

//! Memory in the order of the stream that it is made for; nothing waits for it.
template <class T>
class stream_allocator
{
public:
  using value_type = T;
  stream_allocator(reheat::stream_type where, bool throws) : where_(where), throws_(throws) {}
  template <class Other>
  stream_allocator(const stream_allocator<Other>& other) : where_(other.where()), throws_(other.throws())
  {}
  T* allocate(std::size_t count)
  {
    if (throws_)
    {
      throw std::bad_alloc();
    }
#if defined(REHEAT_EMULATED)
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(16)));
#else
    void* memory = nullptr;
    require(cudaMallocAsync(&memory, count * sizeof(T), where_), "allocate");
    return static_cast<T*>(memory);
#endif
  }
  void deallocate(T* memory, std::size_t)
  {
#if defined(REHEAT_EMULATED)
    ::operator delete(memory, std::align_val_t(16));
#else
    (void)cudaFreeAsync(memory, where_);
#endif
  }
  reheat::stream_type where() const
  {
    return where_;
  }
  bool throws() const
  {
    return throws_;
  }
  friend bool operator==(const stream_allocator& x, const stream_allocator& y)
  {
    return x.where_ == y.where_;
  }
  friend bool operator!=(const stream_allocator& x, const stream_allocator& y)
  {
    return !(x == y);
  }

private:
  reheat::stream_type where_;
  bool throws_;
};

template <class T>
struct twice
{
  REHEAT_HOST_DEVICE T operator()(T x) const { return static_cast<T>(x + x); }
};
template <class T>
struct times
{
  REHEAT_HOST_DEVICE T operator()(T x, T y) const { return static_cast<T>(x * y); }
};
template <class T>
struct sum
{
  REHEAT_HOST_DEVICE T operator()(T x, T y) const { return static_cast<T>(x + y); }
};
template <class T>
struct equals
{
  T value;
  REHEAT_HOST_DEVICE bool operator()(T x) const { return x == value; }
};
template <class T>
struct differs
{
  T value;
  REHEAT_HOST_DEVICE bool operator()(T x) const { return x != value; }
};
struct is_odd_key
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t key) const { return key % 2 == 1; }
};

//! The operands of calls.cuh. Sums by the standard's operator, whose order the library may change.
template <class T>
struct range
{
  const T *first, *last, *others;
  const std::uint32_t *keys, *keys_last;
  T* out;
  std::uint32_t* keys_out;
  T init, counted, sought;
  equals<T> is_counted, is_sought;
  differs<T> is_not_sought;
  is_odd_key is_flagged{};
  thrust::plus<T> op{};
  twice<T> map{};
  times<T> product{};
  thrust::equal_to<std::uint32_t> equal{};
  thrust::equal_to<T> same{};
  thrust::less<T> less{};

  range(const T* in, std::size_t size, const T* other, const std::uint32_t* key, T* to, std::uint32_t* key_to,
        const T* in_on_host)
      : first(in), last(in + size), others(other), keys(key), keys_last(key + size), out(to), keys_out(key_to), init(3),
        counted(size != 0 ? in_on_host[size / 2] : T(1)),
        sought(size != 0 ? in_on_host[size - 1] : T(1)), is_counted{counted}, is_sought{sought}, is_not_sought{sought}
  {}
};

//! What a call has to give.
template <class T>
struct outcome
{
  accelerated::numbers numbers{};
  std::vector<T> values;
  std::vector<std::uint32_t> keys;
};

template <accelerated::algorithm Which, class T>
outcome<T> expected_of(const range<T>& host)
{
  using accelerated::output;
  constexpr accelerated::algorithm_facts facts = accelerated::facts_of(Which);
  const std::vector<T> items(host.first, host.last);
  const std::vector<std::uint32_t> keys(host.keys, host.keys_last);
  std::vector<T> terms = items;
  for (std::size_t i = 0; i < terms.size(); ++i)
  {
    terms[i] = facts.term == accelerated::term::mapped    ? host.map(terms[i])
               : facts.term == accelerated::term::product ? host.product(terms[i], static_cast<T>(keys[i]))
                                                          : terms[i];
  }
  const sum<T> op;
  outcome<T> result;
  if constexpr (facts.gives_numbers())
  {
    result.numbers = accelerated::numbers_on_host<Which>(host);
  }
  else if constexpr (facts.output == output::total)
  {
    const T total = reduce_reference<T>(terms, host.init, op);
    facts.gives == accelerated::gives::nothing ? result.values.assign(1, total)
                                               : void(result.numbers[0] = static_cast<std::int64_t>(total));
  }
  else if constexpr (facts.selects())
  {
    result.values = accelerated::selected_on_host<Which>(host);
    const auto end = static_cast<std::ptrdiff_t>(result.values.size());
    result.numbers[0] = end;
    if constexpr (facts.output == output::remainder)
    {
      result.values.insert(result.values.end(), items.begin() + end, items.end());
    }
    else if constexpr (facts.output == output::partition)
    {
      const std::vector<T> others = accelerated::selected_on_host<Which, false>(host);
      result.values.insert(result.values.end(), others.begin(), others.end());
    }
  }
  else if constexpr (facts.sorts())
  {
    for (const std::size_t place : accelerated::sorted_on_host<Which>(host))
    {
      result.values.push_back(items[place]);
      if constexpr (facts.writes_keys())
      {
        result.keys.push_back(keys[place]);
      }
    }
  }
  else if constexpr (facts.output == output::run_totals)
  {
    std::tie(result.keys, result.values) = reduce_by_key_reference<T, T>(keys, terms, host.equal, op);
    const auto runs = static_cast<std::int64_t>(result.keys.size());
    result.numbers = {{runs, runs}};
  }
  else
  {
    constexpr bool by_key = facts.group == accelerated::group::by_key;
    if constexpr (facts.output == output::inclusive)
    {
      result.values =
          by_key ? inclusive_by_key_reference<T, T>(keys, terms, host.equal, op) : inclusive_reference<T, T>(terms, op);
    }
    else
    {
      result.values = by_key ? exclusive_by_key_reference<T>(keys, terms, host.init, host.equal, op)
                             : exclusive_reference<T, T>(terms, host.init, op);
    }
    result.numbers[0] = static_cast<std::int64_t>(terms.size());
  }
  return result;
}

namespace // a policy is not visible outside of its translation unit
{

template <class T>
class typed_caller final : public caller
{
public:
  typed_caller(const char* type, std::size_t max_items)
      : type_(type), max_items_(max_items), items_(max_items + room), others_(items_), keys_(items_.size()),
        in_(items_.size()), others_in_(items_.size()), out_(items_.size()), keys_in_(items_.size()),
        keys_out_(items_.size()), host_(items_.size()), host_keys_(items_.size())
  {
    for (std::size_t i = 0; i < items_.size(); ++i)
    {
      items_[i] = static_cast<T>(mix(i) % 4); // sums of floats are exact
      keys_[i] = static_cast<std::uint32_t>(mix(i / (1 + i / 1024 % 40)) % 3);
    }
    others_ = items_;
    for (std::size_t i = 100; i < others_.size(); i += 1000)
    {
      others_[i] = static_cast<T>(others_[i] + T(1));
    }
    copy_bytes(raw(in_), items_.data(), items_.size() * sizeof(T));
    copy_bytes(raw(others_in_), others_.data(), others_.size() * sizeof(T));
    copy_bytes(raw(keys_in_), keys_.data(), keys_.size() * sizeof(std::uint32_t));
  }
  const char* type() const override { return type_; }

  plan draw(choices& choose, std::size_t max_items, bool captured) override
  {
    plan p;
    do
    {
      p.algorithm = accelerated::algorithms[choose.below(accelerated::algorithm_count)];
    } while (captured && (p.facts().gives != accelerated::gives::nothing || p.facts().sorts()));
    const auto most = static_cast<std::uint32_t>(std::min(max_items, max_items_));
    std::uint32_t bits = 0;
    while ((1u << bits) <= most)
    {
      ++bits;
    }
    const std::uint32_t exponent = std::min(choose.below(bits + 1), choose.below(bits + 1));
    p.size = std::min(choose.below(1u << exponent), most); // more small sizes than large ones, which take the host longer
    p.in_offset = choose.below(room / 2);
    p.out_offset = choose.below(room / 2);
    p.in_place = choose.one_in(4) && (p.facts().is_scan() || p.facts().output == accelerated::output::selection);
    p.form = captured ? form::nosync : static_cast<form>(choose.below(3));
    p.allocator_throws = p.form == form::allocator && choose.one_in(8);
    return p;
  }

  void prepare(const plan& p, reheat::stream_type where) override
  {
    fill(raw(out_), looked_at(p) * sizeof(T), where);
    fill(raw(keys_out_), looked_at(p) * sizeof(std::uint32_t), where);
    if (p.in_place)
    {
      copy(raw(out_) + p.out_offset, raw(in_) + p.in_offset, p.size * sizeof(T), where);
    }
  }

  void call(plan& p, reheat::stream_type where) override
  {
    const range<T> r(p.in_place ? raw(out_) + p.out_offset : raw(in_) + p.in_offset, p.size, raw(others_in_) + p.in_offset,
                     raw(keys_in_) + p.in_offset, raw(out_) + p.out_offset, raw(keys_out_) + p.out_offset,
                     items_.data() + p.in_offset);
    stream_allocator<char> allocator(where, p.allocator_throws);
    switch (p.form)
    {
      case form::waits:
        p.returned = call_by(reheat::par.on(where), p.algorithm, r);
        break;
      case form::nosync:
        p.returned = call_by(reheat::par_nosync.on(where), p.algorithm, r);
        break;
      case form::allocator:
        p.returned = call_by(reheat::par_nosync(allocator).on(where), p.algorithm, r);
        break;
    }
  }

  std::string check(const plan& p, reheat::stream_type where) override
  {
    host_.resize(looked_at(p));
    host_keys_.resize(looked_at(p));
    copy(host_.data(), raw(out_), host_.size() * sizeof(T), where);
    copy(host_keys_.data(), raw(keys_out_), host_keys_.size() * sizeof(std::uint32_t), where);
    wait_for(where);
    const range<T> host(items_.data() + p.in_offset, p.size, others_.data() + p.in_offset, keys_.data() + p.in_offset,
                        nullptr, nullptr, items_.data() + p.in_offset);
    outcome<T> expected;
    accelerated::for_each_algorithm(
        [&](auto which)
        {
          if (p.algorithm == which)
          {
            expected = expected_of<which>(host);
          }
        });
    if (p.in_place && expected.values.size() < p.size)
    {
      // What is not overwritten stays.
      const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(p.in_offset);
      expected.values.insert(expected.values.end(), begin + static_cast<std::ptrdiff_t>(expected.values.size()),
                             begin + static_cast<std::ptrdiff_t>(p.size));
    }
    if (p.returned != expected.numbers)
    {
      return p.described(type_) + " returned " + std::to_string(p.returned[0]) + ", " + std::to_string(p.returned[1]) +
             " instead of " + std::to_string(expected.numbers[0]) + ", " + std::to_string(expected.numbers[1]);
    }
    const std::string wrong = first_difference("item ", host_, p.out_offset, expected.values);
    const std::string wrong_key = first_difference("key ", host_keys_, p.out_offset, expected.keys);
    return wrong.empty() && wrong_key.empty() ? "" : p.described(type_) + ": " + wrong + wrong_key;
  }

private:
  static constexpr std::size_t room = 64; // for offsets, and behind the output
  static constexpr unsigned char nothing = 0xcd;

  //! How much of the output's memory.
  static std::size_t looked_at(const plan& p) { return p.out_offset + p.size + room / 2; }

  template <class Policy>
  static accelerated::numbers call_by(const Policy& policy, accelerated::algorithm wanted, const range<T>& r)
  {
    accelerated::numbers returned{};
    accelerated::for_each_algorithm(
        [&](auto which)
        {
          if (wanted == which)
          {
            returned = accelerated::call_numbers<which>(policy, r);
          }
        });
    return returned;
  }

  //! `expected` from `at` on, and nothing else.
  template <class Item>
  static std::string first_difference(const char* what, const std::vector<Item>& actual, std::size_t at,
                                      const std::vector<Item>& expected)
  {
    Item untouched;
    std::memset(static_cast<void*>(&untouched), nothing, sizeof untouched);
    for (std::size_t i = 0; i < actual.size(); ++i)
    {
      const bool inside = i >= at && i - at < expected.size();
      const Item& wanted = inside ? expected[i - at] : untouched;
      if (std::memcmp(&actual[i], &wanted, sizeof(Item)) != 0)
      {
        return what + std::to_string(static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(at)) + " is " +
               std::to_string(actual[i]) + (inside ? " instead of " + std::to_string(wanted) : " and not untouched");
      }
    }
    return "";
  }

#if defined(REHEAT_EMULATED)
  static void fill(void* memory, std::size_t bytes, reheat::stream_type)
  {
    std::memset(memory, nothing, bytes);
  }
  static void copy(void* to, const void* from, std::size_t bytes, reheat::stream_type)
  {
    std::memcpy(to, from, bytes);
  }
  static void wait_for(reheat::stream_type) {}
#else
  static void fill(void* memory, std::size_t bytes, reheat::stream_type where)
  {
    require(cudaMemsetAsync(memory, nothing, bytes, where), "fill");
  }
  static void copy(void* to, const void* from, std::size_t bytes, reheat::stream_type where)
  {
    require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, where), "copy");
  }
  static void wait_for(reheat::stream_type where)
  {
    require(cudaStreamSynchronize(where), "wait for a stream");
  }
#endif

  const char* type_;
  std::size_t max_items_;
  std::vector<T> items_, others_;
  std::vector<std::uint32_t> keys_;
  thrust::device_vector<T> in_, others_in_, out_;
  thrust::device_vector<std::uint32_t> keys_in_, keys_out_;
  std::vector<T> host_;
  std::vector<std::uint32_t> host_keys_;
};

} // namespace

} // namespace compat::drawn
