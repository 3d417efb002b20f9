#!/usr/bin/env python3
"""A fleet whose database fails over, is restored or made anew, whose nodes are renamed and put back, and which gets a
list of dead links.

Real programs: a PostgreSQL and its copies in a temporary folder, two daemons with an agent each, which keep what they
did (keep: 7d), and an origin. In each scene jobs end, a copy is made, more jobs end, the copy takes the database's
place, and still more jobs are added. Then every document that was there is still there, each record names a document
with the content of its URL, no job is left, and whoever follows the record by its cursor, or is told where to begin
again, has read every record that there is.

usage: restores.py [--only SCENE,...] [--or-skip] [--keep]
Environment: as chaos.py has it.
"""
import argparse
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from chaos import NOBODY, POSTGRES, PROGRAMS, Database, LocalPlace, Loopback, Node, Origin, content, stop

PIECE = 150


class Keeping(LocalPlace):
    """Documents stay with the daemons, which remember them."""

    settings = "keep: 7d\n"


class Connection:
    """What a node is told of where the database is."""

    def __init__(self, *databases):
        self.hosts = ",".join(str(database.folder) for database in databases)

    def info_for_node(self, _):
        return f"host={self.hosts} user=fleet dbname=postgres"


class Copy(Database):
    """A database that is a base backup of another one, and isn't running yet."""

    def __init__(self, folder, name, other, *options):
        self.folder, self.address = folder / name, None
        self.environment, self.clock = None, None
        self.folder.mkdir()
        if NOBODY:
            shutil.chown(self.folder, 65534, 65534)
        self.run("pg_basebackup", "-D", self.folder / "data", "-h", other.folder, "-U", "fleet", "-c", "fast",
                 "--no-sync", *options)

    def recover(self):
        """Has it recover as from an archive, which has nothing."""
        (self.folder / "data/recovery.signal").touch()
        with open(self.folder / "data/postgresql.auto.conf", "a") as settings:
            settings.write("restore_command = 'false'\n")


class Scene:
    def __init__(self, folder, origin):
        self.folder, self.origin, self.problems = folder, origin, []
        self.schema, self.urls, self.databases, self.nodes = "ff", 0, [], []
        self.place, self.seen, self.cursor = Keeping(folder), [], "0"
        self.database = self.has(Database(folder, None))
        self.configure()
        self.fleet("init")
        self.nodes = [Node(n, folder, Connection(self.database), Loopback(), 6, self.place) for n in range(2)]

    def has(self, database):
        self.databases.append(database)
        return database

    def configure(self):
        (self.folder / "fleet.yaml").write_text(f"database: {self.database.info}\nnode: x\nschema: {self.schema}\n")

    def fleet(self, *words, check=True, **more):
        return subprocess.run([PROGRAMS / "facefetch-fleet", *words, "--config", self.folder / "fleet.yaml"],
                              check=check, text=True, capture_output=True, **more)

    def add(self, count=PIECE, folder=""):
        hosts = self.origin.hosts
        urls = [f"http://{hosts[n % len(hosts)]}:{self.origin.port}/{folder}{n}.jpg"
                for n in range(self.urls, self.urls + count)]
        self.urls += count
        self.fleet("add", "--from", "-", input="\n".join(urls))

    def rows(self, sql):
        return self.database.rows(f"SET search_path = {self.schema}; {sql}")

    def count(self, table):
        return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])

    def until(self, what, is_so, within=90):
        """Waits until something is so; returns whether it is."""
        end = time.monotonic() + within
        while not is_so():
            if time.monotonic() > end:
                self.problems.append(f"not {what} after {within} s: {self.count('results')} results, {self.count('queue')} queued")
                return False
            time.sleep(0.1)
        return True

    def work(self, count=PIECE, folder=""):
        """Has so many jobs end that are added now."""
        done = self.count("results") + count
        self.add(count, folder)
        return self.until("done", lambda: self.count("results") >= done)

    def follow(self):
        """Reads what was recorded since, or from where it is told to begin again."""
        asked = self.fleet("results", "--after", self.cursor, check=False)
        if asked.returncode != 0:
            place = re.search(r"--after ([0-9a-f-]*[0-9a-f])", asked.stderr)
            if asked.returncode != 1 or not place:
                self.problems.append(f"results ended with {asked.returncode}: {asked.stderr}")
                return
            asked = self.fleet("results", "--after", place[1])
        for line in asked.stdout.splitlines():
            record = json.loads(line)
            self.cursor = record["cursor"]
            self.seen.append(record["job"])

    def followed(self):
        """Reads until all records that there are were seen: PostgreSQL's own transactions hold them up."""
        jobs = {int(job) for (job,) in self.rows("SELECT job FROM results")}

        def has_all():
            self.follow()
            return jobs <= set(self.seen)
        self.until("followed", has_all)

    def stop_agents(self):
        for node in self.nodes:
            if node.kill("agent", signal.SIGTERM) != 0:
                self.problems.append(f"{node.name}'s agent did not end well")

    def start_agents(self, database=None):
        for node in self.nodes:
            settings = node.folder / "fleet.yaml"
            text = re.sub("database: .*", f"database: {Connection(database or self.database).info_for_node(0)}",
                          settings.read_text())
            settings.write_text(re.sub("node: .*", f"node: {node.name}", text) + f"schema: {self.schema}\n"
                                if "schema:" not in text else text)
            node.start("agent")

    def documents(self):
        return {str(file) for node in self.nodes for file in node.documents.glob("*") if file.is_file()}

    def check(self, before):
        """Compares the documents with those that were there, and with the record."""
        self.until("done", lambda: self.count("queue") == 0)
        self.followed()
        # What is read of endings until then is dealt with.
        for node in self.nodes:
            node.kill("agent", signal.SIGTERM)
        if missing := before - self.documents():
            self.problems.append(f"{len(missing)} of {len(before)} documents are gone, such as {min(missing)}")
        wrong = 0
        for state, document, url in self.rows(
                "SELECT r.state, r.document, i.url FROM results r JOIN items i USING (job)"):
            host, path = url.removeprefix("http://").split("/", 1)
            file = Path("/" + urllib.parse.unquote(document.removeprefix("file://").split("/", 1)[1]))
            wrong += state != "1" or not file.exists() or file.read_bytes() != content(host.split(":")[0], "/" + path)
        if wrong:
            self.problems.append(f"{wrong} of {self.count('results')} records name no document with their URL's content")

    def close(self):
        for node in self.nodes:
            for process in node.processes.values():
                if process.poll() is None:
                    process.kill()
                    process.wait()
        for database in self.databases:
            try:
                database.crash()
            except subprocess.CalledProcessError:
                pass


def restored(scene, put_back):
    """The manual's way: agents are stopped, the database is put back, init is run, and they are started."""
    scene.stop_agents()
    before = scene.documents()
    put_back()
    scene.configure()
    scene.fleet("init")
    scene.start_agents()
    scene.work()
    scene.check(before)


def begin(scene):
    """Has jobs end, and others be under way."""
    scene.work()
    scene.follow()
    scene.add()


def dump(scene):
    begin(scene)
    file = scene.folder / "pg/dump"
    scene.database.run("pg_dump", "-Fc", "-f", file, "-n", "ff", "-d", scene.database.info)
    scene.work()
    scene.followed()

    def put_back():
        scene.rows("DROP SCHEMA ff CASCADE")
        scene.database.run("pg_restore", "-d", scene.database.info, file)
    restored(scene, put_back)


def another_cluster(scene, name, recovers):
    begin(scene)
    copy = scene.has(Copy(scene.folder, name, scene.database))
    scene.work()
    scene.followed()

    def put_back():
        scene.database.crash()
        if recovers:
            copy.recover()
        copy.start()
        scene.until("recovered", lambda: copy.rows("SELECT pg_is_in_recovery()") == [["f"]])
        scene.database = copy
    restored(scene, put_back)


def backup(scene):
    another_cluster(scene, "recovered", True)


def disk(scene):
    another_cluster(scene, "copied", False)


def failover(scene):
    """A standby that hasn't got the last commits becomes the primary, under agents that work."""
    standby = scene.has(Copy(scene.folder, "standby", scene.database, "-R"))
    scene.stop_agents()
    for node in scene.nodes:
        settings = node.folder / "fleet.yaml"
        hosts = Connection(scene.database, standby)
        settings.write_text(re.sub("database: .*", f"database: {hosts.info_for_node(0)}", settings.read_text()))
        node.start("agent")
    begin(scene)
    standby.start()
    scene.until("followed by the standby", lambda: int(standby.rows("SELECT count(*) FROM results")[0][0]) >= PIECE)
    standby.crash()
    scene.work()
    scene.add()
    scene.followed()
    scene.database.crash()
    before = scene.documents()
    standby.start()
    standby.run("pg_ctl", "promote", "-w", "-D", standby.folder / "data")
    scene.database = standby
    scene.configure()
    scene.work()
    scene.check(before)


def schema(scene):
    """The tables are made anew."""
    scene.work()
    scene.follow()

    def put_back():
        scene.rows("DROP SCHEMA ff CASCADE")
        scene.seen = []
    restored(scene, put_back)


def another_schema(scene):
    scene.work()

    def put_back():
        scene.schema, scene.seen, scene.cursor = "other", [], "0"
    restored(scene, put_back)


def renamed(scene):
    """Batches are forgotten, and a node gets another name."""
    scene.work()
    scene.follow()
    scene.rows("UPDATE batches SET created_at = now() - interval '9 d'; "
               "UPDATE results SET finished_at = now() - interval '8 d'")
    scene.fleet("forget", "--ended-before", "7d", "--wholly")

    def put_back():
        for node in scene.nodes:
            node.name += "-new"
    restored(scene, put_back)


def daemons(scene):
    """Daemons' states are put back to an earlier copy."""
    begin(scene)
    for node in scene.nodes:
        node.kill("daemon")
        shutil.copytree(node.folder / "state", node.folder / "copy")
        node.start("daemon")
    scene.work()
    scene.rows("UPDATE batches SET created_at = now() - interval '9 d'; "
               "UPDATE results SET finished_at = now() - interval '8 d'")

    def put_back():
        scene.fleet("forget", "--ended-before", "7d", "--wholly")
        for node in scene.nodes:
            node.kill("daemon")
            shutil.rmtree(node.folder / "state")
            (node.folder / "copy").rename(node.folder / "state")
            node.start("daemon")
    restored(scene, put_back)


def collision(scene):
    """Numbers of slices come again, and nothing in the database shows it."""
    scene.work()
    scene.follow()
    scene.stop_agents()
    before = scene.documents()
    # With another node's daemon a number may be new: one node has its own again.
    scene.nodes[0].start("agent")
    scene.work()
    scene.nodes[0].kill("agent", signal.SIGTERM)
    before |= scene.documents()
    scene.rows("SELECT setval('tokens', (SELECT min(token) FROM results "
               "WHERE batch = (SELECT max(batch) FROM batches)), false)")
    done = scene.count("results") + PIECE
    scene.add()
    scene.nodes[0].start("agent")
    scene.until("done", lambda: scene.count("results") >= done)
    scene.nodes[1].start("agent")
    scene.check(before)
    if scene.count("lives") != 2:
        scene.problems.append(f"the fleet has had {scene.count('lives')} lives, and not 2")


def dead_links(scene):
    """A list whose servers refuse everything comes among others, which have to go on."""
    scene.work(3000)
    scene.work(900, "forbidden/")
    scene.work()
    failed = scene.rows("SELECT count(*) FROM results WHERE state = 2 AND error ->> 'code' = 'http_403'")[0][0]
    if failed != "900":
        scene.problems.append(f"{failed} of 900 jobs were refused")


SCENES = [dump, backup, disk, failover, schema, another_schema, renamed, daemons, collision, dead_links]


def main(scenes):
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", help="nothing but these scenes, separated by commas")
    parser.add_argument("--or-skip", action="store_true", help="end well where there is no PostgreSQL")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    if not (POSTGRES / "initdb").exists():
        print(f"{'SKIPPED: t' if given.or_skip else 'T'}here is no PostgreSQL in {POSTGRES}")
        sys.exit(0 if given.or_skip else 1)
    signal.signal(signal.SIGTERM, stop)
    origin = Origin([Loopback().host(n) for n in range(20)], 1, 0.02)
    origin.start()
    origin.ready.wait()
    failed = False
    for play in scenes:
        if given.only and play.__name__ not in given.only.split(","):
            continue
        folder = Path(tempfile.mkdtemp(prefix="ff-", dir="/tmp"))
        folder.chmod(0o755)
        begun, scene = time.monotonic(), Scene(folder, origin)
        try:
            play(scene)
            print(f"{play.__name__}: {scene.count('results')} records, {len(scene.documents())} documents, "
                  f"{time.monotonic() - begun:.0f} s", flush=True)
        finally:
            scene.close()
            if scene.problems or given.keep:
                print(f"what is left: {folder}", file=sys.stderr)
            else:
                shutil.rmtree(folder)
        for problem in scene.problems:
            failed = True
            print(f"PROBLEM: {play.__name__}: {problem}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(SCENES)
