"""A host that answers as from the other end of a line, and measures for how long each connection has nothing to do.

usage: pauses.py MILLISECONDS

Each request is answered after MILLISECONDS. The first line that is printed has the port on 127.0.0.1; on SIGTERM a
second one has the milliseconds between the end of each answer and the beginning of the next request over the same
connection.
"""
import heapq
import os
import selectors
import signal
import socket
import sys
import time

DELAY = float(sys.argv[1]) / 1000
BODY = b"\xff\xd8\xff" + os.urandom(20_000)
ANSWER = (
    f"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: {len(BODY)}\r\n\r\n".encode() + BODY
)


class Connection:
    def __init__(self, peer):
        self.peer = peer
        self.ended = None
        self.read = b""

    def answer(self):
        """Sends an answer, which the socket takes at once since the client has read the one before."""
        self.peer.sendall(ANSWER)
        self.ended = time.monotonic()


def finish(pauses):
    print(*(f"{pause * 1000:.3f}" for pause in pauses), flush=True)
    # Connections that clients keep are left to the system.
    os._exit(0)


def main():
    pauses, due, number = [], [], 0
    signal.signal(signal.SIGTERM, lambda *_: finish(pauses))
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    print(listener.getsockname()[1], flush=True)
    while True:
        wait = max(0, due[0][0] - time.monotonic()) if due else None
        for key, _ in selector.select(wait):
            if key.fileobj is listener:
                peer, _ = listener.accept()
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                selector.register(peer, selectors.EVENT_READ, Connection(peer))
                continue
            now, connection = time.monotonic(), key.data
            try:
                read = connection.peer.recv(1 << 16)
            except ConnectionError:
                read = b""
            if not read:
                selector.unregister(connection.peer)
                connection.peer.close()
                continue
            if connection.ended is not None and not connection.read:
                pauses.append(now - connection.ended)
            connection.read += read
            if connection.read.endswith(b"\r\n\r\n"):
                connection.read = b""
                number += 1
                heapq.heappush(due, (now + DELAY, number, connection))
        while due and due[0][0] <= time.monotonic():
            try:
                heapq.heappop(due)[2].answer()
            except OSError:
                pass


main()
