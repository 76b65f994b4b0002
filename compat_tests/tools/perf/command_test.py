# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-perf as a user calls it, where there is no GPU: names, and messages."""

import os
import shutil
import sys
import tempfile

import cases

ALGORITHMS = {"reduce", "inclusive_scan", "exclusive_scan"}
TYPES = {"i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "complex_f32", "complex_f64", "struct_12"}


IMPLEMENTATIONS = {"reheat", "reheat-serial", "thrust", "thrust-pool", "cub", "limit", "limit-early"}
CUB_NEW = {"cub-new", "cub-new-lookahead"}
OBJECT = "reheat-perf-cub-new.so"  # CUB of another CCCL, beside the program; the build may be without it


class Command(cases.Benchmark):
    name = "reheat-perf"

    def has_cub_new(self):
        return os.path.exists(os.path.join(os.path.dirname(self.program), OBJECT))

    def move_program(self):
        """A copy of the program, alone in a folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = shutil.copy(self.program, folder.name)
        return folder.name

    def test_names_are_seven_parts_of_known_words(self):
        words = (
            ALGORITHMS,
            TYPES,
            {"plus", "max", "last"},
            {"pointer", "device_vector", "misaligned", "transform", "in_place"},
            None,
            {"graph", "graph_foreign", "warm", "cold", "wall", "wall_nosync", "wall_poll"},
            IMPLEMENTATIONS | (CUB_NEW if self.has_cub_new() else set()),
        )
        names = self.names("--full")
        self.assertEqual(len(names), len(set(names)))
        seen = [set() for _ in words]
        for name in names:
            parts = name.split("/")
            self.assertEqual(len(parts), 7, name)
            for found, part in zip(seen, parts):
                found.add(part)
        for found, known in zip(seen, words):
            self.assertEqual(found, known or found)
        self.assertTrue(all(items.isdigit() for items in seen[4]))
        sizes = {2**k for k in range(8, 33)} | {1000, 10**6, 2**16 - 1, 2**16 + 1, 2**31 + 1}
        self.assertLessEqual(sizes, {int(items) for items in seen[4]})

    def test_the_default_set_has_the_headline(self):
        names = set(self.names())
        self.assertLessEqual(names, set(self.names("--full")))
        for algorithm in ("reduce", "inclusive_scan"):
            for kind in TYPES - ({"bf16"} if algorithm == "reduce" else set()):
                for items in (2**16, 2**20, 2**24):
                    self.assertIn(f"{algorithm}/{kind}/plus/pointer/{items}/graph/reheat", names)
        self.assertIn("inclusive_scan/i32/plus/pointer/268435456/graph/cub", names)
        self.assertIn("reduce/i32/plus/pointer/256/wall_poll/limit", names)

    def test_the_quick_set_is_graph_rows_of_both_algorithms(self):
        names = [name.split("/") for name in self.names("--quick")]
        self.assertEqual({name[5] for name in names}, {"graph"})
        self.assertEqual({name[0] for name in names}, {"reduce", "inclusive_scan"})
        self.assertEqual({name[1] for name in names}, {"i8", "i32", "i64", "f32"})
        self.assertEqual({int(name[4]) for name in names}, {2**k for k in range(12, 31, 2)})
        self.assertEqual({name[6] for name in names}, {"reheat", "cub", "limit"})
        self.refuses("--quick", "--full", says="--help shows the usage")

    def test_the_dense_set_is_two_implementations_at_many_sizes(self):
        names = [name.split("/") for name in self.names("--dense")]
        self.assertEqual({(name[0], *name[2:4], name[5]) for name in names}, {("inclusive_scan", "plus", "pointer", "graph")})
        for kind, most in (("i8", 2**33), ("i32", 2**31), ("i64", 2**30)):
            ours, cub = ({int(name[4]) for name in names if (name[1], name[6]) == (kind, who)} for who in ("reheat", "cub"))
            self.assertEqual(ours, cub)
            self.assertGreaterEqual(len(ours), 200)
            self.assertEqual((min(ours), max(ours)), (16, most))
        self.assertEqual({name[6] for name in names}, {"reheat", "cub"})
        for other in ("--full", "--quick"):
            self.refuses("--dense", other, says="--help shows the usage")

    def test_every_row_has_its_limit(self):
        for arguments in ((), ("--quick",), ("--full",)):
            names = self.names(*arguments)
            limits = {name.rpartition("/")[0] for name in names if name.endswith("/limit")}
            self.assertEqual(limits, {name.rpartition("/")[0] for name in names})

    def test_what_can_not_be_measured_has_no_name(self):
        for name in self.names("--full"):
            algorithm, _, operation, source, _, clock, who = name.split("/")
            if algorithm == "reduce":
                self.assertFalse(operation == "last" and who in ("thrust", "thrust-pool", "cub", *CUB_NEW), name)
                self.assertNotEqual(source, "in_place", name)
                self.assertNotEqual(clock, "wall_nosync", name)
                self.assertFalse(who.startswith("thrust") and clock in ("graph", "graph_foreign", "warm"), name)

    def test_a_filter_keeps_the_baselines(self):
        row = "inclusive_scan/i32/plus/pointer/268435456/graph"
        names = self.names("--filter", row + "/reheat")
        others = ("cub-new", "cub-new-lookahead") if self.has_cub_new() else ()
        self.assertEqual(names, [f"{row}/{who}" for who in ("reheat", "thrust", "cub", *others, "limit", "limit-early")])

    def test_whole_calls_of_thrust_come_with_and_without_a_pool(self):
        names = set(self.names())
        for algorithm, clock in (("reduce", "wall"), ("inclusive_scan", "wall"), ("inclusive_scan", "wall_nosync")):
            row = f"{algorithm}/i32/plus/pointer/4096/{clock}"
            self.assertLessEqual({f"{row}/{who}" for who in ("reheat", "thrust", "thrust-pool", "cub", "limit")}, names)

    def test_small_rows_come_without_early_starts_too(self):
        names = set(self.names())
        for items in (2**8, 2**12, 2**20):
            row = f"inclusive_scan/f32/plus/pointer/{items}"
            self.assertLessEqual({f"{row}/graph/reheat-serial", f"{row}/graph_foreign/reheat", f"{row}/graph_foreign/cub"}, names)

    def test_without_the_object_the_other_cub_has_no_rows(self):
        self.move_program()
        self.assertEqual({name.rpartition("/")[2] for name in self.names("--full")}, IMPLEMENTATIONS)

    def test_an_object_that_is_none_is_refused(self):
        with open(os.path.join(self.move_program(), OBJECT), "w", encoding="utf-8") as file:
            file.write("text")
        self.refuses("--list", says="loading the other CCCL failed: ")

    def test_numbers_of_repetitions_that_are_wrong_are_refused(self):
        self.refuses("--repetitions", "0", says="--repetitions")

    def test_without_a_gpu_no_file_is_opened(self):
        self.refuses("--json", "/dev/null/x", says="no CUDA device to measure")


if __name__ == "__main__":
    sys.exit(cases.main([Command], "program"))
