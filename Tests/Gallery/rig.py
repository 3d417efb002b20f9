"""A daemon, a gallery and a server of pictures, all real, in a directory of their own."""

import atexit
import http.client
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.request

import origin

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("FACEFETCH_BIN") or ROOT / ".build/debug")
# Photographs beside the painted pictures, where there are any; what is tested by name is painted.
PHOTOS = pathlib.Path(os.environ.get("FACEFETCH_PHOTOS") or ROOT / "../shared/photos").resolve()


class Rig:
    def __init__(self, photos=PHOTOS):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="facefetch-gallery-"))
        self.pictures = self.folder / "pictures"
        subprocess.run([BIN / "test-origin", "paint", self.pictures, "--count", "12"], check=True, stdout=subprocess.DEVNULL)
        if photos and photos.is_dir():
            for file in photos.glob("*.[jp][pn]g"):
                shutil.copyfile(file, self.pictures / file.name)
        self.server = origin.serve(self.pictures)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.socket = self.folder / "c.sock"
        self.daemon = self.gallery = None
        self.galleries = []
        # Also if a test ends before it has all that it needs.
        atexit.register(self.stop)

    def program(self, name):
        """The path of one of the programs."""
        return BIN / name

    def start_daemon(self):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        self.daemon = subprocess.Popen(
            [BIN / "facefetchd", "--state-dir", self.folder / "state", "--documents-dir", self.folder / "documents",
             "--socket", self.socket, "--event-log", self.folder / "events.log"],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
        for line in self.daemon.stderr:
            if "ready:" in line:
                break
        else:
            raise AssertionError("the daemon did not start")
        threading.Thread(target=self.daemon.stderr.read, daemon=True).start()

    def kill_daemon(self):
        self.daemon.kill()
        self.daemon.wait()

    def start_gallery(self, *more):
        """Starts one as people do, and gives back the first line that it prints."""
        gallery = subprocess.Popen(
            [BIN / "facefetch", "--socket", self.socket, "gallery", "--no-browser", *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.galleries.append(gallery)
        self.gallery = gallery
        return gallery.stdout.readline().rstrip("\n")

    def start_other_gallery(self, *flags, at=None):
        """Starts another one, beside that of all tests."""
        gallery = subprocess.Popen(
            [BIN / "facefetch-gallery", "--socket", at or self.socket, "--no-browser", *flags],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.galleries.append(gallery)
        return gallery.stdout.readline().rstrip("\n")

    def start_plain_gallery(self):
        """Starts one whose page has only what is in the source."""
        return self.start_other_gallery("--page", ROOT / "Sources/Clients/facefetch-gallery/Page")

    def new_link(self):
        self.gallery.stdin.write("\n")
        self.gallery.stdin.flush()
        return self.gallery.stdout.readline().rstrip("\n")

    def facefetch(self, *arguments):
        return subprocess.run([BIN / "facefetch", "--socket", self.socket, *arguments],
                              capture_output=True, text=True, check=False)

    def add(self, *names, wait=True):
        urls = [name if "://" in name else f"{self.origin}/{name}" for name in names]
        return self.facefetch("add", *urls, *(["--wait"] if wait else []))

    def add_source(self, name, items):
        """Has the daemon read a list of pictures by a recipe."""
        (self.pictures / f"{name}.json").write_text(json.dumps({"items": items}))
        recipe = self.folder / f"{name}.yaml"
        recipe.write_text(f"name: {name}\nurl: {self.origin}/{name}.json\nitems: .items[]\n"
                          "job: {url: .src, key: .id, meta: {id: .id}}\nevery: never\n")
        done = self.facefetch("source", "add", recipe)
        assert done.returncode == 0, done.stderr

    def add_photos(self):
        return self.add(*sorted(file.name for file in self.pictures.iterdir()))

    def api(self, method, path, body=None):
        """Asks the daemon itself."""
        connection = http.client.HTTPConnection("localhost", timeout=60)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(self.socket))
        connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def post(self, *urls):
        """Gives a batch to do, and back its id."""
        return self.api("POST", "/v1/batches", {"items": [{"url": url} for url in urls]})["id"]

    def log_when_done(self, batch):
        """What the client prints of a batch, once that has ended."""
        for _ in range(600):
            jobs = self.api("GET", f"/v1/jobs?batch={batch}&limit=500")["items"]
            if all(job["state"] in ("done", "failed", "cancelled") for job in jobs):
                return [" ".join(line.split()) for line in self.facefetch("log", "--batch", f"b{batch}").stdout.splitlines()]
            time.sleep(0.1)
        raise AssertionError(f"batch {batch} doesn't end")

    def fill(self, count, step=631):
        """Makes the store have so many documents, which are links to the pictures that it has already, so many seconds apart."""
        self.daemon.terminate()
        self.daemon.wait()
        store = sqlite3.connect(self.folder / "state/facefetch.sqlite")
        # The newest are pictures, so that tests have some in view to open.
        rows = store.execute("SELECT id FROM jobs WHERE path IS NOT NULL ORDER BY detection_outcome != 'counted', id").fetchall()
        columns = [row[1] for row in store.execute("PRAGMA table_info(jobs)")]
        numbers = ("ended_stored", "ended_done")
        others = ", ".join(column for column in columns if column not in ("id", "name", "batch", "url", "response", *numbers))
        # The newest came just now; what is there already is older than all of them.
        came = f"substr(response, 1, 4) || ({{}} - {step}000000 * {{}}) || substr(response, 21)"
        now = int(time.time() * 1_000_000)
        store.execute(f"UPDATE jobs SET response = {came.format(now, count)} WHERE response IS NOT NULL")
        last = store.execute("SELECT max(max(ended_stored), max(ended_done)) FROM jobs").fetchone()[0]
        batch = store.execute("SELECT max(id) FROM batches").fetchone()[0]
        first = store.execute("SELECT max(id) FROM jobs").fetchone()[0] + 1
        for start in range(0, len(rows)):
            store.execute(
                f"""WITH RECURSIVE n(i) AS (SELECT {start} UNION ALL SELECT i + {len(rows)} FROM n
                        WHERE i + {len(rows)} < {count})
                    INSERT INTO jobs (id, name, url, batch, response, ended_stored, ended_done, {others})
                    SELECT {first} + i, 'p' || i || '.jpg', 'http://example.org/p' || i, {batch}, {came.format(now, 'i')}, {last} + 2 * ({count} - i) - 1,
                        {last} + 2 * ({count} - i), {others} FROM n JOIN jobs ON jobs.id = ?""",
                rows[start])
        # The daemon counts endings anew from what it finds.
        store.execute("DELETE FROM numbers")
        store.execute("UPDATE batches SET last_job = (SELECT max(id) FROM jobs), job_count = "
                      "(SELECT count(*) FROM jobs WHERE batch = batches.id) WHERE id = ?", (batch,))
        store.commit()
        store.close()
        self.start_daemon()

    def ask(self, method, url, headers=None, body=None):
        """A request with exactly these header fields: status, fields, body."""
        request = urllib.request.Request(url, method=method, data=body, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def enter(self, link):
        """Comes in as the page does: the address, the cookie, the secret, and what is before every path."""
        address, token = link.split("/#")
        status, fields, body = self.ask("POST", address + "/session", {"Origin": address},
                                        json.dumps({"token": token}).encode())
        assert status == 200, (status, body)
        key = json.loads(body)
        return address, fields["Set-Cookie"].split(";")[0], key["secret"], key["prefix"]

    def stop(self):
        atexit.unregister(self.stop)
        for process in [*self.galleries, self.daemon]:
            if process and process.poll() is None:
                process.terminate()
        for process in [*self.galleries, self.daemon]:
            if process:
                process.wait(60)
        self.server.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)
