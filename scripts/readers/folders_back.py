"""Reads exports that are folders of pictures with what their users read them with.

usage: folders_back.py FOLDER ORIGINALS     FOLDER has yolo/ voc/ imagefolder/ bag/, ORIGINALS the documents by name

One JSON object. yolo, voc and imagefolder: picture's name -> {"size": of the picture as it is read, "boxes": in pixels
of that, "likeness": the mean difference from the upright document, from 0 to 255}. bag: {"valid", "said", "files",
"software", "info"}. Run by the tests of `facefetch export`, in the environment that scripts/install-readers makes.
"""
import glob
import json
import logging
import os
import re
import sys

import numpy
from PIL import Image, ImageOps


def likeness(read, original):
    """Pixels as a reader has them beside those of the document as people see it."""
    try:
        seen = ImageOps.exif_transpose(Image.open(original)).convert("RGB")
    except OSError:
        return None
    read = read.convert("RGB")
    if read.size != seen.size:
        return 255.0
    return float(numpy.abs(numpy.asarray(read, numpy.int16) - numpy.asarray(seen, numpy.int16)).mean())


def original(folder, name):
    found = [p for p in glob.glob(glob.escape(folder) + "/**", recursive=True) if stem(p) == stem(name)]
    return found[0] if found else ""


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def yolo(path, originals):
    """A picture as OpenCV decodes it without looking at EXIF, which is what a reader may do."""
    import cv2

    found = {}
    for file in sorted(glob.glob(path + "/images/*")):
        pixels = cv2.imread(file, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        read = Image.fromarray(pixels[:, :, ::-1])
        w, h = read.size
        lines = [list(map(float, row.split()[1:])) for row in open(f"{path}/labels/{stem(file)}.txt")]
        boxes = [[(x - bw / 2) * w, (y - bh / 2) * h, bw * w, bh * h] for x, y, bw, bh in lines]
        found[stem(file)] = {"size": [w, h], "boxes": boxes, "likeness": likeness(read, original(originals, file))}
    return found


def voc(path, originals):
    """By globox, which has the corners as they stand there: the first pixel is 1, 1, and the last one is included."""
    from globox import AnnotationSet

    listed = open(path + "/ImageSets/Main/trainval.txt").read().split("\n")[:-1]
    found = {}
    for note in AnnotationSet.from_pascal_voc(path + "/Annotations"):
        file = f"{path}/JPEGImages/{note.image_id}"
        read = Image.open(file)
        boxes = [[b.xmin - 1, b.ymin - 1, b.xmax - b.xmin + 1, b.ymax - b.ymin + 1] for b in note.boxes]
        if {b.label for b in note.boxes} - {"face"} or list(note.image_size) != list(read.size):
            boxes = None
        found[stem(file)] = {
            "size": list(read.size), "boxes": boxes, "likeness": likeness(read, original(originals, file)),
        }
    assert sorted(found) == sorted(listed), listed
    return found


def imagefolder(path, originals):
    os.environ["HF_HOME"] = path + ".cache"
    os.environ["HF_HUB_OFFLINE"] = "1"
    import datasets

    datasets.disable_progress_bars()
    found = {}
    for data in (datasets.load_dataset("imagefolder", data_dir=path), datasets.load_dataset(path)):
        assert list(data) == ["train"], list(data)
        for row in data["train"]:
            found[stem(row["name"])] = {
                "size": list(row["image"].size), "boxes": row["objects"]["bbox"],
                "likeness": likeness(row["image"], original(originals, row["name"])),
            }
    return found


def bag(path, _):
    import bagit

    said = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())
    logging.getLogger().addHandler(handler)
    result = {"software": None, "info": {}, "files": {}}
    try:
        read = bagit.Bag(path)
        result["software"] = read.info.get("Bag-Software-Agent")
        result["info"] = dict(read.info)
        result["files"] = {k: v["sha256"] for k, v in read.payload_entries().items()}
        read.validate()
        result["valid"] = True
    except bagit.BagError as error:
        result["valid"] = False
        said.append(str(error))
    result["said"] = [s for s in said if not re.match("Verifying checksum", s)]
    return result


def main(folder, originals):
    sys.stdout, out = sys.stderr, sys.stdout
    found = {}
    for name, reader in (("yolo", yolo), ("voc", voc), ("imagefolder", imagefolder), ("bag", bag)):
        if os.path.exists(f"{folder}/{name}"):
            found[name] = reader(f"{folder}/{name}", originals)
    json.dump(found, out)


main(sys.argv[1], sys.argv[2])
