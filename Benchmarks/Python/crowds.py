"""Builds crowds to measure detection on, from labelled photographs.

Photographs are shrunk until their faces have the height asked for, and laid
beside each other on a large canvas. Shrinking alone is too kind to a detector:
so there are also crowds that are blurred and grained, turned by 5 to 20
degrees, dark, and compressed hard. What lies between the photographs is made
of scraps of them that hold no face.

usage: crowds.py PHOTOS OUT [--faces 64,32,20] [--size 4096x3072] [--seed N] [--kinds plain,blurred,…]

PHOTOS and OUT hold labels.json: {"images":[{"file":…,"faces":[[x,y,w,h],…]}]},
in pixels of the upright picture. The same seed gives the same pictures.
"""
import argparse
import json
import math
import pathlib

import cv2
import numpy

KINDS = ("plain", "blurred", "turned", "dark", "compressed")
# Faces differ in height by this much from what was asked for.
LEAST, MOST = 0.9, 1.1


def photographs(folder):
    """Photographs with their boxes; those without a face are good for nothing here."""
    for image in json.loads((folder / "labels.json").read_text())["images"]:
        pixels = cv2.imread(str(folder / image["file"]), cv2.IMREAD_COLOR)
        if pixels is None:
            raise SystemExit(f"{folder / image['file']} can't be read")
        if image["faces"]:
            yield pixels, numpy.array(image["faces"], dtype=float)


def scraps(photos, size=96):
    """Squares of photographs that hold no face and are not all of one colour."""
    found = []
    for pixels, faces in photos:
        # A scrap is of ordinary detail, whatever the photograph's resolution.
        shrink = min(1, 640 / max(pixels.shape[:2]))
        small = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        for y in range(0, small.shape[0] - size, size):
            for x in range(0, small.shape[1] - size, size):
                inside = any(
                    fx * shrink < x + size and (fx + fw) * shrink > x and fy * shrink < y + size and (fy + fh) * shrink > y
                    for fx, fy, fw, fh in faces
                )
                scrap = small[y : y + size, x : x + size]
                if not inside and scrap.std() > 12:
                    found.append(scrap)
    return found


def ground(height, width, scraps, random):
    """A canvas of scraps."""
    canvas = numpy.empty((height, width, 3), numpy.uint8)
    size = scraps[0].shape[0]
    for y in range(0, height, size):
        for x in range(0, width, size):
            scrap = scraps[random.integers(len(scraps))]
            if random.integers(2):
                scrap = scrap[:, ::-1]
            place = canvas[y : y + size, x : x + size]
            place[:] = scrap[: place.shape[0], : place.shape[1]]
    return canvas


def shrinkable(photos, face, size):
    """The photographs that can be shrunk to faces of this height, and fit the canvas then."""
    fitting = []
    for pixels, faces in photos:
        factor = face * MOST / middle(faces)
        # Turned by 20 degrees, a photograph takes up to 1.3 times its sides.
        if factor <= 1 and all(side * factor * 1.3 <= room for side, room in zip(pixels.shape[1::-1], size)):
            fitting.append((pixels, faces))
    if not fitting:
        raise SystemExit(f"no photograph can be shrunk to faces of {face} pixels on {size[0]} x {size[1]}")
    return fitting


def middle(faces):
    """The height of a photograph's middle face."""
    return float(numpy.median(faces[:, 3]))


def shrunk(pixels, faces, height):
    """The photograph so small that its middle face has this height."""
    factor = height / middle(faces)
    return cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), faces * factor


def turned(pixels, faces, random):
    """The photograph turned by 5 to 20 degrees to either side, with boxes about the turned faces."""
    angle = float(random.uniform(5, 20) * random.choice((-1, 1)))
    height, width = pixels.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1)
    cosine, sine = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))
    size = (int(height * sine + width * cosine), int(height * cosine + width * sine))
    turn[:, 2] += (size[0] / 2 - width / 2, size[1] / 2 - height / 2)
    boxes = faces.copy()
    centres = faces[:, :2] + faces[:, 2:] / 2
    # A face is no rectangle: turned, it takes as much room as before.
    boxes[:, :2] = centres @ turn[:, :2].T + turn[:, 2] - faces[:, 2:] / 2
    return cv2.warpAffine(pixels, turn, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE), boxes


def crowd(photos, scraps, kind, face, size, random):
    """A canvas of photographs in rows, and the boxes of all their faces."""
    width, height = size
    photos = shrinkable(photos, face, size)
    canvas = ground(height, width, scraps, random)
    labels = []
    y = 0
    while y < height:
        x, tallest = 0, face
        while True:
            pixels, faces = photos[random.integers(len(photos))]
            small, boxes = shrunk(pixels, faces, face * random.uniform(LEAST, MOST))
            if random.integers(2):
                small = small[:, ::-1]
                boxes = boxes.copy()
                boxes[:, 0] = small.shape[1] - boxes[:, 0] - boxes[:, 2]
            if kind == "turned":
                small, boxes = turned(small, boxes, random)
            if x + small.shape[1] > width:
                break
            if y + small.shape[0] <= height:
                canvas[y : y + small.shape[0], x : x + small.shape[1]] = small
                labels += (boxes + (x, y, 0, 0)).tolist()
            x += small.shape[1] + int(random.integers(face))
            tallest = max(tallest, small.shape[0])
        y += tallest + int(random.integers(face))
    return canvas, labels


def spoilt(canvas, kind, random):
    """What a lens, a night or a hurry does to a picture."""
    if kind == "blurred":
        soft = cv2.GaussianBlur(canvas, (0, 0), random.uniform(0.6, 1.0))
        grain = random.normal(0, random.uniform(4, 8), canvas.shape)
        return numpy.clip(soft + grain, 0, 255).astype(numpy.uint8)
    if kind == "dark":
        dark = 255 * random.uniform(0.3, 0.45) * (canvas / 255.0) ** 1.3
        return numpy.clip(dark + random.normal(0, 3, canvas.shape), 0, 255).astype(numpy.uint8)
    return canvas


def main():
    arguments = argparse.ArgumentParser(description="Builds crowds from labelled photographs.")
    arguments.add_argument("photos", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--faces", default="64,32,20", help="heights of faces in pixels")
    arguments.add_argument("--size", default="4096x3072")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--kinds", default=",".join(KINDS))
    given = arguments.parse_args()
    size = tuple(int(side) for side in given.size.split("x"))
    photos = list(photographs(given.photos))
    pieces = scraps(photos)
    given.out.mkdir(parents=True, exist_ok=True)
    images = []
    for face in map(int, given.faces.split(",")):
        for kind in given.kinds.split(","):
            if kind not in KINDS:
                raise SystemExit(f"there is no kind {kind}; give some of {', '.join(KINDS)}")
            random = numpy.random.default_rng((given.seed, face, KINDS.index(kind)))
            canvas, labels = crowd(photos, pieces, kind, face, size, random)
            name = f"crowd-{face}-{kind}.jpg"
            quality = 30 if kind == "compressed" else 90
            cv2.imwrite(str(given.out / name), spoilt(canvas, kind, random), [cv2.IMWRITE_JPEG_QUALITY, quality])
            boxes = [[round(value) for value in box] for box in labels]
            images.append({"file": name, "kind": kind, "face": face, "faces": boxes})
            print(f"{name}: {len(boxes)} faces")
    (given.out / "labels.json").write_text(json.dumps({"images": images}))


main()
