# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-compare as a user calls it: exit status, messages, table, JSON, on files written here."""

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

COMPAT_TESTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = ""
MPI = []  # mpirun with its options, and the program whose ranks are processes

sys.path.insert(0, os.path.join(os.path.dirname(COMPAT_TESTS), "src", "family"))
import family

# Of every type and operator; of i32 and f32 sums; of i32 and f32, without an operator.
PLAIN = ["reduce", "inclusive_scan", "exclusive_scan"]
# Of i32 and f32, by functions of DeviceReduce and DeviceScan, too.
CLASSES = ["transform_reduce", "min_element", "max_element", "inclusive_scan_by_key", "exclusive_scan_by_key", "reduce_by_key"]
TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"]
MOVES = [each.name for each in family.algorithms() if each.group in ("selections", "sorts")]
SUMS = [each.name for each in family.algorithms() if each.term != "none" and each.name not in PLAIN + MOVES]
SEARCHES = [each.name for each in family.algorithms() if each.term == "none" or each.name in MOVES]


def npy(descr, shape, data, fortran=False, version=1):
    header = "{'descr': %r, 'fortran_order': %r, 'shape': %r, }" % (descr, fortran, shape)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode("latin1") + data


class Runs(unittest.TestCase):
    """What the cases below call the program with."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(data)
        return path

    def run_program(self, *arguments, fault=None, faulty="reheat", stdout=subprocess.PIPE):
        environment = dict(os.environ)
        environment.pop("REHEAT_FAULT", None)
        if fault:
            environment.update(REHEAT_FAULT=fault, REHEAT_FAULTY=faulty)
        return subprocess.run(
            [PROGRAM, *arguments], stdout=stdout, stderr=subprocess.PIPE, env=environment, timeout=300, check=False, text=True
        )

    def agrees(self, *arguments):
        ran = self.run_program(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        self.assertRegex(ran.stdout, r"\b\d+ rows?, all agree\n$")
        return ran.stdout

    def prints(self, *arguments):
        ran = self.run_program(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return ran.stdout

    def rows(self, *arguments):
        ran = self.run_program("--json", *arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        return json.loads(ran.stdout)

    def refuses(self, *arguments, says):
        ran = self.run_program(*arguments)
        self.assertEqual(ran.returncode, 2, ran)
        self.assertEqual(ran.stdout, "")
        self.assertEqual(ran.stderr.count("\n"), 1, "one line: " + ran.stderr)
        self.assertTrue(ran.stderr.startswith(os.path.basename(PROGRAM) + ": "), ran.stderr)
        self.assertIn(says, ran.stderr)


class Command(Runs):
    # ---- what agrees ----

    def test_raw_file_as_every_type_and_operator(self):
        path = self.file("bytes", bytes((i * 7919 + i // 251) % 256 for i in range(4003)))
        made = self.rows("--type", "all", "--op", "all", path)
        self.assertEqual(len(made["rows"]), 3 * 10 * 4)
        self.assertEqual({row["algorithm"] for row in made["rows"]}, set(PLAIN))
        self.assertEqual(made["differing_rows"], 0)
        for row in made["rows"]:
            self.assertTrue(row["agrees"])
            self.assertEqual(row["items"], 4003 // (int(row["type"][1:]) // 8))
            self.assertEqual(row["rule"] == "exact", row["type"][0] != "f" or row["op"] in ("max", "min"))
            self.assertEqual((row["device"]["within_rule"], row["device"]["wrong_positions"]), (True, 0))

    def test_table(self):
        out = self.agrees("--type", "i32", "--algorithm", "reduce", self.file("four", struct.pack("<4i", 1, 2, 3, -4)))
        self.assertRegex(out, r"(?m)^input +algorithm +type +op +items +result")
        self.assertRegex(out, r"(?m)four +reduce +i32 +plus +4 +exact")
        self.assertTrue(out.endswith("1 row, all agree\n"))

    def test_device_runs_what_its_classes_have(self):
        path = self.file("bytes", bytes(range(256)) * 40)
        for items in ("1", "2560"):
            made = self.rows("--algorithm", "all", "--type", "i32,f32", "--items", items, "--offset", "5", path)
            self.assertEqual(made["differing_rows"], 0)
            by_class = [row for row in made["rows"] if "device" in row]
            self.assertEqual({row["algorithm"] for row in by_class}, set(PLAIN + CLASSES))
            self.assertEqual({(row["device"]["within_rule"], row["device"]["wrong_positions"]) for row in by_class}, {(True, 0)})
        lines = self.agrees("--algorithm", "reduce,count", "--type", "i32", path).splitlines()
        heads, reduce, count = (re.split("  +", line.strip()) for line in lines[2:5])
        self.assertEqual(reduce[1], "reduce")
        self.assertNotEqual(reduce[heads.index("device")], "-")
        self.assertEqual(count[heads.index("device")], "-")

    def test_ranks_share_an_input(self):
        path = self.file("words", struct.pack("<1003i", *((i * 7919) % 1009 - 300 for i in range(1003))))
        scans = ["inclusive_scan", "exclusive_scan", "transform_inclusive_scan", "transform_exclusive_scan"]
        by_key = ["inclusive_scan_by_key", "exclusive_scan_by_key", "reduce_by_key"]
        selections = ["copy_if", "remove_copy", "remove_copy_if"]
        others = ["reduce", "transform_reduce", "inner_product", "count", "count_if", "all_of", "any_of", "none_of"]
        extrema = ["min_element", "max_element", "minmax_element"]
        for ranks, items in ((1, 1003), (3, 1003), (4, 2), (7, 5)):
            made = self.rows("--ranks", str(ranks), "--algorithm", "all", "--type", "i32,f32", "--items", str(items), path)
            self.assertEqual({row["algorithm"] for row in made["rows"]}, set(scans + by_key + selections + others + extrema))
            self.assertEqual((made["ranks"], made["differing_rows"]), (ranks, 0))
            self.assertEqual({row["items"] for row in made["rows"]}, {items})
        self.assertIn(": reheat::par across 3 ranks against ", self.agrees("--ranks", "3", path).splitlines()[0])
        self.refuses("--ranks", "0", path, says="--ranks")
        made = self.rows("--ranks", "3", "--type", "all", path)
        self.assertEqual(made["differing_rows"], 0)
        sums = {(row["algorithm"], row["type"]) for row in made["rows"]}
        self.assertEqual(sums, {(name, kind) for name in PLAIN for kind in TYPES})
        self.refuses("--ranks", "3", "--algorithm", "count", "--type", "i64", path, says="count serves i32 and f32, not i64")
        made = self.rows("--ranks", "3", "--op", "max,min", "--type", "all", path)
        self.assertEqual(made["differing_rows"], 0)
        ordered = {(row["algorithm"], row["type"], row["op"]) for row in made["rows"]}
        self.assertEqual(ordered, {(name, kind, op) for name in PLAIN for kind in ("i32", "f32") for op in ("max", "min")})
        one = ("--ranks", "3", "--algorithm", "reduce", "--op")
        self.refuses(*one, "max", "--type", "i64", path, says="--ranks serves max of i32 and f32, not of i64")
        self.refuses(*one, "multiplies", path, says="--ranks serves plus, max and min, not multiplies")
        self.refuses("--ranks", "3", "--algorithm", "sort", path, says="remove_copy and remove_copy_if, not sort")
        self.refuses("--ranks", "3", "--accuracy", path, says="--ranks")
        self.refuses("--ranks", "3", "--bits", says="--ranks")

    def test_defaults_of_a_raw_file_are_i32_and_f32_sums(self):
        made = self.rows(self.file("bytes", bytes(range(256))))
        self.assertEqual(
            sorted({(row["algorithm"], row["type"], row["op"]) for row in made["rows"]}),
            sorted((a, t, "plus") for a in PLAIN for t in ("i32", "f32")),
        )

    def test_every_algorithm(self):
        path = self.file("bytes", bytes((i * 7919 + i // 251) % 256 for i in range(40003)))
        made = self.rows("--algorithm", "all", path)
        expected = [(a, t, "plus") for a in PLAIN + SUMS for t in ("i32", "f32")]
        expected += [(a, t, "-") for a in SEARCHES for t in ("i32", "f32")]
        self.assertEqual(sorted((row["algorithm"], row["type"], row["op"]) for row in made["rows"]), sorted(expected))
        self.assertEqual(made["differing_rows"], 0)
        for row in made["rows"]:
            exact = row["type"] == "i32" or row["algorithm"] in SEARCHES
            self.assertEqual((row["items"], row["rule"]), (10000, "exact" if exact else "absolute error"))

    def test_every_algorithm_of_items_that_are_few_or_all_equal(self):
        for items in ([7], [7, -7], [3] * 600):
            data = struct.pack("<%di" % len(items), *items)
            made = self.rows("--algorithm", "all", self.file("a.npy", npy("<i4", (len(items),), data)))
            self.assertEqual((len(made["rows"]), made["differing_rows"]), (len(PLAIN + SUMS + SEARCHES), 0))

    def test_what_all_stands_for_is_what_there_is(self):
        path = self.file("bytes", bytes(range(64)))

        def rows(*arguments):
            return {(row["algorithm"], row["type"], row["op"]) for row in self.rows(*arguments, path)["rows"]}

        self.assertEqual(rows("--algorithm", "all", "--type", "u8"), {(a, "u8", "plus") for a in PLAIN})
        self.assertEqual(rows("--algorithm", "count", "--type", "all"), {("count", "i32", "-"), ("count", "f32", "-")})
        every_op = rows("--algorithm", "reduce_by_key", "--op", "all", "--type", "i32")
        self.assertEqual(every_op, {("reduce_by_key", "i32", "plus")})
        # An algorithm without an operator runs once, whatever operators the others take.
        self.assertEqual(
            rows("--algorithm", "reduce,count", "--op", "max,min", "--type", "i32"),
            {("reduce", "i32", "max"), ("reduce", "i32", "min"), ("count", "i32", "-")},
        )

    def test_npy_of_every_own_type(self):
        for code, letter in zip("BbHhIiQqfd", ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8")):
            for order in "<>":
                data = struct.pack(order + "6" + code, *range(6))
                made = self.rows(self.file("a.npy", npy(order + letter, (2, 3), data, fortran=True, version=2)))
                self.assertEqual(len(made["rows"]), 3)
                self.assertEqual({row["type"] for row in made["rows"]}, {letter[0] + str(8 * int(letter[1]))})
                self.assertEqual({row["items"] for row in made["rows"]}, {6})

    def test_npy_as_another_type(self):
        made = self.rows("--type", "f32,i16", self.file("a.npy", npy("<f8", (3,), struct.pack("<3d", 1.5, 2.5, -3))))
        self.assertEqual({row["type"] for row in made["rows"]}, {"f32", "i16"})

    def test_items_that_are_not_finite_are_said(self):
        data = struct.pack("<4f", 1, float("nan"), float("inf"), 2)
        self.assertIn("2 non-finite items replaced by zero", self.agrees(self.file("a.npy", npy("<f4", (4,), data))))

    def test_items_limits_every_input(self):
        raw = self.file("raw", bytes(100))
        one = self.file("a.npy", npy("<f8", (9,), bytes(72)))
        made = self.rows("--items", "2^3", "--type", "u8,f64", raw, one)
        self.assertEqual({row["items"] for row in made["rows"]}, {8})
        self.assertEqual(len(made["rows"]), 12)

    def test_offset_skips_bytes_of_raw_files(self):
        path = self.file("raw", bytes([255] * 5 + [1] * 12))
        made = self.rows("--offset", "5", "--type", "i32,u8", "--algorithm", "exclusive_scan", path)
        self.assertEqual([row["items"] for row in made["rows"]], [3, 12])

    def test_random_items(self):
        made = self.rows("--seed", "3", "--items", "5000", "--type", "i8,f64", "--algorithm", "reduce,inclusive_scan")
        self.assertEqual([row["input"] for row in made["rows"]], ["random"] * 4)
        self.assertEqual({row["items"] for row in made["rows"]}, {5000})

    def test_without_a_file(self):
        made = self.rows("--items", "3000")
        self.assertEqual(made["rows"][0]["input"], made["program"] if made["emulated"] else "random")

    def test_a_pipe_is_read_to_its_end_or_as_far_as_asked(self):
        command = "printf 12345678 | '%s' --type u8 --algorithm reduce --json /dev/stdin" % PROGRAM
        ran = subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=True, timeout=300)
        self.assertEqual(json.loads(ran.stdout)["rows"][0]["items"], 8)
        self.assertEqual(self.rows("--items", "1000", "--type", "u8", "/dev/zero")["rows"][0]["items"], 1000)

    def test_json_of_a_name_that_is_not_utf8(self):
        path = os.path.join(os.fsencode(self.folder), b"\xff\xfe")
        with open(path, "wb") as out:
            out.write(bytes(8))
        ran = subprocess.run([PROGRAM, "--json", path], stdout=subprocess.PIPE, check=True, timeout=300)
        json.loads(ran.stdout)

    def test_help_and_version(self):
        shown = self.prints("--help")
        self.assertIn("Examples:", shown)
        for algorithm in PLAIN + SUMS + SEARCHES:
            self.assertRegex(shown, r"(?m)^  %s( |$)" % algorithm)
        self.assertRegex(self.prints("--version"), r"^%s \d+\.\d+\.\d+\n$" % os.path.basename(PROGRAM))

    def test_every_algorithm_that_our_headers_overload_is_there(self):
        sys.path.insert(0, os.path.join(COMPAT_TESTS, "dispatch"))
        import check_overloads

        ours = os.path.join(os.path.dirname(COMPAT_TESTS), "include", "reheat", "thrust_backend")
        offered = re.findall(r"(?m)^  (\w+)(?: .*)?$", self.prints("--help").partition("\nAlgorithms, of")[2])
        self.assertEqual(sorted(offered), sorted(check_overloads.algorithms(ours)))

    def test_times_only_where_something_was_timed(self):
        made = self.rows("--items", "1000", "--algorithm", "reduce", "--type", "i32")
        self.assertEqual("seconds" in made["rows"][0]["reheat"], not made["emulated"])
        out = self.agrees("--items", "1000", "--algorithm", "reduce", "--type", "i32")
        self.assertEqual("emulated" in out.splitlines()[3], made["emulated"])

    def test_accuracy_is_the_distance_to_the_exact_sum(self):
        # The exact sum is 2^24 + 1: a tie. A loop of floats stays at 2^24.
        path = self.file("a.npy", npy("<f4", (4,), struct.pack("<4f", 2.0**24, 0.5, 0.25, 0.25)))
        made = self.rows("--accuracy", path)["rows"]
        self.assertEqual([(row["items"], row["type"], row["sum"]) for row in made], [(4, "f32", 2.0**24 + 1)])
        self.assertEqual((made[0]["condition"], made[0]["loop_ulp"], made[0]["exact_ulp"]), (1, 0.5, 0.5))
        for items, sum_of_them, condition, loop in (((1e300, 1, -1e300, 1), 2, 1e300, 2.0**51), ((5e-324, 5e-324), 1e-323, 1, 0)):
            data = struct.pack("<%dd" % len(items), *items)
            made = self.rows("--accuracy", self.file("b.npy", npy("<f8", (len(items),), data)))["rows"][0]
            self.assertEqual((made["sum"], made["condition"], made["loop_ulp"]), (sum_of_them, condition, loop))
        made = self.rows("--accuracy", self.file("bytes", bytes(range(256)) * 4))["rows"]
        self.assertEqual([(row["type"], row["items"]) for row in made], [("f32", 256), ("f64", 128)])
        self.assertLessEqual(made[0]["exact_ulp"], 0.5)
        lines = self.prints("--accuracy", path).splitlines()
        self.assertIn("condition", lines[2])
        # On the emulator there are no kernels of CUB's, and the first line says so.
        has_cub = os.path.basename(PROGRAM) != "reheat-compare-emulated"
        self.assertEqual(["cub" in lines[2].split(), "CUB's kernels do not run here" not in lines[0]], [has_cub] * 2)
        self.assertEqual([row.get("cub_ulp") is not None for row in made], [has_cub] * 2)
        self.refuses("--accuracy", "--type", "i32", path, says="--accuracy serves f32 and f64, not i32")

    def test_bits_are_printed_beside_those_that_are_recorded(self):
        ran = self.run_program("--bits")
        if os.path.basename(PROGRAM) == "reheat-compare-emulated":
            self.refuses("--bits", says="smaller tiles than a GPU")
        else:
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
            self.assertRegex(ran.stdout, r"(?m)^reduce +f32 +1000 +[0-9a-f]{16} +the same$")
            self.assertRegex(ran.stdout, r"\n(\d+) of \1 rows have the recorded bits\n$")
        self.refuses("--bits", self.file("some", bytes(16)), says="FILE")

    # ---- what is refused ----

    def test_bad_usage(self):
        some = self.file("some", bytes(16))
        self.refuses("--type", "i33", some, says="'i33' is none of u8|i8|")
        self.refuses("--algorithm", "merge", some, says="'merge' is none of reduce|")
        self.refuses("--op", "minus", some, says="'minus' is none of plus|")
        self.refuses("--algorithm", "count", "--type", "u8", some, says="count serves i32 and f32, not u8")
        self.refuses("--algorithm", "reduce,inner_product", "--op", "max", some, says="inner_product serves plus, not max")
        self.refuses("--algorithm", "inner_product", "--op", "max", "--type", "all", some, says="serves plus, not max")
        self.refuses("--op", "-", some, says="--op")
        self.refuses("--nonsense", some, says="--nonsense")
        self.refuses("--items", "0", some, says="--items: must be at least 1")
        self.refuses("--items", "-3", some, says="'-3' is not a number")
        self.refuses("--items", "many", some, says="'many' is not a number")
        self.refuses("--items", "2^99", some, says="'2^99' is too large")
        self.refuses("--repeat", "0", some, says="--repeat")
        self.refuses("--seed", "3", some, says="--seed is for random items")
        self.refuses("--type", says="--type")

    def test_files_that_cannot_be_read(self):
        missing = os.path.join(self.folder, "missing")
        self.refuses(missing, says=missing + ": cannot open it: No such file or directory")
        self.refuses(self.folder, says=self.folder + ": is a directory")
        if os.geteuid() != 0:
            closed = self.file("closed", bytes(16))
            os.chmod(closed, 0)
            self.refuses(closed, says="Permission denied")

    def test_empty_inputs(self):
        self.refuses(self.file("empty", b""), says="empty: it has no bytes")
        self.refuses("/dev/null", says="empty: it has no bytes")
        self.refuses("--type", "f64", self.file("five", bytes(5)), says="empty: its 5 bytes hold no item of f64")
        self.refuses("--offset", "16", self.file("sixteen", bytes(16)), says="empty: it has 16 bytes and --offset skips 16")
        self.refuses(self.file("a.npy", npy("<f4", (3, 0), b"")), says="empty: its shape has no items")

    def test_an_npy_file_of_a_type_that_an_algorithm_does_not_serve(self):
        doubles = self.file("a.npy", npy("<f8", (2,), bytes(16)))
        self.refuses("--algorithm", "count", doubles, says="count serves i32 and f32, not f64; choose one with --type")
        self.assertEqual(len(self.rows("--algorithm", "count", "--type", "f32", doubles)["rows"]), 1)
        self.assertEqual(len(self.rows("--algorithm", "all", doubles)["rows"]), 3)

    def test_damaged_npy(self):
        whole = npy("<f4", (4,), bytes(16))
        self.refuses(self.file("a.npy", whole[:-1]), says="truncated: its header promises 16 bytes of items, it holds 15")
        self.refuses("--items", "1", self.file("a.npy", whole[:-1]), says="truncated")
        self.refuses(self.file("a.npy", whole[:40]), says="truncated: the file ends inside its .npy header")
        self.refuses(self.file("a.npy", whole[:8]), says="truncated")
        self.refuses(self.file("a.npy", b"not one"), says="named .npy but does not begin like one")
        self.refuses(self.file("a", npy([("x", "<i4"), ("y", "<f4")], (2,), bytes(16))), says="structured items")
        self.refuses(self.file("a", npy("<c8", (2,), bytes(16))), says="'<c8' is not supported")
        self.refuses(self.file("a", npy("<f4", (1 << 61,), bytes(16))), says="too large")

    def test_a_bad_file_after_a_good_one_keeps_the_good_ones_rows(self):
        ran = self.run_program("--type", "u8", self.file("good", bytes(16)), self.file("empty", b""))
        self.assertEqual(ran.returncode, 2)
        self.assertIn("3 rows, all agree", ran.stdout)
        self.assertIn("empty: it has no bytes", ran.stderr)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            ran = self.run_program("--type", "u8", self.file("good", bytes(16)), stdout=full)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("cannot write the result", ran.stderr)


class Faults(Runs):
    """For a program that obeys REHEAT_FAULT."""

    def test_a_difference_is_found(self):
        some = self.file("some", bytes(range(64)))
        for fault, says in (
            ("wrong_value", "1 of 16 positions wrong, first at 15: expected "),
            ("not_written", "1 of 16 positions wrong, first at 15: expected "),
            ("wrong_end", "the returned iterator is not the end of the output"),
            ("out_of_bounds", "wrote outside of its output"),
            ("throws", "reheat failed: the kernel deadlocked"),
        ):
            ran = self.run_program("--type", "i32,f32", "--algorithm", "inclusive_scan", some, fault=fault)
            self.assertEqual((ran.returncode, ran.stderr), (1, ""), ran)
            self.assertEqual(ran.stdout.count("DIFFERS"), 2, ran.stdout)
            self.assertIn(says, ran.stdout)
            self.assertTrue(ran.stdout.endswith("2 of 2 rows differ\n"), ran.stdout)
            ran = self.run_program("--json", "--type", "i32", some, fault=fault)
            self.assertEqual(ran.returncode, 1)
            self.assertEqual(json.loads(ran.stdout)["differing_rows"], 3)
        several_runs = self.file("several", bytes(range(64)) * 4)  # of keys, so that every selection selects some items
        made = json.loads(self.run_program("--json", "--algorithm", "all", several_runs, fault="wrong_value").stdout)
        self.assertEqual(made["differing_rows"], 2 * len(PLAIN + SUMS + SEARCHES))
        made = json.loads(self.run_program("--json", "--algorithm", "all", some, fault="wrong_key").stdout)
        self.assertEqual({row["algorithm"] for row in made["rows"] if not row["agrees"]}, {"reduce_by_key", "sort_by_key", "stable_sort_by_key"})
        for faulty, differing in (("device", len(PLAIN)), ("cub", 0)):
            ran = self.run_program("--type", "i32", some, fault="wrong_value", faulty=faulty)
            self.assertEqual((ran.returncode, ran.stdout.count("DIFFERS")), (1 if differing else 0, differing), ran.stdout)
            self.assertEqual(ran.stdout.count(faulty + ": 1 of "), len(PLAIN), ran.stdout)
            made = json.loads(self.run_program("--json", some, fault="wrong_value", faulty=faulty).stdout)
            self.assertEqual({row[faulty]["wrong_positions"] for row in made["rows"]}, {1})
        made = json.loads(self.run_program("--json", "--algorithm", "all", several_runs, fault="wrong_end", faulty="device").stdout)
        self.assertEqual({row["algorithm"] for row in made["rows"] if not row["agrees"]}, set(PLAIN + CLASSES))
        ran = self.run_program(some, fault="no_memory")
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        self.assertIn("out of memory; take fewer items with --items", ran.stderr)


    def test_other_bits_are_found(self):
        ran = self.run_program("--bits", fault="wrong_value")
        self.assertEqual((ran.returncode, ran.stderr), (1, ""), ran)
        self.assertRegex(ran.stdout, r"\n75 of 76 rows have the recorded bits\n$")


class Mpi(Runs):
    def under_mpirun(self, processes, *arguments):
        return subprocess.run([*MPI[:-1], "-np", str(processes), MPI[-1], *arguments], capture_output=True, timeout=60, check=False, text=True)

    def test_processes_print_what_threads_do(self):
        path = self.file("words", struct.pack("<1003i", *((i * 7919) % 1009 - 300 for i in range(1003))))
        for processes, items in ((1, 1003), (3, 1003), (4, 2)):
            arguments = ("--algorithm", "all", "--type", "i32,f32", "--items", str(items), path)
            ran = self.under_mpirun(processes, *arguments)
            self.assertEqual(ran.returncode, 0, ran)
            self.assertEqual(ran.stdout, self.agrees("--ranks", str(processes), *arguments))

    def test_a_file_that_is_not_there_ends_all_processes(self):
        ran = self.under_mpirun(3, os.path.join(self.folder, "missing"))
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran)
        self.assertIn("missing: cannot open it: No such file or directory", ran.stderr)


class NoDevice(Runs):
    def test_it_says_what_to_use_instead(self):
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        self.refuses("--items", "10", says="no CUDA device to run on")
        self.refuses("--items", "10", says="reheat-compare-emulated needs none")
        self.assertIn("Examples:", self.prints("--help"))


def main():
    global PROGRAM, MPI
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    parser.add_argument("--faults", action="store_true", help="the program obeys REHEAT_FAULT")
    parser.add_argument("--no-device", action="store_true", help="only what holds where there is no GPU")
    parser.add_argument("--mpi", action="append", default=[], help="a word of mpirun's command, the program last: only what ranks of MPI do")
    chosen = parser.parse_args()
    PROGRAM = os.path.abspath(chosen.program)
    MPI = chosen.mpi
    cases = [NoDevice] if chosen.no_device else [Mpi] if MPI else [Command, Faults] if chosen.faults else [Command]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in cases)
    ran = unittest.TextTestRunner().run(suite)
    executed = ran.testsRun - len(ran.skipped)
    print("executed %d, skipped %d, expected %d" % (executed, len(ran.skipped), chosen.expected))
    return 0 if ran.wasSuccessful() and executed == (chosen.expected or executed) else 1


if __name__ == "__main__":
    sys.exit(main())
