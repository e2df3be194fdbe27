"""What every test gets: Hypothesis that draws the same examples in every run, unless it is asked to search.

HYPOTHESIS_PROFILE=search draws new ones, and many more.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# A run in the background ignores Ctrl-C, and so would every program that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,  # a busy machine is slow, not wrong
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],  # the same: a time-out in disguise
)
settings.register_profile("search", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
