"""Reads exports with what their users read them with, and prints the pictures that these find.

usage: read_back.py FOLDER     what is in it: coco.json yolo/ label-studio.json img2dataset.jsonl
                               shards/*.tar jobs.csv jobs.jsonl sidecars/*.xmp; what isn't there is passed over

One JSON object: reader -> picture's name -> {"size": [width, height] or null, "boxes": [[x, y, width, height]]},
in pixels; under "said" what the readers complained of. Run by the tests of ExportFormats and of `facefetch
export`, in the environment that scripts/install-readers makes.
"""
import ctypes
import glob
import importlib.util
import json
import logging
import os
import subprocess
import sys
import types

SAID = []


class Keeper(logging.Handler):
    def emit(self, record):
        if record.levelno >= logging.WARNING and "No annotations found" not in record.getMessage():
            SAID.append(record.getMessage())


logging.getLogger().addHandler(Keeper())
logging.captureWarnings(True)


def pixels(size, x, y, width, height):
    """A box in parts of a picture, in pixels."""
    return [x * size[0], y * size[1], width * size[0], height * size[1]]


def coco(path):
    from pycocotools.coco import COCO

    data = COCO(path)
    found = {}
    for image in data.loadImgs(data.getImgIds()):
        boxes = [a["bbox"] for a in data.loadAnns(data.getAnnIds(imgIds=image["id"], catIds=data.getCatIds(["face"])))]
        found[image["file_name"]] = {"size": [image["width"], image["height"]], "boxes": boxes}
    return found


def yolo(path):
    """By label-studio-converter, whose sizes are those of the pictures in images/."""
    from label_studio_converter.imports.yolo import convert_yolo_to_ls

    out = path + ".tasks.json"
    convert_yolo_to_ls(path, out, image_root_url="/x?d=")
    tasks = json.load(open(out)) if os.path.exists(out) else []
    return {t["data"]["image"].split("/")[-1]: labels(t["annotations"][0]["result"]) for t in tasks}


def labels(results):
    sizes = {(r["original_width"], r["original_height"]) for r in results}
    boxes = [
        pixels((r["original_width"] / 100, r["original_height"] / 100), *(r["value"][k] for k in ("x", "y", "width", "height")))
        for r in results
    ]
    return {"size": list(sizes.pop()) if len(sizes) == 1 else None, "boxes": boxes}


def label_studio(path):
    """As after a person has accepted the predictions, exported by label-studio-converter as COCO."""
    from label_studio_converter import Converter

    tasks = json.load(open(path))
    for index, task in enumerate(tasks):
        task["id"] = index + 1
        task["annotations"] = [{"id": index + 1, "result": p["result"]} for p in task.pop("predictions")]
    accepted = path + ".accepted.json"
    json.dump(tasks, open(accepted, "w"))
    config = '<View><Image name="image" value="$image"/><RectangleLabels name="label" toName="image"><Label value="face"/></RectangleLabels></View>'
    out = path + ".coco"
    Converter(config, project_dir=None, download_resources=False).convert_to_coco(accepted, out, is_dir=False)
    done = json.load(open(out + "/result.json"))
    found = {}
    for image in done["images"]:
        boxes = [a["bbox"] for a in done["annotations"] if a["image_id"] == image["id"]]
        # It knows no size of a picture without boxes.
        size = [image["width"], image["height"]] if image["width"] else None
        found[tasks[image["id"]]["data"]["name"]] = {"size": size, "boxes": boxes}
    return found


def module(name):
    """A module of img2dataset alone: as a whole it needs 400 MB of others."""
    folder = importlib.util.find_spec("img2dataset").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("one_" + name, f"{folder}/{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def img2dataset(path):
    """Read by its reader; where it would blur is what its blurrer makes of a white picture if blurring were
    painting black. It grows each box by a tenth of the longer side, which is undone here."""
    import numpy
    import pyarrow

    sys.stdout, real = sys.stderr, sys.stdout
    work = path + ".work"
    os.makedirs(work, exist_ok=True)
    reader = module("reader").Reader(path, "jsonl", "url", None, None, None, ["bbox", "name"], 1000, set(), work)
    rows = [row for _, file in reader for row in pyarrow.ipc.open_file(file).read_all().to_pylist()]
    sys.stdout = real

    paints = iter(())

    class Paint:
        def __init__(self, **_):
            pass

        def __call__(self, image):
            return {"image": next(paints)(image)}

    sys.modules["albumentations"] = types.SimpleNamespace(GaussianBlur=Paint)
    blur = module("blurrer").BoundingBoxBlurrer()
    found = {}
    side = 1000
    for row in rows:
        boxes = []
        for box in row["bbox"]:
            paints = iter((numpy.zeros_like, lambda mask: mask))
            painted = blur(numpy.full((side, side, 3), 255, numpy.uint8), [box])
            ys, xs = numpy.where(painted[:, :, 0] == 0)
            left, top, right, bottom = xs.min(), ys.min(), xs.max() + 1, ys.max() + 1
            longer = max(right - left, bottom - top) / 1.2
            grown = [left + longer / 10, top + longer / 10, right - longer / 10, bottom - longer / 10]
            # What it would blur, cut at the edges; and what the list says, of which that is the proof.
            near = all(abs(g / side - b) < 0.006 or (not 0.1 < b < 0.9) for g, b in zip(grown, box))
            if not near:
                SAID.append(f"img2dataset blurs {grown} instead of {box}")
            boxes.append([box[0], box[1], box[2] - box[0], box[3] - box[1]])
        found[row["name"]] = {"size": None, "boxes": boxes}
    return found


def webdataset(paths):
    import webdataset as wds

    found = {}
    for sample in wds.WebDataset(sorted(paths), shardshuffle=False, empty_check=False):
        job = json.loads(sample["json"])
        kinds = [k for k in sample if not k.startswith("__") and k != "json"]
        if len(kinds) != 1 or int(sample["__key__"]) != job["id"] or len(sample[kinds[0]]) != job["bytes"]:
            SAID.append(f"webdataset: {sample['__key__']} has {kinds}")
        found[job["name"]] = of_job(job)
    for path in paths:
        done = subprocess.run(["tar", "tvf", path], capture_output=True, text=True)
        if done.returncode or done.stderr:
            SAID.append("tar: " + done.stderr)
    return found


def of_job(job):
    seen = job["detection"]
    return {
        "size": [seen["width"], seen["height"]],
        "boxes": [[f[k] for k in ("x", "y", "width", "height")] for f in seen["faces"]],
    }


def duckdb_csv(path):
    import duckdb

    rows = duckdb.sql(f"select name, width, height, boxes::json from read_csv('{path}', strict_mode=true)").fetchall()
    return {n: {"size": [w, h], "boxes": json.loads(b)} for n, w, h, b in rows}


def duckdb_jsonl(path):
    import duckdb

    rows = duckdb.sql(f"select name, to_json(detection) from read_json('{path}', format='newline_delimited')").fetchall()
    return {n: of_job({"detection": json.loads(d)}) for n, d in rows}


def pandas_csv(path):
    import pandas

    rows = pandas.read_csv(path, on_bad_lines="error")
    return {row.name: {"size": [int(row.width), int(row.height)], "boxes": json.loads(row.boxes)}
            for row in rows[["name", "width", "height", "boxes"]].itertuples(index=False, name="Row")}


def pandas_jsonl(path):
    import pandas

    rows = pandas.read_json(path, lines=True)
    return {name: of_job({"detection": detection}) for name, detection in zip(rows["name"], rows["detection"])}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or done.stderr.strip():
        SAID.append(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout


def exiftool(paths):
    """Three readings of one file: its three vocabularies."""
    found = {}
    texts = run("exiftool", "-q", "-j", "-struct", "-n", "-validate", "-warning", "-error", "-a", "-XMP:all", *paths)
    for row in json.loads(texts):
        name = os.path.basename(row["SourceFile"])
        if row.get("Warning") or row.get("Error") or not str(row.get("Validate", "0 0 0")).startswith("0"):
            SAID.append(f"exiftool: {name}: {row.get('Validate')} {row.get('Warning')} {row.get('Error')}")
        info = row["RegionInfo"]
        size = [info["AppliedToDimensions"]["W"], info["AppliedToDimensions"]["H"]]
        areas = [r["Area"] for r in info["RegionList"] if r["Type"] == "Face" and r["Area"]["Unit"] == "normalized"]
        mwg = [pixels(size, a["X"] - a["W"] / 2, a["Y"] - a["H"] / 2, a["W"], a["H"]) for a in areas]
        people = [
            pixels(size, *(float(n) for n in r["Rectangle"].split(", "))) for r in row["RegionInfoMP"]["Regions"]
        ]
        bounds = [r["RegionBoundary"] for r in row["ImageRegion"]]
        iptc = [pixels(size, *(b[k] for k in ("RbX", "RbY", "RbW", "RbH"))) for b in bounds if b["RbUnit"] == "relative"]
        for kind, boxes in (("mwg", mwg), ("mp", people), ("iptc", iptc)):
            found.setdefault("exiftool-" + kind, {})[name] = {"size": size, "boxes": boxes, "orientation": row["Orientation"]}
    return found


def exiv2(paths):
    found = {}
    for path in paths:
        values = {}
        for line in run("exiv2", "-PXkv", "pr", path).splitlines():
            key, _, value = line.partition(" ")
            values[key] = value.strip()
        get = lambda key: values.get("Xmp.mwg-rs.Regions/mwg-rs:" + key)
        found[os.path.basename(path)] = areas(get)
    return found


def exempi(paths):
    library = ctypes.CDLL("libexempi.so.8")
    for name in ("xmp_new", "xmp_string_new"):
        getattr(library, name).restype = ctypes.c_void_p
    library.xmp_string_cstr.restype = ctypes.c_char_p
    library.xmp_init()
    found = {}
    for path in paths:
        text = open(path, "rb").read()
        whole = ctypes.c_void_p(library.xmp_new(text, len(text)))
        if not whole:
            SAID.append(f"exempi: {path}: error {library.xmp_get_error()}")
            continue

        def get(key):
            value = ctypes.c_void_p(library.xmp_string_new())
            there = library.xmp_get_property(
                whole,
                b"http://www.metadataworkinggroup.com/schemas/regions/",
                b"mwg-rs:Regions/mwg-rs:" + key.encode(),
                value,
                None,
            )
            return library.xmp_string_cstr(value).decode() if there else None

        found[os.path.basename(path)] = areas(get)
    return found


def areas(get):
    """MWG's regions, by a function from a path to a text."""
    size = [int(get("AppliedToDimensions/stDim:" + side)) for side in "wh"]
    boxes = []
    while get(f"RegionList[{len(boxes) + 1}]/mwg-rs:Area/stArea:x"):
        x, y, w, h = (float(get(f"RegionList[{len(boxes) + 1}]/mwg-rs:Area/stArea:{k}")) for k in "xywh")
        boxes.append(pixels(size, x - w / 2, y - h / 2, w, h))
    return {"size": size, "boxes": boxes}


def main(folder):
    sys.stdout, out = sys.stderr, sys.stdout
    found = {}
    for file, reader in (
        ("coco.json", coco), ("yolo", yolo), ("label-studio.json", label_studio), ("img2dataset.jsonl", img2dataset),
        ("jobs.csv", duckdb_csv), ("jobs.jsonl", duckdb_jsonl), ("jobs.csv", pandas_csv), ("jobs.jsonl", pandas_jsonl),
    ):
        if os.path.exists(f"{folder}/{file}"):
            found[reader.__name__] = reader(f"{folder}/{file}")
    shards = glob.glob(folder + "/shards/*.tar")
    if shards:
        found["webdataset"] = webdataset(shards)
    sidecars = sorted(glob.glob(folder + "/sidecars/*.xmp"))
    if sidecars:
        found |= exiftool(sidecars)
        found["exiv2"] = exiv2(sidecars)
        found["exempi"] = exempi(sidecars)
    found["said"] = SAID
    json.dump(found, out)


main(sys.argv[1])
