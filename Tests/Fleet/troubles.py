#!/usr/bin/env python3
"""A fleet in a bad world: disks that are full, pauses, hosts that are down, a password that changes, a snapshot that is
held, a host that everybody wants, a slow machine, and a URL that ends each daemon that asks for it.

Real programs, as restores.py has them. In each scene one thing goes wrong at one node or at some hosts, and all other
jobs come to their ends.

usage: troubles.py [--only SCENE,...] [--or-skip] [--keep]
Environment: as chaos.py has it, and ENDINGS, how many jobs end under the snapshot.
"""
import json
import os
import re
import signal
import subprocess
import threading
import time

from chaos import POISON, POSTGRES, PROGRAMS
from restores import main


def status(scene, name="n0"):
    nodes = json.loads(scene.fleet("status", "--json").stdout)["nodes"]
    return next(node for node in nodes if node["name"] == name)


def ended(scene):
    return int(scene.rows("SELECT count(*) FROM results WHERE state = 1")[0][0])


def reload(node, daemon):
    """Gives a daemon other settings."""
    file = node.folder / "daemon.yaml"
    file.write_text(daemon)
    node.processes["daemon"].send_signal(signal.SIGHUP)


def held_back(scene, reason, hold, release):
    """While one node's daemon begins nothing, the other one does all, and status says why."""
    scene.work()
    hold(scene.nodes[0])
    begun = time.monotonic()
    scene.work(600)
    print(f"  600 jobs beside a node that begins nothing: {time.monotonic() - begun:.1f} s", flush=True)
    scene.until(f"told: {reason}", lambda: reason in (status(scene)["resting"] or ""))
    scene.until("given back", lambda: status(scene)["jobs"] == 0)
    before = scene.documents()
    release(scene.nodes[0])
    scene.until("at work again", lambda: status(scene)["resting"] is None and status(scene)["buckets"] > 256)
    scene.work()
    scene.check(before)


def with_settings(scene, reason, change):
    usual = (scene.nodes[0].folder / "daemon.yaml").read_text()
    held_back(scene, reason, lambda node: reload(node, change(usual)), lambda node: reload(node, usual))


def full_disk(scene):
    with_settings(scene, "disk is full", lambda usual: usual + f"disk:\n  reserve: {1 << 50}\n")


def timetable(scene):
    with_settings(scene, "timetable",
                  lambda usual: usual.replace("transfer:\n", "transfer:\n  timetable: 00:00 pause\n"))


def paused(scene):
    """A person pauses what a node has, and it goes to the other."""
    scene.work()
    # What is paused behind its download is in no record yet, and fetched again by the other.
    before = scene.documents()
    scene.origin.delay = 0.5
    scene.add(600)
    node = scene.nodes[0]
    # Half a slice at least, whatever is claimed beside it.
    scene.until("claimed", lambda: status(scene)["jobs"] > 45)
    subprocess.run([PROGRAMS / "facefetch", "--socket", node.folder / "s", "pause", "--all"], check=True,
                   capture_output=True)
    scene.origin.delay = 0.02
    scene.until("told", lambda: "paused" in (status(scene)["resting"] or ""))
    scene.check(before)


def held(scene):
    return int(scene.rows("SELECT count(*) FROM queue WHERE node IS NOT NULL")[0][0])


def beside(scene, dead, count):
    """Adds jobs of hosts that are down, then others, which come to their ends beside them."""
    urls = "\n".join(f"http://{host}:{scene.origin.port}/{n}.jpg" for n, host in enumerate(dead))
    scene.fleet("add", "--from", "-", input=urls)
    scene.until("tried", lambda: held(scene) >= 60)
    begun = time.monotonic()
    scene.add(count)
    scene.until("done beside hosts that are down", lambda: ended(scene) >= count)
    print(f"  {count} jobs beside hosts that are down: {ended(scene)} in {time.monotonic() - begun:.1f} s; "
          f"{held(scene)} of theirs are held", flush=True)


def finish(scene):
    """Ends what hosts that are down leave, and compares the rest."""
    scene.fleet("cancel", "--batch", "1")
    scene.until("cancelled", lambda: scene.count("queue") == 0)
    scene.rows("DELETE FROM results WHERE state <> 1")
    scene.check(scene.documents())


def dead_host(scene):
    """A host that is down has more URLs than ten slices, and its node does the others' all the same."""
    beside(scene, ["127.0.200.1"] * 1500, 1200)
    # Its bucket has a slice at most, but for what has just been claimed.
    scene.until("bounded", lambda: held(scene) <= 90)
    finish(scene)


def dead_hosts(scene):
    """Hosts that are down in all buckets have more URLs than the nodes may have waiting."""
    beside(scene, [f"127.0.{200 + n // 200 % 10}.{1 + n % 200}" for n in range(2000)], 200)
    finish(scene)


def password(scene):
    """The database's password changes, and the agents take it from their file."""
    scene.work()
    scene.stop_agents()
    access = scene.database.folder / "data/pg_hba.conf"
    access.write_text("local all guard scram-sha-256\n" + access.read_text())
    file = scene.folder / "connection"

    def change(word):
        file.write_text(f"host={scene.database.folder} user=guard dbname=postgres password={word}\n")
        scene.rows(f"ALTER ROLE guard PASSWORD '{word}'")

    file.touch(0o600)
    scene.rows("CREATE ROLE guard LOGIN SUPERUSER; SELECT pg_reload_conf()")
    change("one")
    for node in scene.nodes:
        settings = node.folder / "fleet.yaml"
        settings.write_text(re.sub("database: .*", f"database-file: {file}", settings.read_text()))
        node.start("agent")
    scene.work()
    change("two")
    begun = time.monotonic()
    scene.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guard'")
    connected = "SELECT count(DISTINCT pid) >= 2 FROM pg_stat_activity WHERE usename = 'guard'"
    scene.until("connected with the new password", lambda: scene.rows(connected) == [["t"]])
    print(f"  a changed password is taken after {time.monotonic() - begun:.1f} s", flush=True)
    scene.work()
    scene.check(scene.documents())


def snapshot(scene):
    """Somebody holds a snapshot, as a dump does, while 300,000 jobs end, and agents begin anew behind them."""
    count = int(os.environ.get("ENDINGS", 300_000))
    dump = subprocess.Popen([POSTGRES / "psql", scene.database.info, "-XAtq"], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)
    dump.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;\n")
    dump.stdin.flush()
    dump.stdout.readline()
    scene.database.rows(
        f"INSERT INTO queue (job, bucket, turn) SELECT n, n % 1024, 0 FROM generate_series(1, {count}) AS n; "
        f"DELETE FROM queue; SELECT setval('jobs', {count})", timeout=600)
    for restarts in (False, True):
        if restarts:
            scene.stop_agents()
            scene.start_agents()
        begun = time.monotonic()
        scene.work(1200)
        print(f"  1,200 jobs behind {count:,} that have ended: {time.monotonic() - begun:.1f} s", flush=True)
    lost = sum((node.folder / "log").read_text().count("database: ") for node in scene.nodes)
    if lost:
        scene.problems.append(f"{lost} kinds of failures of the database")
    dump.communicate("COMMIT;\n")
    scene.check(scene.documents())


def crowd(scene):
    """Somebody has 20,000 jobs of one host, then somebody else has one of the same."""
    host = f"http://{scene.origin.hosts[0]}:{scene.origin.port}/"
    scene.fleet("add", "--from", "-", input="\n".join(f"{host}a{n}.jpg" for n in range(20_000)))
    scene.until("at work", lambda: ended(scene) >= 50)
    begun = time.monotonic()
    scene.fleet("add", f"{host}b.jpg")
    scene.until("done in its turn", lambda: scene.rows("SELECT count(*) FROM results WHERE batch = 2") == [["1"]],
                within=20)
    print(f"  one job among 20,000 of its host: {time.monotonic() - begun:.1f} s", flush=True)
    scene.fleet("cancel", "--batch", "1")
    scene.until("cancelled", lambda: scene.count("queue") == 0)
    scene.rows("DELETE FROM results WHERE state <> 1")
    # What was cancelled behind its download is removed again.
    scene.check(set())


def slow_machine(scene):
    """One machine is twenty times as fast as the other, and doesn't idle until that has done its half."""
    slow = scene.nodes[1]
    usual = (slow.folder / "daemon.yaml").read_text()
    reload(slow, re.sub("concurrency: .*", "concurrency: 1", usual))
    scene.origin.delay = 0.25
    begun = time.monotonic()
    # Alone, the slow one would take two and a half minutes for its half.
    scene.work(1200)
    print(f"  1,200 jobs of a fast and a slow machine: {time.monotonic() - begun:.1f} s", flush=True)
    if time.monotonic() - begun > 75:
        scene.problems.append("the fast machine idled")
    scene.origin.delay = 0.02
    scene.check(scene.documents())


def killer(scene):
    """A URL ends each daemon that asks for it, which is started again; its agents go on all the time."""
    deaths, stopped = {node.name: [] for node in scene.nodes}, threading.Event()
    scene.fleet("add", f"http://{scene.origin.hosts[0]}:{scene.origin.port}{POISON}")
    job = scene.rows("SELECT max(job) FROM items")[0][0]

    def watch():
        while not stopped.is_set():
            if not scene.origin.bitten:
                stopped.wait(0.02)
                continue
            scene.origin.bitten.clear()
            for name, in scene.rows(f"SELECT n.name FROM queue q JOIN nodes n USING (node) WHERE job = {job}"):
                node = next(node for node in scene.nodes if node.name == name)
                node.kill("daemon")
                deaths[name].append(time.monotonic())
                node.start("daemon")

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        scene.add(600)
        failed = f"SELECT count(*) FROM results WHERE job = {job} AND error ->> 'code' = 'poison'"
        scene.until("done beside it", lambda: ended(scene) >= 600, within=300)
        scene.until("found to be poison", lambda: scene.rows(failed) == [["1"]], within=600)
    finally:
        stopped.set()
        watcher.join()
    most = max((sum(begin <= death < begin + 60 for death in times)
                for times in deaths.values() for begin in times), default=0)
    print(f"  {sum(map(len, deaths.values()))} daemons have died of it, {most} of a node within a minute", flush=True)
    if most > 4:
        scene.problems.append(f"{most} deaths within a minute: systemd would have given the daemon up")
    scene.rows("DELETE FROM results WHERE state <> 1")
    scene.check(scene.documents())


SCENES = [full_disk, timetable, paused, dead_host, dead_hosts, password, snapshot, crowd, slow_machine, killer]

if __name__ == "__main__":
    main(SCENES)
