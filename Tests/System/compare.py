"""Checks jobs, as JSON Lines on standard input, against the pictures that were served."""

import json
import os
import re
import subprocess
import sys

jobs = [json.loads(line) for line in sys.stdin]
painted = os.environ["PAINTED"]
originals = [painted + re.sub(r"^https?://[^/]+", "", job["url"]) for job in jobs]
paths = [job["path"] for job in jobs]
if len(set(paths)) != len(paths):
    sys.exit("two jobs have one document")
by_hand = subprocess.run(["facefetch-detector", *originals], capture_output=True, text=True, check=True)
faces = [json.loads(line)["face_count"] for line in by_hand.stdout.splitlines()]
if sum(faces) == 0:
    sys.exit("the detector finds no faces at all")
for job, original, expected in zip(jobs, originals, faces):
    with open(job["path"], "rb") as document, open(original, "rb") as served:
        if document.read() != served.read():
            sys.exit(f"{job['path']} is not what was served")
    if job["detection"]["face_count"] != expected:
        sys.exit(f"{job['path']} has {expected} faces, and {job['detection']['face_count']} were counted")
