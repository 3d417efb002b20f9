/// The folders that YOLO expects: `images/NAME`, and `labels/STEM.txt` with a line for each face.
///
/// https://docs.ultralytics.com/datasets/detect/: class, centre, width and height, relative to the picture.
/// A picture without faces has an empty file.
public enum YOLOFormat {
    /// `data.yaml`, which names the folders and the class.
    public static func dataFile(in coordinates: Coordinates) -> [UInt8] {
        Array(
            """
            # Faces counted by facefetch. Coordinates: \(coordinates.rawValue).
            train: images
            val: images
            names:
              0: face

            """.utf8
        )
    }

    /// `classes.txt`, which label-studio-converter and others ask for.
    public static let classesFile = Array("face\n".utf8)

    /// Returns the contents of a picture's label file.
    public static func labels(_ picture: ExportedPicture) -> [UInt8] {
        var text: [UInt8] = []
        for face in picture.faces {
            text.add("0 ")
            text.addCentre(of: face.box, in: picture.size, between: [" ", " ", " "])
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// Returns the extension of a picture's file, with its dot: its own where that is one of pictures, and else
    /// that of its format, since YOLO's readers pass over files of other extensions.
    public static func suffix(_ job: ExportedJob) -> String {
        let own = split(job.name).suffix
        if extensions.contains(String(own.dropFirst()).lowercased()) { return own }
        return WebDatasetFormat.knownSuffix(job).map { "." + $0 } ?? (own.utf8.count <= 16 ? own : "")
    }

    /// Those of https://docs.ultralytics.com/modes/predict/#images, and of formats that facefetch decodes.
    private static let extensions: Set<String> = [
        "avif", "bmp", "dng", "gif", "heic", "heif", "jp2", "jpeg", "jpg", "jxl", "mpo", "pfm", "png", "tif",
        "tiff", "webp",
    ]

    /// Splits a file's name into the part before the extension, and the extension with its dot.
    public static func split(_ name: String) -> (stem: String, suffix: String) {
        // As its readers see it, to whom a dot under an accent is one.
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }
}

extension [UInt8] {
    /// Adds a box as centre, width and height, relative to the picture.
    mutating func addCentre(of box: Box, in size: Size, between separators: [StaticString]) {
        add(2 * box.x + box.width, twice: size.width)
        add(separators[0])
        add(2 * box.y + box.height, twice: size.height)
        add(separators[1])
        add(2 * box.width, twice: size.width)
        add(separators[2])
        add(2 * box.height, twice: size.height)
    }
}
