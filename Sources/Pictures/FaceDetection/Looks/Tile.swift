import Vocabulary

/// A part of a picture that is too large to be looked at as a whole.
struct Tile {
    /// Its columns.
    let across: TileSpan
    /// Its rows.
    let down: TileSpan

    /// All tiles in which a picture of this size is looked at, from top to bottom.
    static func all(width: Int, height: Int) -> [Tile] {
        let (longest, margin) = (TiledLook.longest, TiledLook.margin)
        let columns = TileSpan.cut(width, longest: longest, margin: margin)
        return TileSpan.cut(height, longest: longest, margin: margin).flatMap { down in
            columns.map { Tile(across: $0, down: down) }
        }
    }

    /// The part that is looked at.
    var frame: FaceFrame {
        FaceFrame(
            x: across.pixels.lowerBound,
            y: down.pixels.lowerBound,
            width: across.pixels.count,
            height: down.pixels.count
        )
    }

    /// Returns whether the middle of a face of the whole picture is in it.
    func holds(_ face: Face, in frame: Picture) -> Bool {
        let x = (Double(face.x) + Double(face.width) / 2) * Double(frame.width) / Double(frame.fullWidth)
        let y = (Double(face.y) + Double(face.height) / 2) * Double(frame.height) / Double(frame.fullHeight)
        return across.holds(x) && down.holds(y)
    }

    /// Returns a box that was seen in it, in pixels of the picture; nil if another tile reports it.
    func told(_ box: EngineBox) -> EngineBox? {
        let box = box.moved(x: across.pixels.lowerBound, y: down.pixels.lowerBound)
        guard across.holds(box.x + box.width / 2), down.holds(box.y + box.height / 2) else { return nil }
        return box
    }
}
