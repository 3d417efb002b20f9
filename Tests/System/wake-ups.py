"""Prints how an idle process rests: for how many seconds at a time (the median),
how often a second something wakes it, and how often if each thread counts.

usage: wake-ups.py PID SECONDS

Threads that wake together are one time that the process wakes; between two of
them it is at rest for a while.
"""

import pathlib
import re
import statistics
import sys
import time


def waits(process):
    """How often each thread has waited of its own accord, and so been woken after."""
    counts = {}
    for status in pathlib.Path(f"/proc/{process}/task").glob("*/status"):
        try:
            counts[status.parent.name] = int(re.search(r"\nvoluntary_ctxt_switches:\s*(\d+)", status.read_text())[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return counts


def wakings(before, after):
    """How often threads were woken between; one that has ended was, for that."""
    ended = len(before.keys() - after.keys())
    return ended + sum(count - before.get(thread, 0) for thread, count in after.items())


process, seconds = sys.argv[1], int(sys.argv[2])
times = []
threads = 0
was_awake = True
before = waits(process)
began = time.monotonic()
while time.monotonic() < began + seconds:
    time.sleep(0.02)
    after = waits(process)
    woken = wakings(before, after)
    if woken > 0 and not was_awake:
        times.append(time.monotonic())
    threads += woken
    was_awake = woken > 0
    before = after
rests = [later - earlier for earlier, later in zip(times, times[1:])] or [seconds]
print(round(statistics.median(rests), 1), round(1 / statistics.mean(rests), 2), round(threads / seconds, 2))
