#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""check_machine_code.py's reading of listings, and what it refuses."""

import collections
import contextlib
import io
import unittest

import check_machine_code


def kernel(name, stack=0, stores=0, **accesses):
    """With underscores for the points of instructions."""
    opcodes = collections.Counter({opcode.replace("_", "."): count for opcode, count in accesses.items()})
    return check_machine_code.Kernel(90, name, 32, stack, stores, stores, opcodes)


COMMON = [
    kernel("reduce_kernel<", LD_E_STRONG_GPU=1, ST_E_STRONG_GPU=3, ST_E_64_STRONG_GPU=10, ATOM_E_ADD_STRONG_GPU=1),
    kernel("segmented_reduce_kernel<", ST_E=4, ST_E_U8_STRONG_SM=6),
    kernel("sort_pass_kernel<", LD_E_64_STRONG_GPU=8),
    kernel("sort_spread_buckets_kernel<", LD_E=12),
]


class Accesses(unittest.TestCase):
    def wrong(self, *kernels):
        with contextlib.redirect_stdout(io.StringIO()):
            return check_machine_code.report_accesses([*kernels])

    def assert_refused(self, refused, what):
        (wrong,) = self.wrong(*COMMON, refused)
        self.assertIn(what, wrong.text)
        self.assertIn(refused.name, wrong.text)

    def test_what_is_explained_is_accepted(self):
        self.assertEqual(self.wrong(*COMMON), [])

    def test_what_is_not_explained_is_refused(self):
        self.assert_refused(kernel("some_kernel", LD_E=1), "1 of LD.E, which is not explained")
        self.assert_refused(kernel("some_kernel", ATOMG_E_CAS_64_STRONG_GPU=1), "which is not explained")
        self.assert_refused(kernel("some_kernel", ST_E_U8_STRONG_SM=6), "which is not explained")

    def test_more_than_is_explained_is_refused(self):
        self.assert_refused(kernel("some_kernel", LD_E_STRONG_GPU=3), "3 of LD.E.STRONG.GPU, more than is explained")

    def test_local_memory_is_refused_but_for_spills(self):
        self.assert_refused(kernel("some_kernel", STL=2), "uses local memory")
        self.assert_refused(kernel("some_kernel", stack=16), "a stack of 16 bytes")
        self.assertEqual(self.wrong(*COMMON, kernel("some_kernel", stack=8, stores=4, STL=1, LDL=1)), [])

    def test_an_explanation_that_nothing_needs_is_refused(self):
        wrong = self.wrong(COMMON[0], *COMMON[2:], kernel("segmented_reduce_kernel<", ST_E=4))
        self.assertEqual(len(wrong), 2)
        for one in wrong:
            self.assertIn("no kernel has it", one.text)

    def test_a_predicate_of_a_clamp_is_refused(self):
        listing = """
.text.clamps:
        /*0000*/                   VIMNMX.RELU R99, P1, P1, R6, 0x4, PT ;
        /*0010*/              @!P0 VIMNMX.RELU R7, P0, P0, R2, UR6, PT ;
.text.others:
        /*0000*/                   VIMNMX.RELU R7, R2, 0x4, PT ;
        /*0010*/                   VIMNMX.RELU R7, PT, PT, R2, 0x4, !PT ;
        /*0020*/                   VIMNMX R7, P0, P0, R2, 0x4, PT ;
"""
        accesses = check_machine_code.accesses_in(listing)
        self.assertEqual(accesses, {"clamps": {check_machine_code.CLAMP: 2}, "others": {}})
        refused = check_machine_code.Kernel(90, "some_kernel", 32, 0, 0, 0, accesses["clamps"])
        self.assert_refused(refused, "2 of a clamp's predicate, which is not explained")

    def test_only_what_follows_from_the_compiler_is_left_to_another_version(self):
        def is_error(wrong, release):
            with contextlib.redirect_stdout(io.StringIO()):
                return check_machine_code.report(wrong, f"Cuda compilation tools, release {release}, V1")

        for refused, of_compiler in ((kernel("some_kernel", LD_E=1), True), (kernel("some_kernel", STL=2), True),
                                     (kernel("some_kernel", ATOMG_E_CAS_64_STRONG_GPU=1), False),
                                     (kernel("some_kernel", **{check_machine_code.CLAMP: 1}), False)):
            wrong = self.wrong(*COMMON, refused)
            self.assertTrue(is_error(wrong, check_machine_code.RELEASE))
            self.assertEqual(is_error(wrong, "12.4"), not of_compiler)
        all_of_them = [kernel(name) for name in check_machine_code.KERNELS]
        self.assertEqual(check_machine_code.report_missing(all_of_them, [90]), [])
        for architectures, found in (([90], all_of_them[1:]), ([90, 100], all_of_them), ([90], [])):
            self.assertTrue(is_error(check_machine_code.report_missing(found, architectures), "12.4"))
        self.assertFalse(is_error([], "12.4"))

    def test_a_listing_is_read_kernel_by_kernel(self):
        listing = """
.text.one:
        /*0000*/                   LDG.E R2, desc[UR4][R2.64] ;
        /*0010*/              @!P0 ATOMS.CAST.SPIN.64 P1, [R4], R6, R8 ;
        /*0020*/                   ATOMS.CAS R2, [R3], R4, R5 ;
.text.two:
        /*0000*/               @P2 LD.E.64 R2, desc[UR4][R2.64] ;
        /*0010*/                   STL.64 [R1], R2 ;
        /*0020*/              @UP0 LD.E.64 R2, desc[UR4][R2.64] ;
"""
        self.assertEqual(check_machine_code.accesses_in(listing),
                         {"one": {"ATOMS.CAST.SPIN.64": 1}, "two": {"LD.E.64": 2, "STL.64": 1}})


if __name__ == "__main__":
    unittest.main()
