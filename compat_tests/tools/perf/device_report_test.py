# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""device_report.py, on results made up here; and that perf/README.md shows what was recorded."""

import sys

import cases
import device_report
import reports

SUM, SCAN = "DeviceReduce::Sum/i32", "DeviceScan::InclusiveSum/i32"


def row(entry, items, clock, nodes=1, again=None, **times):
    """Entries of one row, times in microseconds. `again`: those of the second measurement."""
    made = []
    for who, time in times.items():
        who = who.replace("_", "-")
        count = nodes if isinstance(nodes, int) else nodes[who]
        made.append({"name": f"{entry}/{items}/{clock}/{who}", "real_time": time, "time_unit": "us", "nodes": count})
        if again:
            made[-1]["again"] = again[who]
    return made


class DeviceReport(reports.Report):
    script, kind = device_report, "device"
    context = {**reports.Report.context, "cccl_of_env": "3.5.0"}
    strange = (row("DeviceSort::Sort/i32", 1000, "graph", reheat=1.0),)

    def test_every_size_stands_beside_cub_and_the_policy(self):
        text = self.render(
            row(SUM, 2**10, "graph", reheat=2.0, cub=3.0, policy=1.9),
            row(SUM, 2**24, "graph", reheat=10.0, cub=9.7, policy=10.0),
            row(SCAN, 2**10, "graph", reheat=2.0, cub=5.0),
        )
        self.assertIn("| `DeviceReduce`, × CUB | 2^10 | 2^24 |", text)
        self.assertIn("| `DeviceReduce::Sum/i32` | 1.50 | **0.97 ▼** |", text)
        self.assertIn("| `DeviceReduce::Sum/i32` | **0.95 ▼** | 1.00 |", text)
        self.assertIn("| `DeviceScan::InclusiveSum/i32` | 2.50 |  |", text)
        self.assertNotIn("`DeviceScan`, × policy", text)
        self.assertIn("| two phases: 0.98 of CUB's speed | 2 of 3 | `DeviceReduce::Sum/i32` 2^24: 0.97 |", text)

    def test_a_row_is_lost_if_it_is_slower_both_times(self):
        text = self.render(row(SUM, 2**10, "graph", again={"reheat": 2.0, "cub": 2.0}, reheat=2.0, cub=1.9))
        self.assertIn("| `DeviceReduce::Sum/i32` | 0.95 |", text)
        self.assertIn("| two phases: 0.98 of CUB's speed | 1 of 1 |  |", text)
        text = self.render(row(SUM, 2**10, "graph", again={"reheat": 2.0, "cub": 1.8}, reheat=2.0, cub=1.9))
        self.assertIn("| `DeviceReduce::Sum/i32` | **0.95 ▼** |", text)
        self.assertIn("| two phases: 0.98 of CUB's speed | 0 of 1 | `DeviceReduce::Sum/i32` 2^10: 0.95 |", text)

    def test_large_inputs_have_a_target_beside_the_policy(self):
        text = self.render(
            row(SUM, 2**22, "graph", reheat=10.0, cub=20.0, policy=9.0),
            row(SUM, 2**24, "graph", reheat=10.0, cub=20.0, policy=9.5),
            row(SUM, 2**26, "graph", reheat=10.0, cub=20.0, policy=9.4),
        )
        self.assertIn("| two phases, from 2^24 items on: 0.95 of the policy's speed | 1 of 2 | `DeviceReduce::Sum/i32` 2^26: 0.94 |", text)

    def test_segments_of_32_items_have_a_target(self):
        by_key = "DeviceReduce::ReduceByKey/segments_{}/i32"
        text = self.render(
            row(by_key.format(32), 2**26, "graph", reheat=10.0, cub=12.9),
            row(by_key.format(32), 2**20, "graph", reheat=10.0, cub=11.0),
            row(by_key.format(4), 2**26, "graph", reheat=10.0, cub=11.0),
        )
        name = by_key.format(32)
        self.assertIn(f"| `{name}`: from 2^24 items on 1.3 × CUB | 0 of 1 | `{name}` 2^26: 1.29 |", text)

    def test_environments_stand_beside_the_policy_and_both_forms_of_cub(self):
        text = self.render(row(SUM, 2**10, "graph", reheat_env=2.0, policy=1.9, cub_new_env=8.0, cub_new=3.0, cub=4.0))
        for other, cell in (("policy", "**0.95 ▼**"), ("cub-new-env", "4.00"), ("cub-new", "1.50"), ("cub", "2.00")):
            self.assertIn(f"| environments, × {other} | 2^10 |\n|---|--:|\n| `{SUM}` | {cell} |", text)
        self.assertIn(f"| environments: 0.98 of the policy's speed | 0 of 1 | `{SUM}` 2^10: 0.95 |", text)
        self.assertNotIn("two phases:", text)

    def test_host_time_depends_on_how_often_cub_launches(self):
        one = row(SUM, 1000, "host", reheat=2.08, cub=2.0)
        two = row(SCAN, 1000, "host", nodes={"reheat": 1, "cub": 2}, reheat=2.7, cub=3.0)
        alike = row(SCAN, 1000000, "host", nodes=2, reheat=9.0, cub=3.0)
        both = row(SUM, 1000, "host_both", reheat=2.5, cub=5.0)
        text = self.render(one, two, alike, both)
        self.assertIn("| host time: at most 1.05 of CUB's | 1 of 1 |  |", text)
        self.assertIn(f"| host time: at most 0.85 of CUB's | 0 of 1 | `{SCAN}` 1000: 1.11 |", text)
        self.assertIn(f"| `{SCAN}` | 1000 | host | 1 / 2 | 2.70 |  | 3.00 |  |  |  | 0.90 |", text)
        self.assertIn(f"| `{SUM}` | 1000 | host_both | 1 / 1 | 2.50 |  | 5.00 |  |  |  | 0.50 |", text)

    def test_failed_rows_are_listed(self):
        failed = {"name": f"{SUM}/1024/graph/reheat", "error_occurred": True, "error_message": "the output is not CUB's"}
        text = self.render([failed], row(SUM, 2**12, "graph", reheat=2.0, cub=3.0))
        self.assertIn(f"**Failed:**\n\n* `{SUM}/1024/graph/reheat`: the output is not CUB's", text)
        self.assertIn("| two phases: 0.98 of CUB's speed | 1 of 1 |  |", text)


if __name__ == "__main__":
    sys.exit(cases.main([DeviceReport]))
