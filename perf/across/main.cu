// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat-across: what calls across ranks take.
//!
//! On one GPU: a reduction with one rank of NCCL beside the plain one and beside NCCL's own gather, in graphs; and scans of
//! either rank of a pair whose other rank is not there, beside the plain one. On all GPUs, a thread for each: reductions and
//! scans of parts, also by key, and selections; their phases, and the same call on one GPU, undivided.
#include "across/by_key.cuh"
#include "across/engines.cuh"
#include "across/part.cuh"
#include "across/ranks.cuh"
#include "common/device.hpp"
#include "common/program.hpp"

#include <reheat/across/threads.cuh>
#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf
{
namespace
{

using nlohmann::json;

// ---- results ------------------------------------------------------------------------------------------------------------

struct results
{
  json rows = json::array();

  //! `bytes` are those that the algorithm has to move on this rank, or on all.
  void add(json row, double seconds, std::uint64_t bytes)
  {
    row["real_time"] = seconds * 1e6;
    row["time_unit"] = "us";
    row["bytes"] = bytes;
    std::printf("%-44s %12llu items %12.2f us %9.1f GB/s", row["name"].get<std::string>().c_str(),
                static_cast<unsigned long long>(row["items"].get<std::uint64_t>()), seconds * 1e6,
                bytes == 0 ? 0.0 : static_cast<double>(bytes) / seconds * 1e-9);
    for (const char* key : {"more_us", "ratio", "speedup", "bound"})
    {
      if (row.contains(key))
      {
        std::printf("  %s %.3f", key, row[key].get<double>());
      }
    }
    std::printf("\n");
    std::fflush(stdout);
    rows.push_back(std::move(row));
  }
};

// ---- one GPU ------------------------------------------------------------------------------------------------------------

class one_gpu
{
public:
  one_gpu(unsigned launches, results& made) : launches_(launches), made_(made) {}

  //! A reduction with one rank of NCCL: what the call adds to the plain one, and to the plain one and a gather of NCCL's.
  void reductions(std::uint64_t items)
  {
    const communicators comms(1);
    reheat::nccl_ranks ranks(comms[0]);
    const part p(0, items);
    const timing::device_memory record(64), records(64);
    const std::uint64_t bytes = items * sizeof(item);
    const auto gather = [&] { ranks.all_gather(record.data(), records.data(), 64, stream_); };

    const double plain = seconds(items, [&] { reduce(plain_policy(stream_), p); });
    made_.add({{"name", "reduce, plain, in a graph"}, {"items", items}}, plain, bytes);
    const double with_gather = seconds(items,
                                       [&]
                                       {
                                         reduce(plain_policy(stream_), p);
                                         gather();
                                       });
    made_.add({{"name", "reduce, plain, then 64 bytes by NCCL"}, {"items", items}, {"more_us", (with_gather - plain) * 1e6}},
              with_gather, bytes);
    const double across = seconds(items, [&] { reduce(across_policy(ranks, stream_), p); });
    made_.add({{"name", "reduce, across one rank of NCCL"}, {"items", items}, {"more_us", (across - with_gather) * 1e6}},
              across, bytes);
    check_total(p);
  }

  //! A scan of either rank of a pair, without an engine's time.
  void scans_of_a_pair(std::uint64_t items)
  {
    const part p(0, items);
    const std::uint64_t bytes = 2 * items * sizeof(item);
    const double plain = seconds(items, [&] { scan(plain_policy(stream_), p); });
    made_.add({{"name", "inclusive_scan, plain, in a graph"}, {"items", items}}, plain, bytes);
    for (const int rank : {0, 1})
    {
      rank_of_simulated_pair ranks(rank);
      const double across = seconds(items, [&] { scan(across_policy(ranks, stream_), p); });
      made_.add({{"name", "inclusive_scan, rank " + std::to_string(rank) + " of a simulated pair"},
                 {"items", items},
                 {"ratio", across / plain},
                 {"more_us", (across - plain) * 1e6}},
                across, bytes);
      // The other rank sends what this one does; the last rank sends nothing that counts, and so gets nothing.
      timing::check(cudaStreamSynchronize(stream_), "scanning");
      if (const item wrong = p.wrong_items(0))
      {
        throw std::runtime_error(std::to_string(wrong) + " items of a scan are wrong");
      }
    }
  }

private:
  template <class Enqueue>
  double seconds(std::uint64_t items, Enqueue enqueue)
  {
    enqueue();
    timing::check(cudaStreamSynchronize(stream_), "running a call");
    const int calls = items <= std::uint64_t{1} << 22 ? 20 : 2;
    const timing::graph graph(stream_,
                              [&]
                              {
                                for (int i = 0; i < calls; ++i)
                                {
                                  enqueue();
                                }
                              });
    return timing::median(timing::graph_seconds(graph, stream_, launches_, flush_, false)) / calls;
  }
  void check_total(const part& p) const
  {
    timing::check(cudaStreamSynchronize(stream_), "reducing");
    if (p.total_on_host() != p.sum())
    {
      throw std::runtime_error("a reduction across one rank came to a wrong total");
    }
  }

  unsigned launches_;
  results& made_;
  timing::stream stream_;
  timing::l2_flush flush_;
};

// ---- all GPUs -----------------------------------------------------------------------------------------------------------

class all_gpus
{
public:
  all_gpus(int count, int rounds, bool in_graphs, results& made)
      : count_(count), in_graphs_(in_graphs), made_(made), alone_(1, rounds, in_graphs), clock_(count, rounds, in_graphs)
  {}

  //! Ranks of one engine, and `items` in all.
  void measure(const std::string& engine, const std::vector<reheat::ranks*>& ranks, std::uint64_t items)
  {
    std::vector<std::unique_ptr<part>> parts(count_);
    const std::uint64_t each = items / count_;
    std::vector<item> sums(count_);
    on_each_rank(count_,
                 [&](int rank)
                 {
                   parts[rank] = std::make_unique<part>(rank * each, each);
                   sums[rank] = parts[rank]->sum();
                 });
    const int calls = items <= std::uint64_t{1} << 22 ? 50 : items <= std::uint64_t{1} << 28 ? 10 : 3;
    const json facts{{"engine", engine}, {"ranks", count_}, {"items", each * count_}, {"in_graphs", in_graphs_}};
    const auto row = [&](const std::string& name)
    {
      json made = facts;
      made["name"] = engine + ", " + std::to_string(count_) + " ranks: " + name;
      return made;
    };
    const std::uint64_t read = each * count_ * sizeof(item);

    // The phases by themselves.
    std::vector<std::unique_ptr<timing::device_memory>> records(count_);
    on_each_rank(count_, [&](int rank) { records[rank] = std::make_unique<timing::device_memory>(64 + 64 * count_); });
    made_.add(row("gather of 64 bytes"),
              clock_.seconds(calls,
                             [&](int rank, cudaStream_t stream)
                             {
                               std::byte* const record = records[rank]->data();
                               ranks[rank]->all_gather(record, record + 64, 64, stream);
                             }),
              0);
    made_.add(row("reduce of the part alone"),
              clock_.seconds(calls, [&](int rank, cudaStream_t stream) { reduce(plain_policy(stream), *parts[rank]); }),
              read);
    made_.add(row("inclusive_scan of the part alone"),
              clock_.seconds(calls, [&](int rank, cudaStream_t stream) { scan(plain_policy(stream), *parts[rank]); }),
              2 * read);

    // The calls.
    const double reduced = clock_.seconds(calls, [&](int rank, cudaStream_t stream)
                                          { reduce(across_policy(*ranks[rank], stream), *parts[rank]); });
    const double scanned = clock_.seconds(calls, [&](int rank, cudaStream_t stream)
                                          { scan(across_policy(*ranks[rank], stream), *parts[rank]); });
    item total = 0;
    std::vector<item> carries(count_);
    for (int rank = 0; rank < count_; ++rank)
    {
      carries[rank] = total;
      total += sums[rank];
    }
    on_each_rank(count_,
                 [&](int rank)
                 {
                   ranks[rank]->check();
                   if (parts[rank]->total_on_host() != total)
                   {
                     throw std::runtime_error("a reduction over " + engine + " came to a wrong total");
                   }
                   if (const item wrong = parts[rank]->wrong_items(carries[rank]))
                   {
                     throw std::runtime_error(std::to_string(wrong) + " items of a scan over " + engine + " are wrong");
                   }
                   parts[rank].reset();
                   records[rank].reset();
                 });

    // The same, undivided, on the first GPU.
    std::unique_ptr<part> whole;
    on_each_rank(1, [&](int) { whole = std::make_unique<part>(0, each * count_); });
    const double one_reduced =
        alone_.seconds(calls, [&](int, cudaStream_t stream) { reduce(plain_policy(stream), *whole); });
    const double one_scanned = alone_.seconds(calls, [&](int, cudaStream_t stream) { scan(plain_policy(stream), *whole); });
    on_each_rank(1, [&](int) { whole.reset(); });
    made_.add({{"name", "one GPU: reduce"}, {"items", each * count_}, {"in_graphs", in_graphs_}}, one_reduced, read);
    made_.add({{"name", "one GPU: inclusive_scan"}, {"items", each * count_}, {"in_graphs", in_graphs_}}, one_scanned,
              2 * read);

    json reduce_row = row("reduce"), scan_row = row("inclusive_scan");
    reduce_row["speedup"] = one_reduced / reduced;
    reduce_row["bound"] = count_;
    scan_row["speedup"] = one_scanned / scanned;
    scan_row["bound"] = count_ == 1 ? 1.0 : 2.0 * count_ / 3.0;
    made_.add(std::move(reduce_row), reduced, read);
    made_.add(std::move(scan_row), scanned, 2 * read);
  }

  //! The same of calls by key, in runs of 1000 items, and of a selection of about half of the items.
  void measure_by_key(const std::string& engine, const std::vector<reheat::ranks*>& ranks, std::uint64_t items)
  {
    const std::uint64_t each = items / count_, all = each * count_;
    const int calls = items <= std::uint64_t{1} << 22 ? 50 : items <= std::uint64_t{1} << 28 ? 10 : 3;
    std::vector<std::unique_ptr<keyed_part>> parts(count_);
    std::vector<std::unique_ptr<plain_reduction_by_key>> reductions(count_);
    std::vector<item> sums(count_), odd(count_);
    on_each_rank(count_,
                 [&](int rank)
                 {
                   parts[rank] = std::make_unique<keyed_part>(rank * each, each);
                   reductions[rank] = std::make_unique<plain_reduction_by_key>(*parts[rank]);
                   sums[rank] = parts[rank]->sum();
                   odd[rank] = parts[rank]->odd_items();
                 });
    const auto plain = [&](const char* name, auto& clock, const auto& of, auto& reduction)
    {
      return clock.seconds(calls,
                           [&, name = std::string(name)](int rank, cudaStream_t stream)
                           {
                             name == "inclusive_scan_by_key" ? scan_by_key(plain_policy(stream), *of[rank])
                             : name == "reduce_by_key"       ? (*reduction[rank])(stream, *of[rank])
                                                             : plain_select(stream, *of[rank]);
                           });
    };
    struct kind
    {
      const char* name;
      std::uint64_t bytes_of_item; // that one GPU moves
      double bound;                // of what two or more ranks gain, by the bytes that they move
      double alone, across;        // seconds
    };
    const double count = count_;
    kind kinds[] = {{"inclusive_scan_by_key", 12, 12 * count / 20, 0, 0},
                    {"reduce_by_key", 8, count, 0, 0},
                    {"copy_if", 6, count, 0, 0}};
    for (kind& each_kind : kinds)
    {
      each_kind.alone = plain(each_kind.name, clock_, parts, reductions);
    }
    for (kind& each_kind : kinds)
    {
      each_kind.across = clock_.seconds(calls,
                                        [&, name = std::string(each_kind.name)](int rank, cudaStream_t stream)
                                        {
                                          name == "inclusive_scan_by_key"
                                              ? scan_by_key(across_policy(*ranks[rank], stream), *parts[rank])
                                          : name == "reduce_by_key" ? reduce_by_key(*ranks[rank], stream, *parts[rank])
                                                                    : select(*ranks[rank], stream, *parts[rank]);
                                        });
      check_by_key(each_kind.name, ranks, parts, sums, odd);
    }
    on_each_rank(count_,
                 [&](int rank)
                 {
                   reductions[rank].reset();
                   parts[rank].reset();
                 });

    // Undivided, on the first GPU.
    std::vector<std::unique_ptr<keyed_part>> whole(1);
    std::vector<std::unique_ptr<plain_reduction_by_key>> reduction(1);
    on_each_rank(1,
                 [&](int)
                 {
                   whole[0] = std::make_unique<keyed_part>(0, all);
                   reduction[0] = std::make_unique<plain_reduction_by_key>(*whole[0]);
                 });
    for (const kind& each_kind : kinds)
    {
      const std::string name = each_kind.name, before = engine + ", " + std::to_string(count_) + " ranks: ";
      const double undivided = plain(each_kind.name, alone_, whole, reduction);
      const json facts{{"engine", engine}, {"ranks", count_}, {"items", all}, {"in_graphs", in_graphs_}};
      const auto row = [&](const std::string& text)
      {
        json made = facts;
        made["name"] = text;
        return made;
      };
      made_.add(row(before + name + " of the part alone"), each_kind.alone, each_kind.bytes_of_item * all);
      made_.add(row("one GPU: " + name), undivided, each_kind.bytes_of_item * all);
      json across = row(before + name);
      across["speedup"] = undivided / each_kind.across;
      across["bound"] = count_ == 1 ? 1.0 : each_kind.bound;
      made_.add(std::move(across), each_kind.across, each_kind.bytes_of_item * all);
    }
    on_each_rank(1,
                 [&](int)
                 {
                   reduction[0].reset();
                   whole[0].reset();
                 });
  }

private:
  //! Throws if what the latest call has left is wrong.
  void check_by_key(const std::string& name, const std::vector<reheat::ranks*>& ranks,
                    const std::vector<std::unique_ptr<keyed_part>>& parts, const std::vector<item>& sums,
                    const std::vector<item>& odd)
  {
    std::vector<reheat::place_across> places(count_);
    std::vector<item> found(count_);
    std::vector<char> right(count_);
    on_each_rank(count_,
                 [&](int rank)
                 {
                   ranks[rank]->check();
                   const keyed_part& own = *parts[rank];
                   if (name == "inclusive_scan_by_key")
                   {
                     right[rank] = own.wrong_scans() == 0;
                     return;
                   }
                   places[rank] = own.place_on_host();
                   const bool by_key = name == "reduce_by_key";
                   right[rank] = !by_key || own.wrong_keys(places[rank]) == 0;
                   found[rank] = by_key ? own.sum_of_results(places[rank].count) : own.odd_results(places[rank].count);
                 });
    const auto sum = [](const std::vector<item>& of) { return std::accumulate(of.begin(), of.end(), item{0}); };
    bool all_right = std::count(right.begin(), right.end(), 1) == count_;
    if (name != "inclusive_scan_by_key")
    {
      std::uint64_t begin = 0;
      for (const reheat::place_across& place : places)
      {
        all_right = all_right && place.global_index == begin && place.total == places.front().total;
        begin += place.count;
      }
      all_right = all_right && begin == places.front().total && sum(found) == sum(name == "reduce_by_key" ? sums : odd) &&
                  (name == "reduce_by_key" || static_cast<item>(begin) == sum(odd));
    }
    if (!all_right)
    {
      throw std::runtime_error(name + " of " + std::to_string(count_) + " ranks has a wrong result");
    }
  }

  int count_;
  bool in_graphs_;
  results& made_;
  rank_clock alone_, clock_;
};

int start(CLI::App& app, int argc, char** argv)
{
  std::string path;
  std::vector<std::string> engines{"nccl", "threads"};
  std::vector<unsigned> sizes{16, 20, 24, 28, 30};
  int gpus = 0, rounds = 7;
  bool in_graphs = false, only_one = false, only_all = false;
  app.description(
      "Measures calls across ranks: on one GPU what they add to plain calls, and on all GPUs their phases and speed.");
  app.add_option("--json", path, "write the results to this file");
  app.add_option("--engine", engines, "nccl or threads, or both")->delimiter(',')->check(CLI::IsMember({"nccl", "threads"}));
  app.add_option("--log2-items", sizes, "items of all ranks, as powers of two")->delimiter(',')->check(CLI::Range(8, 34));
  app.add_option("--gpus", gpus, "how many GPUs take part; default: all")->check(CLI::Range(1, 64));
  app.add_option("--rounds", rounds, "rounds, whose median is printed")->check(CLI::Range(1, 1000));
  app.add_flag("--graphs", in_graphs, "on all GPUs, over NCCL: capture the calls of each rank into a graph");
  CLI::Option* const one = app.add_flag("--one-gpu", only_one, "only what one GPU shows");
  app.add_flag("--all-gpus", only_all, "only what all GPUs show")->excludes(one);
  app.parse(argc, argv);
  std::string command = "reheat-across";
  for (int i = 1; i < argc; ++i)
  {
    const std::string word = argv[i];
    command += ' ' + (word == path ? word.substr(word.rfind('/') + 1) : word);
  }

  device gpu;
  int found = 0;
  timing::check(cudaGetDeviceCount(&found), "counting GPUs");
  if (gpus > found)
  {
    throw std::runtime_error("--gpus " + std::to_string(gpus) + ": there are " + std::to_string(found));
  }
  gpus = gpus == 0 ? found : gpus;
  int version = 0;
  check_nccl(ncclGetVersion(&version), "ncclGetVersion");
  std::printf("%d x %s, NCCL %d\n", gpus, gpu.name().c_str(), version);

  results made;
  if (!only_all)
  {
    one_gpu on(static_cast<unsigned>(rounds), made);
    for (const unsigned size : {8u, 12u, 16u, 20u, 24u, 28u})
    {
      on.reductions(std::uint64_t{1} << size);
    }
    for (const unsigned size : {8u, 12u, 16u, 18u, 20u, 24u, 28u})
    {
      on.scans_of_a_pair(std::uint64_t{1} << size);
    }
  }
  if (!only_one)
  {
    all_gpus on(gpus, rounds, in_graphs, made);
    for (const std::string& engine : engines)
    {
      if (engine == "threads" && in_graphs)
      {
        continue; // its calls can not be captured
      }
      std::unique_ptr<communicators> comms;
      std::unique_ptr<reheat::thread_group> group;
      std::vector<std::unique_ptr<reheat::ranks>> owned(gpus);
      if (engine == "nccl")
      {
        comms = std::make_unique<communicators>(gpus);
      }
      else
      {
        group = std::make_unique<reheat::thread_group>(gpus);
      }
      on_each_rank(gpus,
                   [&](int rank)
                   {
                     if (comms)
                     {
                       owned[rank] = std::make_unique<reheat::nccl_ranks>((*comms)[rank]);
                     }
                     else
                     {
                       owned[rank] = std::make_unique<reheat::thread_ranks>(*group, rank);
                     }
                   });
      std::vector<reheat::ranks*> ranks;
      for (const auto& each : owned)
      {
        ranks.push_back(each.get());
      }
      for (const unsigned size : sizes)
      {
        on.measure(engine, ranks, std::uint64_t{1} << size);
        on.measure_by_key(engine, ranks, std::uint64_t{1} << size);
      }
      on_each_rank(gpus, [&](int rank) { owned[rank].reset(); });
    }
  }

  if (!path.empty())
  {
    std::ofstream file(path);
    file << json{{"context",
                  {{"gpu", gpu.name()},
                   {"gpus", gpus},
                   {"driver", gpu.driver()},
                   {"cuda", gpu.runtime()},
                   {"nccl", version},
                   {"command", command}}},
                 {"benchmarks", made.rows}}
                .dump(1)
         << '\n';
    if (!file.flush())
    {
      throw std::runtime_error("writing " + path + " failed: is there room, and may it be written?");
    }
  }
  return 0;
}

} // namespace
} // namespace perf

int main(int argc, char** argv)
{
  return perf::run_program("reheat-across", perf::start, argc, argv);
}
