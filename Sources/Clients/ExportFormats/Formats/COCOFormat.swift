/// Annotations for COCO: one JSON object with all images first, and their boxes after them.
///
/// https://cocodataset.org/#format-data: the id of an image is that of its job, a box is
/// `[x, y, width, height]` in pixels, and its only category is 1, `face`. Both lists grow picture by
/// picture, so whoever writes the file keeps the second aside until the first is over.
public struct COCOFormat {
    private let coordinates: Coordinates
    private var images = 0
    private var annotations: Int64 = 0

    /// Begins a file.
    public init(in coordinates: Coordinates) { self.coordinates = coordinates }

    /// The beginning of the file.
    public var opening: [UInt8] {
        var text: [UInt8] = []
        text.add("{\"info\":{\"description\":\"Faces counted by facefetch\",\"coordinates\":\"")
        text.add(coordinates.rawValue)
        text.add(
            "\"},\"licenses\":[],\"categories\":[{\"id\":1,\"name\":\"face\",\"supercategory\":\"person\"}],"
        )
        text.add("\"images\":[")
        return text
    }

    /// The text between images and annotations.
    public let middle = Array("\n],\"annotations\":[".utf8)
    /// The end of the file.
    public let closing = Array("\n]}\n".utf8)

    /// Adds a picture to the images, and its faces to the annotations.
    public mutating func write(
        _ job: ExportedJob,
        _ picture: ExportedPicture,
        images text: inout [UInt8],
        annotations boxes: inout [UInt8]
    ) {
        text.add(images == 0 ? "\n{\"id\":" as StaticString : ",\n{\"id\":")
        images += 1
        text.add(job.id)
        text.add(",\"file_name\":")
        text.addJSON(job.file)
        text.add(",\"width\":")
        text.add(picture.size.width)
        text.add(",\"height\":")
        text.add(picture.size.height)
        text.add(",\"coco_url\":")
        text.addJSON(job.url)
        text.add("}")
        for face in picture.faces {
            boxes.add(annotations == 0 ? "\n{\"id\":" as StaticString : ",\n{\"id\":")
            annotations += 1
            boxes.add(annotations)
            boxes.add(",\"image_id\":")
            boxes.add(job.id)
            boxes.add(",\"category_id\":1,\"bbox\":[")
            boxes.addBox(face.box)
            boxes.add("],\"area\":")
            boxes.add(face.box.width * face.box.height)
            boxes.add(",\"iscrowd\":0,\"segmentation\":[],\"attributes\":{\"confidence\":")
            boxes.addNumber(face.confidence)
            boxes.add("}}")
        }
    }
}
