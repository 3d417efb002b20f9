#!/usr/bin/env python3
"""Sources that feed a fleet, whose daemon, agents and database are killed at random, seeded, while they do.

Real programs, as in chaos.py: the first of three daemons has two sources with queue: fleet, whose pages an origin of
here serves. In the end each item is one job of the fleet and was fetched, the daemon keeps none back, and at no look
had a source more items with the fleet than its recipe allows. The database is also put back to an older copy once,
with the agents stopped, as the manual has it: what the daemons still keep is handed over anew.

usage: feeding.py [--seed N] [--items N] [--seconds N] [--or-skip] [--keep]
Environment: FACEFETCH_BIN, FACEFETCH_POSTGRES, as for chaos.py.
"""
import argparse
import collections
import http.server
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from chaos import POSTGRES, PROGRAMS, Database, LocalPlace, Loopback, Node, stop

PAGE, AHEAD = 50, 400


class Pages(http.server.BaseHTTPRequestHandler):
    """Lists of so many items, and pictures."""

    protocol_version, items, fetched = "HTTP/1.1", 0, collections.Counter()

    def do_GET(self):
        time.sleep(0.01)
        parts = self.path.strip("/").split("/")
        if parts[0] == "list":
            name, page = parts[1], int(parts[2])
            numbers = range(page * PAGE, min((page + 1) * PAGE, self.items))
            shown = {"items": [{"url": f"/picture/{name}/{n}.jpg"} for n in numbers],
                     "next": f"/list/{name}/{page + 1}" if (page + 1) * PAGE < self.items else None}
            body, kind = json.dumps(shown).encode(), "application/json"
        else:
            self.fetched[self.path] += 1
            body, kind = self.path.encode() * 50, "image/jpeg"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100

    def handle_error(self, *_):
        """A client that was killed."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--items", type=int, default=3000, help="of each of two sources")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--or-skip", action="store_true", help="end well where there is no PostgreSQL")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    if not (POSTGRES / "initdb").exists():
        print(f"{'SKIPPED: t' if given.or_skip else 'T'}here is no PostgreSQL in {POSTGRES}")
        sys.exit(0 if given.or_skip else 1)
    signal.signal(signal.SIGTERM, stop)
    dice, net = random.Random(given.seed), Loopback()
    folder = Path(tempfile.mkdtemp(prefix="ff-", dir="/tmp"))
    folder.chmod(0o755)
    Pages.items = given.items
    server = Server(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    database, nodes, problems, did = Database(folder, None), [], [], collections.Counter()
    try:
        config = folder / "fleet.yaml"
        config.write_text(f"database: {database.info}\nnode: x\n")
        fleet = [PROGRAMS / "facefetch-fleet", "--config", config]
        subprocess.run([*fleet, "init"], check=True)
        database.rows("CREATE ROLE runner LOGIN")
        subprocess.run([*fleet, "init", "--node", "runner"], check=True)
        nodes = [Node(n, folder, database, net, 9, LocalPlace(folder)) for n in range(3)]
        client = [PROGRAMS / "facefetch", "--socket", nodes[0].folder / "s"]
        while not (nodes[0].folder / "s").exists():
            time.sleep(0.05)

        def show(name):
            asked = subprocess.run([*client, "source", "show", name, "--json"], capture_output=True, text=True)
            return json.loads(asked.stdout) if asked.returncode == 0 else None

        for name in ["one", "two"]:
            recipe = folder / f"{name}.yaml"
            recipe.write_text(
                f"name: {name}\nurl: http://127.0.0.1:{server.server_port}/list/{name}/0\nitems: .items[]\nnext: .next\n"
                f"job:\n  url: .url\n  meta: '{{\"from\": \"{name}\"}}'\n  folder: '\"{name}\"'\n"
                f"queue: fleet\nahead: {AHEAD}\nevery: never\nlimits: {{pages: 100000, items: 10000000}}\n")
            subprocess.run([*client, "source", "add", recipe], check=True, stdout=subprocess.DEVNULL)
        begun, next_blow, copy, most = time.monotonic(), 2.0, None, 0
        while True:
            time.sleep(0.25)
            at = time.monotonic() - begun
            for node in nodes:
                for part, process in node.processes.items():
                    if process.poll() is not None:
                        problems.append(f"{node.name}'s {part} ended by itself with {process.returncode}")
                        node.start(part)
            shown = [show(name) for name in ["one", "two"]]
            if None not in shown:
                most = max([most, *(source["handed"] for source in shown)])
                if at > given.seconds and all(s["walk"]["complete"] and not s["handed"] for s in shown):
                    break
            if at > given.seconds + 240 or len(problems) > 10:
                problems.append(f"it was not done by then: {shown}")
                break
            if at > given.seconds or at < next_blow:
                continue
            next_blow = at + dice.uniform(0.5, 2.5)
            blow = dice.choice(["daemon", "daemon", "agent", "agent", "other", "database", "restore"])
            did[blow] += 1
            if blow in ("daemon", "agent"):
                nodes[0].kill(blow)
                nodes[0].start(blow)
            elif blow == "other":
                node = dice.choice(nodes[1:])
                node.kill("agent")
                node.start("agent")
            elif blow == "database":
                database.crash()
                time.sleep(dice.uniform(0, 1))
                database.start()
            else:
                # With the agents stopped, the database's folder is copied, or an older copy is put back.
                for node in nodes:
                    node.kill("agent", signal.SIGTERM)
                database.crash()
                if copy is None:
                    copy = folder / "pg-copy"
                    subprocess.run(["cp", "-a", database.folder / "data", copy], check=True)
                elif copy.exists():
                    shutil.rmtree(database.folder / "data")
                    copy.rename(database.folder / "data")
                database.start()
                subprocess.run([*fleet, "init", "--node", "runner"], check=True)
                for node in nodes:
                    node.start("agent")
        took = time.monotonic() - begun
        wanted = {f"http://127.0.0.1:{server.server_port}/picture/{name}/{n}.jpg" for name in ["one", "two"]
                  for n in range(given.items)}
        jobs = database.rows(
            "SELECT url, r.state, i.meta ->> 'from', i.folder, b.source FROM items i LEFT JOIN results r USING (job) "
            "LEFT JOIN batches b ON b.batch = i.batch")
        urls = collections.Counter(job[0] for job in jobs)
        # What ended since the copy and had been taken back by the daemon is in no record any more, as the manual says.
        missing = wanted - set(urls)
        if missing and did["restore"] < 2:
            problems.append(f"{len(missing)} items are in no batch, such as {sorted(missing)[0]}")
        if any(not Pages.fetched["/" + url.split("/", 3)[3]] for url in missing):
            problems.append("an item that is in no batch was never fetched")
        if (twice := [url for url, count in urls.items() if count > 1]):
            problems.append(f"{len(twice)} items came twice, such as {twice[0]}")
        if set(urls) - wanted:
            problems.append(f"there are items that nobody has listed: {sorted(set(urls) - wanted)[:3]}")
        for url, state, *names in jobs:
            if state != "1" or set(names) != {url.split("/")[4]}:
                problems.append(f"{url} ended with {state}, from {names}")
        if most > AHEAD + PAGE:
            problems.append(f"a source had {most} items with the fleet, and may have {AHEAD}")
        left = database.rows("SELECT count(*) FROM fed")[0][0]
        if left != "0":
            problems.append(f"the fleet still knows {left} items that the daemon has taken back")
        shown = subprocess.run([*fleet, "batches", "--limit", "1"], capture_output=True, text=True).stdout
        if "  from " not in shown:
            problems.append(f"a batch doesn't say which source it is from: {shown}")
        for node in nodes:
            if node.kill("agent", signal.SIGTERM) != 0:
                problems.append(f"{node.name}'s agent did not end well")
            node.kill("daemon", signal.SIGTERM)
        print(f"seed {given.seed}: {len(jobs)} of {2 * given.items} items in {took:.0f} s under {dict(did)}; "
              f"at most {most} of {AHEAD} at once; {sum(Pages.fetched.values())} requests; {len(missing)} lost by the copy")
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for node in nodes:
            for process in node.processes.values():
                if process.poll() is None:
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
    for problem in problems[:20]:
        print(f"PROBLEM: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
