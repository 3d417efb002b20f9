extension RedactedPicture {
    /// How often a picture is looked at again; from half of that on, what is still seen becomes black at once.
    private static let mostRounds = 6
    /// Pixels of a look around what is hidden that are looked at with it: a network sees shoulders, too.
    private static let surroundings = 64

    /// Looks at what is hidden, and hides what still looks like a face.
    ///
    /// Coarse colours do, and to a network even black above shoulders does now and then. What is far from
    /// everything hidden looks as it did before.
    public mutating func hideRest(by detector: FaceDetector) throws {
        guard style != .solid || detector.engine.seesWhatIsHidden else { return }
        for round in 0..<Self.mostRounds where !frames.isEmpty {
            let left = try facesLeft(by: detector)
            if left.isEmpty { return }
            hideMore(left, inBlack: round >= Self.mostRounds / 2)
        }
    }

    /// What still looks like a face, in all sizes in which a picture is looked at.
    private func facesLeft(by detector: FaceDetector) throws -> [FoundFace] {
        guard detector.engine.seesWhatIsHidden else {
            return try detector.facesToHide { size in try picture.shrunk(to: size) }.boxes
        }
        let engine = detector.engine
        var left: [FoundFace] = []
        _ = try detector.eachLook(at: { size in try picture.shrunk(to: size) }) { index, small in
            for part in parts(of: small) {
                guard let cut = small.part(x: part.x, y: part.y, width: part.width, height: part.height)
                else { continue }
                // Not all that may be a face: of what is that unsure, most is hair and hats.
                left += try engine.candidates(in: cut).compactMap { box in
                    index == 0 || box.width <= engine.ladder.widest
                        ? box.moved(x: part.x, y: part.y).enlarged(to: small) : nil
                }
            }
            return []
        }
        return left
    }

    /// The parts of a smaller version of the picture in which something is hidden; none touches another.
    private func parts(of small: Picture) -> [FaceFrame] {
        let across = Double(small.width) / Double(picture.width)
        let down = Double(small.height) / Double(picture.height)
        var parts: [FaceFrame] = []
        for frame in frames {
            var part = FaceFrame(
                left: Int(Double(frame.x) * across) - Self.surroundings,
                top: Int(Double(frame.y) * down) - Self.surroundings,
                right: Int((Double(frame.x + frame.width) * across).rounded(.up)) + Self.surroundings,
                bottom: Int((Double(frame.y + frame.height) * down).rounded(.up)) + Self.surroundings,
                in: small
            )
            while let index = parts.firstIndex(where: { $0.touches(part) }) {
                let other = parts.remove(at: index)
                part = FaceFrame(
                    left: min(part.x, other.x),
                    top: min(part.y, other.y),
                    right: max(part.x + part.width, other.x + other.width),
                    bottom: max(part.y + part.height, other.y + other.height),
                    in: small
                )
            }
            parts.append(part)
        }
        return parts
    }
}

extension FaceFrame {
    /// A frame between these edges, as far as it is in a picture.
    fileprivate init(left: Int, top: Int, right: Int, bottom: Int, in picture: Picture) {
        let (x, y) = (min(max(0, left), picture.width - 1), min(max(0, top), picture.height - 1))
        self.init(
            x: x,
            y: y,
            width: max(1, min(right, picture.width) - x),
            height: max(1, min(bottom, picture.height) - y)
        )
    }

    /// Whether it has pixels in common with another.
    func touches(_ other: FaceFrame) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height
            && other.y < y + height
    }
}

extension EngineBox {
    /// The box in a picture of which the one that was looked at is a part that begins there.
    fileprivate func moved(x: Int, y: Int) -> EngineBox {
        var box = self
        (box.x, box.y) = (self.x + Double(x), self.y + Double(y))
        box.landmarks = landmarks?.map { Point(x: $0.x + Double(x), y: $0.y + Double(y)) }
        return box
    }
}
