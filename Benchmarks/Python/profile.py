"""Says of JPEGs that their colours are those of Display P3, as telephones do.

usage: profile.py FILE...
Each gets a profile of version 2 (ICC.1:2001-04) behind its beginning, and keeps its pixels.
"""
import struct
import sys


def fixed(*values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def xyz(*values):
    return b"XYZ \0\0\0\0" + fixed(*values)


text = b"Display P3\0"
description = b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(8 + 3 + 67)
curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256))
tags = {
    b"desc": description,
    b"wtpt": xyz(0.9642, 1, 0.8249),
    # The primaries, adapted to D50.
    b"rXYZ": xyz(0.51512, 0.2412, -0.00105),
    b"gXYZ": xyz(0.29198, 0.69225, 0.04189),
    b"bXYZ": xyz(0.1571, 0.06657, 0.78407),
    b"rTRC": curve,
    b"gTRC": curve,
    b"bTRC": curve,
}
place = 128 + 4 + 12 * len(tags)
table, data = struct.pack(">I", len(tags)), b""
for name, value in tags.items():
    value += bytes(-len(value) % 4)
    table += name + struct.pack(">II", place + len(data), len(value))
    data += value
header = struct.pack(">I4sI4s4s4s", place + len(data), b"lcms", 0x02400000, b"mntr", b"RGB ", b"XYZ ")
header += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + fixed(0.9642, 1, 0.8249)
profile = header.ljust(128, b"\0") + table + data
segment = b"ICC_PROFILE\0\1\1" + profile
segment = b"\xff\xe2" + struct.pack(">H", 2 + len(segment)) + segment
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        picture = file.read()
    assert picture[:2] == b"\xff\xd8", name
    with open(name, "wb") as file:
        file.write(picture[:2] + segment + picture[2:])
