"""Writes pictures, as people see them, as PPM files beside them.

Pillow reads most, with libraries of its own, and pillow-heif reads HEIC. usage: upright.py FILE..."""

import sys

import pillow_heif
from PIL import Image, ImageOps

pillow_heif.register_heif_opener()
for path in sys.argv[1:]:
    with Image.open(path) as picture:
        ImageOps.exif_transpose(picture).convert("RGB").save(path + ".ppm")
