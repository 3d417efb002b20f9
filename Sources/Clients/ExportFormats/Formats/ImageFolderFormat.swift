/// A folder of pictures for the library datasets of Hugging Face, with a line of JSON for each.
///
/// https://huggingface.co/docs/datasets/image_dataset: `metadata.jsonl` lies beside the pictures, and has the
/// boxes of each as COCO has them. The names of splits are looked for in all names and folders, so pictures are
/// named by their jobs, in a folder `train`, and their own names stand in the lines.
public enum ImageFolderFormat {
    /// The folder of the pictures, by which the library knows their split.
    public static let folder = "train"
    /// The file with the lines, in that folder.
    public static let list = folder + "/metadata.jsonl"

    /// Returns the name of a picture in its folder, as it is.
    public static func name(_ job: ExportedJob) -> String { WebDatasetFormat.names(job).picture }

    /// Returns whether the library can't read a picture's format, so that it needs a copy in another one.
    public static func needsCopy(_ job: ExportedJob) -> Bool {
        guard let format = job.detection?.format else { return true }
        return !["jpeg", "png", "webp", "gif", "tiff", "bmp", "jp2"].contains(format)
    }

    /// Adds a picture's line.
    ///
    /// Each line has the same members of the same types, of which the library makes its columns.
    public static func write(
        _ job: ExportedJob,
        _ picture: ExportedPicture,
        file: String,
        to text: inout [UInt8]
    ) {
        text.add("{\"file_name\":")
        text.addJSON(file)
        text.add(",\"width\":")
        text.add(picture.size.width)
        text.add(",\"height\":")
        text.add(picture.size.height)
        text.add(",\"objects\":{\"bbox\":[")
        for (index, face) in picture.faces.enumerated() {
            text.add(index == 0 ? "[" as StaticString : ",[")
            text.addBox(face.box)
            text.append(UInt8(ascii: "]"))
        }
        text.add("],\"categories\":[")
        for index in picture.faces.indices { text.add(index == 0 ? "0" as StaticString : ",0") }
        text.add("],\"confidence\":[")
        for (index, face) in picture.faces.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.addDecimal(face.confidence, places: 4)
        }
        text.add("]},\"faces\":")
        text.add(picture.faces.count)
        text.add(",\"job\":")
        text.add(job.id)
        for (key, value) in [
            ("name", job.name), ("folder", job.folder), ("url", job.url), ("sha256", job.sha256),
            ("source", job.source),
        ] {
            text.add(",")
            text.addJSON(key)
            text.add(":")
            text.addJSON(value ?? "")
        }
        text.add("}\n")
    }
}
