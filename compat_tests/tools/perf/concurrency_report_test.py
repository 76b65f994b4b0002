# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""concurrency_report.py, on results made up here; and that perf/README.md shows what was recorded."""

import sys

import cases
import concurrency_report
import reports


def entry(name, microseconds, **more):
    return {"name": name, "real_time": microseconds, "time_unit": "us", **more}


class ConcurrencyReport(reports.Report):
    script, kind, has_report = concurrency_report, "concurrency", False
    strange = ([entry("party/i32/1024/reheat", 1.0)], [entry("chain/i32/1024/reheat", 1.0)])

    def test_a_chain_is_taken_apart(self):
        ours = entry("chain/i32/4194304/reheat", 25.0, without_consumer=18.0, producer=5.0)
        theirs = entry("chain/i32/4194304/cub", 24.0, without_consumer=18.5, producer=5.0)
        text = self.render([ours, theirs])
        self.assertIn("| 16 MB | 5.00 | 13.00 | 13.50 | 7.00 | 5.50 | 25.00 | 24.00 | **0.96 ▼** |", text)
        self.assertIn("| 1.00 |", self.render([ours, {**theirs, "real_time": 25.1}]))

    def test_a_bystander_stands_beside_itself_alone(self):
        alone = {"alone": 500.0, "pass_alone": 4.0}
        text = self.render(
            [
                entry("bystander/i32/268435456/reheat", 600.0, **{**alone, "pass": 30.0}),
                entry("bystander/i32/268435456/cub", 700.0, **{**alone, "alone": 690.0, "pass": 400.0}),
                entry("bystander_urgent/i32/268435456/reheat", 605.0, **{**alone, "pass": 29.0}),
            ]
        )
        self.assertIn("| 1 GB | `reheat` | 500 | 1.000 | 600 (1.20) | 30.00 (7.50) | 605 (1.21) | 29.00 (7.25) |", text)
        self.assertIn("| 1 GB | `cub` | 690 | 1.380 | 700 (1.01) | 400 (100.00) |  |  |", text)

    def test_latencies_are_by_probe(self):
        text = self.render(
            [
                entry("latency/i32/1073741824/one_block/reheat", 20.4, p95=30.6, max=99.0),
                entry("latency/i32/1073741824/one_block/idle", 8.0, p95=9.0, max=10.0),
                entry("latency/i32/1073741824/132_blocks/reheat", 21.0, p95=31.0, max=100.0),
            ]
        )
        self.assertIn("| us, during 4 GB | `one_block` | `132_blocks` |", text)
        self.assertIn("| `reheat` | 20 / 31 / 99 | 21 / 31 / 100 |", text)
        self.assertIn("| `idle` | 8 / 9 / 10 |  |", text)


if __name__ == "__main__":
    sys.exit(cases.main([ConcurrencyReport]))
