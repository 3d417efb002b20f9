#!/usr/bin/env python3
"""Daemons that fetch nothing: each says of every job after a while that it is done, as fast as it is told to.

They are as many sockets of one process, so that fifty nodes of a fleet fit onto one machine. Only what an agent asks
for is there.

usage: daemons.py FOLDER COUNT RATE
The sockets are FOLDER/n0/s and so on; RATE is the jobs that each of them ends in a second, 0 for as they come.
"""
import asyncio
import json
import sys
import time
import urllib.parse
from pathlib import Path

STATUS = {
    "detection": {"active": 0, "engine": "haar", "gate": "open", "has_network": False, "waiting": 0},
    "disk": {"free_bytes": 1 << 40, "reserve_bytes": 0}, "holds": [], "may_change": True,
    "jobs": dict.fromkeys(
        ["cancelled", "detecting", "done", "downloading", "failed", "paused", "queued", "stored", "waiting"], 0),
    "reporting": {"dropped": 0, "last_error": None, "sent": 0, "state": "off"},
    "sources": dict.fromkeys(["ended", "failed", "held", "idle", "paused", "reading", "waiting"], 0),
    "state": "running", "uptime": 1.5, "version": "0",
    "transfers": {"active": 0, "bytes_per_second": 0, "proxy": None, "rate_limit": None, "rate_limit_until": None},
    "webhook": {"lag": 0, "last_error": None, "state": "off", "until": None}}
# As long as what a daemon says of a small picture in which nobody has looked for faces.
ENDING = """{"attempts":1,"batch":%(batch)d,"bytes":25000,"bytes_per_second":null,"created_at":"2026-11-27T08:17:28.146Z",\
"detection":{"engine":"","face_count":null,"faces":[],"format":null,"height":null,"looks":[],"orientation":null,\
"outcome":"skipped","parameters":"","seconds":0,"shared_from":null,"width":null},"elapsed":0.003509,"ended":%(ended)d,\
"ending":"done","error":null,"evicted_at":null,"expected_sha256":null,"finished_at":"2026-11-27T08:17:28.149Z",\
"id":%(id)d,"item_key":null,"length":"proven","meta":{"fleet":"%(mark)s"},"name":"%(id)d.jpg",\
"path":"/srv/pictures/%(id)d.jpg","percent":100,"pinned":false,"priority":0,"rate_limit":null,\
"response":{"content_type":"image/jpeg","etag":"\\"6b093c96-61a8\\"","final_url":%(url)s,\
"last_modified":"2026-11-27T08:17:26.000Z","received_at":"2026-11-27T08:17:28.148Z","robots":null,"status":200},\
"sha256":"f1bf7795c141cc757b2231dab826dc870c8c7eca3148867580c8130f36921f05","source":null,"state":"done",\
"total_bytes":25000,"url":%(url)s,"waiting":null}"""


class Daemon:
    def __init__(self, number, rate):
        self.store, self.rate = f"store {number}", rate
        # Jobs that haven't ended, and endings behind the number of the first that is kept.
        self.jobs, self.endings, self.forgotten = [], [], 0
        self.batches, self.next_job, self.ended_at = {}, 1, time.monotonic()

    def end(self):
        """Ends what should have ended by now."""
        now = time.monotonic()
        count = len(self.jobs) if self.rate == 0 else min(len(self.jobs), int((now - self.ended_at) * self.rate))
        if count == 0:
            if not self.jobs:
                self.ended_at = now
            return
        self.ended_at = now if self.rate == 0 else self.ended_at + count / self.rate
        for job, batch, mark, url in self.jobs[:count]:
            number = self.forgotten + len(self.endings) + 1
            self.endings.append(ENDING % {"batch": batch, "ended": number, "id": job, "mark": mark, "url": url})
            self.batches[batch]["done"] += 1
        del self.jobs[:count]

    def page(self, items, more, **others):
        others = "".join(f',"{name}":{json.dumps(value)}' for name, value in others.items())
        return f'{{"has_more":{json.dumps(more)},"items":[{",".join(items)}]{others}}}'

    def batch(self, number):
        batch = self.batches[number]
        states = dict(STATUS["jobs"], done=batch["done"], queued=batch["count"] - batch["done"])
        return json.dumps({
            "created_at": "2026-11-27T08:17:28.146Z", "elapsed": 0.25, "id": number, "job_count": batch["count"],
            "lease": 24, "states": states, "submitted_by": 0})

    def answer(self, method, target, key, body):
        """The status and the body of an answer."""
        path, _, query = target.partition("?")
        query = dict(urllib.parse.parse_qsl(query))
        words = path.split("/")[2:]
        self.end()
        if words == ["status"]:
            return 200, json.dumps(dict(STATUS, store=self.store))
        if words == ["jobs"] and "ended_after" in query:
            after, newest = int(query["ended_after"]), self.forgotten + len(self.endings)
            # Nobody asks again for what was read long ago.
            if after - self.forgotten > 10_000:
                del self.endings[:after - 2000 - self.forgotten]
                self.forgotten = after - 2000
            first = after - self.forgotten
            items = self.endings[first:first + int(query["limit"])]
            return 200, self.page(items, first + len(items) < len(self.endings), newest=newest, oldest=0, next=None,
                                  total=None)
        if words == ["jobs"] and "batch" in query:
            # Which of them there are is all that is wanted.
            items = [ENDING % {"batch": number, "ended": 0, "id": job, "mark": mark, "url": url}
                     for job, number, mark, url in self.jobs if number == int(query["batch"])]
            return 200, self.page(items, False, next=None, total=len(items))
        if words in (["jobs"], ["fleet", "items"]):
            return 200, self.page([], False, next=None, total=0)
        if words == ["jobs", "forget"]:
            return 200, '{"forgotten":0,"kept":0}'
        if words == ["batches"] and method == "POST":
            request = json.loads(body)
            number = len(self.batches) + 1
            self.batches[number] = {"key": key, "count": len(request["items"]), "done": 0}
            for item in request["items"]:
                self.jobs.append((self.next_job, number, item["meta"]["fleet"], json.dumps(item["url"])))
                self.next_job += 1
            return 201, self.batch(number)
        if words == ["batches"]:
            found = [n for n, batch in self.batches.items() if batch["key"] == query["key"]] if "key" in query else []
            return 200, self.page([self.batch(number) for number in found], False, next=None, total=len(found))
        if words[0] == "batches" and words[-1] != "cancel":
            return 200, self.batch(int(words[1]))
        # Nothing is steered, and there is nothing more to hand over.
        problem = {"code": "not_found", "detail": "there is no such thing", "status": 404, "title": "Not Found",
                   "type": "about:blank"}
        return 404, json.dumps(problem)

    async def talk(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                first, *lines = head.split("\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                if fields.get("expect"):
                    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                body = await reader.readexactly(int(fields.get("content-length", 0)))
                method, target, _ = first.split(" ")
                status, text = self.answer(method, target, fields.get("idempotency-key"), body)
                text = text.encode()
                writer.write(b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                             % (status, len(text)) + text)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def main():
    folder, count, rate = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    servers = []
    for number in range(count):
        (folder / f"n{number}").mkdir(exist_ok=True)
        daemon = Daemon(number, rate)
        servers.append(await asyncio.start_unix_server(daemon.talk, folder / f"n{number}" / "s", limit=1 << 26))
    print("ready", flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    asyncio.run(main())
