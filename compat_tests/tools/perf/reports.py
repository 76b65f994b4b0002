# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Cases for the scripts that render one program's results as a block of perf/README.md."""

import pathlib

import cases
import pages

PERF = pathlib.Path(pages.__file__).parents[1]


class Report(cases.Files):
    """`script` is the module <kind>_report, which renders results of reheat-<kind>."""

    script = None
    kind = ""
    context = {"gpu": "A GPU", "driver": "580.1", "cuda": "13.0", "cccl": "3.0.1"}
    strange = ()  # rows that the program does not make
    has_report = True  # all tables are in a file of their own

    def document(self, *rows, **context):
        """A result of the program. A row is a list of entries."""
        entries = [entry for row in rows for entry in row]
        return {"context": {"command": f"reheat-{self.kind}", **self.context, **context}, "benchmarks": entries}

    def call(self, *arguments):
        return cases.call(self.script, *arguments)

    def render(self, *rows, **context):
        status, output, error = self.call(self.file("run.json", self.document(*rows, **context)))
        self.assertEqual((status, error), (0, ""))
        return output

    def test_what_is_no_result_is_refused(self):
        odd = (self.document(row) for row in ([{"name": self.kind}], *self.strange))
        for content in ("{}", "[]", "no JSON", *odd):
            status, output, error = self.call(self.file("odd.json", content))
            self.assertEqual((status, output, error.count("\n")), (2, "", 1), error)
            self.assertIn(f"odd.json is not a result of reheat-{self.kind}", error)

    def test_only_what_is_between_the_marks_changes(self):
        begin, end = pages.marks(self.kind)
        page = self.file("page.md", f"before\n{begin}\nold\n{end}\nafter\n")
        self.assertEqual(self.call(self.file("run.json", self.document()), "--page", page), (0, "", ""))
        text = pathlib.Path(page).read_text(encoding="utf-8")
        self.assertTrue(text.startswith(f"before\n{begin}\nA GPU, driver 580.1"), text)
        self.assertTrue(text.endswith(f"{end}\nafter\n"), text)
        self.assertNotIn("\nold\n", text)
        self.assertEqual("[All tables](run/report.md)" in text, self.has_report)

    def test_a_page_without_marks_is_refused(self):
        status, _, error = self.call(self.file("run.json", self.document()), "--page", self.file("page.md", "nothing"))
        self.assertEqual(status, 2)
        self.assertIn(f"has no {pages.marks(self.kind)[0]}", error)

    def test_the_page_shows_the_recorded_run(self):
        begin, end = pages.marks(self.kind)
        shown = (PERF / "README.md").read_text(encoding="utf-8").partition(begin)[2].partition(end)[0].strip()
        recorded = sorted((PERF / "results").glob(f"*-{self.kind}-*.json"))
        if not recorded:
            self.assertEqual(shown, "No run has been recorded yet.")
            return
        results = self.script.load(recorded[-1])
        if not self.has_report:
            self.assertEqual(shown, self.script.markdown(results))
            return
        self.assertEqual(shown, pages.page_text(recorded[-1], PERF, results, self.script.markdown))
        report = pathlib.Path(pages.report_of(recorded[-1])).read_text(encoding="utf-8")
        self.assertEqual(report, pages.report_text(self.kind, recorded[-1], results, self.script.markdown))
