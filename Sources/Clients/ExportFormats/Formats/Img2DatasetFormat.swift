/// A list for img2dataset, which downloads the pictures and blurs the boxes, as JSON Lines.
///
/// It is read with `img2dataset --url_list FILE --input_format jsonl --url_col url --bbox_col bbox`. A box
/// is `[left, top, right, bottom]`, each relative to the size of the picture.
public enum Img2DatasetFormat {
    /// Returns what its reader takes coordinates to be of: OpenCV, told to leave a picture as it is, turns
    /// TIFFs all the same, and nothing else.
    public static func coordinates(of job: ExportedJob) -> Coordinates {
        job.detection?.format == "tiff" ? .upright : .stored
    }

    /// Adds a picture.
    public static func write(_ job: ExportedJob, _ picture: ExportedPicture, to text: inout [UInt8]) {
        text.add("{\"url\":")
        text.addJSON(job.url)
        text.add(",\"bbox\":[")
        for (index, face) in picture.faces.enumerated() {
            text.add(index == 0 ? "[" as StaticString : ",[")
            text.add(2 * face.box.x, twice: picture.size.width)
            text.append(UInt8(ascii: ","))
            text.add(2 * face.box.y, twice: picture.size.height)
            text.append(UInt8(ascii: ","))
            text.add(2 * (face.box.x + face.box.width), twice: picture.size.width)
            text.append(UInt8(ascii: ","))
            text.add(2 * (face.box.y + face.box.height), twice: picture.size.height)
            text.append(UInt8(ascii: "]"))
        }
        text.add("],\"sha256\":")
        text.addJSON(job.sha256)
        text.add(",\"job\":")
        text.add(job.id)
        text.add(",\"name\":")
        text.addJSON(job.name)
        text.add(",\"coordinates\":\"")
        text.add(picture.coordinates.rawValue)
        text.add("\"}\n")
    }
}
