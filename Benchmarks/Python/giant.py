"""Makes a baseline JPEG of 31,616 by 31,616 pixels, just under a gigapixel, without ever holding it.

usage: giant.py PHOTO FILE
One strip of 8 rows of blocks is encoded, with a restart marker after each row (ITU-T T.81, E.1.4: they
count from 0 to 7, and reset the predictions), and repeated under a header that says the whole height.
"""
import sys

import cv2
import numpy

SIDE, STRIP = 31616, 128
picture = cv2.imread(sys.argv[1], cv2.IMREAD_COLOR)
picture = cv2.resize(picture, (STRIP * 2, STRIP))
strip = numpy.tile(picture, (1, SIDE // (STRIP * 2) + 1, 1))[:, :SIDE]
# A block of 4:2:0 is 16 pixels wide.
options = [cv2.IMWRITE_JPEG_QUALITY, 75, cv2.IMWRITE_JPEG_RST_INTERVAL, SIDE // 16]
encoded = cv2.imencode(".jpg", numpy.ascontiguousarray(strip), options)[1].tobytes()
frame = encoded.index(b"\xff\xc0")
scan = encoded.index(b"\xff\xda")
begin = scan + 2 + int.from_bytes(encoded[scan + 2:scan + 4], "big")
header = bytearray(encoded[:begin])
assert int.from_bytes(header[frame + 5:frame + 7], "big") == STRIP
header[frame + 5:frame + 7] = SIDE.to_bytes(2, "big")
body = encoded[begin:-2]
with open(sys.argv[2], "wb") as file:
    file.write(header)
    file.write(b"\xff\xd7".join([body] * (SIDE // STRIP)))
    file.write(b"\xff\xd9")
