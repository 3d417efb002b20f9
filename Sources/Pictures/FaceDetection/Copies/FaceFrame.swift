import Vocabulary

/// The part of a picture that shows a face and what is around it.
public struct FaceFrame: Hashable, Sendable {
    /// The ratio of its width and height to those of the face's box.
    public static let margin = 1.3

    /// Pixels from the left edge.
    public let x: Int
    /// Pixels from the top edge.
    public let y: Int
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Creates a frame around a face in a picture of this size.
    ///
    /// What would lie outside of the picture is cut off. A square stays one: it moves inwards instead,
    /// and is no larger than the picture's shorter side.
    public init(around face: Face, square: Bool = false, width: Int, height: Int) {
        let (across, down) = (Double(face.width) * Self.margin, Double(face.height) * Self.margin)
        let middle = (x: Double(face.x) + Double(face.width) / 2, y: Double(face.y) + Double(face.height) / 2)
        if square {
            let side = max(1, min(Int(max(across, down).rounded()), width, height))
            x = min(max(0, Int((middle.x - Double(side) / 2).rounded())), width - side)
            y = min(max(0, Int((middle.y - Double(side) / 2).rounded())), height - side)
            (self.width, self.height) = (side, side)
        } else {
            // Outwards, so that no pixel of the margin is lost.
            x = max(0, Int((middle.x - across / 2).rounded(.down)))
            y = max(0, Int((middle.y - down / 2).rounded(.down)))
            self.width = max(1, min(width, Int((middle.x + across / 2).rounded(.up))) - x)
            self.height = max(1, min(height, Int((middle.y + down / 2).rounded(.up))) - y)
        }
    }
}

extension Picture {
    /// The part of the picture that a frame shows; nil if that isn't all inside.
    func part(_ frame: FaceFrame) -> Picture? {
        part(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }
}

extension Face {
    /// The face in pixels of a picture that may have been shrunk while it was decoded.
    func shrunk(to picture: Picture) -> Face {
        guard picture.width != picture.fullWidth || picture.height != picture.fullHeight else { return self }
        let across = Double(picture.width) / Double(picture.fullWidth)
        let down = Double(picture.height) / Double(picture.fullHeight)
        let left = min(Int(Double(x) * across), picture.width - 1)
        let top = min(Int(Double(y) * down), picture.height - 1)
        return Face(
            x: left,
            y: top,
            width: max(1, min(Int((Double(x + width) * across).rounded(.up)), picture.width) - left),
            height: max(1, min(Int((Double(y + height) * down).rounded(.up)), picture.height) - top),
            confidence: confidence,
            landmarks: landmarks?.map {
                Point(x: Int((Double($0.x) * across).rounded()), y: Int((Double($0.y) * down).rounded()))
            }
        )
    }
}
