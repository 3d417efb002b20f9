"""A host that allows so many requests in a length of time, asks everybody else to wait, and counts.

usage: counting_host.py ALLOWED SECONDS STATUS

ALLOWED requests are answered within SECONDS, which begin with the first of them, and all others with
STATUS and Retry-After, in whole seconds until then. The first line that is printed has the port on
127.0.0.1; on SIGTERM a second one has the number of requests that were answered, and of those refused.
"""
import asyncio
import math
import os
import signal
import sys
import time

ALLOWED, SECONDS, STATUS = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
BODY = b"\xff\xd8\xff" + os.urandom(20_000)
# Nobody sends as much before the end of a request's head.
LIMIT = 1 << 16


class Host:
    def __init__(self):
        self.answered = self.refused = 0
        self.left, self.until = 0, -math.inf

    def answer(self):
        """The bytes of the answer to one request at this moment."""
        now = time.monotonic()
        if now >= self.until:
            self.left, self.until = ALLOWED, now + SECONDS
        if self.left == 0:
            self.refused += 1
            wait = max(1, math.ceil(self.until - now))
            return f"HTTP/1.1 {STATUS} Wait\r\nRetry-After: {wait}\r\nContent-Length: 0\r\n\r\n".encode()
        self.left -= 1
        self.answered += 1
        head = f"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: {len(BODY)}\r\n\r\n"
        return head.encode() + BODY

    async def serve(self, reader, writer):
        """Answers the requests of one connection, none of which has a body."""
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(self.answer())
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass
        finally:
            writer.close()


async def main():
    host, ended = Host(), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    server = await asyncio.start_server(host.serve, "127.0.0.1", 0, limit=LIMIT, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()
    print(host.answered, host.refused, flush=True)
    # Connections that clients keep are left to the system.
    os._exit(0)


asyncio.run(main())
