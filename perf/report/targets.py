# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""What the rows of a run of reheat-perf are meant to reach on an NVIDIA H200, and which do."""

from typing import NamedTuple

from measurements import Row

BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}
BYTES |= {"complex_f32": 8, "complex_f64": 16, "struct_12": 12}
KB, MB, GB = 1 << 10, 1 << 20, 1 << 30

# inclusive_scan inside graphs, by bytes of input: from, below, of the limit's speed, then × CUB of 1-, 2-, 4- and 8-byte items.
SCANS = (
    (0, 128 * KB, None, (1.5, 1.5, 1.5, 1.5)),
    (256 * KB, 2 * MB, 0.42, (1.45, 1.3, 1.25, 1.15)),
    (2 * MB, 16 * MB, 0.50, (1.6, 1.4, 1.25, 1.15)),
    (16 * MB, 64 * MB, 0.75, (2.8, 1.7, 1.25, 1.2)),
    (64 * MB, 256 * MB, 0.90, (3.4, 1.9, 1.3, 1.2)),
    (256 * MB, GB, 0.96, (3.7, 2.0, 1.31, 1.2)),
    (GB, None, 0.98, (3.9, 2.05, 1.33, 1.21)),
)
SMALL_SCANS = {4 * KB: 1.5, 64 * KB: 2.0}  # bytes of input: microseconds
SCAN_TYPES = (("i8",), ("i16",), ("i32", "f32"), ("i64", "f64"))
# reduce inside graphs, × CUB, by items.
REDUCTIONS = (
    (("i32", "f32"), {2**14: 1.4, 2**16: 1.4, 2**18: 1.4, 2**20: 1.25, 2**22: 1.15, 2**26: 1.05}),
    (("i8",), {2**20: 1.4, 2**22: 1.4, 2**24: 1.4, 2**26: 1.15, 2**28: 1.06}),
)
KERNEL_MICROSECONDS = 0.5  # of a whole call, beside what its launch, its wait and its kernel take


class Reached(NamedTuple):
    what: str  # rows with the same target
    row: Row
    value: float
    bound: float


def bytes_text(size):
    return next(f"{size // unit} {name}" for unit, name in ((GB, "GB"), (MB, "MB"), (KB, "KB"), (1, "B")) if size >= unit)


def span_text(least, below):
    if below is None:
        return f"from {bytes_text(least)}"
    return f"below {bytes_text(below)}" if least == 0 else f"{bytes_text(least)} – {bytes_text(below)}"


def plain(results, algorithm, kinds, clock="graph"):
    rows = [row for row in results.rows if (row.algorithm, row.clock) == (algorithm, clock) and row.plain() and row.type in kinds]
    return sorted(rows, key=lambda row: (kinds.index(row.type), row.items))


def scans(results):
    for least, below, fraction, ratios in SCANS:
        for kinds, ratio in zip(SCAN_TYPES, ratios):
            for row in plain(results, "inclusive_scan", kinds):
                size = row.items * BYTES[row.type]
                if least <= size and (below is None or size < below):
                    of = f"`inclusive_scan`, {', '.join(kinds)}, {span_text(least, below)}"
                    yield f"{of}: × cub", row, results.ratio(row, "cub"), ratio
                    if fraction is not None:
                        yield f"{of}: of the limit", row, results.limit_fraction(row), fraction
                    if size in SMALL_SCANS:
                        of = f"`inclusive_scan`, {bytes_text(size)}: {SMALL_SCANS[size]} us by its time"
                        own = results.rows[row].get("reheat")
                        yield of, row, SMALL_SCANS[size] / own.microseconds if own else None, 1.0
                    of = "`inclusive_scan`, of 1, 2, 4 and 8 bytes: × cub-new"
                    yield of, row, results.ratio(row, "cub-new"), ratio if size >= 64 * MB else 1.0
    for row in plain(results, "exclusive_scan", tuple(BYTES)):
        inclusive = results.rows.get(row._replace(algorithm="inclusive_scan"), {}).get("reheat")
        own = results.rows[row].get("reheat")
        value = inclusive.microseconds / own.microseconds if inclusive and own else None
        yield "`exclusive_scan`: of the speed of `inclusive_scan`", row, value, 0.98
    others = ((("f16", "bf16"), 256 * MB, 2.0), (("struct_12",), 64 * MB, 2.0), (("complex_f32", "complex_f64"), 64 * MB, 1.2))
    for kinds, least, ratio in others:
        of = f"`inclusive_scan`, {', '.join(kinds)}, {span_text(least, None)}: × cub"
        for row in plain(results, "inclusive_scan", kinds):
            if row.items * BYTES[row.type] >= least:
                yield of, row, results.ratio(row, "cub"), ratio


def reductions(results):
    for kinds, ratios in REDUCTIONS:
        for row in plain(results, "reduce", kinds):
            if row.items in ratios:
                yield f"`reduce`, {', '.join(kinds)}: × cub", row, results.ratio(row, "cub"), ratios[row.items]
    for row in plain(results, "reduce", tuple(BYTES)):
        size = row.items * BYTES[row.type]
        if size >= 256 * MB:
            yield "`reduce`, all types: of the limit", row, results.limit_fraction(row), 0.99 if size >= GB else 0.98


def inputs(results):
    """Beside the same call on aligned pointers."""
    for row in sorted(results.rows, key=lambda row: (row.algorithm, row.type, row.input, row.operation, row.items)):
        size = row.items * BYTES[row.type]
        if row.clock != "graph" or row.plain() or row.algorithm == "exclusive_scan" or size < 256 * KB:
            continue
        if row.operation == "plus":
            scan = row.algorithm != "reduce"
            large = 0.9 if row.input == "transform" else 0.95 if scan else 0.97
            if scan and row.input == "transform" and size < 64 * MB or not scan and size < 64 * MB:
                continue
            bound = large if size >= 64 * MB else 0.85
        elif row.algorithm == "inclusive_scan":
            bound = 0.9
        else:
            continue
        aligned = results.rows.get(row._replace(input="pointer", operation="plus"), {}).get("reheat")
        own = results.rows[row].get("reheat")
        value = aligned.microseconds / own.microseconds if aligned and own else None
        yield f"`{row.algorithm}`, other inputs and operators: of the speed of sums of aligned pointers", row, value, bound


def calls(results):
    """Whole calls of up to 2^16 items."""
    for algorithm, ratio in (("reduce", 2.5), ("inclusive_scan", 1.8), ("exclusive_scan", 1.8)):
        for row in plain(results, algorithm, ("i32",), "wall"):
            if row.items <= 2**16:
                yield f"`{algorithm}`, the whole call: × thrust", row, results.ratio(row, "thrust"), ratio
                times, kernel = results.rows[row], results.rows.get(row._replace(clock="graph"), {}).get("reheat")
                if kernel and "reheat" in times and "limit" in times:
                    least = times["limit"].microseconds + kernel.microseconds + KERNEL_MICROSECONDS
                    value = least / times["reheat"].microseconds
                    yield f"`{algorithm}`, the whole call: of a launch, a wait, the kernel and 0.5 us", row, value, 1.0
        for row in plain(results, algorithm, ("i32",), "wall_nosync"):
            yield f"`{algorithm}`, a call that only enqueues: × thrust", row, results.ratio(row, "thrust"), ratio


def reached(results):
    for part in (scans, reductions, inputs, calls):
        for what, row, value, bound in part(results):
            if value is not None:
                yield Reached(what, row, value, bound)


def section(results, size_text):
    """Of a report: what is met, and each row that misses, with what it reaches."""
    groups = {}
    for each in reached(results):
        groups.setdefault(each.what, []).append(each)
    lines = ["| | met | missed: what is reached, for what |", "|---|--:|---|"]
    for what, all_of in groups.items():
        missed = [each for each in all_of if each.value < each.bound]
        names = [each.row.type] if len({each.row.type for each in all_of}) == 1 else None
        texts = []
        for each in missed:
            parts = [] if names else [each.row.type]
            parts += [] if each.row.plain() else [each.row.operation if each.row.operation != "plus" else each.row.input]
            texts.append(" ".join([*parts, size_text(each.row.items)]) + f": {each.value:.3g} for {each.bound:g}")
        lines.append(f"| {what} | {len(all_of) - len(missed)} of {len(all_of)} | {'; '.join(texts)} |")
    if not groups:
        return ""
    met = sum(each.value >= each.bound for all_of in groups.values() for each in all_of)
    total = sum(map(len, groups.values()))
    head = f"What rows are meant to reach on an NVIDIA H200 ([targets.py](../../targets.py)): {met} of {total} do."
    return "\n\n".join(["## Targets", head, "\n".join(lines)])
