"""Makes pictures of another size of labelled photographs, with grain, so that nothing is smooth.

usage: enlarge.py PHOTOS FOLDER MEGAPIXELS[,MEGAPIXELS...] COUNT
Writes COUNT JPEGs, the photographs in turn, and all of them in one size after the other; and labels.json with
the boxes as they are then.
"""
import json
import math
import sys

import cv2
import numpy

photos, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[4])
sizes = [float(size) for size in sys.argv[3].split(",")]
images = json.load(open(photos + "/labels.json"))["images"]
labels = []
for number in range(count):
    image = images[number % len(images)]
    picture = cv2.imread(photos + "/" + image["file"], cv2.IMREAD_COLOR)
    height, width = picture.shape[:2]
    megapixels = sizes[number // len(images) % len(sizes)]
    factor = math.sqrt(megapixels * 1e6 / (width * height))
    size = (round(width * factor), round(height * factor))
    large = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA)
    # Its own grain for every picture: no two have the same bytes.
    grain = numpy.empty(large.shape, numpy.int16)
    cv2.setRNGSeed(number + 1)
    cv2.randn(grain, (0, 0, 0), (6, 6, 6))
    large = cv2.add(large, grain, dtype=cv2.CV_8U)
    name = f"p{number}.jpg"
    if not cv2.imwrite(folder + "/" + name, large, [cv2.IMWRITE_JPEG_QUALITY, 90]):
        sys.exit(f"{folder}/{name} can't be written")
    faces = [[round(side * factor) for side in face] for face in image["faces"]]
    labels.append({"file": name, "faces": faces})
json.dump({"images": labels}, open(folder + "/labels.json", "w"))
