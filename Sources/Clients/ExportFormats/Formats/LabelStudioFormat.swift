import Vocabulary

/// Tasks for Label Studio with the faces as predictions: a JSON array.
///
/// https://labelstud.io/guide/predictions: boxes are in percent of the picture. `image` names the document
/// for Label Studio's storage of local files; the labelling configuration has to have
/// `<Image name="image" value="$image"/>` and `<RectangleLabels name="label" toName="image">` with `face`.
public struct LabelStudioFormat {
    private let coordinates: Coordinates
    private var tasks = 0

    /// Begins a file.
    public init(in coordinates: Coordinates) { self.coordinates = coordinates }

    /// The beginning of the file.
    public let opening = [UInt8(ascii: "[")]
    /// The end of the file.
    public let closing = Array("\n]\n".utf8)

    /// Adds a picture.
    public mutating func write(_ job: ExportedJob, _ picture: ExportedPicture, to text: inout [UInt8]) {
        text.add(tasks == 0 ? "\n{\"data\":{\"image\":" as StaticString : ",\n{\"data\":{\"image\":")
        tasks += 1
        text.addJSON("/data/local-files/?d=" + Self.escaped(job.path ?? job.name))
        text.add(",\"job\":")
        text.add(job.id)
        text.add(",\"name\":")
        text.addJSON(job.name)
        text.add(",\"url\":")
        text.addJSON(job.url)
        text.add(",\"coordinates\":\"")
        text.add(coordinates.rawValue)
        text.add("\"},\"predictions\":[{\"model_version\":")
        text.addJSON("facefetch " + (job.detection?.engine ?? ""))
        text.add(",\"result\":[")
        for (index, face) in picture.faces.enumerated() {
            text.add(index == 0 ? "{\"id\":\"" as StaticString : ",{\"id\":\"")
            text.add("\(JobID(job.id))f\(index + 1)")
            text.add(
                "\",\"type\":\"rectanglelabels\",\"from_name\":\"label\",\"to_name\":\"image\",\"original_width\":"
            )
            text.add(picture.size.width)
            text.add(",\"original_height\":")
            text.add(picture.size.height)
            text.add(",\"image_rotation\":0,\"score\":")
            text.addNumber(face.confidence)
            text.add(",\"value\":{\"x\":")
            text.addPercent(face.box.x, of: picture.size.width)
            text.add(",\"y\":")
            text.addPercent(face.box.y, of: picture.size.height)
            text.add(",\"width\":")
            text.addPercent(face.box.width, of: picture.size.width)
            text.add(",\"height\":")
            text.addPercent(face.box.height, of: picture.size.height)
            text.add(",\"rotation\":0,\"rectanglelabels\":[\"face\"]}}")
        }
        text.add("]}]}")
    }

    /// Returns a path for use in a URL, without the slash in front, since Label Studio puts its root there.
    private static func escaped(_ path: String) -> String {
        let bytes = path.utf8.drop { $0 == UInt8(ascii: "/") }
        return PercentEncoding.encode(String(decoding: bytes, as: UTF8.self), keeping: "/")
    }
}

extension [UInt8] {
    /// Adds a fraction in percent, with six decimals.
    fileprivate mutating func addPercent(_ part: Int, of whole: Int) {
        addDecimal(100 * Double(part) / Double(whole), places: 6)
    }
}
