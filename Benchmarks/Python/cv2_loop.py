"""The loop that people write: whole pictures, one thread, a line of JSON for each.

usage: cv2_loop.py CASCADE FILE...
"""
import json
import sys

import cv2

cv2.setNumThreads(1)
cascade = cv2.CascadeClassifier(sys.argv[1])
for file in sys.argv[2:]:
    grey = cv2.equalizeHist(cv2.cvtColor(cv2.imread(file), cv2.COLOR_BGR2GRAY))
    faces = cascade.detectMultiScale(grey, scaleFactor=1.1, minNeighbors=4)
    boxes = [dict(zip(("x", "y", "width", "height"), map(int, face))) for face in faces]
    print(json.dumps({"file": file, "faces": boxes}))
