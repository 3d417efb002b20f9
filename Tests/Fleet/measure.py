#!/usr/bin/env python3
"""Measures a fleet: real daemons, agents and PostgreSQL, each on its default settings, and nginx as the origin.

All of it lies on a memory disk: ext4 looks long for an inode where many files have just been removed, as those of
the run before have, and all nodes would wait for one disk, which no fleet has them do.

  add      items added in a second, a million of them
  claims   time that claims and reports take a job, from a queue of ten thousand and one of a million
  scale    small files that one node and four fetch in a second, if each node has 15% of a processor
           (needs root, for control groups)
  outage   whether nodes have work while the database is away for a minute

usage: measure.py [add] [claims] [scale] [outage]; all without one
Environment: FACEFETCH_BIN, FACEFETCH_POSTGRES, as for chaos.py.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from chaos import PROGRAMS, Database, Origin

HOSTS = [f"127.0.1.{n}" for n in range(1, 201)]
GROUPS = Path("/sys/fs/cgroup/cpu")


class Nginx:
    """Serves one file of 25 KB under any path of any host."""

    def __init__(self, folder):
        (folder / "www").mkdir()
        (folder / "www/x").write_bytes(os.urandom(25_000))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        listen = " ".join(f"listen {host}:{self.port} backlog=512;" for host in HOSTS)
        (folder / "nginx.conf").write_text(f"""
            daemon off; pid {folder}/nginx.pid; error_log stderr crit; worker_processes 1;
            events {{ worker_connections 4096; }}
            http {{ access_log off; default_type image/jpeg; sendfile on; keepalive_requests 1000000; server {{
                {listen} root {folder}/www; location / {{ try_files /x =404; }} }} }}
            """)
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-e", "stderr"])
        time.sleep(0.5)

    def close(self):
        self.process.terminate()
        self.process.wait()


class Group:
    """A control group with a share of a processor, which children of this process begin in."""

    def __init__(self, number, share):
        self.path = GROUPS / f"facefetch-{os.getpid()}-{number}"
        self.path.mkdir()
        (self.path / "cpu.cfs_quota_us").write_text(str(int(100_000 * share)))

    def enter(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def close(self):
        self.path.rmdir()


class Node:
    """A daemon and its agent."""

    def __init__(self, name, folder, database, more="", group=None):
        self.folder = folder / name
        self.folder.mkdir()
        (self.folder / "fleet.yaml").write_text(
            f"database: {database.info}\nnode: {name}\nsocket: {self.folder}/s\n"
            f"metrics: {self.folder}/metrics.prom\n{more}")
        (self.folder / "daemon.yaml").write_text("transfer:\n  per-host: 8\n  concurrency: 64\ndetection:\n  when: never\n")
        self.log = open(self.folder / "log", "a")
        enter = group.enter if group else None
        self.daemon = subprocess.Popen(
            [PROGRAMS / "facefetchd", "--config", self.folder / "daemon.yaml", "--state-dir", self.folder / "state",
             "--documents-dir", self.folder / "docs", "--socket", self.folder / "s", "--event-log", self.folder / "events"],
            stdout=self.log, stderr=self.log, preexec_fn=enter)
        self.agent = subprocess.Popen(
            [PROGRAMS / "facefetch-fleet", "--config", self.folder / "fleet.yaml"],
            stdout=self.log, stderr=self.log, preexec_fn=enter)

    def figure(self, name):
        """The sum of a figure's samples."""
        try:
            text = (self.folder / "metrics.prom").read_text()
        except FileNotFoundError:
            return 0.0
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if line.startswith(f"facefetch_fleet_{name}{{"))

    def status(self):
        done = subprocess.run(
            [PROGRAMS / "facefetch", "status", "--json"], capture_output=True, timeout=30,
            env={**os.environ, "FACEFETCH_SOCKET": str(self.folder / "s")})
        return json.loads(done.stdout)

    def kill(self):
        for process in (self.agent, self.daemon):
            process.kill()
            process.wait()


class Rig:
    """A database with a fleet's tables."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="ff-", dir="/dev/shm"))
        self.folder.chmod(0o755)
        self.nodes, self.groups = [], []
        self.nginx = Nginx(self.folder)
        self.database = Database(self.folder, None)
        (self.folder / "fleet.yaml").write_text(f"database: {self.database.info}\nnode: x\n")

    def __enter__(self):
        try:
            self.fleet("init")
        except BaseException:
            self.__exit__()
            raise
        return self

    def fleet(self, *words, **more):
        return subprocess.run(
            [PROGRAMS / "facefetch-fleet", *words, "--config", self.folder / "fleet.yaml"], check=True,
            stdout=subprocess.DEVNULL, **more)

    def add(self, count, port=None, hosts=HOSTS):
        """Adds items; returns the seconds that it took."""
        port = port or self.nginx.port
        lines = "\n".join(f"http://{hosts[n % len(hosts)]}:{port}/{n}.jpg" for n in range(count))
        (self.folder / "list").write_text(lines)
        begun = time.monotonic()
        self.fleet("add", "--from", self.folder / "list")
        return time.monotonic() - begun

    def node(self, more="", group=None):
        node = Node(f"n{len(self.nodes)}", self.folder, self.database, more, group)
        self.nodes.append(node)
        return node

    def done(self):
        return int(self.database.rows("SELECT count(*) FROM results")[0][0])

    def __exit__(self, *_):
        for node in self.nodes:
            node.kill()
        for group in self.groups:
            group.close()
        self.nginx.close()
        self.database.crash()
        shutil.rmtree(self.folder)


def add():
    with Rig() as rig:
        seconds = rig.add(1_000_000)
        print(f"add: 1,000,000 items in {seconds:.1f} s, {100_000 / (seconds / 10):,.0f} a second", flush=True)


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
        # Until the buckets are shared.
        wanted = str(nodes)
        while True:
            owners = rig.database.rows("SELECT count(DISTINCT node), min(n), max(n) FROM "
                                       "(SELECT node, count(*) AS n FROM buckets WHERE node IS NOT NULL GROUP BY node) s")[0]
            if owners[0] == wanted and int(owners[2] or 0) - int(owners[1] or 0) < 100:
                break
            time.sleep(0.5)
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


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    parts = {"add": add, "claims": claims, "scale": scale, "outage": outage}
    for name in sys.argv[1:] or parts:
        parts[name]()
