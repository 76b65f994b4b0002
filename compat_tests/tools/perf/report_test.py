# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""report.py and regress.py, on results made up here, and on rows of a run on an NVIDIA H200: recorded.json."""

import json
import os
import pathlib
import re
import sys

import cases
import measurements
import pages
import regress
import report

RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded.json")
ROW = "inclusive_scan/i32/plus/pointer/16777216/graph"
README = "before\n<!-- perf-sentence -->\nold\n<!-- /perf-sentence -->\nbetween\n<!-- perf-table -->\nold\n<!-- /perf-table -->\nafter\n"


def entry(name, microseconds, spread=0.005, **more):
    made = {"name": name, "run_name": name, "run_type": "iteration", "real_time": microseconds, "time_unit": "us"}
    return {**made, "bytes": 134217728.0, "spread": spread, **more}


def document(*entries, gpu="NVIDIA H200", **context):
    return {"context": {"date": "2026-11-21T11:00:00+00:00", "gpu": gpu, "cccl": "3.0.1", **context}, "benchmarks": list(entries)}


def row(reheat=40.0, thrust=60.0, cub=50.0, limit=36.0, name=ROW, **more):
    times = {"reheat": reheat, "thrust": thrust, "cub": cub, "limit": limit}
    return [entry(f"{name}/{who}", time, **more) for who, time in times.items() if time is not None]


class Calls(cases.Files):
    def refuses(self, module, *arguments, says):
        status, out, error = cases.call(module, *arguments)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(error.count("\n"), 1, error)
        self.assertIn(says, error)


class Report(Calls):
    def report(self, *documents):
        paths = [self.file(f"results{i}.json", each) for i, each in enumerate(documents)]
        status, out, error = cases.call(report, *paths, "--no-plots", "--out", os.path.join(self.folder, "made"))
        self.assertEqual((status, error), (0, ""))
        with open(os.path.join(self.folder, "made", "report.md"), encoding="utf-8") as file:
            return file.read()

    def line(self, text, *parts):
        found = [line for line in text.splitlines() if line.startswith("|") and all(part in line for part in parts)]
        self.assertEqual(len(found), 1, (parts, found))
        return [cell.strip() for cell in found[0].strip("|").split("|")]

    def test_a_row_has_its_times_and_ratios(self):
        text = self.report(document(*row()))
        self.assertEqual(self.line(text, "| type |")[0:3], ["type", "items", "moved"])
        cells = self.line(text, "| i32 | 2^24 |")
        self.assertEqual(cells, ["i32", "2^24", "134 MB", "40.00", "60.00", "50.00", "36.00", "3355", "90", "1.25", "1.50"])
        self.assertIn("graph: 1 of 1 rows at least as fast as cub, 0 slower", text)

    def test_what_loses_is_plain_without_colour(self):
        text = self.report(document(*row(reheat=55.0)))
        self.assertIn("| **0.91 ▼** | 1.09 |", text)
        self.assertIn("graph: 0 of 1 rows at least as fast as cub, 1 slower", text)

    def test_unsteady_times_are_marked(self):
        self.assertIn("| 40.00 ~ |", self.report(document(*row(spread=0.021))))
        small = row(name="reduce/i32/plus/pointer/1024/graph", thrust=None, spread=0.04, bytes=4100.0)
        self.assertNotIn("40.00 ~", self.report(document(*small)))
        wall = row(name="reduce/i32/plus/pointer/1024/wall", spread=0.2)
        self.assertNotIn("40.00 ~", self.report(document(*wall)))

    def test_missing_implementations_leave_gaps(self):
        text = self.report(document(*row(), *row(name=ROW.replace("16777216", "1000"), cub=None)))
        self.assertEqual(self.line(text, "| i32 | 1000 |")[5], "")

    def test_other_operators_and_inputs_have_a_table_of_their_own(self):
        text = self.report(document(*row(), *row(name=ROW.replace("plus/pointer", "max/misaligned"))))
        self.assertEqual(self.line(text, "misaligned")[:4], ["i32", "max", "misaligned", "2^24"])
        self.assertEqual(self.line(text, "| i32 | 2^24 |")[0], "i32")

    def test_a_second_cub_is_merged(self):
        newer = document(entry(f"{ROW}/cub-new", 44.0), entry(f"{ROW}/limit", 35.0), cccl="3.2.0")
        text = self.report(document(*row()), newer)
        self.assertEqual(self.line(text, "| i32 | 2^24 |")[3:8], ["40.00", "60.00", "50.00", "44.00", "36.00"])
        self.assertIn("CCCL 3.0.1", text)
        self.assertIn("CCCL 3.2.0", text)

    def test_early_and_ordinary_limits_are_told_apart(self):
        early = entry(f"{ROW}/limit-early", 30.0)
        text = self.report(document(*row(), early))
        self.assertEqual(self.line(text, "| type |")[6:10], ["limit us", "limit-early us", "GB/s", "% of limit"])
        self.assertEqual(self.line(text, "| i32 | 2^24 |")[9], "75")
        self.assertIn("| `inclusive_scan`, of the limit |  |  | 75 % |", text)

    def test_small_inputs_are_shown_without_early_starts(self):
        behind_own, foreign = (f"reduce/i32/plus/pointer/256/{clock}" for clock in ("graph", "graph_foreign"))
        entries = [entry(f"{behind_own}/{who}", time) for who, time in (("reheat", 2.0), ("reheat-serial", 2.5), ("cub", 3.0))]
        entries += [entry(f"{foreign}/{who}", time) for who, time in (("reheat", 4.0), ("cub", 3.0))]
        text = self.report(document(*entries, *row()))
        self.assertEqual(self.line(text, "× cub, behind a foreign kernel")[3:], [f"× cub, {way}" for _, _, way in report.WAYS])
        self.assertEqual(self.line(text, "| `reduce` | i32 | 2^8 |")[3:], ["1.50", "1.20", "**0.75 ▼**"])
        self.assertIn("graph, reheat-serial: 1 of 1 rows at least as fast as cub, 0 slower", text)
        self.assertIn("graph_foreign: 0 of 1 rows at least as fast as cub, 1 slower", text)
        self.assertNotIn("## Small inputs", self.report(document(*row())))

    def test_the_versions_of_all_implementations_are_said(self):
        text = self.report(document(*row(), driver="580.1", cuda="13.0", cccl_of_cub_new="3.5.0"))
        self.assertIn("NVIDIA H200, driver 580.1, CUDA 13.0, CCCL 3.0.1 (`cub-new`: 3.5.0)", text)

    def test_what_misses_its_target_is_listed(self):
        # 64 MB of i32: 1.3 of CUB, 0.9 of the limit. Misaligned: 0.95 of that. Calls of 2^12: 2.5 of Thrust, and no more than
        # a launch and a wait (the limit), the kernel and half a microsecond.
        call, kernel = "reduce/i32/plus/pointer/4096/wall", "reduce/i32/plus/pointer/4096/graph"
        text = self.report(
            document(
                *row(reheat=40.0, cub=50.0, limit=36.0),
                *row(reheat=42.0, name=ROW.replace("pointer", "misaligned")),
                *row(reheat=10.0, thrust=24.0, cub=None, limit=8.0, name=call),
                *row(reheat=1.4, name=kernel),
            )
        )
        self.assertEqual(self.line(text, "i32, f32, 64 MB – 256 MB: × cub")[1:], ["0 of 1", "2^24: 1.25 for 1.3"])
        self.assertEqual(self.line(text, "i32, f32, 64 MB – 256 MB: of the limit")[1:], ["1 of 1", ""])
        self.assertEqual(self.line(text, "`inclusive_scan`, other inputs")[1:], ["1 of 1", ""])
        self.assertEqual(self.line(text, "`reduce`, the whole call: × thrust")[1:], ["0 of 1", "2^12: 2.4 for 2.5"])
        self.assertEqual(self.line(text, "`reduce`, the whole call: of a launch")[1:], ["0 of 1", "2^12: 0.99 for 1"])
        self.assertIn("2 of 5 do.", text)
        self.assertNotIn("## Targets", self.report(document(*row(name=ROW.replace("i32", "i64").replace("plus", "max"), reheat=None))))

    def test_small_scans_exclusive_ones_and_the_newest_cub_have_targets(self):
        # 64 KB: 2 us, and 1.0 of a newer CUB; from 64 MB on as much of that as of the other. Exclusive scans: 0.98 of the speed.
        small, exclusive = ROW.replace("16777216", "16384"), ROW.replace("inclusive", "exclusive")
        newer = document(*[entry(f"{name}/cub-new", time) for name, time in ((small, 2.4), (ROW, 51.0))], cccl="3.2.0")
        text = self.report(document(*row(reheat=2.5, name=small), *row(reheat=40.0), *row(reheat=41.0, name=exclusive)), newer)
        self.assertEqual(self.line(text, "`inclusive_scan`, 64 KB")[1:], ["0 of 1", "2^14: 0.8 for 1"])
        self.assertEqual(self.line(text, "`inclusive_scan`, of 1, 2, 4")[1:], ["0 of 2", "2^14: 0.96 for 1; 2^24: 1.27 for 1.3"])
        self.assertEqual(self.line(text, "`exclusive_scan`: of the speed")[1:], ["0 of 1", "2^24: 0.976 for 0.98"])

    def test_failures_are_listed(self):
        failed = {"name": f"{ROW}/reheat", "error_occurred": True, "error_message": "wrong result: 3 values differ"}
        text = self.report(document(failed, *row(reheat=None)))
        self.assertIn(f"* `{ROW}/reheat`: wrong result: 3 values differ", text)

    def test_what_does_not_belong_together_is_refused(self):
        first, other = self.file("a.json", document(*row())), self.file("b.json", document(*row(), gpu="NVIDIA L4"))
        self.refuses(report, first, other, says="they do not belong in one report")
        self.refuses(report, first, self.file("c.json", document(*row())), says="both measure")

    def test_files_that_are_no_results_are_refused(self):
        self.refuses(report, os.path.join(self.folder, "none.json"), says="No such file")
        self.refuses(report, self.file("text.json", "not json"), says="not JSON")
        self.refuses(report, self.file("else.json", {"context": {}, "benchmarks": []}), says="not written by reheat-perf")
        self.refuses(report, self.file("name.json", document(entry("fast", 1.0))), says='"fast" is no name')

    def test_what_is_measured_twice_is_compared(self):
        twice = document(*row(again=40.5), *row(name="reduce/i8/plus/pointer/64/graph", thrust=None, bytes=65.0))
        twice["benchmarks"][1]["again"] = 61.5
        text = self.report(twice)
        self.assertIn("from 64 MB on: 1 of 4 times within 2%", text)
        self.assertIn(f"the worst by 32.5% (`{ROW}/cub`)".replace("32.5%", "19.0%"), text)
        self.assertIn(f"  * beyond: 2.5%, `{ROW}/thrust`", text)
        self.assertIn("| 60.00 ~ |", text)
        self.assertNotIn("40.00 ~", text)
        self.assertNotIn("below 64 MB", text)
        self.assertNotIn("Measured twice", self.report(document(*row())))

    def test_what_contains_the_hosts_time_has_no_ratio(self):
        rows = row(name="reduce/i32/plus/pointer/1024/cold")
        rows[1]["label"] = "with the host's time"
        cells = self.line(self.report(document(*rows)), "| i32 | 2^10 |")
        self.assertEqual((cells[4], cells[-2:]), ("60.00 h", ["1.25", ""]))

    def test_times_from_elsewhere_are_compared(self):
        results = self.file("results.json", document(*row()))
        reference = self.file("there.csv", f"# of another day\n{ROW}/cub,46.0\n{ROW}/thrust,59.0\n{ROW.replace('i32', 'f32')}/cub,1\n")
        status, out, _ = cases.call(report, results, "--no-plots", "--reference", reference)
        self.assertEqual(status, 0, out)
        with open(os.path.join(self.folder, "results", "report.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(self.line(text, f"`{ROW}/cub`"), [f"`{ROW}/cub`", "134 MB", "46.00", "50.00", "+8.7% ~", ""])
        self.assertEqual(self.line(text, f"`{ROW}/thrust`")[4], "+1.7%")
        self.refuses(report, results, "--reference", self.file("bad.csv", f"{ROW}/cub,fast\n"), says="is not a name and microseconds")
        self.refuses(report, results, "--reference", os.path.join(self.folder, "none.csv"), says="No such file")

    def test_the_limits_of_several_files_are_compared(self):
        newer = document(entry(f"{ROW}/cub-new", 44.0), entry(f"{ROW}/limit", 37.8), cccl="3.5.0")
        self.assertIn("The limit measured with CCCL 3.5.0 is +5.0% from that of the first", self.report(document(*row()), newer))

    def readme(self, *entries, **context):
        """What README becomes."""
        readme = self.file("README.md", README)
        results = self.file("some.json", document(*entries, command="reheat-perf --twice", **context))
        self.assertEqual(cases.call(report, results, "--no-plots", "--readme", readme)[0], 0)
        with open(readme, encoding="utf-8") as file:
            return file.read()

    def test_only_the_table_and_the_sentence_of_a_readme_are_renewed(self):
        text = self.readme(*row(reheat=55.0))
        self.assertTrue(text.startswith("before\n<!-- perf-sentence -->\nreheat is"), text)
        self.assertIn("<!-- /perf-sentence -->\nbetween\n<!-- perf-table -->\n| NVIDIA H200 |", text)
        self.assertTrue(text.endswith("<!-- /perf-table -->\nafter\n"), text)
        self.assertEqual(self.line(text, "of `int32_t`"), ["`inclusive_scan` of `int32_t`", "CUB, GPU time", "", "", "", "", "**0.91 ▼**", ""])
        self.assertIn("CCCL 3.0.1, 2026-11-21. Slower in GPU time: 1 of 1 rows beside CUB 3.0.1.\n[All rows](some/report.md)", text)
        self.assertNotIn("old", text)
        results = self.file("more.json", document(*row()))
        for kept, mark in (("sentence", "table"), ("table", "sentence")):
            bare = self.file("bare.md", f"<!-- perf-{kept} -->\n<!-- /perf-{kept} -->\n")
            status, _, error = cases.call(report, results, "--no-plots", "--readme", bare)
            self.assertEqual(status, 2)
            self.assertIn(f"bare.md has no <!-- perf-{mark} -->", error)

    def test_a_readme_says_how_many_rows_lose_and_beside_which_version(self):
        foreign = ROW.replace("graph", "graph_foreign")
        rows = [*row(), *row(name=ROW.replace("i32", "f32"), reheat=60.0), *row(name=foreign), entry(f"{ROW}/cub-new", 44.0)]
        text = self.readme(*rows, cccl_of_cub_new="3.5.0")
        self.assertEqual(self.line(text, "behind another kernel")[6], "1.25")
        self.assertIn("Slower in GPU time: 1 of 3 rows beside CUB 3.0.1 and 0 of 1 rows beside CUB 3.5.0.\n", text)

    def test_a_readmes_sentence_has_the_range_of_whole_calls(self):
        calls = [("reduce/i32/plus/pointer/256", 10.0, 32.0), ("reduce/i32/plus/pointer/4096", 10.0, 14.0), ("reduce/i32/plus/pointer/1000", 1.0, 9.0)]
        calls += [("inclusive_scan/i32/plus/pointer/256", 10.0, 9.0)]
        rows = [each for name, ours, thrust in calls for each in row(reheat=ours, thrust=thrust, cub=None, limit=None, name=f"{name}/wall")]
        begin = "reheat is an execution policy that makes Thrust's reductions and scans faster"
        first = "on an NVIDIA H200, `thrust::reduce` of `int32_t` is 1.4 to 3.2 times as fast as with `thrust::device`"
        self.assertIn(f"\n{begin}: {first}, and `thrust::inclusive_scan` is 0.9 to 0.9 times as fast.\n", self.readme(*rows))
        self.assertIn(f"\n{begin}.\n", self.readme(*row()))

    def sweep(self, **of_size):
        """80 sizes of i8, of which some have other times: (reheat, cub, reheat again, cub again)."""
        entries = []
        for items in range(1000, 1080):
            ours, cub, ours_again, cub_again = of_size.get(f"of_{items}", (10.0, 12.0, 10.0, 12.0))
            name = f"inclusive_scan/i8/plus/pointer/{items}/graph"
            entries += [entry(f"{name}/reheat", ours, again=ours_again), entry(f"{name}/cub", cub, again=cub_again)]
        return document(*entries)

    def test_of_a_dense_sweep_only_what_loses_each_time_is_listed(self):
        times = {"of_1003": (10.0, 9.7, 10.0, 9.75), "of_1004": (10.0, 9.7, 10.0, 9.9), "of_1005": (10.0, 9.81, 10.0, 9.0)}
        text = self.report(self.sweep(**times))
        cells = self.line(text, "| `inclusive_scan` | i8 |")
        self.assertEqual(cells[2:], ["1003", "134 MB", "10.00", "9.70", "**0.970 ▼**", "**0.975 ▼**"])
        self.assertIn("* inclusive_scan of i8: 79 of 80 sizes at least at 0.98 of cub's speed, 1 behind; ratios from 0.97 to 1.20", text)
        self.assertIn("differs by 0.0% at the median, by less than 0.0% at 95 % of the sizes; 1 were behind the first time alone", text)
        self.assertNotIn("### GPU time", text)
        self.assertIn("None is behind.", self.report(self.sweep()))

    def test_a_sweep_leaves_other_rows_their_tables(self):
        both = self.sweep()
        both["benchmarks"] += row()
        text = self.report(both)
        self.assertEqual(self.line(text, "| i32 | 2^24 |")[3], "40.00")
        self.assertIn("graph: 1 of 1 rows at least as fast as cub, 0 slower", text)
        self.assertIn("80 of 80 sizes", text)

    def test_a_sweep_is_drawn(self):
        folder = os.path.join(self.folder, "drawn")
        path = self.file("sweep.json", self.sweep(of_1003=(10.0, 9.7, 10.0, 9.75)))
        self.assertEqual(cases.call(report, path, "--out", folder)[0], 0)
        self.assertEqual(set(os.listdir(folder)), {"report.md", "inclusive_scan_i8_sweep.png", "inclusive_scan_i8_sweep.svg"})
        with open(os.path.join(folder, "report.md"), encoding="utf-8") as file:
            self.assertIn("](inclusive_scan_i8_sweep.svg)", file.read())

    def test_the_readmes_table_is_what_its_command_makes(self):
        root = pathlib.Path(__file__).resolve().parents[3]
        with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(root, "perf", "README.md"), encoding="utf-8") as file:
            command = re.search(r"^python3 perf/report/report.py (--readme README.md (?:.*\\\n)*.*)", file.read(), re.M).group(1)
        files = [word for word in command.replace("\\\n", " ").split() if word.endswith(".json")]
        self.assertNotEqual(files, [])
        made = measurements.merge([os.path.join(root, each) for each in files])
        for part, made_of_it in (("sentence", report.readme_sentence(made)), ("table", report.readme_figures(made, os.path.splitext(files[0])[0]))):
            begin, end = pages.marks("perf", part)
            self.assertEqual(text.partition(f"{begin}\n")[2].partition(f"\n{end}")[0], made_of_it)

    def test_a_recorded_run_is_drawn(self):
        folder = os.path.join(self.folder, "drawn")
        status, out, error = cases.call(report, RECORDED, "--out", folder)
        self.assertEqual((status, error), (0, ""), out)
        made = set(os.listdir(folder))
        for picture in ("inclusive_scan_throughput", "inclusive_scan_ratios", "inclusive_scan_host_time", "reduce_throughput"):
            self.assertLessEqual({f"{picture}.png", f"{picture}.svg"}, made)
            self.assertGreater(os.path.getsize(os.path.join(folder, f"{picture}.png")), 10000)
        self.assertIn("headline.png", made)
        with open(os.path.join(folder, "report.md"), encoding="utf-8") as file:
            text = file.read()
        for picture in made - {"report.md"}:
            if picture.endswith(".svg"):
                self.assertIn(f"]({picture})", text)

    def test_a_recorded_run_has_its_figures(self):
        with open(RECORDED, encoding="utf-8") as file:
            text = self.report(json.load(file))
        section = text[text.index("## inclusive_scan") : text.index("### Host time")]
        cells = self.line(section, "| i32 | 2^28 |")
        self.assertEqual(cells[2:], ["2.15 GB", "520.2", "682.5", "682.7", "503.8", "4128", "97", "1.31", "1.31"])
        self.assertIn("cold: 1 of 2 rows at least as fast as cub, 1 slower", text)


class Regress(Calls):
    def regress(self, old, new, *options):
        return cases.call(regress, self.file("old.json", document(*old)), self.file("new.json", document(*new)), *options)

    def test_within_the_spread_nothing_moved(self):
        status, out, _ = self.regress(row(spread=0.1), row(reheat=43.0, spread=0.01))
        self.assertEqual((status, out), (0, "1 rows of reheat compared, 0 moved by more than their spread, 0 regressed\n"))

    def test_a_regression_is_one_beyond_the_percentage(self):
        status, out, _ = self.regress(row(), row(reheat=42.0))
        self.assertEqual(status, 1)
        self.assertIn(f"slower by more than 3 %:\n    +5.0%       40.00 ->      42.00 us  (spread 0.5%)  {ROW}/reheat", out)
        status, out, _ = self.regress(row(), row(reheat=42.0), "--percent", "6")
        self.assertEqual(status, 0)
        self.assertIn("slower:\n", out)
        self.assertEqual(self.regress(row(), row(reheat=30.0))[0], 0)

    def test_what_starts_serially_is_reheats_too(self):
        old, new = ([entry(f"{ROW}/reheat-serial", time)] for time in (40.0, 42.0))
        status, out, _ = self.regress(old, new)
        self.assertEqual(status, 1)
        self.assertIn("1 rows of reheat compared, 1 moved by more than their spread, 1 regressed", out)

    def test_a_baseline_that_moved_is_no_regression(self):
        status, out, _ = self.regress(row(), row(cub=70.0))
        self.assertEqual(status, 0)
        self.assertIn("the machine or what is installed there differs:\n   +40.0%", out)

    def test_tables_of_type_by_size(self):
        old = [*row(), *row(name=ROW.replace("16777216", "4096")), *row(name=ROW.replace("i32", "i8"))]
        new = [*row(reheat=32.0), *row(name=ROW.replace("16777216", "4096"))]
        status, out, _ = self.regress(old, new, "--table")
        lines = [line.split() for line in out.splitlines()]
        self.assertEqual(lines[:3], [lines[0], ["2^12", "2^24"], ["inclusive_scan", "i32", "1.00~", "1.25"]])
        self.assertIn(["inclusive_scan", "i32", "1.25", "1.56"], lines)
        self.assertIn(["inclusive_scan", "i32", "0.90", "1.12"], lines)
        self.assertEqual(status, 0)

    def test_a_recorded_run_has_not_moved_from_itself(self):
        status, out, error = cases.call(regress, RECORDED, RECORDED, "--table")
        self.assertEqual((status, error), (0, ""))
        self.assertIn("0 moved by more than their spread, 0 regressed", out)

    def test_what_can_not_be_compared_is_refused(self):
        old = self.file("old.json", document(*row()))
        self.refuses(regress, old, self.file("b.json", document(*row(), gpu="NVIDIA L4")), says="b.json of an NVIDIA L4")
        self.refuses(regress, old, self.file("c.json", document(*row(name="reduce/i8/plus/pointer/9/cold"))), says="in common")


if __name__ == "__main__":
    sys.exit(cases.main([Report, Regress]))
