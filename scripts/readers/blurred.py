"""What img2dataset blurs of pictures, by a list for it.

usage: blurred.py LIST FOLDER BOXES

FOLDER has the pictures under the names that LIST has, FORMAT-ORIENTATION.SUFFIX; BOXES is where the faces of the
upright picture are, as JSON: [[x, y, width, height]]. Each picture is read as img2dataset's resizer reads it, painted
black where its blurrer would blur, and turned upright by another library.

One JSON object: name -> [the share of the boxes that is black, the share of the picture that is]. Run by the tests of
`facefetch export`, in the environment that scripts/install-readers makes.
"""
import importlib.util
import json
import sys
import types

import cv2
import numpy
from PIL import Image

TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_270, 7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def blurrer():
    """The module alone: as a whole img2dataset needs 400 MB of others. It blurs the picture and, after that, a mask."""
    calls = []

    class Paint:
        def __init__(self, **_):
            pass

        def __call__(self, image):
            calls.append(0)
            return {"image": numpy.zeros_like(image) if len(calls) % 2 else image}

    sys.modules["albumentations"] = types.SimpleNamespace(GaussianBlur=Paint)
    folder = importlib.util.find_spec("img2dataset").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("blurrer", folder + "/blurrer.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.BoundingBoxBlurrer()


def main(path, folder, boxes):
    blur, found = blurrer(), {}
    for row in map(json.loads, open(path)):
        with open(folder + "/" + row["name"], "rb") as file:
            seen = cv2.imdecode(numpy.frombuffer(file.read(), numpy.uint8), cv2.IMREAD_UNCHANGED)
        painted = blur(img=numpy.full_like(seen[:, :, :3], 255), bbox_list=row["bbox"])
        result = Image.fromarray(painted)
        kind, orientation = row["name"].split(".")[0].split("-")
        turn = TURNS.get(int(orientation))
        # OpenCV has turned what is a TIFF, and nothing else.
        if turn is not None and kind != "tiff":
            result = result.transpose(turn)
        black = numpy.array(result)[:, :, 0] < 128
        faces = numpy.zeros_like(black)
        for x, y, width, height in boxes:
            faces[y : y + height, x : x + width] = True
        found[row["name"]] = [float(black[faces].mean()), float(black.mean())]
    json.dump(found, sys.stdout)


main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
