"""Hosts that answer and hosts that don't, each an address of this machine's own.

usage: dead_hosts.py SECONDS BYTES

What is asked of 127.1.x.y is never answered; 127.2.x.y answers with a head, and then a byte each second; any other
address sends BYTES bytes in SECONDS seconds. At the second port, nobody takes connections any more: what comes is
dropped, as by a host that is switched off. The first line that is printed has both ports.
"""
import asyncio
import os
import signal
import socket
import sys

SECONDS, BYTES = float(sys.argv[1]), int(sys.argv[2])
BODY = b"\xff\xd8\xff" + os.urandom(BYTES - 3)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nETag: \"v\"\r\nContent-Length: %d\r\n\r\n" % BYTES
# Pieces in which a file is sent, at equal times.
PIECES = 5
# Nobody sends as much before the end of a request's head.
LIMIT = 1 << 16


async def serve(reader, writer):
    """Answers the requests of one connection, none of which has a body."""
    address = writer.get_extra_info("sockname")[0]
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            if address.startswith("127.1."):
                await reader.read()
                return
            writer.write(HEAD)
            if address.startswith("127.2."):
                for byte in BODY:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(1)
            step = -(-BYTES // PIECES)
            for start in range(0, BYTES, step):
                await asyncio.sleep(SECONDS / PIECES)
                writer.write(BODY[start:start + step])
                await writer.drain()
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    # At once, without a word for each connection.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server = await asyncio.start_server(serve, "0.0.0.0", 0, limit=LIMIT, backlog=2048)
    # A queue of none takes one connection, and the system drops the requests for all further ones (listen(2)).
    deaf = socket.socket()
    deaf.bind(("0.0.0.0", 0))
    deaf.listen(0)
    taken = socket.create_connection(("127.0.0.1", deaf.getsockname()[1]))
    print(server.sockets[0].getsockname()[1], deaf.getsockname()[1], flush=True)
    await asyncio.Event().wait()
    taken.close()


asyncio.run(main())
