# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-device as a user calls it, where there is no GPU: names, and messages."""

import sys

import cases

SIZES = {2**power for power in range(8, 29, 2)}
QUICK_SIZES = {2**10, 2**16, 2**20, 2**24}
REDUCTIONS = ("Reduce", "Sum", "Min", "Max", "ArgMin", "ArgMax", "TransformReduce", "ReduceByKey")
SCANS = ("Sum", "Scan", "SumByKey", "ScanByKey")
ENTRY_POINTS = {f"DeviceReduce::{name}" for name in REDUCTIONS} | {"DeviceScan::InclusiveScanInit"}
ENTRY_POINTS |= {f"DeviceScan::{kind}{name}" for kind in ("Inclusive", "Exclusive") for name in SCANS}
SELECTIONS = {f"DeviceSelect::{name}" for name in ("If", "Flagged", "FlaggedIf", "Unique", "UniqueByKey")}
SELECTIONS |= {"DevicePartition::If", "DevicePartition::Flagged", "DeviceRunLengthEncode::Encode", "DeviceRunLengthEncode::NonTrivialRuns"}
ENTRY_POINTS |= SELECTIONS
TYPES = {"i8", "i8_i32", "f16", "f32", "i32", "i64", "f64"}


class DeviceCommand(cases.Benchmark):
    name = "reheat-device"

    def rows(self, *arguments):
        """{(entry, types, items, clock): implementations}"""
        found = {}
        for name in self.names(*arguments):
            entry, types, items, clock, who = name.rsplit("/", 4)
            found.setdefault((entry, types, int(items), clock), set()).add(who)
        return found

    def test_every_reduction_and_scan_of_cub_3_0_is_there(self):
        self.assertEqual({row[0].partition("/")[0] for row in self.rows()}, ENTRY_POINTS)
        variants = {row[0] for row in self.rows()}
        self.assertLessEqual({"DeviceReduce::ArgMin/KeyValuePair", "DeviceReduce::ArgMax/KeyValuePair"}, variants)
        self.assertLessEqual({"DeviceScan::ExclusiveScan/plus", "DeviceScan::ExclusiveScan/FutureValue"}, variants)
        self.assertLessEqual({"DeviceReduce::ReduceByKey/segments_4", "DeviceReduce::ReduceByKey/segments_32"}, variants)

    def test_reheat_stands_beside_cub_at_every_size(self):
        rows = self.rows()
        for entry, types in {row[:2] for row in rows}:
            for size in SIZES:
                self.assertLessEqual({"reheat", "cub"}, rows[entry, types, size, "graph"], entry)
        self.assertEqual({row[2] for row in rows if row[3] == "graph"}, SIZES)
        self.assertEqual({row[2] for row in self.rows("--quick") if row[3] == "graph"}, QUICK_SIZES)

    def test_sums_have_rows_of_other_types(self):
        types = {}
        for row in self.rows():
            types.setdefault(row[0], set()).add(row[1])
        self.assertEqual(types["DeviceReduce::Sum"], TYPES)
        self.assertEqual(types["DeviceScan::InclusiveSum"], TYPES)
        self.assertEqual(types["DeviceScan::ExclusiveSum"], TYPES | {"u8_i32"})

    def test_selections_have_parts_runs_and_types(self):
        found = {row[:2] for row in self.rows() if row[0].partition("/")[0] in SELECTIONS}
        all_types = ("i8", "i32", "i64")
        expected = {(f"DeviceSelect::If/{part}", types) for part in ("a_tenth", "half", "nine_tenths") for types in all_types}
        expected |= {("DevicePartition::If/half", types) for types in all_types} | {("DevicePartition::If/thirds", "i32")}
        flagged = ("DeviceSelect::Flagged", "DeviceSelect::FlaggedIf", "DevicePartition::Flagged")
        expected |= {(f"{entry}/half", "i32") for entry in flagged}
        of_runs = ("DeviceSelect::Unique", "DeviceSelect::UniqueByKey", "DeviceRunLengthEncode::Encode", "DeviceRunLengthEncode::NonTrivialRuns")
        expected |= {(f"{entry}/runs_{items}", types)
                     for entry in of_runs for items in (1, 4, 100)
                     for types in (("i32",) if entry == "DeviceSelect::UniqueByKey" else all_types)}
        self.assertEqual(found, expected)

    def test_selections_stand_beside_the_limit_inside_graphs(self):
        for row, implementations in self.rows().items():
            is_selection = row[0].partition("/")[0] in SELECTIONS
            self.assertEqual("limit" in implementations, is_selection and row[3] == "graph", row)

    def test_what_only_enqueues_stands_beside_a_policy(self):
        for row, implementations in self.rows().items():
            waits = row[0].startswith(("DeviceReduce::Arg", "DeviceReduce::ReduceByKey", "DeviceSelect", "DevicePartition",
                                       "DeviceRunLengthEncode"))
            self.assertEqual("policy" in implementations, not waits and row[3] != "host_both", row)

    def test_host_time_is_that_of_the_second_phase_and_of_both(self):
        rows = self.rows()
        for clock in ("host", "host_both"):
            self.assertEqual({row[2] for row in rows if row[3] == clock}, {1000, 1000000})
            self.assertEqual({row[0] for row in rows if row[3] == clock}, {row[0] for row in rows})

    def test_a_filter_keeps_what_is_measured_beside_a_match(self):
        row = "DeviceScan::InclusiveSum/f32/16777216/graph"
        self.assertEqual(self.names("--filter", row + "/reheat$"), [f"{row}/{who}" for who in ("reheat", "policy", "cub")])
        self.assertEqual(self.names("--filter", row + "/reheat$", "--without", "policy,cub"), [f"{row}/reheat"])


if __name__ == "__main__":
    sys.exit(cases.main([DeviceCommand], "program"))
