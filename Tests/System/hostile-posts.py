"""hostile-posts.py SOCKET PID: has expensive posts under way, and asks for the status 200 times.

Prints the seconds of the slowest status, and the peak of the daemon's memory in MB.
"""

import socket
import sys
import threading
import time

path, pid = sys.argv[1], sys.argv[2]
escapes = b'{"items":[{"url":"' + b"\\n" * 650_000 + b'"}]}'
nested = b'{"items":' + b"[" * (1 << 20)
numbers = b'{"items":[' + b",".join([b"1"] * 15_000_000) + b"]}"
recipe = b"name: a\nurl: http://h/\nitems: [" + b"a," * 30_000 + b"a]"
is_done = threading.Event()
unexpected = []


def ask(method: str, target: str, body: bytes = b"") -> bytes:
    """One request over a fresh connection; the first bytes of its answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        head = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode())
        connection.sendall(body)
        return connection.recv(1 << 16)


def post(target: str, body: bytes, answer: bytes) -> None:
    while not is_done.is_set():
        found = ask("POST", target, body).split(b"\r\n")[0]
        if answer not in found:
            unexpected.append(found)
            return


posts = [("/v1/batches", escapes, b"422")] * 3
posts += [("/v1/batches", nested, b"400"), ("/v1/batches", numbers, b"422")]
posts += [("/v1/sources", recipe, b"422")] * 3
threads = [threading.Thread(target=post, args=one, daemon=True) for one in posts]
for thread in threads:
    thread.start()
slowest = 0.0
for _ in range(200):
    begin = time.monotonic()
    if not ask("GET", "/v1/status").startswith(b"HTTP/1.1 200"):
        sys.exit("a status was refused")
    slowest = max(slowest, time.monotonic() - begin)
is_done.set()
for thread in threads:
    thread.join(60)
if unexpected:
    sys.exit(f"a hostile post was answered with {unexpected[0]!r}")
with open(f"/proc/{pid}/status", encoding="ascii") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
print(f"{slowest:.3f} {peak / 1000:.0f}")
