"""What a fleet's rarer statements take while very many jobs wait: part of measure.py."""
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from chaos import POSTGRES
from rig import Agent, Rig

# What is done when a node joins, comes back, is declared dead, and leaves; each second; and for people.
OF = {
    "joining": ["register", "release", "twin", "take", "drain", "give"],
    "coming back": ["prune", "held"],
    "taking over": ["free", "bury", "condemn"],
    "leaving": ["leave"],
    "renewing": ["beat", "clamp", "shares"],
    "working": ["claim", "report", "withdrawn", "draining", "wait", "finish"],
    "status": ["nodes", "totals"],
    "people": ["batches", "jobs", "choose", "pause", "resume"],
}


def fill(rig, rows):
    """Queues so many jobs in ten batches, as fast as a database can."""
    indexes = rig.database.rows(
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'ff' AND tablename IN ('items', 'queue') "
        "AND indexname NOT LIKE '%pkey'")
    rig.database.rows("".join(f"DROP INDEX {name};" for name, _ in indexes) +
                      "ALTER TABLE items SET UNLOGGED; ALTER TABLE queue SET UNLOGGED;"
                      "INSERT INTO batches (key) SELECT 'batch ' || n FROM generate_series(1, 10) AS n", timeout=3600)
    rig.database.rows(
        "INSERT INTO items (job, batch, bucket, priority, url) SELECT n, 1 + (n - 1) * 10 / " + str(rows) + ", "
        "bucket('h' || n % 20000 || '.example', 0), 0, 'http://h' || n % 20000 || '.example/pictures/' || n || '.jpg' "
        f"FROM generate_series(1, {rows}) AS n; SELECT setval('jobs', {rows});"
        "INSERT INTO queue (job, bucket, turn) SELECT job, bucket, turn(priority, 1) FROM items ORDER BY job;"
        "UPDATE batches b SET items = (SELECT count(*) FROM items i WHERE i.batch = b.batch)", timeout=3600)
    made = "".join(f"{definition};" for _, definition in indexes)
    rig.database.rows(f"SET maintenance_work_mem = '1GB'; {made} ANALYZE items; ANALYZE queue", timeout=3600)


def status(rig):
    begun = time.monotonic()
    rig.fleet("status")
    return time.monotonic() - begun


def rows():
    count = int(os.environ.get("ROWS", 1_000_000))
    with Rig(tempfile.gettempdir()) as rig:
        begun = time.monotonic()
        fill(rig, count)
        size = rig.database.rows("SELECT pg_size_pretty(pg_database_size(current_database()))")[0][0]
        print(f"rows: {count:,} jobs queued in {time.monotonic() - begun:.0f} s, {size}", flush=True)
        with open(rig.database.folder / "data/postgresql.conf", "a") as settings:
            settings.write("log_min_duration_statement = 0\n")
        rig.database.rows("SELECT pg_reload_conf()")
        daemons = subprocess.Popen([sys.executable, Path(__file__).parent / "daemons.py", rig.folder, "5", "100"],
                                   stdout=subprocess.PIPE)
        try:
            daemons.stdout.readline()
            make = lambda number: Agent(f"n{number}", rig.folder, rig.database, "lease: 6\n")
            rig.nodes = [make(number) for number in range(4)]
            rig.until_shared(4)
            rig.fleet("pause", "--batch", "10")
            rig.fleet("resume", "--batch", "10")
            rig.fleet("batches")
            rig.fleet("jobs", "--batch", "5", "--state", "held")
            times = [status(rig) for _ in range(3)]
            # One comes back, one is gone for good, one leaves, and one is new.
            rig.nodes[0].kill()
            rig.nodes[0] = make(0)
            rig.nodes[1].kill()
            rig.nodes[2].agent.send_signal(signal.SIGTERM)
            rig.nodes[2].agent.wait()
            rig.nodes[2] = make(4)
            del rig.nodes[1]
            while rig.database.rows("SELECT count(*) FROM nodes WHERE expires_at = '-infinity'")[0][0] != "2":
                time.sleep(0.5)
            rig.until_shared(3)
            time.sleep(10)
        finally:
            daemons.kill()
            daemons.wait()
        longest = collections.defaultdict(float)
        for line in (rig.database.folder / "log").read_text(errors="replace").splitlines():
            if found := re.match(r".*duration: ([0-9.]+) ms  execute ([a-z_]+?)(?:_\d+)?: ", line):
                longest[found[2]] = max(longest[found[2]], float(found[1]))
        for part, names in OF.items():
            print(f"rows: {part}: " + ", ".join(f"{name} {longest[name]:.1f}" for name in names if name in longest)
                  + " ms at most", flush=True)
        print(f"rows: facefetch-fleet status took {min(times):.2f} to {max(times):.2f} s", flush=True)


def snapshot():
    """Ends so many jobs while somebody holds a snapshot, with a lease of twelve seconds."""
    count = int(os.environ.get("ROWS", 1_000_000))
    with Rig(tempfile.gettempdir()) as rig:
        fill(rig, count)
        dump = subprocess.Popen([POSTGRES / "psql", rig.database.info, "-XAtq"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
        dump.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;\n")
        dump.stdin.flush()
        dump.stdout.readline()
        daemons = subprocess.Popen([sys.executable, Path(__file__).parent / "daemons.py", rig.folder, "4", "0"],
                                   stdout=subprocess.PIPE)
        try:
            daemons.stdout.readline()
            rig.nodes = [Agent(f"n{number}", rig.folder, rig.database, "lease: 12\n") for number in range(4)]
            names = [f"{part}_seconds_{of}" for part in ("claim", "report") for of in ("sum", "count")]
            before, at, begun = [0.0] * 4, count / 10, time.monotonic()
            while at <= count:
                done = rig.done()
                if done < at:
                    time.sleep(1)
                    continue
                # Figures are written each few seconds.
                time.sleep(6)
                now = [sum(node.figure(name) for node in rig.nodes) for name in names]
                claim, claims, report, reports = (new - old for new, old in zip(now, before))
                failures = sum(node.figure("failures_total") for node in rig.nodes)
                print(f"snapshot: {done:,} ended in {time.monotonic() - begun:.0f} s; since the last line a claim took "
                      f"{1000 * claim / max(1, claims):.0f} ms and a report {1000 * report / max(1, reports):.0f} ms; "
                      f"{failures:.0f} failures", flush=True)
                before, at = now, max(at + count / 10, done)
            dump.communicate("COMMIT;\n")
        finally:
            daemons.kill()
            daemons.wait()
            dump.kill()
            dump.wait()
