# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Runs test cases and counts them: fails unless as many as expected were executed."""

import unittest


def run(cases, expected):
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in cases)
    ran = unittest.TextTestRunner().run(suite)
    executed = ran.testsRun - len(ran.skipped)
    print(f"executed {executed}, skipped {len(ran.skipped)}, expected {expected}")
    return 0 if ran.wasSuccessful() and executed == (expected or executed) else 1
