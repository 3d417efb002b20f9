"""Makes many pictures of few labelled photographs, to count false faces in.

Each photograph as it is, mirrored, in other sizes, cropped, turned a little, blurred, grained, dark and compressed;
and once more with its faces painted over, when whatever is found there is none: as it is, mirrored, on each side,
in other sizes, cropped and grained.

usage: variations.py PHOTOS OUT [--seed N]

PHOTOS and OUT hold labels.json: {"images":[{"file":…,"faces":[[x,y,w,h],…]}]},
in pixels of the upright picture. The same seed gives the same pictures.
"""
import argparse
import json
import math
import pathlib

import cv2
import numpy

# Longer sides: a photograph of a telephone has so many pixels that all looks differ from its own size.
MOST = 2400


def photographs(folder):
    """Names, pixels and boxes."""
    for image in json.loads((folder / "labels.json").read_text())["images"]:
        pixels = cv2.imread(str(folder / image["file"]), cv2.IMREAD_COLOR)
        if pixels is None:
            raise SystemExit(f"{folder / image['file']} can't be read")
        faces = numpy.array(image["faces"], dtype=float).reshape(-1, 4)
        scale = min(1, MOST / max(pixels.shape[:2]))
        if scale < 1:
            pixels, faces = resized(pixels, faces, scale)
        yield pathlib.Path(image["file"]).stem, pixels, faces


def resized(pixels, faces, scale):
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=how), faces * scale


def mirrored(pixels, faces):
    boxes = faces.copy()
    boxes[:, 0] = pixels.shape[1] - faces[:, 0] - faces[:, 2]
    return pixels[:, ::-1], boxes


def turned(pixels, faces, angle):
    """Turned about its middle; a face takes as much room as before."""
    height, width = pixels.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1)
    boxes = faces.copy()
    boxes[:, :2] = (faces[:, :2] + faces[:, 2:] / 2) @ turn[:, :2].T + turn[:, 2] - faces[:, 2:] / 2
    return cv2.warpAffine(pixels, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), boxes


def cropped(pixels, faces, random):
    """A part in which each face is whole, or not at all; as it is where there is none."""
    height, width = pixels.shape[:2]
    for _ in range(200):
        w, h = (int(side * random.uniform(0.45, 0.8)) for side in (width, height))
        x, y = int(random.integers(width - w + 1)), int(random.integers(height - h + 1))
        boxes = faces - (x, y, 0, 0)
        inside = (boxes[:, 0] >= 0) & (boxes[:, 1] >= 0) & (boxes[:, 0] + boxes[:, 2] <= w) & (boxes[:, 1] + boxes[:, 3] <= h)
        touches = (boxes[:, 0] < w) & (boxes[:, 1] < h) & (boxes[:, 0] + boxes[:, 2] > 0) & (boxes[:, 1] + boxes[:, 3] > 0)
        if (inside == touches).all():
            return pixels[y : y + h, x : x + w], boxes[inside]
    return pixels, faces


def grained(pixels, random, much):
    return numpy.clip(pixels + random.normal(0, much, pixels.shape), 0, 255).astype(numpy.uint8)


def without_faces(pixels, faces, random):
    """The heads painted over with what is around them, softly, and with grain."""
    mask = numpy.zeros(pixels.shape[:2], numpy.uint8)
    for x, y, w, h in faces:
        middle, axes = (int(x + w / 2), int(y + h / 2)), (math.ceil(w * 0.75), math.ceil(h * 0.85))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, 255, -1)
    small = min(1, 500 / max(pixels.shape[:2]))
    little = cv2.resize(pixels, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    hole = cv2.resize(mask, little.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    filled = cv2.inpaint(little, (hole > 0).astype(numpy.uint8), 5, cv2.INPAINT_TELEA)
    filled = grained(cv2.resize(filled, pixels.shape[1::-1], interpolation=cv2.INTER_CUBIC), random, 3)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1, max(pixels.shape[:2]) / 300))[:, :, None] / 255.0
    return (filled * soft + pixels * (1 - soft)).astype(numpy.uint8)


def variations(pixels, faces, random):
    """Names, pixels, boxes, and the quality of the JPEG."""
    none = numpy.zeros((0, 4))
    yield "plain", pixels, faces, 92
    yield "mirrored", *mirrored(pixels, faces), 92
    for scale in (0.5, 0.75, 1.4):
        yield f"scaled-{scale}", *resized(pixels, faces, scale), 92
    for number in range(3):
        yield f"cropped-{number}", *cropped(pixels, faces, random), 92
    for angle in (-8, 8):
        yield f"turned{angle:+d}", *turned(pixels, faces, angle), 92
    yield "blurred", cv2.GaussianBlur(pixels, (0, 0), max(pixels.shape[:2]) / 600), faces, 92
    yield "grained", grained(pixels, random, 14), faces, 92
    yield "dark", (255 * 0.4 * (pixels / 255.0) ** 1.3).astype(numpy.uint8), faces, 92
    yield "compressed", pixels, faces, 15
    empty = without_faces(pixels, faces, random)
    yield "empty", empty, none, 92
    yield "empty-mirrored", empty[:, ::-1], none, 92
    for turns in (1, 2, 3):
        yield f"empty-turned-{90 * turns}", numpy.rot90(empty, turns), none, 92
    for scale in (0.5, 0.75, 1.4):
        yield f"empty-scaled-{scale}", resized(empty, none, scale)[0], none, 92
    for number in range(3):
        yield f"empty-cropped-{number}", cropped(empty, none, random)[0], none, 92
    yield "empty-grained", grained(empty, random, 14), none, 92


def main():
    arguments = argparse.ArgumentParser(description="Makes many pictures of few labelled photographs.")
    arguments.add_argument("photos", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    images = []
    for number, (stem, pixels, faces) in enumerate(photographs(given.photos)):
        random = numpy.random.default_rng((given.seed, number))
        for words, changed, boxes, quality in variations(pixels, faces, random):
            name = f"{stem}-{words}.jpg"
            cv2.imwrite(str(given.out / name), numpy.ascontiguousarray(changed), [cv2.IMWRITE_JPEG_QUALITY, quality])
            images.append({"file": name, "faces": [[round(value) for value in box] for box in boxes.tolist()]})
    (given.out / "labels.json").write_text(json.dumps({"images": images}))
    print(f"{len(images)} pictures with {sum(len(image['faces']) for image in images)} faces")


main()
