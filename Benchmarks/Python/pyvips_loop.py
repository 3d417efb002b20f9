"""The loop of people who know how: pictures are shrunk while they are decoded, in a process a core.

usage: pyvips_loop.py CASCADE LIST
LIST has the name of a file in each line. A line of JSON is printed for each of them, and at last, on
standard error, the seconds since there was a Python with its modules.
"""
import json
import multiprocessing
import os
import sys
import time

# There are as many processes as cores. libvips reads it once.
os.environ["VIPS_CONCURRENCY"] = "1"

import cv2
import pyvips

# What facefetch's engine haar does without settings (HaarSettings.swift): the same looks.
SIZE, SCALE_FACTOR, NEIGHBOURS, MINIMUM_FACE = 960, 1.1, 3, 30


def begin(file):
    """Sets up a process."""
    global cascade
    cv2.setNumThreads(1)
    # No file is read twice.
    pyvips.cache_set_max(0)
    cascade = cv2.CascadeClassifier(file)


def look(file):
    """The faces of a file, in pixels of what was looked at."""
    # It is read in sequence, and a JPEG is decoded to a half, a quarter or an eighth.
    picture = pyvips.Image.thumbnail(file, SIZE, height=SIZE, size="down")
    grey = cv2.equalizeHist(cv2.cvtColor(picture.numpy(), cv2.COLOR_RGB2GRAY))
    faces = cascade.detectMultiScale(
        grey, scaleFactor=SCALE_FACTOR, minNeighbors=NEIGHBOURS, minSize=(MINIMUM_FACE, MINIMUM_FACE)
    )
    return file, [dict(zip(("x", "y", "width", "height"), map(int, face))) for face in faces]


def main():
    with open(sys.argv[2]) as text:
        files = text.read().splitlines()
    begun = time.monotonic()
    with multiprocessing.Pool(len(os.sched_getaffinity(0)), begin, (sys.argv[1],)) as pool:
        # One at a time, so that no process is left with more of them than another.
        for file, faces in pool.imap_unordered(look, files):
            print(json.dumps({"file": file, "faces": faces}))
        print(time.monotonic() - begun, file=sys.stderr)


main()
