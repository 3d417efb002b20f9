"""A DNS server on loopback (RFC 1035 §4): every name is 127.0.0.1, and none has an IPv6 address."""

import socket
import struct

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
while True:
    query, client = server.recvfrom(512)
    end = query.index(b"\0", 12) + 5
    kind = struct.unpack("!H", query[end - 4:end - 2])[0]
    answers = 1 if kind == 1 else 0
    reply = query[:2] + struct.pack("!HHHHH", 0x8180, 1, answers, 0, 0) + query[12:end]
    if answers:
        reply += b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 60, 4) + socket.inet_aton("127.0.0.1")
    server.sendto(reply, client)
