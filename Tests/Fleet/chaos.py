#!/usr/bin/env python3
"""A fleet whose daemons, agents and database are killed and frozen at random, seeded, while it works.

Real programs: a PostgreSQL in a temporary folder, several daemons with an agent each, and an origin
that counts the requests under way for each host. At every look, items = queue + results; in the end
each job has one result, each recorded document is there with the right hash, no document is there that
no record names, and no host had more requests at once than its limit, but for what woke from a freeze.

usage: chaos.py [--seed N] [--nodes N] [--jobs N] [--hosts N] [--seconds N] [--keep]
Environment: FACEFETCH_BIN (the folder with the programs), FACEFETCH_POSTGRES (that of PostgreSQL's).
"""
import argparse
import asyncio
import collections
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LEASE, PER_HOST = 6, 2
PROGRAMS = Path(os.environ.get("FACEFETCH_BIN", ".build/debug")).resolve()
POSTGRES = Path(os.environ.get("FACEFETCH_POSTGRES", "/usr/lib/postgresql/15/bin"))
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []


def content(host, path):
    return f"{host}{path} ".encode() * 40


class Origin(threading.Thread):
    """Serves anything slowly, on an address of 127/8 for each host, and counts."""

    def __init__(self, hosts, seed):
        super().__init__(daemon=True)
        self.hosts, self.random = hosts, random.Random(seed)
        self.under_way, self.most = collections.Counter(), collections.Counter()
        self.requests, self.over = 0, 0
        self.ready = threading.Event()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        first = await asyncio.start_server(self.talk, self.hosts[0], 0)
        self.port = first.sockets[0].getsockname()[1]
        servers = [first] + [await asyncio.start_server(self.talk, h, self.port) for h in self.hosts[1:]]
        self.ready.set()
        await asyncio.gather(*(server.serve_forever() for server in servers))

    async def talk(self, reader, writer):
        host = writer.get_extra_info("sockname")[0]
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode()
                self.requests += 1
                self.under_way[host] += 1
                self.most[host] = max(self.most[host], self.under_way[host])
                if self.under_way[host] > PER_HOST:
                    self.over += 1
                try:
                    # A client that goes away is no longer at work here.
                    gone = asyncio.ensure_future(reader.read(1))
                    done, _ = await asyncio.wait([gone], timeout=self.random.uniform(0.01, 0.15))
                    if done:
                        return
                    gone.cancel()
                    await asyncio.wait([gone])
                finally:
                    self.under_way[host] -= 1
                body = content(host, path)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nETag: \"1\"\r\nContent-Length: %d\r\n\r\n" % len(body)
                    + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


class Database:
    def __init__(self, folder):
        self.folder = folder / "pg"
        self.folder.mkdir()
        if os.getuid() == 0:
            os.chown(self.folder, 65534, 65534)
        self.run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "fleet", "--no-sync", "-E", "UTF8")
        self.start()

    def run(self, program, *arguments):
        subprocess.run(
            [*NOBODY, POSTGRES / program, *arguments],
            check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    def start(self):
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder}"
        self.run("pg_ctl", "start", "-w", "-D", self.folder / "data", "-l", self.folder / "log", "-o", options)

    def crash(self):
        self.run("pg_ctl", "stop", "-m", "immediate", "-w", "-D", self.folder / "data")

    @property
    def info(self):
        return f"host={self.folder} user=fleet dbname=postgres"

    def rows(self, sql):
        done = subprocess.run(
            [POSTGRES / "psql", self.info, "-XAtq", "-F", "\t", "-c", "SET search_path = ff; " + sql],
            capture_output=True, text=True, timeout=60,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]


class Node:
    """A daemon and its agent."""

    def __init__(self, name, folder, database):
        self.name, self.folder = name, folder / name
        (self.folder / "docs").mkdir(parents=True)
        (self.folder / "fleet.yaml").write_text(
            f"database: {database.info}\nnode: {name}\nsocket: {self.folder}/s\nlease: {LEASE}s\nslice: 60\n"
        )
        (self.folder / "daemon.yaml").write_text(
            f"transfer:\n  concurrency: 24\n  per-host: {PER_HOST}\ndetection:\n  when: never\n"
        )
        self.log = open(self.folder / "log", "a")
        self.processes = {}
        self.start("daemon")
        self.start("agent")

    def start(self, part):
        if part == "daemon":
            command = [
                PROGRAMS / "facefetchd", "--config", self.folder / "daemon.yaml", "--state-dir", self.folder / "state",
                "--documents-dir", self.folder / "docs", "--socket", self.folder / "s",
                "--event-log", self.folder / "events.log",
            ]
        else:
            command = [PROGRAMS / "facefetch-fleet", "--config", self.folder / "fleet.yaml"]
        self.processes[part] = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd=self.folder)

    def kill(self, part, number=signal.SIGKILL):
        process = self.processes[part]
        process.send_signal(signal.SIGCONT)
        process.send_signal(number)
        return process.wait(20)

    def freeze(self, parts):
        for part in parts:
            self.processes[part].send_signal(signal.SIGSTOP)

    def thaw(self, parts):
        for part in parts:
            self.processes[part].send_signal(signal.SIGCONT)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=3000)
    parser.add_argument("--hosts", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--freezes", action="store_true", help="nothing but freezes, which make zombies")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="ff-", dir="/tmp"))
    folder.chmod(0o755)
    dice = random.Random(given.seed)
    origin = Origin([f"127.0.{1 + n // 250}.{1 + n % 250}" for n in range(given.hosts)], given.seed)
    origin.start()
    origin.ready.wait()
    database, nodes, problems = Database(folder), [], []
    did = collections.Counter()
    try:
        first = folder / "fleet.yaml"
        first.write_text(f"database: {database.info}\nnode: x\n")
        fleet = [PROGRAMS / "facefetch-fleet", "--config", first]
        subprocess.run([*fleet, "init"], check=True)
        subprocess.run([*fleet, "init"], check=True)
        # What a job's mark was when it left the queue: only who had the latest may have recorded it.
        database.rows(
            "CREATE TABLE audit (job bigint, token bigint); "
            "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "INSERT INTO ff.audit VALUES (OLD.job, OLD.token); RETURN NULL; END $$; "
            "CREATE TRIGGER audit AFTER DELETE ON queue FOR EACH ROW EXECUTE FUNCTION audit()")
        urls = [f"http://{origin.hosts[n % given.hosts]}:{origin.port}/{n}.jpg" for n in range(given.jobs)]
        batch = subprocess.run(
            [*fleet, "add", "--from", "-", "--key", "once"], input="\n".join(urls), text=True, check=True,
            capture_output=True,
        ).stdout.strip()
        again = subprocess.run(
            [*fleet, "add", "--from", "-", "--key", "once"], input="\n".join(urls), text=True, check=True,
            capture_output=True,
        ).stdout.strip()
        assert batch == again, (batch, again)
        nodes = [Node(f"n{n}", folder, database) for n in range(given.nodes)]
        begun, frozen, next_blow, looks = time.monotonic(), [], 2.0, 0
        while True:
            time.sleep(0.25)
            at = time.monotonic() - begun
            for thaw_at, node, parts in [f for f in frozen if f[0] <= at]:
                node.thaw(parts)
            frozen = [f for f in frozen if f[0] > at]
            for node in nodes:
                for part, process in node.processes.items():
                    if process.poll() is not None:
                        problems.append(f"{node.name}'s {part} ended by itself with {process.returncode}")
                        node.start(part)
            queue, results, marked = map(int, database.rows(
                "SELECT (SELECT count(*) FROM queue), (SELECT count(*) FROM results), "
                "(SELECT count(*) FROM queue q JOIN buckets b USING (bucket) "
                "WHERE q.node IS NOT NULL AND q.node IS DISTINCT FROM b.node)")[0])
            looks += 1
            if queue + results != given.jobs:
                problems.append(f"{queue} queued and {results} results are not {given.jobs} jobs")
            if marked:
                problems.append(f"{marked} jobs are marked by another than their bucket's owner")
            if queue == 0 or at > given.seconds + 240 or len(problems) > 10:
                break
            if at > given.seconds or at < next_blow:
                continue
            next_blow = at + dice.uniform(0.5, 2.5)
            node = dice.choice(nodes)
            if any(f[1] is node for f in frozen):
                continue
            blow = dice.choice(["agent", "agent", "daemon", "both", "stop", "freeze", "freeze", "freeze", "database"])
            if given.freezes:
                blow = "freeze"
            did[blow] += 1
            if blow in ("agent", "daemon"):
                node.kill(blow)
                node.start(blow)
            elif blow == "both":
                for part in ("agent", "daemon"):
                    node.kill(part)
                for part in ("daemon", "agent"):
                    node.start(part)
            elif blow == "stop":
                status = node.kill("agent", signal.SIGTERM)
                if status != 0:
                    problems.append(f"{node.name}'s agent was stopped and ended with {status}")
                node.start("agent")
            elif blow == "freeze":
                parts = dice.choice([["agent"], ["daemon"], ["agent", "daemon"]])
                node.freeze(parts)
                frozen.append((at + dice.uniform(1, 2.5 * LEASE), node, parts))
            else:
                database.crash()
                time.sleep(dice.uniform(0, 1))
                database.start()
        took = time.monotonic() - begun
        for _, node, parts in frozen:
            node.thaw(parts)
        # What nobody recorded goes once each agent has heard that it is others'.
        wanted = {}
        for job, state, document, sha256, url in database.rows(
            "SELECT job, r.state, document, encode(r.sha256, 'hex'), url FROM results r JOIN items USING (job)"
        ):
            host, path = url.removeprefix("http://").split("/", 1)
            expected = hashlib.sha256(content(host.split(":")[0], "/" + path)).hexdigest()
            if state != "1":
                problems.append(f"job {job} ended with {state}")
            elif sha256 != expected:
                problems.append(f"job {job} has another hash")
            else:
                name, place = document.removeprefix("file://").split("/", 1)
                wanted[f"/{place}"] = expected
        end = time.monotonic() + 45
        while True:
            there = {str(file) for node in nodes for file in (node.folder / "docs").glob("*") if file.is_file()}
            if there == set(wanted) or time.monotonic() > end:
                break
            time.sleep(0.5)
        for file in sorted(set(wanted) - there)[:5]:
            problems.append(f"{file} is recorded and isn't there")
        orphans = sorted(there - set(wanted))
        for file in orphans[:5]:
            problems.append(f"{file} is there and isn't recorded")
        for file in there & set(wanted):
            if hashlib.sha256(Path(file).read_bytes()).hexdigest() != wanted[file]:
                problems.append(f"{file} has another hash")
        stale = int(database.rows(
            "SELECT count(*) FROM results r JOIN audit a USING (job) WHERE r.token <> 0 AND r.token IS DISTINCT FROM a.token"
        )[0][0])
        if stale:
            problems.append(f"{stale} jobs were recorded by who no longer held them")
        takeovers = database.rows("SELECT (SELECT sum(epoch) FROM buckets), (SELECT sum(incarnation) FROM nodes)")[0]
        if origin.over > origin.requests * 0.02:
            problems.append(f"{origin.over} of {origin.requests} requests were over the limit of their host")
        if max(origin.most.values()) > 2 * PER_HOST:
            problems.append(f"a host had {max(origin.most.values())} requests at once")
        status = json.loads(subprocess.run([*fleet, "status", "--json"], capture_output=True, check=True).stdout)
        for node in nodes:
            if node.kill("agent", signal.SIGTERM) != 0:
                problems.append(f"{node.name}'s agent did not end well")
            node.kill("daemon", signal.SIGTERM)
        print(
            f"seed {given.seed}: {results} of {given.jobs} jobs in {took:.0f} s under {dict(did)}; {looks} looks; "
            f"{origin.requests} requests, {origin.over} over the limit, at most {max(origin.most.values())} at once; "
            f"bucket changes and lives {takeovers}; orphans {len(orphans)}; poison {status['poison']}"
        )
    finally:
        for node in nodes:
            for process in node.processes.values():
                if process.poll() is None:
                    process.send_signal(signal.SIGCONT)
                    process.kill()
                    process.wait()
        try:
            database.crash()
        except subprocess.CalledProcessError:
            pass
        if problems or given.keep:
            print(f"what is left: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder)
    for problem in problems:
        print(f"PROBLEM: {problem}")
    sys.exit(1 if problems else 0)


main()
