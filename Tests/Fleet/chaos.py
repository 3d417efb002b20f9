#!/usr/bin/env python3
"""A fleet whose daemons, agents and database are killed and frozen, and whose links are cut, at random,
seeded, while it works.

Real programs: a PostgreSQL in a temporary folder, several daemons with an agent each, and an origin
that counts the requests under way for each host. As root, each node has a network namespace of its own,
with a link to the database and one to the origin; otherwise, as it says, no link is cut. At every look,
items = queue + paused + results; in the end each job has one result, each recorded document is there with
the right hash, no document is there that no record names, and no host had more requests at once than its
limit, but for what woke from a freeze.

With --documents path, the nodes share a folder, in which no file can be renamed without replacing another, as on NFS
(if libFaultyDisk.so is beside the programs). With --documents s3, documents go into a bucket (bucket.py, which is
strict), whose server is frozen, too, and fails at times.

Meanwhile jobs are cancelled and tried again, some are suspected of ending nodes, the database's clock steps (stepped.c,
if there is a C compiler), nodes are retired for good and removed, with new ones in their place, and each second node's
first database server never answers. One job ends every node that asks for it: it must fail, and no other.

usage: chaos.py [--seed N] [--nodes N] [--jobs N] [--hosts N] [--seconds N] [--lease N] [--only BLOW,...]
    [--documents local|path|s3] [--or-skip] [--keep]
Environment: FACEFETCH_BIN (the folder with the programs), FACEFETCH_POSTGRES (that of PostgreSQL's), FACEFETCH_MOTO
(a Python that has botocore).
"""
import argparse
import asyncio
import collections
import ctypes
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

PER_HOST, CONCURRENCY = 2, 24
# What ends each node that asks for it.
POISON = "/poison.jpg"
PROGRAMS = Path(os.environ.get("FACEFETCH_BIN", ".build/debug")).resolve()
# The newest that is installed, from 15 on.
INSTALLED = [p for p in Path("/usr/lib/postgresql").glob("*/bin") if p.parent.name.isdigit() and int(p.parent.name) >= 15]
NEWEST = max(INSTALLED, key=lambda p: int(p.parent.name), default=Path("/usr/lib/postgresql/15/bin"))
POSTGRES = Path(os.environ.get("FACEFETCH_POSTGRES", NEWEST))
MOTO = Path(os.environ.get("FACEFETCH_MOTO", Path(__file__).parents[2] / ".build/moto/bin/python"))
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []


def content(host, path):
    return f"{host}{path} ".encode() * 40


def ip(*words):
    subprocess.run(["ip", *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Loopback:
    """No namespaces: hosts are addresses of 127/8, and the database is behind a socket in a folder."""

    database_address = None
    blows = []

    def host(self, number):
        return f"127.0.{1 + number // 250}.{1 + number % 250}"

    def inside(self, number):
        return []


class Namespaces:
    """A namespace for each node, with two links into that of this process: to the database and to the origin.

    Nothing of it is seen outside, and all of it goes with its processes.
    """

    database_address = "10.78.0.1"
    blows = ["database link", "database link", "origin link", "all links"]

    def __init__(self, nodes):
        if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:  # CLONE_NEWNET
            raise OSError(ctypes.get_errno(), "a network namespace can't be made")
        self.holders = []
        ip("link", "set", "lo", "up")
        for bridge, address in [("database", "10.78.0.1/16"), ("origin", "10.77.0.1/16")]:
            ip("link", "add", bridge, "type", "bridge")
            ip("addr", "add", address, "dev", bridge)
            ip("link", "set", bridge, "up")
        # Every address up there is the origin's.
        ip("route", "add", "local", "10.77.128.0/17", "dev", "lo")
        for number in range(nodes):
            holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
            self.holders.append(holder)
            own = os.readlink("/proc/self/ns/net")
            while os.readlink(f"/proc/{holder.pid}/ns/net") == own:
                time.sleep(0.01)
            for bridge, net in [("database", 78), ("origin", 77)]:
                ip("link", "add", f"{bridge}{number}", "type", "veth", "peer", "name", bridge, "netns", holder.pid)
                ip("link", "set", f"{bridge}{number}", "master", bridge, "up")
                self.run(number, "ip", "addr", "add", f"10.{net}.1.{number + 1}/16", "dev", bridge)
                self.run(number, "ip", "link", "set", bridge, "up")
            self.run(number, "ip", "link", "set", "lo", "up")

    def host(self, number):
        return f"10.77.{128 + number // 250}.{1 + number % 250}"

    def inside(self, number):
        return ["nsenter", f"--net=/proc/{self.holders[number].pid}/ns/net"]

    def run(self, number, *words):
        subprocess.run([*self.inside(number), *words], check=True, stderr=subprocess.PIPE)

    def links(self, number, blow, state):
        for bridge in ["database", "origin"]:
            if blow in (f"{bridge} link", "all links"):
                ip("link", "set", f"{bridge}{number}", state)

    def close(self):
        for holder in self.holders:
            holder.kill()
            holder.wait()


def network(nodes):
    if os.getuid() != 0:
        print("SKIPPED: links are not cut, which takes root")
        return Loopback()
    try:
        return Namespaces(nodes)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"SKIPPED: links are not cut, because there are no network namespaces here: {error}")
        return Loopback()


class Origin(threading.Thread):
    """Serves anything slowly, on an address for each host, and counts."""

    def __init__(self, hosts, seed, delay):
        super().__init__(daemon=True)
        self.hosts, self.random, self.delay = hosts, random.Random(seed), delay
        self.under_way, self.most = collections.Counter(), collections.Counter()
        self.requests, self.over = 0, 0
        # Who has asked for what ends a node.
        self.bitten = collections.deque()
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
                if path == POISON:
                    self.bitten.append(writer.get_extra_info("peername")[0])
                    await reader.read(1)
                    return
                self.requests += 1
                self.under_way[host] += 1
                self.most[host] = max(self.most[host], self.under_way[host])
                if self.under_way[host] > PER_HOST:
                    self.over += 1
                try:
                    # A client that goes away is no longer at work here.
                    gone = asyncio.ensure_future(reader.read(1))
                    done, _ = await asyncio.wait([gone], timeout=self.random.uniform(0.01, 2 * self.delay))
                    if done:
                        return
                    gone.cancel()
                    await asyncio.wait([gone])
                finally:
                    self.under_way[host] -= 1
                body = content(host, path)
                if path.startswith("/forbidden/"):
                    writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                    await writer.drain()
                    continue
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
    def __init__(self, folder, address):
        self.folder, self.address = folder / "pg", address
        self.folder.mkdir()
        self.environment, self.clock = None, None
        if os.getuid() == 0:
            os.chown(self.folder, 65534, 65534)
        self.run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "fleet", "--no-sync", "-E", "UTF8")
        with open(self.folder / "data" / "pg_hba.conf", "a") as access:
            access.write("host all all 10.78.0.0/16 trust\n")
        self.start()

    def run(self, program, *arguments):
        subprocess.run(
            [*NOBODY, POSTGRES / program, *arguments],
            check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
        )

    def set_clock_free(self):
        """Has the server's clock step from its next start on; returns whether it can."""
        library, self.clock = self.folder / "stepped.so", self.folder / "step"
        compiler = shutil.which("cc")
        if not compiler:
            return False
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, Path(__file__).parent / "stepped.c"], check=True)
        self.clock.write_bytes(bytes(8))
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "STEPPED_CLOCK": str(self.clock)}
        return True

    def step(self, seconds):
        with open(self.clock, "r+b") as clock:
            now = int.from_bytes(clock.read(8), sys.byteorder, signed=True)
            clock.seek(0)
            clock.write((now + seconds).to_bytes(8, sys.byteorder, signed=True))

    def start(self):
        options = f"-c listen_addresses={self.address or ''} -c unix_socket_directories={self.folder}"
        self.run("pg_ctl", "start", "-w", "-D", self.folder / "data", "-l", self.folder / "log", "-o", options)

    def crash(self):
        self.run("pg_ctl", "stop", "-m", "immediate", "-w", "-D", self.folder / "data")

    @property
    def info(self):
        return f"host={self.folder} user=fleet dbname=postgres"

    def info_for_node(self, number):
        """Every other node's first server takes connections and never answers."""
        first = f"{self.frozen()}," if number % 2 else ""
        return f"host={first}{self.address or self.folder} user=runner dbname=postgres"

    def frozen(self):
        folder = self.folder.parent / "frozen"
        if not folder.exists():
            folder.mkdir()
            self.silent = socket.socket(socket.AF_UNIX)
            self.silent.bind(str(folder / ".s.PGSQL.5432"))
            self.silent.listen(100)
        return folder

    def rows(self, sql, timeout=60):
        done = subprocess.run(
            [POSTGRES / "psql", self.info, "-XAtq", "-F", "\t", "-c", "SET search_path = ff; " + sql],
            capture_output=True, text=True, timeout=timeout,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]


class LocalPlace:
    """Documents stay with the daemons that fetched them."""

    blows, settings, environment = [], "", {}

    def __init__(self, folder):
        self.root = folder

    def folder(self, name):
        return self.root / name / "docs"

    def path(self, document):
        """The local path of a recorded document."""
        return "/" + urllib.parse.unquote(document.removeprefix("file://").split("/", 1)[1])

    def check(self, expected):
        """What is wrong with documents that are recorded, by their addresses, with their hashes."""
        return []

    def thaw(self):
        pass

    def close(self):
        pass


class SharedPlace(LocalPlace):
    """Documents are in a folder that all nodes share."""

    def __init__(self, folder):
        self.root = folder / "shared"
        self.settings = f"documents: path\ndocuments-path: {self.root}\n"
        library = PROGRAMS / "libFaultyDisk.so"
        if library.exists():
            rules = folder / "faults"
            rules.write_text("rename 22 shared\n")
            self.environment = {"LD_PRELOAD": str(library), "FAULTY_DISK_RULES": str(rules)}
        else:
            print("SKIPPED: the folder can rename as local disks do, because there is no libFaultyDisk.so")

    def folder(self, name):
        return self.root / name

    def path(self, document):
        return document


class BucketPlace(LocalPlace):
    """Documents go into a bucket."""

    blows = ["bucket", "bucket faults"]

    def __init__(self, folder, address):
        super().__init__(folder)
        port = folder / "bucket-port"
        self.log = open(folder / "bucket-log", "a")
        self.process = subprocess.Popen(
            [MOTO, Path(__file__).parent / "bucket.py", address, port], stdout=self.log, stderr=self.log)
        while not port.exists():
            time.sleep(0.01)
        self.url = f"http://{address}:{port.read_text()}"
        keys = folder / "keys"
        keys.touch(0o600)
        keys.write_text("[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = s3cr/et+\n")
        self.settings = (
            f"documents: s3\ns3-bucket: pictures\ns3-prefix: a/\ns3-region: eu-central-1\ns3-credentials: {keys}\n"
            f"s3-endpoint: {self.url}\n")

    def ask(self, name, body=None):
        with urllib.request.urlopen(f"{self.url}/-/{name}", body, timeout=60) as answer:
            return json.load(answer)

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def fail(self, dice):
        faults = [{"method": "PUT", "status": dice.choice([0, 500, 503]), "code": "SlowDown"} for _ in range(20)]
        self.ask("faults", json.dumps(faults).encode())

    def path(self, document):
        return None

    def check(self, expected):
        there = self.ask("objects")
        keys = {document.removeprefix("s3://pictures/"): sha256 for document, sha256 in expected.items()}
        problems = [f"{key} is recorded and isn't in the bucket" for key in sorted(set(keys) - set(there["objects"]))[:5]]
        problems += [f"{key} is in the bucket and isn't recorded" for key in sorted(set(there["objects"]) - set(keys))[:5]]
        problems += [f"{key} has another hash" for key, object in there["objects"].items()
                     if keys.get(key, object["sha256"]) != object["sha256"] or object["sha256"] not in key]
        problems += [f"the bucket refused {refusal}" for refusal in there["refusals"][:5]]
        print(f"the bucket has {len(there['objects'])} documents after {there['requests']}")
        return problems

    def close(self):
        self.thaw()
        self.process.kill()
        self.process.wait()


class Node:
    """A daemon and its agent."""

    def __init__(self, number, folder, database, network, lease, place, name=None):
        self.number, self.name, self.inside = number, name or f"n{number}", network.inside(number)
        name, self.folder = self.name, folder / self.name
        self.folder.mkdir()
        self.documents, self.environment = place.folder(name), {**os.environ, **place.environment}
        self.documents.mkdir(parents=True)
        (self.folder / "fleet.yaml").write_text(
            f"database: {database.info_for_node(number)}\nnode: {name}\nsocket: {self.folder}/s\nlease: {lease}s\nslice: 60\n"
            f"metrics: {self.folder}/metrics.prom\n{place.settings}"
        )
        (self.folder / "daemon.yaml").write_text(
            f"transfer:\n  concurrency: {CONCURRENCY}\n  per-host: {PER_HOST}\ndetection:\n  when: never\n"
        )
        self.log = open(self.folder / "log", "a")
        self.processes = {}
        # Whether its daemon has lost endings that it had: then documents can be left that nobody knows of.
        self.is_restored = False
        # Until when it is left dead; 0 while it lives.
        self.dead_until = 0
        self.start("daemon")
        self.start("agent")

    def start(self, part):
        if part == "daemon":
            command = [
                PROGRAMS / "facefetchd", "--config", self.folder / "daemon.yaml", "--state-dir", self.folder / "state",
                "--documents-dir", self.documents, "--socket", self.folder / "s",
                "--event-log", self.folder / "events.log",
            ]
        else:
            command = [PROGRAMS / "facefetch-fleet", "--config", self.folder / "fleet.yaml"]
        self.processes[part] = subprocess.Popen(
            [*self.inside, *command], stdout=self.log, stderr=self.log, cwd=self.folder,
            env=self.environment if part == "daemon" else None)

    def kill(self, part, number=signal.SIGKILL):
        process = self.processes[part]
        process.send_signal(signal.SIGCONT)
        process.send_signal(number)
        return process.wait(20)

    def die(self):
        for part in self.processes:
            self.kill(part)

    def freeze(self, parts):
        for part in parts:
            self.processes[part].send_signal(signal.SIGSTOP)

    def thaw(self, parts):
        for part in parts:
            self.processes[part].send_signal(signal.SIGCONT)

    def snapshot(self):
        """Takes a copy of the daemon's state, or puts the last one back; the daemon isn't running."""
        copy = self.folder / "copy"
        if copy.exists():
            shutil.rmtree(self.folder / "state")
            copy.rename(self.folder / "state")
            self.is_restored = True
        elif (self.folder / "state").exists():
            shutil.copytree(self.folder / "state", copy)

    def forget(self):
        """Has the daemon forget all that has ended."""
        command = [*self.inside, PROGRAMS / "facefetch", "--socket", self.folder / "s", "forget", "--ended-before", "0s"]
        self.is_restored = subprocess.run(command, capture_output=True, timeout=20).returncode == 0 or self.is_restored


def stop(*_):
    # Once is enough: what has begun is to be ended.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit("stopped")


def follow(fleet, cursor, followed):
    """Reads the record behind a cursor, and returns the next one; the database may be away."""
    asked = subprocess.run([*fleet, "results", "--after", cursor], capture_output=True, text=True)
    for line in asked.stdout.splitlines():
        record = json.loads(line)
        cursor = record["cursor"]
        followed.append((str(record["job"]), record["state"]))
    return cursor


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=3000)
    parser.add_argument("--hosts", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--lease", type=int, default=9, help="a sixth of it is what each call may take")
    parser.add_argument("--only", help="nothing but these blows, separated by commas, such as freeze")
    parser.add_argument("--documents", choices=["local", "path", "s3"], default="local")
    parser.add_argument("--or-skip", action="store_true", help="end well where there is no PostgreSQL")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    if not (POSTGRES / "initdb").exists():
        print(f"{'SKIPPED: t' if given.or_skip else 'T'}here is no PostgreSQL in {POSTGRES}")
        sys.exit(0 if given.or_skip else 1)
    if given.documents == "s3" and not MOTO.exists():
        print(f"{'SKIPPED: t' if given.or_skip else 'T'}here is no Python with botocore: run scripts/install-moto")
        sys.exit(0 if given.or_skip else 1)
    signal.signal(signal.SIGTERM, stop)
    net = network(given.nodes)
    folder = Path(tempfile.mkdtemp(prefix="ff-", dir="/tmp"))
    folder.chmod(0o755)
    dice = random.Random(given.seed)
    # So slow that the work lasts about as long as the blows do, half of whose time is lost.
    delay = min(1.0, max(0.05, 0.4 * given.nodes * CONCURRENCY * given.seconds / given.jobs))
    origin = Origin([net.host(n) for n in range(given.hosts)], given.seed, delay)
    origin.start()
    origin.ready.wait()
    if given.documents == "s3":
        place = BucketPlace(folder, net.database_address or "127.0.0.1")
    else:
        place = SharedPlace(folder) if given.documents == "path" else LocalPlace(folder)
    database, nodes, problems = Database(folder, net.database_address), [], []
    did = collections.Counter()
    # Nodes that are gone for good, and when and which of them are to be removed.
    gone, removals = [], []
    has_poison, steps = not given.only or "poison" in given.only, database.set_clock_free()
    if steps:
        database.crash()
        database.start()
    else:
        print("SKIPPED: the database's clock doesn't step, because there is no C compiler")
    try:
        first = folder / "fleet.yaml"
        first.write_text(f"database: {database.info}\nnode: x\n")
        fleet = [PROGRAMS / "facefetch-fleet", "--config", first]
        subprocess.run([*fleet, "init"], check=True)
        subprocess.run([*fleet, "init"], check=True)
        # What a job's mark was when it left the queue for good: only who had the latest may have recorded it.
        database.rows(
            "CREATE TABLE audit (place bigserial, job bigint, token bigint); "
            "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN "
            "INSERT INTO ff.audit (job, token) VALUES (OLD.job, OLD.token); RETURN NULL; END $$; "
            "CREATE TRIGGER audit AFTER DELETE ON queue FOR EACH ROW EXECUTE FUNCTION audit()")
        urls = [f"http://{origin.hosts[n % given.hosts]}:{origin.port}/{n}.jpg" for n in range(given.jobs)]
        batches = []
        # Each twice, under its key.
        for part in [0, 0, 1, 1, 2, 2, 3, 3]:
            batches.append(subprocess.run(
                [*fleet, "add", "--from", "-", "--key", f"part {part}"], input="\n".join(urls[part::4]), text=True,
                check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            ).stdout.strip())
        assert batches[::2] == batches[1::2] and len(set(batches)) == 4, batches
        total = given.jobs + has_poison
        if has_poison:
            subprocess.run([*fleet, "add", f"http://{origin.hosts[0]}:{origin.port}{POISON}"], check=True,
                           stdout=subprocess.DEVNULL)

        def retry():
            """Has all that was cancelled tried again; the database may be away."""
            try:
                retried.update(job for (job,) in database.rows("SELECT job FROM results WHERE state = 3"))
            except RuntimeError:
                return
            for batch in sorted(set(batches)):
                subprocess.run([*fleet, "retry", "--batch", batch], stdout=subprocess.DEVNULL, check=True)

        # Nodes have a role that may do no more than they need.
        database.rows("CREATE ROLE runner LOGIN")
        subprocess.run([*fleet, "init", "--node", "runner"], check=True)
        # One that has been retired for good.
        database.rows("INSERT INTO nodes (name, expires_at, gone_at) VALUES ('retired', '-infinity', now())")
        nodes = [Node(n, folder, database, net, given.lease, place) for n in range(given.nodes)]
        begun, frozen, cut, next_blow, looks = time.monotonic(), [], [], 2.0, 0
        paused, longest_stop, place_thaws, refused = None, 0, 0, 0
        cursor, followed, retried, retry_at = "0", [], set(), 0
        while True:
            time.sleep(0.25)
            at = time.monotonic() - begun
            for thaw_at, node, parts in [f for f in frozen if f[0] <= at]:
                node.thaw(parts)
            frozen = [f for f in frozen if f[0] > at]
            for _, node, blow in [c for c in cut if c[0] <= at]:
                net.links(node.number, blow, "up")
            cut = [c for c in cut if c[0] > at]
            if place_thaws and place_thaws <= at:
                place.thaw()
                place_thaws = 0
            if refused and refused <= at:
                database.rows("DROP TRIGGER IF EXISTS refuse ON results")
                refused = 0
            if paused and paused[0] <= at:
                subprocess.run([*fleet, "resume", "--batch", paused[1]], check=True, stdout=subprocess.DEVNULL)
                paused = None
            if retry_at and retry_at <= at:
                retry()
                retry_at = 0
            while origin.bitten:
                address = origin.bitten.popleft()
                names = [row[0] for row in database.rows(
                    "SELECT n.name FROM queue q JOIN items i USING (job) JOIN nodes n ON n.node = q.node "
                    f"WHERE i.url LIKE '%{POISON}'")]
                for node in nodes:
                    bitten = address.endswith(f".{node.number + 1}") if net.database_address else node.name in names
                    if bitten and not node.dead_until:
                        did["poison"] += 1
                        node.die()
                        # So long that others take over.
                        node.dead_until = at + 1.4 * given.lease + 4
            for node in nodes:
                if 0 < node.dead_until <= at:
                    node.dead_until = 0
                    for part in ("daemon", "agent"):
                        node.start(part)
            for removal in [r for r in removals if r[0] <= at]:
                removals.remove(removal)
                if subprocess.run([*fleet, "remove-node", removal[1]], capture_output=True).returncode != 0:
                    removals.append((at + 1, removal[1]))
            for node in nodes:
                for part, process in node.processes.items() if not node.dead_until else []:
                    if process.poll() is not None:
                        problems.append(f"{node.name}'s {part} ended by itself with {process.returncode}")
                        node.start(part)
            queue, results, marked = map(int, database.rows(
                "SELECT (SELECT count(*) FROM queue) + (SELECT count(*) FROM paused), (SELECT count(*) FROM results), "
                "(SELECT count(*) FROM queue q JOIN buckets b USING (bucket) "
                "WHERE q.node IS NOT NULL AND q.node IS DISTINCT FROM b.node)")[0])
            looks += 1
            if looks % 20 == 0:
                # However many nodes are gone at the moment.
                asked = subprocess.run([*fleet, "status", "--json"], capture_output=True, text=True)
                if asked.returncode != 0:
                    problems.append(f"status failed: {asked.stderr}")
            if looks % 5 == 0:
                cursor = follow(fleet, cursor, followed)
            if queue + results != total:
                problems.append(f"{queue} queued and {results} results are not {total} jobs")
            if marked:
                problems.append(f"{marked} jobs are marked by another than their bucket's owner")
            if queue == 0 and database.rows("SELECT count(*) FROM results WHERE state = 3")[0][0] != "0":
                retry()
                continue
            if queue == 0 and not removals or at > given.seconds + 240 or len(problems) > 10:
                break
            if at > given.seconds or at < next_blow:
                continue
            next_blow = at + dice.uniform(0.5, 2.5)
            node = dice.choice(nodes)
            if node.dead_until or any(f[1] is node for f in frozen + cut):
                continue
            blows = ["agent", "agent", "daemon", "both", "stop", "freeze", "freeze", "freeze", "database", "pause",
                     "snapshot", "snapshot", "refusals", "forget", "cancel", "cancel", "suspects", "clock", "retire"]
            if given.only:
                blows = [blow for blow in given.only.split(",") if blow != "poison"]
                if not blows:
                    continue
            blow = dice.choice(blows + ([] if given.only else net.blows + place.blows))
            if blow == "pause" and paused or blow == "clock" and not steps or blow == "retire" and len(gone) == 2:
                continue
            did[blow] += 1
            if blow in ("agent", "daemon"):
                node.kill(blow)
                node.start(blow)
            elif blow == "both":
                for part in ("agent", "daemon"):
                    node.kill(part)
                for part in ("daemon", "agent"):
                    node.start(part)
            elif blow == "snapshot":
                node.kill("daemon")
                node.snapshot()
                node.start("daemon")
            elif blow == "forget":
                node.forget()
            elif blow == "cancel":
                jobs = [job for (job,) in database.rows(
                    "SELECT job FROM queue JOIN items USING (job) "
                    f"WHERE url NOT LIKE '%{POISON}' ORDER BY random() LIMIT 20")]
                subprocess.run([*fleet, "cancel", *jobs], check=True, stdout=subprocess.DEVNULL)
                retry_at = retry_at or at + dice.uniform(1, 6)
            elif blow == "suspects":
                database.rows(
                    f"UPDATE queue SET takeovers = greatest(takeovers, {dice.choice([3, 4, 5])}) WHERE job IN "
                    "(SELECT job FROM queue WHERE node IS NULL ORDER BY random() LIMIT 20)")
            elif blow == "clock":
                database.step(dice.choice([-45, -20, 20, 45, 600]))
            elif blow == "retire":
                node.die()
                gone.append(node)
                removals.append((at + 1.5 * given.lease, node.name))
                nodes[nodes.index(node)] = Node(
                    node.number, folder, database, net, given.lease, place, f"n{node.number}-{len(gone)}")
            elif blow == "refusals":
                # Time limits, deadlocks and a full disk, which say nothing of what is reported.
                code = dice.choice(["57014", "40P01", "53100"])
                database.rows(
                    "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                    f"IF random() < 0.5 THEN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END IF; RETURN NULL; END $$; "
                    "CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON results EXECUTE FUNCTION refuse()")
                refused = at + dice.uniform(1, 5)
            elif blow == "stop":
                asked = time.monotonic()
                status = node.kill("agent", signal.SIGTERM)
                longest_stop = max(longest_stop, time.monotonic() - asked)
                if status != 0:
                    problems.append(f"{node.name}'s agent was stopped and ended with {status}")
                node.start("agent")
            elif blow == "freeze":
                parts = dice.choice([["agent"], ["daemon"], ["agent", "daemon"]])
                node.freeze(parts)
                frozen.append((at + dice.uniform(1, 2.5 * given.lease), node, parts))
            elif blow.endswith(("link", "links")):
                net.links(node.number, blow, "down")
                cut.append((at + dice.uniform(1, 2.5 * given.lease), node, blow))
            elif blow == "bucket":
                place.freeze()
                place_thaws = at + dice.uniform(1, 10)
            elif blow == "bucket faults":
                if not place_thaws:
                    place.fail(dice)
            elif blow == "pause":
                paused = (at + dice.uniform(1, 4), dice.choice(batches))
                subprocess.run([*fleet, "pause", "--batch", paused[1]], check=True, stdout=subprocess.DEVNULL)
            else:
                database.crash()
                time.sleep(dice.uniform(0, 1))
                database.start()
        took = time.monotonic() - begun
        if queue:
            problems.append(f"{queue} jobs were not done {took - given.seconds:.0f} s after the last blow")
        place.thaw()
        for node in nodes:
            if node.dead_until:
                for part in ("daemon", "agent"):
                    node.start(part)
        for _, node, parts in frozen:
            node.thaw(parts)
        for _, node, blow in cut:
            net.links(node.number, blow, "up")
        # What nobody recorded goes once each agent has heard that it is others'.
        wanted, recorded = {}, {}
        for job, state, document, sha256, url in database.rows(
            "SELECT job, r.state, document, encode(r.sha256, 'hex'), url FROM results r JOIN items USING (job)"
        ):
            host, path = url.removeprefix("http://").split("/", 1)
            expected = hashlib.sha256(content(host.split(":")[0], "/" + path)).hexdigest()
            if "/" + path == POISON:
                if state != "2":
                    problems.append(f"what ends nodes ended with {state}")
            elif state != "1":
                problems.append(f"job {job} ended with {state}")
            elif sha256 != expected:
                problems.append(f"job {job} has another hash")
            else:
                recorded[document] = expected
                if (path := place.path(document)):
                    wanted[path] = expected
        end = time.monotonic() + 30 + 3 * given.lease
        # Nobody tidies up after a node that is gone.
        for node in gone:
            node.is_restored = True
        all_nodes = nodes + gone
        while True:
            there = {str(file) for node in all_nodes for file in node.documents.glob("*") if file.is_file()}
            unknown = {str(file) for node in all_nodes if node.is_restored for file in node.documents.glob("*")}
            if there - unknown == set(wanted) - unknown or time.monotonic() > end:
                break
            time.sleep(0.5)
        for file in sorted(set(wanted) - there)[:5]:
            problems.append(f"{file} is recorded and isn't there")
        # A daemon whose state is an older copy, or that was told to forget, knows nothing of some documents.
        unknown = {str(file) for node in all_nodes if node.is_restored for file in node.documents.glob("*")}
        orphans = sorted(there - set(wanted) - unknown)
        for file in orphans[:5]:
            problems.append(f"{file} is there and isn't recorded")
        for file in there & set(wanted):
            if hashlib.sha256(Path(file).read_bytes()).hexdigest() != wanted[file]:
                problems.append(f"{file} has another hash")
        problems += place.check(recorded)
        # All nodes are there again, and have as much.
        end = time.monotonic() + 6 * given.lease
        while True:
            counts = database.rows("SELECT count(*) FROM buckets GROUP BY node")
            counts = [int(row[0]) for row in counts]
            is_even = len(counts) == given.nodes and max(counts) <= 1024 / given.nodes + 9
            if is_even or time.monotonic() > end:
                break
            time.sleep(0.5)
        if not is_even:
            problems.append(f"the nodes have {counts} buckets")
        bare = int(database.rows("SELECT count(*) FROM results WHERE state = 1 AND detection IS NULL")[0][0])
        if bare:
            problems.append(f"{bare} jobs were recorded without their detection")
        stale = int(database.rows(
            "SELECT count(*) FROM results r JOIN (SELECT DISTINCT ON (job) * FROM audit ORDER BY job, place DESC) a "
            "USING (job) WHERE r.token <> 0 AND r.token IS DISTINCT FROM a.token"
        )[0][0])
        if stale:
            problems.append(f"{stale} jobs were recorded by who no longer held them")
        follow(fleet, cursor, followed)
        jobs = {job for (job,) in database.rows("SELECT job::text FROM results")}
        ended = [job for job, state in followed if state != "cancelled"]
        if set(ended) != jobs or len(ended) != len(jobs):
            problems.append(f"{len(ended)} records, {len(set(ended))} different, were followed of {len(jobs)}")
        if not {job for job, state in followed if state == "cancelled"} <= retried:
            problems.append("records of cancelled jobs were followed that were not cancelled")
        takeovers = database.rows("SELECT (SELECT sum(epoch) FROM buckets), (SELECT sum(incarnation) FROM nodes)")[0]
        if origin.over > origin.requests * 0.02:
            problems.append(f"{origin.over} of {origin.requests} requests were over the limit of their host")
        if max(origin.most.values()) > 2 * PER_HOST:
            problems.append(f"a host had {max(origin.most.values())} requests at once")
        subprocess.run([*fleet, "remove-node", "retired"], check=True)
        status = json.loads(subprocess.run([*fleet, "status", "--json"], capture_output=True, check=True).stdout)
        if has_poison and status["poison"] != 1:
            problems.append(f"{status['poison']} jobs are said to end nodes")
        if sorted(node["name"] for node in status["nodes"]) != sorted(node.name for node in nodes):
            problems.append(f"status has the nodes {status['nodes']}")
        for node in nodes:
            if "facefetch_fleet_claimed_jobs_total" not in (node.folder / "metrics.prom").read_text():
                problems.append(f"{node.name}'s agent wrote no figures")
            if node.kill("agent", signal.SIGTERM) != 0:
                problems.append(f"{node.name}'s agent did not end well")
            node.kill("daemon", signal.SIGTERM)
        print(
            f"seed {given.seed}, documents {given.documents}: {results} of {total} jobs in {took:.0f} s under {dict(did)}; {looks} looks; "
            f"{origin.requests} requests, {origin.over} over the limit, at most {max(origin.most.values())} at once; "
            f"bucket changes and lives {takeovers}; orphans {len(orphans)}; poison {status['poison']}; "
            f"stopped within {longest_stop:.1f} s"
        )
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for node in nodes + gone:
            for process in node.processes.values():
                if process.poll() is None:
                    process.send_signal(signal.SIGCONT)
                    process.kill()
                    process.wait()
        place.close()
        try:
            database.crash()
        except subprocess.CalledProcessError:
            pass
        if isinstance(net, Namespaces):
            net.close()
        if problems or given.keep:
            print(f"what is left: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder)
    for problem in problems:
        print(f"PROBLEM: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
