/// A picture whose faces were counted: its size and they, in one kind of coordinates.
public struct ExportedPicture: Hashable, Sendable {
    /// What the numbers are of.
    public let coordinates: Coordinates
    /// The size of the picture.
    public let size: Size
    /// The faces, all within the picture.
    public let faces: [ExportedFace]
    /// How the picture lies in its file, as the value of EXIF.
    public let orientation: Int

    /// A result in these coordinates; nil where the picture's size isn't known.
    init?(_ detection: ExportedDetection, in coordinates: Coordinates) {
        guard let width = detection.width, let height = detection.height, width > 0, height > 0 else {
            return nil
        }
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
