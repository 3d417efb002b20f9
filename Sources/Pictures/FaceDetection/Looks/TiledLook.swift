import Vocabulary

/// A look at a picture that is too large to be held: it is decoded from top to bottom, and each strip is
/// looked at in tiles.
struct TiledLook {
    let engine: any FaceEngine
    /// The index of the look for the engine.
    let index: Int
    /// True if only those tiles are looked at that ``TileChoice`` chooses.
    let isSampled: Bool
    /// Faces that earlier looks have found and that this one has to judge again.
    let unclear: [Face]

    /// The longer side of a tile with its margins, in pixels: a multiple of 32, to which YuNet's input is filled.
    static let longest = 1280
    /// Tiles reach this far into their neighbours: a face that is reported is no wider, and there is room
    /// beside it.
    static let margin = 64
    /// The most faces that are kept; an answer has fewer.
    private static let mostFaces = 8192

    /// The faces that were found.
    struct Result {
        /// Faces that earlier looks have found, and this one hasn't judged.
        var left: [Face]
        /// The faces that this look has found.
        var found: [Face] = []
    }

    /// Looks at a picture; nil where its rows end too soon, or `mayGoOn` says that there is no time left.
    func look(at picture: PictureRows, mayGoOn: () -> Bool) throws -> Result? {
        let frame = picture.frame
        let across = TileSpan.cut(frame.width, longest: Self.longest, margin: Self.margin)
        var choice = TileChoice(columns: across.count, isSampled: isSampled)
        var result = Result(left: unclear)
        var (strip, top) = ([UInt8](), 0)
        for down in TileSpan.cut(frame.height, longest: Self.longest, margin: Self.margin) {
            // What this strip shares with the one before is here already.
            strip.removeFirst((down.pixels.lowerBound - top) * frame.width * 3)
            top = down.pixels.lowerBound
            let missing = down.pixels.count - strip.count / (frame.width * 3)
            guard mayGoOn(), let rows = try picture.read(missing) else { return nil }
            strip += rows
            choice.beginRow(likely: columns(across, down, of: result.left, in: frame))
            while let column = choice.next() {
                guard mayGoOn() else { return nil }
                let tile = Tile(across: across[column], down: down)
                let rows = down.pixels.count
                let part = Picture.tile(of: strip, frame, columns: tile.across.pixels, rows: rows)
                let faces = try look(at: tile, part, in: frame)
                if !faces.isEmpty { choice.found(in: column) }
                result.left.removeAll { tile.holds($0, in: frame) }
                result.found += faces
            }
        }
        if result.found.count > Self.mostFaces {
            result.found.sort { $0.confidence > $1.confidence }
            result.found.removeSubrange(Self.mostFaces...)
        }
        return result
    }

    /// The faces whose middle is in a tile, in pixels of the whole picture.
    private func look(at tile: Tile, _ part: Picture, in frame: Picture) throws -> [Face] {
        try engine.candidates(in: part)
            .filter { engine.isFace($0, at: index) && $0.width <= engine.ladder.widest }
            .compactMap { tile.told($0)?.enlarged(to: frame) }
    }

    private func columns(
        _ across: [TileSpan],
        _ down: TileSpan,
        of faces: [Face],
        in frame: Picture
    ) -> Set<Int> {
        Set(
            across.indices.filter { column in
                faces.contains { Tile(across: across[column], down: down).holds($0, in: frame) }
            }
        )
    }
}

extension Picture {
    /// Some columns of a strip of a picture, as a picture of its own.
    fileprivate static func tile(
        of strip: [UInt8],
        _ frame: Picture,
        columns: Range<Int>,
        rows: Int
    ) -> Picture {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(columns.count * rows * 3)
        for row in 0..<rows {
            let start = (row * frame.width + columns.lowerBound) * 3
            pixels += strip[start..<start + columns.count * 3]
        }
        return Picture(
            pixels: pixels,
            width: columns.count,
            height: rows,
            fullWidth: columns.count,
            fullHeight: rows,
            orientation: frame.orientation,
            format: frame.format
        )
    }
}
