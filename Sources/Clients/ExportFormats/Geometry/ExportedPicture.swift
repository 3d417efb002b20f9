/// A picture whose faces were counted, with its size and its faces in one kind of coordinates.
public struct ExportedPicture: Hashable, Sendable {
    /// The frame of reference of size and faces.
    public let coordinates: Coordinates
    /// The size of the picture.
    public let size: Size
    /// The faces, which all lie within the picture.
    public let faces: [ExportedFace]
    /// The orientation of the picture in its file, as in EXIF.
    public let orientation: Int

    /// The possible lengths of a side in pixels, as far as any format goes; sums of two can't overflow.
    static let sides = 1...Int(Int32.max)

    /// Creates a picture from a result; nil if the picture's size isn't known.
    init?(_ detection: ExportedDetection, in coordinates: Coordinates) {
        guard let width = detection.width, let height = detection.height,
            Self.sides.contains(width), Self.sides.contains(height)
        else { return nil }
        let orientation = Orientation(exif: detection.orientation)
        let upright = Size(width: width, height: height)
        self.coordinates = coordinates
        self.orientation = orientation.rawValue
        let faces = detection.faces.map {
            ExportedFace(box: $0.box.clamped(to: upright), confidence: $0.confidence)
        }
        switch coordinates {
        case .upright:
            size = upright
            self.faces = faces
        case .stored:
            size = orientation.stored(upright)
            self.faces = faces.map {
                ExportedFace(box: orientation.stored($0.box, in: upright), confidence: $0.confidence)
            }
        }
    }
}
