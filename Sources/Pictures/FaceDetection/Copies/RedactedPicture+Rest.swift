import Vocabulary

extension RedactedPicture {
    /// The most times that a picture is looked at again; from half of that on, what is still seen becomes
    /// black at once.
    private static let mostRounds = 6
    /// Pixels of a look around what is hidden that are looked at with it: a network sees shoulders, too.
    private static let surroundings = 64
    /// Parts of a look begin at multiples of this, YuNet's coarsest stride: its cells then lie as they do in the
    /// whole, and see the same.
    private static let grid = 32

    /// Looks for everything in a picture that may be a face, hides it and faces that are known, and looks
    /// again until nothing is seen.
    ///
    /// Faces are in pixels of the picture at full resolution, whatever size that was decoded to.
    public static func hidingFaces(
        of picture: Picture,
        known: [Face] = [],
        style: RedactionStyle,
        by detector: FaceDetector
    ) throws -> (copy: RedactedPicture, seen: FacesToHide) {
        var copy = RedactedPicture(picture, faces: [], style: style)
        var hidden: Set<Face> = []
        // By look: how much was hidden when it was taken.
        var looked: [Int] = []
        let seen = try detector.facesToHide(known: known) { size in
            try copy.picture.shrunk(to: size)
        } afterLook: { large in
            looked.append(copy.changes)
            let new = large.filter { !hidden.contains($0) }
            guard detector.engine.seesWhatIsHidden, !new.isEmpty else { return }
            // The next look, which has to be taken anyway, sees then what that has come to.
            copy.hide(new)
            hidden.formUnion(new)
        }
        let others = seen.boxes.filter { !hidden.contains($0) }
        if !others.isEmpty { copy.hide(others) }
        try copy.hideRest(by: detector, looked: looked)
        return (copy, seen)
    }

    /// Looks at what is hidden, and hides what still looks like a face.
    ///
    /// Coarse colours do, and to a network even black above shoulders does now and then. What is far from
    /// everything hidden looks as it did before. `looked` has, by look, how much was hidden before it.
    private mutating func hideRest(by detector: FaceDetector, looked: [Int]) throws {
        guard changes > 0 else { return }
        guard detector.engine.seesWhatIsHidden else { return try hideWhatIsSeen(by: detector) }
        var looked = looked
        for round in 0..<Self.mostRounds {
            var isClean = true
            for index in looked.indices {
                let frames = frames(since: looked[index])
                guard !frames.isEmpty else { continue }
                looked[index] = changes
                let left = try facesLeft(in: frames, at: index, by: detector)
                guard !left.isEmpty else { continue }
                isClean = false
                hideMore(left, inBlack: round >= Self.mostRounds / 2)
            }
            if isClean { return }
        }
    }

    /// The same for an engine to which black is black, and which sees a part otherwise than the whole.
    private mutating func hideWhatIsSeen(by detector: FaceDetector) throws {
        guard style != .solid else { return }
        for round in 0..<Self.mostRounds {
            let left = try detector.facesToHide { size in try picture.shrunk(to: size) }.boxes
            if left.isEmpty { return }
            hideMore(left, inBlack: round >= Self.mostRounds / 2)
        }
    }

    /// Returns what still looks like a face in these frames, in one of the looks.
    private func facesLeft(
        in frames: [FaceFrame],
        at index: Int,
        by detector: FaceDetector
    ) throws -> [Face] {
        let engine = detector.engine
        let sizes = engine.ladder.sizes
        // Behind those is the look in tiles.
        guard sizes.indices.contains(index) else { return try facesLeftInTiles(around: frames, by: engine) }
        let small = try picture.shrunk(to: sizes[index])
        let near = parts(of: small, around: frames)
        // Colours are seen where black isn't, and otherwise in a part, which ends elsewhere than the picture.
        let whole = FaceFrame(x: 0, y: 0, width: small.width, height: small.height)
        var left: [Face] = []
        for part in style == .solid ? near : [whole] {
            let cut = part == whole ? small : small.part(part)
            guard let cut else { continue }
            left += try engine.remains(in: cut).compactMap { box in
                let box = box.moved(x: part.x, y: part.y)
                // What is far from everything hidden is as it was.
                return near.contains { box.touches($0) } ? box.enlarged(to: small) : nil
            }
        }
        // In that a mosaic is smooth, and a part would be another picture.
        guard index == 0, let size = engine.overviewSize, size < max(small.width, small.height) else {
            return left
        }
        let overview = try small.shrunk(to: size)
        return left + (try engine.remains(in: overview).compactMap { $0.enlarged(to: overview) })
    }

    /// The same in a look in tiles, whatever hides faces: tiles are the same for whoever looks.
    private func facesLeftInTiles(
        around frames: [FaceFrame],
        by engine: any FaceEngine
    ) throws -> [Face] {
        let near = parts(of: picture, around: frames)
        var left: [Face] = []
        for tile in Tile.all(width: picture.width, height: picture.height) {
            guard near.contains(where: { $0.touches(tile.frame) }), let part = picture.part(tile.frame)
            else { continue }
            left += try engine.remains(in: part).compactMap { box in
                guard let box = tile.told(box) else { return nil }
                return near.contains { box.touches($0) } ? box.enlarged(to: picture) : nil
            }
        }
        return left
    }

    private static func onGrid(_ place: Int) -> Int { max(0, place) / grid * grid }

    /// The parts of a smaller version of the picture that have these frames; none touches another.
    private func parts(of small: Picture, around frames: [FaceFrame]) -> [FaceFrame] {
        let across = Double(small.width) / Double(picture.width)
        let down = Double(small.height) / Double(picture.height)
        var parts: [FaceFrame] = []
        for frame in frames {
            var part = FaceFrame(
                left: Self.onGrid(Int(Double(frame.x) * across) - Self.surroundings),
                top: Self.onGrid(Int(Double(frame.y) * down) - Self.surroundings),
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
        // Most of it is as well looked at whole.
        let pixels = parts.reduce(0) { $0 + $1.width * $1.height }
        guard pixels * 3 < small.width * small.height * 2 else {
            return [FaceFrame(x: 0, y: 0, width: small.width, height: small.height)]
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

    /// Returns whether it has pixels in common with another.
    func touches(_ other: FaceFrame) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height
            && other.y < y + height
    }
}

extension EngineBox {
    /// Returns whether it has something in common with a frame.
    fileprivate func touches(_ frame: FaceFrame) -> Bool {
        x < Double(frame.x + frame.width) && Double(frame.x) < x + width
            && y < Double(frame.y + frame.height) && Double(frame.y) < y + height
    }
}
