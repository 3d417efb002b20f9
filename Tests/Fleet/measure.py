#!/usr/bin/env python3
"""Measures a fleet: real daemons, agents and PostgreSQL, each on its default settings, and nginx as the origin.

All of it lies on a memory disk: ext4 looks long for an inode where many files have just been removed, as those of
the run before have, and all nodes would wait for one disk, which no fleet has them do.

  add      items added in a second, a million of them, and the memory that it takes
  claims   time that claims and reports take a job, from a queue of ten thousand and one of a million
  scale    small files that one node and four fetch in a second, if each node has 15% of a processor
           (needs root, for control groups)
  outage   whether nodes have work while the database is away for a minute
  tiny     the processor's time that a small file takes: the daemon's, the agent's and the database's
  nodes    fifty agents, whose daemons end so many jobs a second without fetching anything (RATE=100)
  rows     what joining, coming back, taking over, leaving and status take, with so many jobs (ROWS=1000000)
  snapshot what claims and reports take while so many jobs end (ROWS=1000000) and somebody holds a snapshot

usage: measure.py [add] [claims] [scale] [outage] [tiny] [nodes] [rows] [snapshot]; all without one
Environment: FACEFETCH_BIN, FACEFETCH_POSTGRES, as for chaos.py.
"""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from chaos import Origin
from rig import GROUPS, HOSTS, Agent, Group, Rig, processor
from rows import rows, snapshot


def add():
    with Rig() as rig:
        for count in (100_000, 1_000_000):
            seconds, memory = rig.add(count)
            print(f"add: {count:,} items in {seconds:.1f} s, {count / seconds:,.0f} a second, with {memory:.0f} MB",
                  flush=True)


def claims():
    for queued in (20_000, 1_000_000):
        with Rig() as rig:
            rig.add(queued)
            node = rig.node()
            while rig.done() < 18_000:
                time.sleep(0.2)
            time.sleep(6)
            per = {}
            for part, jobs in (("claim", "claimed_jobs_total"), ("report", "recorded_jobs_total")):
                per[part] = 1e6 * node.figure(f"{part}_seconds_sum") / max(1, node.figure(jobs))
            print(f"claims: of {queued:,} queued, {per['claim']:.1f} µs a job to claim and {per['report']:.1f} to report; "
                  f"{1000 * node.figure('claim_seconds_sum') / max(1, node.figure('claim_seconds_count')):.1f} ms a claim",
                  flush=True)


def rate(nodes, share, seconds=30):
    with Rig() as rig:
        # As many hosts as a node keeps connections to, so that a node alone doesn't make them again and again.
        rig.add(400_000, hosts=HOSTS[:40])
        for number in range(nodes):
            rig.groups.append(Group(number, share))
            rig.node(group=rig.groups[-1])
        rig.until_shared(nodes)
        time.sleep(5)
        before, begun = rig.done(), time.monotonic()
        time.sleep(seconds)
        return (rig.done() - before) / (time.monotonic() - begun)


def scale():
    if os.getuid() != 0 or not (GROUPS / "cpu.cfs_quota_us").exists() and not GROUPS.is_dir():
        return print("SKIPPED: scale needs root and control groups of version 1")
    share, ratios = 0.15, []
    for _ in range(3):
        one, four = rate(1, share), rate(4, share)
        ratios.append(four / one)
        print(f"scale: one node {one:,.0f} files a second, four {four:,.0f}: {four / one:.2f} times", flush=True)
    print(f"scale: median {sorted(ratios)[1]:.2f} times")


def outage():
    with Rig() as rig:
        # So slow that a slice lasts longer than the outage.
        origin = Origin(HOSTS, 1, 4.0)
        origin.start()
        origin.ready.wait()
        rig.add(20_000, port=origin.port)
        nodes = [rig.node("lease: 120\n") for _ in range(2)]
        while min(node.figure("held_jobs") for node in nodes) < 500:
            time.sleep(0.5)
        time.sleep(5)
        rig.database.crash()
        begun, idle, looks, least = time.monotonic(), 0, 0, 10**9
        while time.monotonic() - begun < 60:
            for node in nodes:
                status = node.status()
                active, queued = status["transfers"]["active"], status["jobs"]["queued"]
                looks += 1
                least = min(least, active)
                idle += active == 0 and queued > 0
            time.sleep(0.5)
        rig.database.start()
        before = rig.done()
        time.sleep(15)
        print(f"outage: 60 s without a database, lease 120 s: {idle} of {looks} looks found an idle node with jobs, at "
              f"least {least} transfers under way; {rig.done() - before} jobs recorded in the 15 s after", flush=True)


def tiny():
    with Rig() as rig:
        jobs = 40_000
        # As many hosts as a node keeps connections to.
        rig.add(jobs, hosts=HOSTS[:40])
        before, node = rig.processor(), rig.node()
        while rig.done() < jobs:
            time.sleep(0.2)
        used = [1e6 * seconds / jobs for seconds in
                (processor(node.daemon.pid), processor(node.agent.pid), rig.processor() - before)]
        print("tiny: of a small file, the daemon takes {:.0f} µs of processor, the agent {:.0f} and the database {:.0f}: "
              "both together {:.2f} times the daemon's".format(*used, (used[1] + used[2]) / used[0]), flush=True)


def nodes(seconds=60):
    count = int(os.environ.get("NODES", 50))
    each = float(os.environ.get("RATE", 100))
    with Rig() as rig:
        rig.add(int(1.5 * count * (each or 400) * (seconds + 60)), port=80, hosts=[f"h{n}.example" for n in range(20_000)])
        daemons = subprocess.Popen(
            [sys.executable, Path(__file__).parent / "daemons.py", rig.folder, str(count), str(each)],
            stdout=subprocess.PIPE)
        try:
            daemons.stdout.readline()
            for _ in range(count):
                rig.nodes.append(Agent(f"n{len(rig.nodes)}", rig.folder, rig.database))
            rig.until_shared(count)
            time.sleep(10)
            figures = [(part, name) for part in ("claim", "report") for name in ("seconds_sum", "seconds_count")]
            def now():
                return (time.monotonic(), rig.done(), rig.processor(), sum(processor(n.agent.pid) for n in rig.nodes),
                        *(sum(n.figure(f"{part}_{name}") for n in rig.nodes) for part, name in figures),
                        sum(n.figure("fenced_total") for n in rig.nodes), processor(daemons.pid))
            before = now()
            time.sleep(seconds)
            (took, jobs, database, agents, claim, claims, report, reports, fenced, fake) = (
                new - old for new, old in zip(now(), before))
            print(f"nodes: {count} nodes with daemons that end {each:,.0f} jobs a second: {jobs / took:,.0f} recorded a "
                  f"second; the database takes {1e6 * database / jobs:.0f} µs of processor a job, the agents "
                  f"{1e6 * agents / jobs:.0f}; a claim takes {1000 * claim / max(1, claims):.0f} ms, a report "
                  f"{1000 * report / max(1, reports):.0f} ms; {fenced:.0f} were fenced; busy: database "
                  f"{100 * database / took:.0f} %, agents {100 * agents / took:.0f} %, daemons {100 * fake / took:.0f} %",
                  flush=True)
        finally:
            daemons.kill()
            daemons.wait()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    parts = {"add": add, "claims": claims, "scale": scale, "outage": outage, "tiny": tiny, "nodes": nodes, "rows": rows,
             "snapshot": snapshot}
    for name in sys.argv[1:] or parts:
        parts[name]()
